"""Delete services whose deployment is gone."""

from kubernetes import client


def orphans(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> list[str]:
    services = core.list_namespaced_service(namespace).items
    running = {d.metadata.name for d in apps.list_namespaced_deployment(namespace).items}
    names = []
    for service in services:
        if service.metadata.name not in running:
            names.append(service.metadata.name)
    return names


def purge(core: client.CoreV1Api, namespace: str, names: list[str]) -> None:
    for name in names:
        core.delete_namespaced_service(name, namespace)  # want: delete-on-absence, missing-grace-period


def run(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> None:
    purge(core, namespace, orphans(core, apps, namespace))
