"""Delete services whose deployment is gone."""

from kubernetes import client


class Sweeper:
    def __init__(self, core: client.CoreV1Api, apps: client.AppsV1Api, namespace: str):
        self.core = core
        self.apps = apps
        self.namespace = namespace
        self.doomed = []

    def find(self) -> None:
        services = self.core.list_namespaced_service(self.namespace).items
        running = {d.metadata.name for d in self.apps.list_namespaced_deployment(self.namespace).items}
        self.doomed = []
        for service in services:
            if service.metadata.name not in running:
                self.doomed.append(service.metadata.name)

    def purge(self) -> None:
        for name in self.doomed:
            self.core.delete_namespaced_service(name, self.namespace)  # want: delete-on-absence, missing-grace-period

    def run(self) -> None:
        self.find()
        self.purge()
