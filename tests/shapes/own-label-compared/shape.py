"""Delete old workers of this installation that no run asks for."""

from datetime import datetime, timedelta, timezone

from kubernetes import client
from sqlalchemy import select
from sqlalchemy.orm import Session

from builds.models import Run

GRACE = timedelta(minutes=10)
OWNER = "builds.example.com/installation"


def sweep(core: client.CoreV1Api, db: Session, installation: str) -> None:
    wanted = set(db.scalars(select(Run.pod)))
    for pod in core.list_pod_for_all_namespaces().items:
        if pod.metadata.labels.get(OWNER) != installation:
            continue
        if datetime.now(timezone.utc) - pod.metadata.creation_timestamp < GRACE:
            continue
        if pod.metadata.name not in wanted:
            core.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)
