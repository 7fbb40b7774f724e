//! Delete a lab on request.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use kube::Client;
use kube::api::{Api, DeleteParams};
use sqlx::PgPool;

pub async fn delete_lab(client: Client, db: &PgPool, namespace: &str, name: &str) -> Result<bool> {
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let state: Option<String> =
        sqlx::query_scalar("SELECT state FROM lab WHERE name = $1").bind(name).fetch_optional(db).await?;
    if state.is_none() {
        return Ok(false);
    }
    deployments.delete(name, &DeleteParams::default()).await?;
    Ok(true)
}
