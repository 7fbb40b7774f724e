"""Delete services whose deployment is gone."""

from kubernetes import client


def sweep(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> None:
    services = core.list_namespaced_service(namespace).items
    by_name = {}
    for deployment in apps.list_namespaced_deployment(namespace).items:
        by_name[deployment.metadata.name] = deployment
    for service in services:
        deployment = by_name.get(service.metadata.name)
        if deployment is None:
            core.delete_namespaced_service(service.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
