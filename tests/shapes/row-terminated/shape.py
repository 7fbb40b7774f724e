"""Keep the runs' states in step with the cluster."""

from kubernetes import client
from sqlalchemy import select
from sqlalchemy.orm import Session

from builds.models import Run


def reconcile(core: client.CoreV1Api, db: Session, namespace: str) -> None:
    runs = db.scalars(select(Run).where(Run.state == "running")).all()
    pods = {pod.metadata.name for pod in core.list_namespaced_pod(namespace).items}
    for run in runs:
        if run.pod not in pods:
            run.state = "terminated"  # want: absence-marks-terminated
    db.commit()
