"""Delete claims that no pod uses."""

import logging

from kubernetes import client
from kubernetes.client.rest import ApiException

log = logging.getLogger(__name__)


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    used = set()
    try:
        for pod in core.list_namespaced_pod(namespace).items:
            used.add(pod.metadata.labels["claim"])
    except ApiException as error:
        log.warning("cannot list pods: %s", error)
    for claim in core.list_namespaced_persistent_volume_claim(namespace).items:
        if claim.metadata.name not in used:
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period, reference-read-first, error-as-empty
