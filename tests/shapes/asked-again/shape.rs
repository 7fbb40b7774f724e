//! Delete settings whose job is gone, after a second look.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let jobs: Api<Job> = Api::namespaced(client.clone(), namespace);
    let names: HashSet<String> = jobs.list(&ListParams::default()).await?.iter().map(|job| job.name_any()).collect();
    for item in settings.list(&ListParams::default()).await? {
        if names.contains(&item.name_any()) {
            continue;
        }
        if jobs.get_opt(&item.name_any()).await?.is_some() {
            continue;
        }
        settings.delete(&item.name_any(), &DeleteParams::default()).await?;
    }
    Ok(())
}
