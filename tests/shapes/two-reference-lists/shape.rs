//! Delete settings that neither a job nor a deployment uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let jobs: Api<Job> = Api::namespaced(client.clone(), namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let candidates = settings.list(&ListParams::default()).await?;
    let mut used: HashSet<String> = HashSet::new();
    used.extend(jobs.list(&ListParams::default()).await?.iter().map(|job| job.name_any()));
    used.extend(deployments.list(&ListParams::default()).await?.iter().map(|deployment| deployment.name_any()));
    for item in candidates {
        if !used.contains(&item.name_any()) {
            settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
