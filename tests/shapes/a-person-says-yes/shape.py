"""Delete the deployments of labs that nobody knows, if somebody at the keyboard says so."""

import click
from kubernetes import client
from sqlalchemy.orm import Session

from labs.models import Lab


def delete_each(apps: client.AppsV1Api, db: Session, namespace: str) -> None:
    for lab in apps.list_namespaced_deployment(namespace).items:
        if db.get(Lab, lab.metadata.name) is not None:
            continue
        if not click.confirm(f"Delete lab {lab.metadata.name}?"):
            continue
        apps.delete_namespaced_deployment(lab.metadata.name, namespace)


def delete_all(apps: client.AppsV1Api, db: Session, namespace: str) -> None:
    if not click.confirm("Delete the unknown labs?"):
        return
    for lab in apps.list_namespaced_deployment(namespace).items:
        if db.get(Lab, lab.metadata.name) is not None:
            continue
        apps.delete_namespaced_deployment(lab.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period


def delete_and_tell(apps: client.AppsV1Api, db: Session, namespace: str) -> None:
    for lab in apps.list_namespaced_deployment(namespace).items:
        if db.get(Lab, lab.metadata.name) is not None:
            continue
        click.confirm(f"Lab {lab.metadata.name} goes now, all right?")
        apps.delete_namespaced_deployment(lab.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
