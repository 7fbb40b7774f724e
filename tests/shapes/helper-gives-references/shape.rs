//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::{Context, Result};
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

async fn claims_in_use(client: &Client, namespace: &str) -> Result<HashSet<String>> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let mut used = HashSet::new();
    for pod in pods.list(&ListParams::default()).await? {
        used.insert(pod.labels()["claim"].clone());
    }
    Ok(used)
}

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let used = claims_in_use(&client, namespace).await.context("read what is in use")?;
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    for claim in claims.list(&ListParams::default()).await? {
        if !used.contains(&claim.name_any()) {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period, reference-read-first
        }
    }
    Ok(())
}
