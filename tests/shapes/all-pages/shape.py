"""Delete old claims that no pod uses."""

from datetime import datetime, timedelta, timezone

from kubernetes import client

GRACE = timedelta(hours=1)


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    used = set()
    token = None
    while True:
        page = core.list_namespaced_pod(namespace, limit=500, _continue=token)
        for pod in page.items:
            used.add(pod.metadata.labels["claim"])
        token = page.metadata._continue
        if not token:
            break
    for claim in core.list_namespaced_persistent_volume_claim(namespace).items:
        if datetime.now(timezone.utc) - claim.metadata.creation_timestamp < GRACE:
            continue
        if claim.metadata.name not in used:
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)
