"""Delete claims that no pod uses."""

import logging

from kubernetes import client

log = logging.getLogger(__name__)


def sweep(core: client.CoreV1Api, namespace: str, dry_run: bool) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
    for claim in claims:
        if claim.metadata.name in used:
            continue
        log.info("claim %s is not used", claim.metadata.name)
        if dry_run:
            continue
        core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
