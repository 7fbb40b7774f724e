"""Delete jobs' settings once no job has that name."""

from kubernetes import client


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    settings = core.list_namespaced_config_map(namespace).items
    jobs = batch.list_namespaced_job(namespace).items
    for item in settings:
        if all(job.metadata.name != item.metadata.name for job in jobs):
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
