"""Delete credentials that no worker mounts."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    mounted = set()
    for pod in core.list_namespaced_pod(namespace).items:
        mounted.add(pod.metadata.labels["worker"])
    for secret in core.list_namespaced_secret(namespace).items:
        if secret.metadata.name in mounted:
            continue
        core.delete_namespaced_secret(secret.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period, reference-read-first
