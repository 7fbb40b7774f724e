"""Delete uploads that no row names."""

import os
import sqlite3


def sweep(connection: sqlite3.Connection, folder: str) -> None:
    known = set()
    for (name,) in connection.execute("SELECT file_name FROM upload"):
        known.add(name)
    for name in os.listdir(folder):
        if name not in known:
            os.remove(os.path.join(folder, name))  # want: delete-on-absence, missing-grace-period, reference-read-first
