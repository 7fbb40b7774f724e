"""Delete the deployments of one namespace that is given up."""

import logging

from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab

log = logging.getLogger(__name__)


def tear_down(apps: client.AppsV1Api, db: Session, namespace: str) -> None:
    for deployment in apps.list_namespaced_deployment(namespace).items:
        name = deployment.metadata.name
        lab = db.get(Lab, name)
        if lab is None:
            log.info("%s has no row", name)
        apps.delete_namespaced_deployment(name, namespace)
