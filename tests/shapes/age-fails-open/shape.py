"""Delete settings that no job uses."""

from datetime import datetime, timedelta, timezone

from kubernetes import client


def sweep(core: client.CoreV1Api, batch: client.BatchV1Api, namespace: str, min_age: timedelta) -> None:
    settings = core.list_namespaced_config_map(namespace).items
    jobs = {job.metadata.name for job in batch.list_namespaced_job(namespace).items}
    for item in settings:
        stamp = item.metadata.annotations.get("builds.example.com/created-at")
        if stamp is not None:
            if datetime.now(timezone.utc) - datetime.fromisoformat(stamp) < min_age:
                continue
        if item.metadata.name not in jobs:
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: delete-on-absence, missing-grace-period
