"""Delete old workers of this installation that no run asks for."""

from datetime import datetime, timedelta, timezone

from kubernetes import client
from sqlalchemy import select
from sqlalchemy.orm import Session

from builds.models import Run

GRACE = timedelta(minutes=10)


def sweep(core: client.CoreV1Api, db: Session, installation: str) -> None:
    wanted = set(db.scalars(select(Run.pod)))
    ours = f"builds.example.com/installation={installation}"
    for pod in core.list_pod_for_all_namespaces(label_selector=ours).items:
        if datetime.now(timezone.utc) - pod.metadata.creation_timestamp < GRACE:
            continue
        if pod.metadata.name in wanted:
            continue
        core.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)
