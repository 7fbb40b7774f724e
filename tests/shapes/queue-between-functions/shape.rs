//! Delete services whose deployment is gone.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use tokio::sync::mpsc;

async fn find(client: Client, namespace: String, doomed: mpsc::Sender<String>) -> Result<()> {
    let services: Api<Service> = Api::namespaced(client.clone(), &namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), &namespace);
    let candidates = services.list(&ListParams::default()).await?;
    let running: HashSet<String> = deployments.list(&ListParams::default()).await?.iter().map(|d| d.name_any()).collect();
    for service in candidates {
        if !running.contains(&service.name_any()) {
            doomed.send(service.name_any()).await?;
        }
    }
    Ok(())
}

pub async fn run(client: Client, namespace: String) -> Result<()> {
    let (sender, mut doomed) = mpsc::channel(16);
    let finder = tokio::spawn(find(client.clone(), namespace.clone(), sender));
    let services: Api<Service> = Api::namespaced(client.clone(), &namespace);
    while let Some(name) = doomed.recv().await {
        services.delete(&name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    finder.await?
}
