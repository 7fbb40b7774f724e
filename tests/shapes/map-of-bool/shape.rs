//! Delete claims that no pod uses.

use std::collections::HashMap;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let candidates = claims.list(&ListParams::default()).await?;
    let mut in_use: HashMap<String, bool> = HashMap::new();
    for pod in api.list(&ListParams::default()).await? {
        in_use.insert(pod.labels()["claim"].clone(), true);
    }
    for claim in candidates {
        if !in_use.get(&claim.name_any()).copied().unwrap_or(false) {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
