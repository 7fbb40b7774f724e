//! Delete claims that no pod of their namespace uses.

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespaces: &[String]) -> Result<()> {
    let mut candidates = Vec::new();
    for namespace in namespaces {
        let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
        candidates.extend(claims.list(&ListParams::default()).await?);
    }
    let mut used: HashMap<String, HashSet<String>> = HashMap::new();
    for namespace in namespaces {
        let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
        for pod in pods.list(&ListParams::default()).await? {
            used.entry(pod.namespace().unwrap_or_default()).or_default().insert(pod.labels()["claim"].clone());
        }
    }
    for claim in candidates {
        let namespace = claim.namespace().unwrap_or_default();
        if !used.get(&namespace).is_some_and(|names| names.contains(&claim.name_any())) {
            let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), &namespace);
            claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
