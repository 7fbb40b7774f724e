//! Delete settings whose job is gone.

use anyhow::Result;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams};
use kube::{Client, ResourceExt};

async fn job_of(jobs: &Api<Job>, name: &str) -> Result<Option<Job>> {
    match jobs.get(name).await {
        Ok(job) => Ok(Some(job)),
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub async fn sweep(client: Client, namespace: &str) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let jobs: Api<Job> = Api::namespaced(client.clone(), namespace);
    for item in settings.list(&ListParams::default()).await? {
        if job_of(&jobs, &item.labels()["job"]).await?.is_some() {
            continue;
        }
        settings.delete(&item.name_any(), &DeleteParams::default()).await?; // want: delete-on-absence, missing-grace-period
    }
    Ok(())
}
