//! Keep the services of a gateway as its specification says.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

use crate::crd::Gateway;

pub async fn prune(client: Client, gateway: &Gateway) -> Result<()> {
    let owner = gateway.name_any();
    let services: Api<Service> = Api::namespaced(client.clone(), &gateway.namespace().unwrap_or_default());
    let wanted: HashSet<String> = gateway.spec.routes.iter().map(|route| format!("{owner}-{}", route.name)).collect();
    let ours = ListParams::default().labels(&format!("gateways.example.com/name={owner}"));
    for service in services.list(&ours).await? {
        if !wanted.contains(&service.name_any()) {
            services.delete(&service.name_any(), &DeleteParams::default()).await?;
        }
    }
    Ok(())
}
