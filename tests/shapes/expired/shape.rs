//! Delete workspaces that are older than a week.

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn expire(client: Client, namespace: &str, keep: TimeDelta) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    for pod in pods.list(&ListParams::default()).await? {
        let Some(created) = pod.creation_timestamp() else { continue };
        if Utc::now() - created.0 > keep {
            pods.delete(&pod.name_any(), &DeleteParams::default()).await?;
        }
    }
    Ok(())
}
