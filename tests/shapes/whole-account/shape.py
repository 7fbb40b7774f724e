"""Terminate machines that no row names."""

import sqlite3

import boto3


def sweep(connection: sqlite3.Connection) -> None:
    ec2 = boto3.client("ec2")
    machines = []
    for page in ec2.get_paginator("describe_instances").paginate():
        for reservation in page["Reservations"]:
            for instance in reservation["Instances"]:
                machines.append(instance["InstanceId"])
    known = {row[0] for row in connection.execute("SELECT instance_id FROM machine")}
    for machine in machines:
        if machine not in known:
            ec2.terminate_instances(InstanceIds=[machine])  # want: delete-on-absence, missing-grace-period, unscoped-sweep
