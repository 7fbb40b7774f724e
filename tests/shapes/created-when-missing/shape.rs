//! Create the settings of jobs that have none.

use std::collections::HashSet;

use anyhow::Result;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ListParams, ObjectMeta, PostParams};
use kube::{Client, ResourceExt};

pub async fn ensure(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let jobs: Api<Job> = Api::namespaced(client.clone(), namespace);
    let present: HashSet<String> = settings.list(&ListParams::default()).await?.iter().map(|item| item.name_any()).collect();
    for job in jobs.list(&ListParams::default()).await? {
        let name = job.name_any();
        if present.contains(&name) {
            continue;
        }
        let item = ConfigMap {
            metadata: ObjectMeta { name: Some(name.clone()), ..Default::default() },
            data: Some([("job".to_string(), name)].into()),
            ..Default::default()
        };
        settings.create(&PostParams::default(), &item).await?;
    }
    Ok(())
}
