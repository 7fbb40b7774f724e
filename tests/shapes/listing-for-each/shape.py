"""Delete namespaces' settings that no pod with their name uses."""

from kubernetes import client


def sweep(core: client.CoreV1Api, namespace: str) -> None:
    for item in core.list_namespaced_config_map(namespace).items:
        selector = f"builds.example.com/settings={item.metadata.name}"
        pods = core.list_namespaced_pod(namespace, label_selector=selector).items
        if len(pods) == 0:
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
