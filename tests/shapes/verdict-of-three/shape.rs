//! Delete deployments by the verdict on their lab.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

enum Verdict {
    Unknown,
    Active,
    Ended,
}

async fn judge(db: &PgPool, name: &str) -> Result<Verdict> {
    let state: Option<String> =
        sqlx::query_scalar("SELECT state FROM lab WHERE name = $1").bind(name).fetch_optional(db).await?;
    Ok(match state.as_deref() {
        None => Verdict::Unknown,
        Some("active") => Verdict::Active,
        Some(_) => Verdict::Ended,
    })
}

pub async fn sweep(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    for deployment in deployments.list(&ListParams::default()).await? {
        match judge(db, &deployment.name_any()).await? {
            Verdict::Active => continue,
            Verdict::Unknown | Verdict::Ended => {
                deployments.delete(&deployment.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
            }
        }
    }
    Ok(())
}
