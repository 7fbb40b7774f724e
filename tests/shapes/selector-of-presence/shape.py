"""Delete old workers that no run asks for."""

from datetime import datetime, timedelta, timezone

from kubernetes import client
from sqlalchemy import select
from sqlalchemy.orm import Session

from builds.models import Run

GRACE = timedelta(minutes=10)


def sweep(core: client.CoreV1Api, db: Session) -> None:
    wanted = set(db.scalars(select(Run.pod)))
    for pod in core.list_pod_for_all_namespaces(label_selector="builds.example.com/worker").items:
        if datetime.now(timezone.utc) - pod.metadata.creation_timestamp < GRACE:
            continue
        if pod.metadata.name not in wanted:
            core.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)  # want: delete-on-absence, unscoped-sweep
