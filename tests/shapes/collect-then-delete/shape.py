"""Delete services whose deployment is gone."""

import logging

from kubernetes import client

log = logging.getLogger(__name__)


def sweep(core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str) -> None:
    services = core.list_namespaced_service(namespace).items
    running = {d.metadata.name for d in apps.list_namespaced_deployment(namespace).items}
    doomed = []
    for service in services:
        if service.metadata.name in running:
            continue
        doomed.append(service.metadata.name)
    log.info("%d services are left over", len(doomed))
    for name in doomed:
        core.delete_namespaced_service(name, namespace)  # want: delete-on-absence, missing-grace-period
