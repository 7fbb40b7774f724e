"""Delete claims that no pod mounts."""

from kubernetes import client


def each_volume(core, namespace, visit):
    for pod in core.list_namespaced_pod(namespace).items:
        for volume in pod.spec.volumes or []:
            visit(volume)


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    claims = core.list_namespaced_persistent_volume_claim(namespace).items
    mounted = set()

    def note(volume):
        if volume.persistent_volume_claim is not None:
            mounted.add(volume.persistent_volume_claim.claim_name)

    each_volume(core, namespace, note)
    for claim in claims:
        if claim.metadata.name in mounted:
            continue
        core.delete_namespaced_persistent_volume_claim(claim.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
