//! Delete old workers that no run asks for.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

const GRACE: TimeDelta = TimeDelta::minutes(10);

pub async fn sweep(client: Client, db: &PgPool, installation: Option<&str>) -> Result<()> {
    let all: Api<Pod> = Api::all(client.clone());
    let wanted: HashSet<String> = sqlx::query_scalar("SELECT pod FROM run").fetch_all(db).await?.into_iter().collect();
    let mut params = ListParams::default();
    if let Some(installation) = installation {
        params = params.labels(&format!("builds.example.com/installation={installation}"));
    }
    for pod in all.list(&params).await? {
        let Some(created) = pod.creation_timestamp() else { continue };
        if Utc::now() - created.0 < GRACE {
            continue;
        }
        if !wanted.contains(&pod.name_any()) {
            let pods: Api<Pod> = Api::namespaced(client.clone(), &pod.namespace().unwrap_or_default());
            pods.delete(&pod.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, unscoped-sweep
        }
    }
    Ok(())
}
