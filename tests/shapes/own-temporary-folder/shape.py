"""Unpack an upload that a row announces."""

import shutil
import sqlite3
import tempfile


def unpack(connection: sqlite3.Connection, archive: str, target: str) -> bool:
    folder = tempfile.mkdtemp()
    shutil.unpack_archive(archive, folder)
    row = connection.execute("SELECT id FROM upload WHERE archive = ?", (archive,)).fetchone()
    if row is None:
        shutil.rmtree(folder)
        return False
    shutil.move(folder, target)
    return True
