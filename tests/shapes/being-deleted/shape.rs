//! Push pods along that are being deleted on a node that is gone.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{Node, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let all: Api<Node> = Api::all(client.clone());
    let nodes: HashSet<String> = all.list(&ListParams::default()).await?.iter().map(|node| node.name_any()).collect();
    for pod in pods.list(&ListParams::default()).await? {
        if pod.metadata.deletion_timestamp.is_none() {
            continue;
        }
        let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone()).unwrap_or_default();
        if nodes.contains(&node) {
            continue;
        }
        pods.delete(&pod.name_any(), &DeleteParams::default()).await?;
    }
    Ok(())
}
