"""Delete workspaces that are older than a week."""

from datetime import datetime, timedelta, timezone

from kubernetes import client


def expire(core: client.CoreV1Api, namespace: str, keep: timedelta) -> None:
    for pod in core.list_namespaced_pod(namespace).items:
        if datetime.now(timezone.utc) - pod.metadata.creation_timestamp > keep:
            core.delete_namespaced_pod(pod.metadata.name, namespace)
