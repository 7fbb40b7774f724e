"""Delete deployments without an active lab."""

from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab


def sweep(apps: client.AppsV1Api, db: Session) -> None:
    for deployment in apps.list_deployment_for_all_namespaces().items:
        meta = deployment.metadata
        lab = db.get(Lab, meta.name)
        if lab is None or lab.state != "active":
            apps.delete_namespaced_deployment(meta.name, meta.namespace)  # want: delete-on-absence, missing-grace-period, unscoped-sweep
