//! Delete claims that two passes in a row found unused.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub struct Sweeper {
    client: Client,
    namespace: String,
    suspects: HashSet<String>,
}

impl Sweeper {
    pub async fn run(&mut self) -> Result<()> {
        let claims: Api<PersistentVolumeClaim> = Api::namespaced(self.client.clone(), &self.namespace);
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        let candidates = claims.list(&ListParams::default()).await?;
        let used: HashSet<String> = pods.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
        let mut missing = HashSet::new();
        for claim in candidates {
            let name = claim.name_any();
            if used.contains(&name) {
                continue;
            }
            if !self.suspects.contains(&name) {
                missing.insert(name);
                continue;
            }
            claims.delete(&name, &DeleteParams::default()).await?;
        }
        self.suspects = missing;
        Ok(())
    }
}
