"""Delete deployments without a lab."""

from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab


def sweep(apps: client.AppsV1Api, db: Session, namespace: str, force: bool) -> None:
    for deployment in apps.list_namespaced_deployment(namespace).items:
        lab = db.get(Lab, deployment.metadata.name)
        if lab is None or force:
            apps.delete_namespaced_deployment(deployment.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
