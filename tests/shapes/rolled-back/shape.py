"""Make a lab: its settings, then its deployment."""

from kubernetes import client
from kubernetes.client.rest import ApiException


def make(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str, body: client.V1Deployment) -> None:
    settings = client.V1ConfigMap(metadata=client.V1ObjectMeta(name=body.metadata.name), data={})
    core.create_namespaced_config_map(namespace, settings)
    try:
        apps.create_namespaced_deployment(namespace, body)
    except ApiException:
        core.delete_namespaced_config_map(body.metadata.name, namespace)
        raise
