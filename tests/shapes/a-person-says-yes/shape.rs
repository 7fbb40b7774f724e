//! Delete the deployments of labs that nobody knows, if somebody at the keyboard says so.

use anyhow::Result;
use dialoguer::Confirm;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

async fn known(db: &PgPool, name: &str) -> Result<bool> {
    let id: Option<i64> = sqlx::query_scalar("SELECT id FROM lab WHERE name = $1").bind(name).fetch_optional(db).await?;
    Ok(id.is_some())
}

pub async fn delete_each(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(client, namespace);
    for lab in deployments.list(&ListParams::default()).await? {
        let name = lab.name_any();
        if known(db, &name).await? {
            continue;
        }
        if !Confirm::new().with_prompt(format!("Delete lab {name}?")).interact()? {
            continue;
        }
        deployments.delete(&name, &DeleteParams::default()).await?;
    }
    Ok(())
}

pub async fn delete_all(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(client, namespace);
    if !Confirm::new().with_prompt("Delete the unknown labs?").interact()? {
        return Ok(());
    }
    for lab in deployments.list(&ListParams::default()).await? {
        let name = lab.name_any();
        if known(db, &name).await? {
            continue;
        }
        deployments.delete(&name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}

pub async fn delete_and_tell(client: Client, db: &PgPool, namespace: &str) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(client, namespace);
    for lab in deployments.list(&ListParams::default()).await? {
        let name = lab.name_any();
        if known(db, &name).await? {
            continue;
        }
        Confirm::new().with_prompt(format!("Lab {name} goes now, all right?")).interact()?;
        deployments.delete(&name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
