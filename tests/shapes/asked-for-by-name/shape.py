"""Delete a lab on request."""

from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab


def delete_lab(apps: client.AppsV1Api, db: Session, namespace: str, name: str) -> bool:
    lab = db.get(Lab, name)
    if lab is None:
        return False
    apps.delete_namespaced_deployment(name, namespace)
    return True
