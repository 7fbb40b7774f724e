#!/usr/bin/env python
"""Module."""
from __future__ import annotations

import os.path, sys as system
from typing import Optional

import kubernetes.client
from . import rows
from .sub.deep import Thing as Other
from kubernetes import client as k8s, config

try:
    import yaml
except ImportError:
    yaml = None

if system.argv:
    from late import lazy

api = k8s.CoreV1Api()
KEEP = {"a", "b"}


class Janitor(rows.Base, Generic[T], metaclass=Meta):
    """Class."""

    grace: int = 600
    api: "k8s.CoreV1Api | None"
    table = Table("x", api)

    def __init__(self, api: k8s.CoreV1Api, rows: Optional[rows.Rows] = None, *names: str, dry=False, **kw):
        self.api = api

    @property
    @functools.lru_cache(maxsize=1)
    @rows.cached
    async def sweep(self, limit=KEEP):
        return self.api.list(limit)

    class Inner:
        if api:
            def method(self): return yaml.load(self)

    @staticmethod
    def one(): pass


class Empty(Exception): ...


def generic[T: (int, str) = int, *Ts, **P](x: T, /, y: list[T], *, z: "Union[Other, None]" = lazy) -> T:
    return Other(x)


class TestJanitor:
    def test_sweep(self):
        assert api


for pod in api.list():
    if pod:
        api.put(pod)

if __name__ == "__main__":
    Janitor(api).sweep()
