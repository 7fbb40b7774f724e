//! Delete jobs' settings once no job has that name.

use anyhow::Result;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let api: Api<Job> = Api::namespaced(client.clone(), namespace);
    let candidates = settings.list(&ListParams::default()).await?;
    let jobs = api.list(&ListParams::default()).await?;
    for item in candidates {
        if !jobs.iter().any(|job| job.name_any() == item.name_any()) {
            settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
