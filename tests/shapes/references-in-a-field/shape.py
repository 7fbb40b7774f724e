"""Delete claims that no pod uses."""

from kubernetes import client


class Sweeper:
    def __init__(self, core: client.CoreV1Api, namespace: str):
        self.core = core
        self.namespace = namespace
        self.used = set()

    def load(self) -> None:
        self.used = {pod.metadata.labels["claim"] for pod in self.core.list_namespaced_pod(self.namespace).items}

    def run(self) -> None:
        self.load()
        for claim in self.core.list_namespaced_persistent_volume_claim(self.namespace).items:
            if claim.metadata.name not in self.used:
                self.core.delete_namespaced_persistent_volume_claim(claim.metadata.name, self.namespace)  # want: delete-on-absence, missing-grace-period, reference-read-first
