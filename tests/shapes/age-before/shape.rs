//! Delete old credentials that no worker mounts.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str, min_age: TimeDelta) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let secrets: Api<Secret> = Api::namespaced(client.clone(), namespace);
    let mounted: HashSet<String> = pods.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["worker"].clone()).collect();
    for secret in secrets.list(&ListParams::default()).await? {
        let Some(created) = secret.creation_timestamp() else { continue };
        let age = Utc::now() - created.0;
        if age < min_age {
            continue;
        }
        if mounted.contains(&secret.name_any()) {
            continue;
        }
        secrets.delete(&secret.name_any(), &DeleteParams::default()).await?;
    }
    Ok(())
}
