//! Delete claims that no pod uses.

use std::collections::HashMap;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let mut stray = HashMap::new();
    for claim in claims.list(&ListParams::default()).await? {
        stray.insert(claim.name_any(), claim);
    }
    for pod in api.list(&ListParams::default()).await? {
        stray.remove(&pod.labels()["claim"]);
    }
    for name in stray.keys() {
        claims.delete(name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
