"""Delete claims that no pod uses."""

from concurrent.futures import ThreadPoolExecutor

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
    with ThreadPoolExecutor(max_workers=4) as pool:
        for claim in claims:
            if claim.metadata.name in used:
                continue
            pool.submit(core.delete_namespaced_persistent_volume_claim, claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
