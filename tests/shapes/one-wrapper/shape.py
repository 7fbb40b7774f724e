"""Delete services whose deployment is gone."""

import logging

from kubernetes import client

log = logging.getLogger(__name__)


def remove(core: client.CoreV1Api, namespace: str, name: str) -> None:
    log.info("removing service %s", name)
    core.delete_namespaced_service(name, namespace)  # want: delete-on-absence, missing-grace-period


def sweep(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> None:
    services = core.list_namespaced_service(namespace).items
    running = {d.metadata.name for d in apps.list_namespaced_deployment(namespace).items}
    for service in services:
        if service.metadata.name not in running:
            remove(core, namespace, service.metadata.name)
