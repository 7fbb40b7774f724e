"""Create the settings of jobs that have none."""

from kubernetes import client


def ensure(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str) -> None:
    present = {item.metadata.name for item in core.list_namespaced_config_map(namespace).items}
    for job in batch.list_namespaced_job(namespace).items:
        name = job.metadata.name
        if name in present:
            continue
        body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data={"job": name})
        core.create_namespaced_config_map(namespace, body)
