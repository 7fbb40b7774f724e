//! Delete old credentials that no worker mounts.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str, grace: TimeDelta) -> Result<()> {
    let cutoff = Utc::now() - grace;
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let secrets: Api<Secret> = Api::namespaced(client.clone(), namespace);
    let mounted: HashSet<String> = pods.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["worker"].clone()).collect();
    for secret in secrets.list(&ListParams::default()).await? {
        let old = secret.creation_timestamp().is_some_and(|created| created.0 < cutoff);
        if old && !mounted.contains(&secret.name_any()) {
            secrets.delete(&secret.name_any(), &DeleteParams::default()).await?;
        }
    }
    Ok(())
}
