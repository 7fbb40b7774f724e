"""Delete old artifacts that no build refers to."""

import sqlite3


def sweep(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM artifact WHERE created_at < datetime('now', '-7 days') AND id NOT IN (SELECT artifact_id FROM build)")
    connection.commit()
