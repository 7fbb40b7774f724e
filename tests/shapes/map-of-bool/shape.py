"""Delete claims that no pod uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    in_use = {}
    for pod in core.list_namespaced_pod(namespace).items:
        in_use[pod.metadata.labels["claim"]] = True
    for claim in claims:
        if not in_use.get(claim.metadata.name, False):
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
