//! Delete the deployments of one namespace that is given up.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;
use tracing::info;

pub async fn tear_down(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    for deployment in deployments.list(&ListParams::default()).await? {
        let name = deployment.name_any();
        let state: Option<String> =
            sqlx::query_scalar("SELECT state FROM lab WHERE name = $1").bind(&name).fetch_optional(db).await?;
        if state.is_none() {
            info!("{name} has no row");
        }
        deployments.delete(&name, &DeleteParams::default()).await?;
    }
    Ok(())
}
