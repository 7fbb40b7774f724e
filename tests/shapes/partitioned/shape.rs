//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<usize> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let candidates = claims.list(&ListParams::default()).await?;
    let used: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
    let (kept, stray): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|claim| used.contains(&claim.name_any()));
    for claim in stray {
        claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(kept.len())
}
