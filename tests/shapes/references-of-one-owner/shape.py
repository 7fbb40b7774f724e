"""Delete old worker tickets without a worker."""

from datetime import datetime, timedelta, timezone

from kubernetes import client

GRACE = timedelta(minutes=10)


def sweep(core: client.CoreV1Api, namespace: str, pool: str) -> None:
    mine = f"builds.example.com/pool={pool}"
    pods = core.list_namespaced_pod(namespace, label_selector=mine).items
    workers = {pod.metadata.labels["worker"] for pod in pods}
    for secret in core.list_namespaced_secret(namespace).items:
        if datetime.now(timezone.utc) - secret.metadata.creation_timestamp < GRACE:
            continue
        if secret.metadata.labels["worker"] not in workers:
            core.delete_namespaced_secret(secret.metadata.name, namespace)  # want: delete-on-absence, unscoped-sweep
