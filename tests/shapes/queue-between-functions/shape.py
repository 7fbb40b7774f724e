"""Delete services whose deployment is gone."""

from collections import deque

from kubernetes import client


def find(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str, doomed: deque) -> None:
    services = core.list_namespaced_service(namespace).items
    running = {d.metadata.name for d in apps.list_namespaced_deployment(namespace).items}
    for service in services:
        if service.metadata.name not in running:
            doomed.append(service.metadata.name)


def run(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> None:
    doomed = deque()
    find(core, apps, namespace, doomed)
    while doomed:
        name = doomed.popleft()
        core.delete_namespaced_service(name, namespace)  # want: delete-on-absence, missing-grace-period
