"""Delete claims that no pod uses."""

from kubernetes import client


def claims_in_use(core: client.CoreV1Api, namespace: str) -> set[str]:
    used = set()
    for pod in core.list_namespaced_pod(namespace).items:
        used.add(pod.metadata.labels["claim"])
    return used


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    used = claims_in_use(core, namespace)
    for claim in core.list_namespaced_persistent_volume_claim(namespace).items:
        if claim.metadata.name not in used:
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period, reference-read-first
