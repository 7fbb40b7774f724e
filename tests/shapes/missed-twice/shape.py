"""Delete claims that two passes in a row found unused."""

from kubernetes import client


class Sweeper:
    def __init__(self, core: client.CoreV1Api, namespace: str):
        self.core = core
        self.namespace = namespace
        self.suspects = set()

    def run(self) -> None:
        claims = self.core.list_namespaced_persistent_volume_claim(self.namespace).items
        used = {pod.metadata.labels["claim"] for pod in self.core.list_namespaced_pod(self.namespace).items}
        missing = set()
        for claim in claims:
            name = claim.metadata.name
            if name in used:
                continue
            if name not in self.suspects:
                missing.add(name)
                continue
            self.core.delete_namespaced_persistent_volume_claim(name, self.namespace)
        self.suspects = missing
