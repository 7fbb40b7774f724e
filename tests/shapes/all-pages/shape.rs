//! Delete old claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

const GRACE: TimeDelta = TimeDelta::hours(1);

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let mut used = HashSet::new();
    let mut params = ListParams::default().limit(500);
    loop {
        let page = api.list(&params).await?;
        for pod in &page.items {
            used.insert(pod.labels()["claim"].clone());
        }
        match page.metadata.continue_ {
            Some(token) if !token.is_empty() => params = params.continue_token(&token),
            _ => break,
        }
    }
    for claim in claims.list(&ListParams::default()).await? {
        let Some(created) = claim.creation_timestamp() else { continue };
        if Utc::now() - created.0 < GRACE {
            continue;
        }
        if !used.contains(&claim.name_any()) {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?;
        }
    }
    Ok(())
}
