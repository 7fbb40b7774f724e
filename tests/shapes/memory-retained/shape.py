"""Forget the progress of pods that are gone."""

from kubernetes import client


class Progress:
    def __init__(self, core: client.CoreV1Api, namespace: str):
        self.core = core
        self.namespace = namespace
        self.seen = {}

    def forget(self) -> None:
        pods = {pod.metadata.name for pod in self.core.list_namespaced_pod(self.namespace).items}
        self.seen = {name: value for name, value in self.seen.items() if name in pods}
