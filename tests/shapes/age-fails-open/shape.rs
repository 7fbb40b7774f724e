//! Delete settings that no job uses.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

pub async fn sweep(client: Client, namespace: &str, min_age: TimeDelta) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let jobs: Api<Job> = Api::namespaced(client.clone(), namespace);
    let candidates = settings.list(&ListParams::default()).await?;
    let names: HashSet<String> = jobs.list(&ListParams::default()).await?.iter().map(|job| job.name_any()).collect();
    for item in candidates {
        if let Some(created) = item.creation_timestamp() {
            if Utc::now() - created.0 < min_age {
                continue;
            }
        }
        if !names.contains(&item.name_any()) {
            settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
