"""Delete settings that neither a job nor a deployment uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, apps: client.AppsV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    settings = core.list_namespaced_config_map(namespace).items
    used = set()
    for job in batch.list_namespaced_job(namespace).items:
        used.add(job.metadata.name)
    for deployment in apps.list_namespaced_deployment(namespace).items:
        used.add(deployment.metadata.name)
    for item in settings:
        if item.metadata.name not in used:
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
