//! Delete services whose deployment is gone.

use std::collections::HashMap;

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let services: Api<Service> = Api::namespaced(client.clone(), namespace);
    let api: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let candidates = services.list(&ListParams::default()).await?;
    let mut by_name = HashMap::new();
    for deployment in api.list(&ListParams::default()).await? {
        by_name.insert(deployment.name_any(), deployment);
    }
    for service in candidates {
        if !by_name.contains_key(&service.name_any()) {
            services.delete(&service.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
