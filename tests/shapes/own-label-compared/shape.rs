//! Delete old workers of this installation that no run asks for.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

const GRACE: TimeDelta = TimeDelta::minutes(10);
const OWNER: &str = "builds.example.com/installation";

pub async fn sweep(client: Client, db: &PgPool, installation: &str) -> Result<()> {
    let all: Api<Pod> = Api::all(client.clone());
    let wanted: HashSet<String> = sqlx::query_scalar("SELECT pod FROM run").fetch_all(db).await?.into_iter().collect();
    for pod in all.list(&ListParams::default()).await? {
        if pod.labels().get(OWNER).map(String::as_str) != Some(installation) {
            continue;
        }
        let Some(created) = pod.creation_timestamp() else { continue };
        if Utc::now() - created.0 < GRACE {
            continue;
        }
        if !wanted.contains(&pod.name_any()) {
            let pods: Api<Pod> = Api::namespaced(client.clone(), &pod.namespace().unwrap_or_default());
            pods.delete(&pod.name_any(), &DeleteParams::default()).await?;
        }
    }
    Ok(())
}
