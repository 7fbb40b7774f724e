"""Delete credentials that no worker mounts."""

from datetime import datetime, timedelta, timezone

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str, min_age: timedelta) -> None:
    secrets = core.list_namespaced_secret(namespace).items
    mounted = {pod.metadata.labels["worker"] for pod in core.list_namespaced_pod(namespace).items}
    for secret in secrets:
        if datetime.now(timezone.utc) - secret.metadata.creation_timestamp > min_age:
            continue
        if secret.metadata.name in mounted:
            continue
        core.delete_namespaced_secret(secret.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
