"""Push pods along that are being deleted on a node that is gone."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    nodes = {node.metadata.name for node in core.list_node().items}
    for pod in core.list_namespaced_pod(namespace).items:
        if pod.metadata.deletion_timestamp is None:
            continue
        if pod.spec.node_name in nodes:
            continue
        core.delete_namespaced_pod(pod.metadata.name, namespace)
