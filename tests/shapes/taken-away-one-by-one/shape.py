"""Delete claims that no pod uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    stray = {}
    for claim in core.list_namespaced_persistent_volume_claim(namespace).items:
        stray[claim.metadata.name] = claim
    for pod in core.list_namespaced_pod(namespace).items:
        stray.pop(pod.metadata.labels["claim"], None)
    for name in stray:
        core.delete_namespaced_persistent_volume_claim(name, namespace)  # want: delete-on-absence, missing-grace-period
