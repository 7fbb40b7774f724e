"""Delete old deployments that this installation has no row for."""

from datetime import datetime, timedelta, timezone

from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab


def sweep(apps: client.AppsV1Api, db: Session, min_age: timedelta) -> None:
    for deployment in apps.list_deployment_for_all_namespaces().items:
        meta = deployment.metadata
        if datetime.now(timezone.utc) - meta.creation_timestamp < min_age:
            continue
        lab = db.get(Lab, meta.name)
        if lab is None:
            apps.delete_namespaced_deployment(meta.name, meta.namespace)  # want: delete-on-absence, unscoped-sweep
