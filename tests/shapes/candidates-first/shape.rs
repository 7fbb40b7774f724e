//! Delete credentials that no worker mounts.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let secrets: Api<Secret> = Api::namespaced(client.clone(), namespace);
    let candidates = secrets.list(&ListParams::default()).await?;
    let mut mounted = HashSet::new();
    for pod in pods.list(&ListParams::default()).await? {
        mounted.insert(pod.labels()["worker"].clone());
    }
    for secret in candidates {
        if !mounted.contains(&secret.name_any()) {
            secrets.delete(&secret.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
