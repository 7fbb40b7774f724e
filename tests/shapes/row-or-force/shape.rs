//! Delete deployments without a lab.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

struct Lab {
    state: String,
}

async fn lab_of(db: &PgPool, name: &str) -> Result<Option<Lab>> {
    let state: Option<String> =
        sqlx::query_scalar("SELECT state FROM lab WHERE name = $1").bind(name).fetch_optional(db).await?;
    Ok(state.map(|state| Lab { state }))
}

pub async fn sweep(client: Client, db: &PgPool, namespace: &str, force: bool) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    for deployment in deployments.list(&ListParams::default()).await? {
        let lab = lab_of(db, &deployment.name_any()).await?;
        if lab.is_none() || force {
            deployments.delete(&deployment.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
