//! Delete settings that no job names.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let jobs: Api<Job> = Api::namespaced(client.clone(), namespace);
    let candidates = settings.list(&ListParams::default()).await?;
    let mut named = HashSet::new();
    for job in jobs.list(&ListParams::default()).await? {
        named.insert(format!("{}/{}", job.namespace().unwrap_or_default(), job.name_any()));
    }
    for item in candidates {
        let key = format!("{}/{}", item.namespace().unwrap_or_default(), item.name_any());
        if !named.contains(&key) {
            settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
