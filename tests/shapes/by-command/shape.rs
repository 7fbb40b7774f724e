//! Remove claims that no pod uses.

use std::collections::HashSet;
use std::process::Command;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let candidates = claims.list(&ListParams::default()).await?;
    let used: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
    for claim in candidates {
        let name = claim.name_any();
        if !used.contains(&name) {
            Command::new("kubectl").args(["delete", "pvc", "-n", namespace, &name]).status()?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
