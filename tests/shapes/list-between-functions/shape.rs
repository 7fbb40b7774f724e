//! Delete services whose deployment is gone.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

async fn orphans(client: &Client, namespace: &str) -> Result<Vec<String>> {
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let candidates = services.list(&ListParams::default()).await?;
    let running: HashSet<String> = deployments.list(&ListParams::default()).await?.iter().map(|d| d.name_any()).collect();
    let mut names = Vec::new();
    for service in candidates {
        if !running.contains(&service.name_any()) {
            names.push(service.name_any());
        }
    }
    Ok(names)
}

async fn purge(client: &Client, namespace: &str, names: &[String]) -> Result<()> {
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    for name in names {
        services.delete(name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}

pub async fn run(client: Client, namespace: &str) -> Result<()> {
    let names = orphans(&client, namespace).await?;
    purge(&client, namespace, &names).await
}
