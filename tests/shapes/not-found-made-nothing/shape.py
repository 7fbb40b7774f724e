"""Delete settings whose job is gone."""

from kubernetes import client
from kubernetes.client.rest import ApiException


def job_of(batch: client.BatchV1Api, namespace: str, name: str):
    try:
        return batch.read_namespaced_job(name, namespace)
    except ApiException as error:
        if error.status == 404:
            return None
        raise


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    for item in core.list_namespaced_config_map(namespace).items:
        job = job_of(batch, namespace, item.metadata.labels["job"])
        if job is not None:
            continue
        core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
