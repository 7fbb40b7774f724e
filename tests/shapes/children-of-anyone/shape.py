"""Keep the services of a gateway as its specification says."""

from kubernetes import client


def prune(core: client.CoreV1Api, gateway: dict) -> None:
    owner = gateway["metadata"]["name"]
    wanted = {f"{owner}-{route['name']}" for route in gateway["spec"]["routes"]}
    for service in core.list_service_for_all_namespaces().items:
        if service.metadata.name not in wanted:
            core.delete_namespaced_service(service.metadata.name, service.metadata.namespace)  # want: delete-on-absence, unscoped-sweep
