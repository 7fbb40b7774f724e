//! Keep the runs' states in step with the cluster.

use std::collections::HashMap;

use anyhow::Result;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

use crate::models::Run;

pub async fn reconcile(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let runs: Vec<Run> = sqlx::query_as("SELECT * FROM run WHERE state = 'running'").fetch_all(db).await?;
    let pods: HashMap<String, Pod> = api.list(&ListParams::default()).await?.into_iter().map(|pod| (pod.name_any(), pod)).collect();
    for mut run in runs {
        let Some(pod) = pods.get(&run.pod) else { continue };
        let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
        if phase == Some("Failed") {
            run.state = "terminated".to_string();
            run.save(db).await?;
        }
    }
    Ok(())
}
