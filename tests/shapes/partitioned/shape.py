"""Delete claims that no pod uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> int:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
    kept, stray = [], []
    for claim in claims:
        if claim.metadata.name in used:
            kept.append(claim)
        else:
            stray.append(claim)
    for claim in stray:
        core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
    return len(kept)
