"""Delete old claims that no pod uses."""

from datetime import datetime, timedelta, timezone

from kubernetes import client

GRACE = timedelta(hours=1)


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    pods = core.list_namespaced_pod(namespace, limit=500).items
    used = {pod.metadata.labels["claim"] for pod in pods}
    for claim in core.list_namespaced_persistent_volume_claim(namespace).items:
        if datetime.now(timezone.utc) - claim.metadata.creation_timestamp < GRACE:
            continue
        if claim.metadata.name not in used:
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: partial-listing
