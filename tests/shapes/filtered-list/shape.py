"""Delete jobs' settings once no job has that name."""

from kubernetes import client


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    settings = core.list_namespaced_config_map(namespace).items
    jobs = {job.metadata.name for job in batch.list_namespaced_job(namespace).items}
    stray = [item for item in settings if item.metadata.name not in jobs]
    for item in stray:
        core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
