//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use tracing::warn;

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let mut used = HashSet::new();
    match api.list(&ListParams::default()).await {
        Ok(pods) => {
            for pod in pods {
                used.insert(pod.labels()["claim"].clone());
            }
        }
        Err(error) => warn!("cannot list pods: {error}"),
    }
    for claim in claims.list(&ListParams::default()).await? {
        if !used.contains(&claim.name_any()) {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period, reference-read-first, error-as-empty
        }
    }
    Ok(())
}
