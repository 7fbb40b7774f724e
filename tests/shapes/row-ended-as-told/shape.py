"""Keep the runs' states in step with the cluster."""

from kubernetes import client
from sqlalchemy import select
from sqlalchemy.orm import Session

from builds.models import Run


def reconcile(core: client.CoreV1Api, db: Session, namespace: str) -> None:
    runs = db.scalars(select(Run).where(Run.state == "running")).all()
    pods = {pod.metadata.name: pod for pod in core.list_namespaced_pod(namespace).items}
    for run in runs:
        pod = pods.get(run.pod)
        if pod is None:
            continue
        if pod.status.phase == "Failed":
            run.state = "terminated"
    db.commit()
