"""Keep the services of a gateway as its specification says."""

from kubernetes import client


def prune(core: client.CoreV1Api, gateway: dict) -> None:
    namespace = gateway["metadata"]["namespace"]
    owner = gateway["metadata"]["name"]
    wanted = {f"{owner}-{route['name']}" for route in gateway["spec"]["routes"]}
    selector = f"gateways.example.com/name={owner}"
    for service in core.list_namespaced_service(namespace, label_selector=selector).items:
        if service.metadata.name not in wanted:
            core.delete_namespaced_service(service.metadata.name, namespace)
