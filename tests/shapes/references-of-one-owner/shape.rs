//! Delete old worker tickets without a worker.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

const GRACE: TimeDelta = TimeDelta::minutes(10);

pub async fn sweep(client: Client, namespace: &str, pool: &str) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let all: Api<Secret> = Api::namespaced(client.clone(), namespace);
    let mine = ListParams::default().labels(&format!("builds.example.com/pool={pool}"));
    let workers: HashSet<String> = pods.list(&mine).await?.iter().map(|pod| pod.labels()["worker"].clone()).collect();
    for secret in all.list(&ListParams::default()).await? {
        let Some(created) = secret.creation_timestamp() else { continue };
        if Utc::now() - created.0 < GRACE {
            continue;
        }
        if !workers.contains(&secret.labels()["worker"]) {
            all.delete(&secret.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, unscoped-sweep
        }
    }
    Ok(())
}
