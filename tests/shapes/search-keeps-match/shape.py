"""Delete services whose deployment is gone."""

from kubernetes import client


def sweep(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> None:
    services = core.list_namespaced_service(namespace).items
    deployments = apps.list_namespaced_deployment(namespace).items
    for service in services:
        match = None
        for deployment in deployments:
            if deployment.metadata.name == service.metadata.name:
                match = deployment
                break
        if match is None:
            core.delete_namespaced_service(service.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
