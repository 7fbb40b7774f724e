//! Delete services whose deployment is gone.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use tracing::info;

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    let api: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let candidates = services.list(&ListParams::default()).await?;
    let running: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|d| d.name_any()).collect();
    let mut doomed = Vec::new();
    for service in candidates {
        if running.contains(&service.name_any()) {
            continue;
        }
        doomed.push(service.name_any());
    }
    info!("{} services are left over", doomed.len());
    for name in &doomed {
        services.delete(name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
