"""Sort pods by what is known of them, and delete those of one kind."""

import enum
from collections import defaultdict

from kubernetes import client
from sqlalchemy.orm import Session

from .models import Job


class Verdict(enum.Enum):
    RUNNING = enum.auto()
    UNKNOWN = enum.auto()
    OVER = enum.auto()


class Sweeper:
    def __init__(self, core: client.CoreV1Api, session: Session) -> None:
        self.core = core
        self.session = session

    def judge(self, name: str) -> Verdict:
        job = self.session.query(Job).filter_by(name=name).one_or_none()
        if job is None:
            return Verdict.UNKNOWN
        return Verdict.OVER if job.done else Verdict.RUNNING

    def sorted(self, namespace: str) -> dict:
        groups = defaultdict(list)
        for pod in self.core.list_namespaced_pod(namespace).items:
            groups[self.judge(pod.metadata.name)].append(pod)
        return groups

    def finished(self, namespace: str) -> None:
        for pod in self.sorted(namespace)[Verdict.OVER]:
            self.core.delete_namespaced_pod(pod.metadata.name, namespace)

    def strangers(self, namespace: str) -> None:
        for pod in self.sorted(namespace)[Verdict.UNKNOWN]:
            self.core.delete_namespaced_pod(pod.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
