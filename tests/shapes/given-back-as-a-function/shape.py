"""Make a function that deletes claims that no pod uses."""

from kubernetes import client


def sweeper(core: client.CoreV1Api, namespace: str):
    def sweep():
        claims = core.list_namespaced_persistent_volume_claim(namespace).items
        used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
        for claim in claims:
            if claim.metadata.name in used:
                continue
            core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period

    return sweep
