"""Delete deployments by the verdict on their lab."""

from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab


def verdict(db: Session, name: str) -> str:
    lab = db.get(Lab, name)
    if lab is None:
        return "unknown"
    if lab.state == "active":
        return "active"
    return "ended"


def sweep(apps: client.AppsV1Api, db: Session, namespace: str) -> None:
    for deployment in apps.list_namespaced_deployment(namespace).items:
        if verdict(db, deployment.metadata.name) == "active":
            continue
        apps.delete_namespaced_deployment(deployment.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
