"""Forget the progress of pods that are gone."""

from kubernetes import client


class Progress:
    def __init__(self, core: client.CoreV1Api, namespace: str):
        self.core = core
        self.namespace = namespace
        self.seen = {}

    def forget(self) -> None:
        pods = {pod.metadata.name for pod in self.core.list_namespaced_pod(self.namespace).items}
        for name in list(self.seen):
            if name not in pods:
                del self.seen[name]
