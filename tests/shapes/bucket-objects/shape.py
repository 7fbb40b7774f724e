"""Delete objects of the archive that no row names."""

import sqlite3

import boto3


def sweep(connection: sqlite3.Connection, bucket: str) -> None:
    s3 = boto3.client("s3")
    keys = []
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        for item in page.get("Contents", []):
            keys.append(item["Key"])
    known = {row[0] for row in connection.execute("SELECT object_key FROM archive")}
    for key in keys:
        if key not in known:
            s3.delete_object(Bucket=bucket, Key=key)  # want: delete-on-absence, missing-grace-period
