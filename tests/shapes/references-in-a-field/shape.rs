//! Delete claims that no pod uses.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub struct Sweeper {
    client: Client,
    namespace: String,
    used: HashSet<String>,
}

impl Sweeper {
    async fn load(&mut self) -> Result<()> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        self.used = pods.list(&ListParams::default()).await?.iter().map(|pod| pod.labels()["claim"].clone()).collect();
        Ok(())
    }

    pub async fn run(&mut self) -> Result<()> {
        self.load().await?;
        let claims: Api<PersistentVolumeClaim> = Api::namespaced(self.client.clone(), &self.namespace);
        for claim in claims.list(&ListParams::default()).await? {
            if !self.used.contains(&claim.name_any()) {
                claims.delete(&claim.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period, reference-read-first
            }
        }
        Ok(())
    }
}
