"""Delete pods that have ended and that no run asks for."""

from kubernetes import client
from sqlalchemy import select
from sqlalchemy.orm import Session

from builds.models import Run


def sweep(core: client.CoreV1Api, db: Session, namespace: str) -> None:
    wanted = set(db.scalars(select(Run.pod)))
    for pod in core.list_namespaced_pod(namespace).items:
        if pod.status.phase != "Succeeded":
            continue
        if pod.metadata.name in wanted:
            continue
        core.delete_namespaced_pod(pod.metadata.name, namespace)
