"""Delete old settings that no claim of any team names."""

import logging
from datetime import datetime, timedelta, timezone

from kubernetes import client
from kubernetes.client.rest import ApiException

log = logging.getLogger(__name__)
GRACE = timedelta(hours=1)


def sweep(core: client.CoreV1Api, namespace: str, teams: list[str]) -> None:
    used = set()
    for team in teams:
        try:
            claims = core.list_namespaced_persistent_volume_claim(team).items
        except ApiException as error:
            log.warning("cannot list claims of %s: %s", team, error)
            continue
        for claim in claims:
            used.add(claim.metadata.labels["settings"])
    for item in core.list_namespaced_config_map(namespace).items:
        if datetime.now(timezone.utc) - item.metadata.creation_timestamp < GRACE:
            continue
        if item.metadata.name not in used:
            core.delete_namespaced_config_map(item.metadata.name, namespace)  # want: error-as-empty
