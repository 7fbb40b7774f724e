"""Remove containers' folders that no running pod owns."""

import subprocess

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    used = {pod.metadata.labels["claim"] for pod in core.list_namespaced_pod(namespace).items}
    for claim in claims:
        if claim.metadata.name not in used:
            subprocess.run(["kubectl", "delete", "pvc", "-n", namespace, claim.metadata.name], check=True)  # want: delete-on-absence, missing-grace-period
