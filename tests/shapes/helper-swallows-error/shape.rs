//! Delete old claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

const GRACE: TimeDelta = TimeDelta::hours(1);

async fn claims_in_use(client: &Client, namespace: &str) -> HashSet<String> {
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let Ok(pods) = api.list(&ListParams::default()).await else {
        return HashSet::new();
    };
    pods.iter().map(|pod| pod.labels()["claim"].clone()).collect()
}

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let used = claims_in_use(&client, namespace).await;
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    for claim in claims.list(&ListParams::default()).await? {
        let Some(created) = claim.creation_timestamp() else { continue };
        if Utc::now() - created.0 < GRACE {
            continue;
        }
        if !used.contains(&claim.name_any()) {
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: error-as-empty
        }
    }
    Ok(())
}
