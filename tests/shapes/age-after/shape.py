"""Delete old credentials that no worker mounts."""

from datetime import datetime, timedelta, timezone

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str, min_age: timedelta) -> None:
    mounted = {pod.metadata.labels["worker"] for pod in core.list_namespaced_pod(namespace).items}
    for secret in core.list_namespaced_secret(namespace).items:
        if secret.metadata.name in mounted:
            continue
        if datetime.now(timezone.utc) - secret.metadata.creation_timestamp > min_age:
            core.delete_namespaced_secret(secret.metadata.name, namespace)
