"""Delete old credentials that no worker mounts."""

from datetime import datetime, timedelta, timezone

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str, grace: timedelta) -> None:
    cutoff = datetime.now(timezone.utc) - grace
    mounted = {pod.metadata.labels["worker"] for pod in core.list_namespaced_pod(namespace).items}
    for secret in core.list_namespaced_secret(namespace).items:
        if secret.metadata.name not in mounted and secret.metadata.creation_timestamp < cutoff:
            core.delete_namespaced_secret(secret.metadata.name, namespace)
