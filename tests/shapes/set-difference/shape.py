"""Delete jobs' settings once no job has that name."""

from kubernetes import client


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    existing = {item.metadata.name for item in core.list_namespaced_config_map(namespace).items}
    wanted = {job.metadata.name for job in batch.list_namespaced_job(namespace).items}
    for name in existing - wanted:
        core.delete_namespaced_config_map(name, namespace)  # want: delete-on-absence, missing-grace-period
