//! Delete services whose deployment is gone.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    let api: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let candidates = services.list(&ListParams::default()).await?;
    let deployments = api.list(&ListParams::default()).await?;
    'next: for service in candidates {
        for deployment in &deployments {
            if deployment.name_any() == service.name_any() {
                continue 'next;
            }
        }
        services.delete(&service.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
