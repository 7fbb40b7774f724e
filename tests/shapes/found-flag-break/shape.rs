//! Delete claims that no pod uses.

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let pods = api.list(&ListParams::default()).await?;
    for claim in claims.list(&ListParams::default()).await? {
        let mut found = false;
        for pod in &pods {
            if pod.labels()["claim"] == claim.name_any() {
                found = true;
                break;
            }
        }
        if !found {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period, reference-read-first
        }
    }
    Ok(())
}
