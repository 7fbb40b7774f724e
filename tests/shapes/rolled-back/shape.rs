//! Make a lab: its settings, then its deployment.

use anyhow::Result;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ObjectMeta, PostParams};
use kube::{Client, ResourceExt};

pub async fn make(client: Client, namespace: &str, lab: &Deployment) -> Result<()> {
    let settings: Api<ConfigMap> = Api::namespaced(client.clone(), namespace);
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let name = lab.name_any();
    let item = ConfigMap {
        metadata: ObjectMeta { name: Some(name.clone()), ..Default::default() },
        ..Default::default()
    };
    settings.create(&PostParams::default(), &item).await?;
    if let Err(error) = deployments.create(&PostParams::default(), lab).await {
        settings.delete(&name, &DeleteParams::default()).await?;
        return Err(error.into());
    }
    Ok(())
}
