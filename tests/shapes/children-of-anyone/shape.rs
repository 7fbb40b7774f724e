//! Keep the services of a gateway as its specification says.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

use crate::crd::Gateway;

pub async fn prune(client: Client, gateway: &Gateway) -> Result<()> {
    let owner = gateway.name_any();
    let all: Api<Service> = Api::all(client.clone());
    let wanted: HashSet<String> = gateway.spec.routes.iter().map(|route| format!("{owner}-{}", route.name)).collect();
    for service in all.list(&ListParams::default()).await? {
        if !wanted.contains(&service.name_any()) {
            let services: Api<Service> = Api::namespaced(client.clone(), &service.namespace().unwrap_or_default());
            services.delete(&service.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, unscoped-sweep
        }
    }
    Ok(())
}
