//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use tokio::task::JoinSet;

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let candidates = claims.list(&ListParams::default()).await?;
    let used: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
    let mut tasks = JoinSet::new();
    for claim in candidates {
        if used.contains(&claim.name_any()) {
            continue;
        }
        let claims = claims.clone();
        tasks.spawn(async move {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await // want: delete-on-absence, missing-grace-period
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(())
}
