"""Delete artifacts that no build refers to."""

import sqlite3


def sweep(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM artifact WHERE NOT EXISTS (SELECT 1 FROM build WHERE build.artifact_id = artifact.id)")  # want: delete-on-absence
    connection.commit()
