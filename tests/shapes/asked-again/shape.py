"""Delete settings whose job is gone, after a second look."""

from kubernetes import client
from kubernetes.client.rest import ApiException


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    jobs = {job.metadata.name for job in batch.list_namespaced_job(namespace).items}
    for item in core.list_namespaced_config_map(namespace).items:
        if item.metadata.name in jobs:
            continue
        try:
            batch.read_namespaced_job(item.metadata.name, namespace)
            continue
        except ApiException as error:
            if error.status != 404:
                raise
        core.delete_namespaced_config_map(item.metadata.name, namespace)
