"""Delete claims that no pod uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    names = [claim.metadata.name for claim in core.list_namespaced_persistent_volume_claim(namespace).items]
    used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
    names = [name for name in names if name not in used]
    for name in names:
        core.delete_namespaced_persistent_volume_claim(name, namespace)  # want: delete-on-absence, missing-grace-period
