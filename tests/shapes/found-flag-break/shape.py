"""Delete claims that no pod uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    pods = core.list_namespaced_pod(namespace).items
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    for claim in claims:
        found = False
        for pod in pods:
            if pod.metadata.labels["claim"] == claim.metadata.name:
                found = True
                break
        if not found:
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period, reference-read-first
