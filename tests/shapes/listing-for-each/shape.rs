//! Delete settings that no pod with their name uses.

use anyhow::Result;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    for item in settings.list(&ListParams::default()).await? {
        let selector = format!("builds.example.com/settings={}", item.name_any());
        let pods = api.list(&ListParams::default().labels(&selector)).await?;
        if pods.items.is_empty() {
            settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
