"""Delete settings whose job is gone."""

from kubernetes import client
from kubernetes.client.rest import ApiException


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    for item in core.list_namespaced_config_map(namespace).items:
        try:
            batch.read_namespaced_job(item.metadata.labels["job"], namespace)
        except ApiException:
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period, error-as-empty
