//! Keep the runs' states in step with the cluster.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

use crate::models::Run;

pub async fn reconcile(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let runs: Vec<Run> = sqlx::query_as("SELECT * FROM run WHERE state = 'running'").fetch_all(db).await?;
    let pods: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|pod| pod.name_any()).collect();
    for mut run in runs {
        if !pods.contains(&run.pod) {
            run.state = "terminated".to_string(); // want: absence-marks-terminated
            run.save(db).await?;
        }
    }
    Ok(())
}
