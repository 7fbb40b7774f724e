"""Delete claims that no pod mounts."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    mounted = set()
    for pod in core.list_namespaced_pod(namespace).items:
        for volume in pod.spec.volumes or []:
            if volume.persistent_volume_claim is not None:
                mounted.add(volume.persistent_volume_claim.claim_name)
    for claim in claims:
        if claim.metadata.name in mounted:
            continue
        core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
