//! Sort pods by what is known of them, and delete those of one kind.

use std::collections::HashMap;

use anyhow::Result;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use sqlx::PgPool;

#[derive(PartialEq, Eq, Hash)]
enum Verdict {
    Running,
    Unknown,
    Over,
}

pub struct Sweeper {
    client: Client,
    pool: PgPool,
}

impl Sweeper {
    async fn judge(&self, name: &str) -> Result<Verdict> {
        let done: Option<bool> =
            sqlx::query_scalar("SELECT done FROM jobs WHERE name = $1").bind(name).fetch_optional(&self.pool).await?;
        Ok(match done {
            None => Verdict::Unknown,
            Some(true) => Verdict::Over,
            Some(false) => Verdict::Running,
        })
    }

    async fn sorted(&self, namespace: &str) -> Result<HashMap<Verdict, Vec<Pod>>> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), namespace);
        let mut groups: HashMap<Verdict, Vec<Pod>> = HashMap::new();
        for pod in pods.list(&ListParams::default()).await? {
            let verdict = self.judge(&pod.name_any()).await?;
            groups.entry(verdict).or_default().push(pod);
        }
        Ok(groups)
    }

    pub async fn finished(&self, namespace: &str) -> Result<()> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), namespace);
        let mut groups = self.sorted(namespace).await?;
        for pod in groups.remove(&Verdict::Over).unwrap_or_default() {
            pods.delete(&pod.name_any(), &DeleteParams::default()).await?;
        }
        Ok(())
    }

    pub async fn strangers(&self, namespace: &str) -> Result<()> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), namespace);
        let mut groups = self.sorted(namespace).await?;
        for pod in groups.remove(&Verdict::Unknown).unwrap_or_default() {
            pods.delete(&pod.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
        Ok(())
    }
}
