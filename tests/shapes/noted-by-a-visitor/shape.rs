//! Delete claims that no pod mounts.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod, Volume};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

async fn each_volume(pods: Api<Pod>, mut visit: impl FnMut(Volume)) -> Result<()> {
    for pod in pods.list(&ListParams::default()).await? {
        let Some(spec) = pod.spec else { continue };
        for volume in spec.volumes.into_iter().flatten() {
            visit(volume);
        }
    }
    Ok(())
}

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), namespace);
    let pods: Api<Pod> = Api::namespaced(client.clone(), namespace);
    let candidates = claims.list(&ListParams::default()).await?;
    let mut mounted = HashSet::new();
    each_volume(pods, |volume| {
        if let Some(source) = volume.persistent_volume_claim {
            mounted.insert(source.claim_name);
        }
    })
    .await?;
    for claim in candidates {
        if mounted.contains(&claim.name_any()) {
            continue;
        }
        claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
