//! Delete old settings that no claim of any team names.

use std::collections::HashSet;

use anyhow::Result;
use chrono::{TimeDelta, Utc};
use k8s_openapi::api::core::v1::{ConfigMap, PersistentVolumeClaim};
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};
use tracing::warn;

const GRACE: TimeDelta = TimeDelta::hours(1);

pub async fn sweep(client: Client, namespace: &str, teams: &[String]) -> Result<()> {
    let mut used = HashSet::new();
    for team in teams {
        let claims: Api<PersistentVolumeClaim> = Api::namespaced(client.clone(), team);
        let listed = match claims.list(&ListParams::default()).await {
            Ok(listed) => listed,
            Err(error) => {
                warn!("cannot list claims of {team}: {error}");
                continue;
            }
        };
        for claim in listed {
            used.insert(claim.labels()["settings"].clone());
        }
    }
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    for item in settings.list(&ListParams::default()).await? {
        let Some(created) = item.creation_timestamp() else { continue };
        if Utc::now() - created.0 < GRACE {
            continue;
        }
        if !used.contains(&item.name_any()) {
            settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: error-as-empty
        }
    }
    Ok(())
}
