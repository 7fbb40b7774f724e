//! Delete deployments without an active lab.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

pub async fn sweep(client: Client, db: &PgPool) -> Result<()> {
    let all: Api<Deployment> = Api::all(client.clone());
    for deployment in all.list(&ListParams::default()).await? {
        let name = deployment.name_any();
        let state: Option<String> =
            sqlx::query_scalar("SELECT state FROM lab WHERE name = $1").bind(&name).fetch_optional(db).await?;
        if state.is_none_or(|state| state != "active") {
            let api: Api<Deployment> = Api::namespaced(client.clone(), &deployment.namespace().unwrap_or_default());
            api.delete(&name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period, unscoped-sweep
        }
    }
    Ok(())
}
