//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let api: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let mut names: Vec<String> = claims.list(&ListParams::default()).await?.iter().map(|claim| claim.name_any()).collect();
    let used: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
    names.retain(|name| !used.contains(name));
    for name in names {
        claims.delete(&name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
