"""Delete old settings that no job names."""

from kubernetes import client


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    settings = core.list_namespaced_config_map(namespace).items
    named = set()
    for job in batch.list_namespaced_job(namespace).items:
        named.add(f"{job.metadata.namespace}/{job.metadata.name}")
    for item in settings:
        key = f"{item.metadata.namespace}/{item.metadata.name}"
        if key not in named:
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
