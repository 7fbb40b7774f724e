//! Make a function that deletes claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use futures::future::{BoxFuture, FutureExt};
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub fn sweeper(client: Client, namespace: String) -> impl Fn() -> BoxFuture<'static, Result<()>> {
    move || {
        let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), &namespace);
        let pods: Api<Pod> = Api::namespaced(client.clone(), &namespace);
        async move {
            let candidates = claims.list(&ListParams::default()).await?;
            let mut used = HashSet::new();
            for pod in pods.list(&ListParams::default()).await? {
                used.insert(pod.labels()["claim"].clone());
            }
            for claim in candidates {
                if !used.contains(&claim.name_any()) {
                    claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
                }
            }
            Ok(())
        }
        .boxed()
    }
}
