//! Delete jobs' settings once no job has that name.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let api: Api<Job> = Api::namespaced(client.clone(), namespace);
    let candidates = settings.list(&ListParams::default()).await?;
    let jobs: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|job| job.name_any()).collect();
    let stray: Vec<ConfigMap> = candidates.into_iter().filter(|item| !jobs.contains(&item.name_any())).collect();
    for item in stray {
        settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
