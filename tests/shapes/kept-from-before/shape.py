"""Delete claims that no pod uses."""

from kubernetes import client


class Sweeper:
    def __init__(self, core: client.CoreV1Api, namespace: str):
        self.core = core
        self.namespace = namespace
        self.used = None

    def claims_in_use(self) -> set[str]:
        if self.used is not None:
            return self.used
        self.used = {pod.metadata.labels["claim"] for pod in self.core.list_namespaced_pod(self.namespace).items}
        return self.used

    def run(self) -> None:
        claims = self.core.list_namespaced_persistent_volume_claim(self.namespace).items
        used = self.claims_in_use()
        for claim in claims:
            if claim.metadata.name not in used:
                self.core.delete_namespaced_persistent_volume_claim(claim.metadata.name, self.namespace)  # want: delete-on-absence, missing-grace-period, stale-reference
