"""Delete old worker credentials without a worker."""

from datetime import datetime, timedelta, timezone

from kubernetes import client

GRACE = timedelta(minutes=10)


def sweep(core: client.CoreV1Api, instance: str) -> None:
    mine = f"builds.example.com/instance={instance}"
    workers = {pod.metadata.labels["worker"] for pod in core.list_pod_for_all_namespaces(label_selector=mine).items}
    for secret in core.list_secret_for_all_namespaces().items:
        if datetime.now(timezone.utc) - secret.metadata.creation_timestamp < GRACE:
            continue
        if secret.metadata.labels["worker"] not in workers:
            core.delete_namespaced_secret(secret.metadata.name, secret.metadata.namespace)  # want: delete-on-absence, unscoped-sweep
