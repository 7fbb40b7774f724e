//! Delete services whose deployment is gone.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub struct Sweeper {
    client: Client,
    namespace: String,
    doomed: Vec<String>,
}

impl Sweeper {
    async fn find(&mut self) -> Result<()> {
        let services: Api<Service> = Api::namespaced(self.client.clone(), &self.namespace);
        let deployments: Api<Deployment> = Api::namespaced(self.client.clone(), &self.namespace);
        let candidates = services.list(&ListParams::default()).await?;
        let running: HashSet<String> = deployments.list(&ListParams::default()).await?.iter().map(|d| d.name_any()).collect();
        self.doomed.clear();
        for service in candidates {
            if !running.contains(&service.name_any()) {
                self.doomed.push(service.name_any());
            }
        }
        Ok(())
    }

    async fn purge(&self) -> Result<()> {
        let services: Api<Service> = Api::namespaced(self.client.clone(), &self.namespace);
        for name in &self.doomed {
            services.delete(name, &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
        Ok(())
    }

    pub async fn run(&mut self) -> Result<()> {
        self.find().await?;
        self.purge().await
    }
}
