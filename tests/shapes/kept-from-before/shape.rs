//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub struct Sweeper {
    client: Client,
    namespace: String,
    used: Option<HashSet<String>>,
}

impl Sweeper {
    async fn claims_in_use(&mut self) -> Result<HashSet<String>> {
        if let Some(used) = &self.used {
            return Ok(used.clone());
        }
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        let used: HashSet<String> = pods.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
        self.used = Some(used.clone());
        Ok(used)
    }

    pub async fn run(&mut self) -> Result<()> {
        let claims: Api<PersistentVolumeClaim> = Api::namespaced(self.client.clone(), &self.namespace);
        let candidates = claims.list(&ListParams::default()).await?;
        let used = self.claims_in_use().await?;
        for claim in candidates {
            if !used.contains(&claim.name_any()) {
                claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period, stale-reference
            }
        }
        Ok(())
    }
}
