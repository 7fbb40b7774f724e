//! Forget the progress of pods that are gone.

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams};
use kube::{Client, ResourceExt};

pub struct Progress {
    client: Client,
    namespace: String,
    seen: HashMap<String, u32>,
}

impl Progress {
    pub async fn forget(&mut self) -> Result<()> {
        let api: Api<Pod> = Api::namespaced(self.client.clone(), &self.namespace);
        let pods: HashSet<String> = api.list(&ListParams::default()).await?.iter().map(|pod| pod.name_any()).collect();
        self.seen.retain(|name, _| pods.contains(name));
        Ok(())
    }
}
