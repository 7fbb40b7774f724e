//! Delete pods that have ended and that no run asks for.

use anyhow::Result;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

pub async fn sweep(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let wanted: Vec<String> = sqlx::query_scalar("SELECT pod FROM run").fetch_all(db).await?;
    for pod in pods.list(&ListParams::default()).await? {
        let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
        if phase != Some("Succeeded") {
            continue;
        }
        if wanted.contains(&pod.name_any()) {
            continue;
        }
        pods.delete(&pod.name_any(), &DeleteParams::default()).await?;
    }
    Ok(())
}
