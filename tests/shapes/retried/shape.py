"""Delete claims that no pod uses."""

import time

from kubernetes import client
from kubernetes.client.rest import ApiException


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
    for claim in claims:
        if claim.metadata.name in used:
            continue
        for attempt in range(3):
            try:
                core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
                break
            except ApiException:
                time.sleep(attempt)
