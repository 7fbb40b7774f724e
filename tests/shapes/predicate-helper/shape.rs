//! Delete services whose deployment is gone.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

fn has_deployment(deployments: &[Deployment], name: &str) -> bool {
    for deployment in deployments {
        if deployment.name_any() == name {
            return true;
        }
    }
    false
}

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    let api: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let candidates = services.list(&ListParams::default()).await?;
    let deployments = api.list(&ListParams::default()).await?;
    for service in candidates {
        if has_deployment(&deployments.items, &service.name_any()) {
            continue;
        }
        services.delete(&service.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
