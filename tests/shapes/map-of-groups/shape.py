"""Delete claims that no pod of their namespace uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespaces: list[str]) -> None:
    claims = []
    for namespace in namespaces:
        claims.extend(core.list_namespaced_persistent_volume_claim(namespace).items)
    used = {}
    for namespace in namespaces:
        for pod in core.list_namespaced_pod(namespace).items:
            if pod.metadata.namespace not in used:
                used[pod.metadata.namespace] = set()
            used[pod.metadata.namespace].add(pod.metadata.labels["claim"])
    for claim in claims:
        meta = claim.metadata
        if meta.name not in used.get(meta.namespace, set()):
            core.delete_namespaced_persistent_volume_claim(meta.name, meta.namespace)  # want: delete-on-absence, missing-grace-period
