"""Delete all machines."""

import boto3


def tear_down() -> None:
    ec2 = boto3.client("ec2")
    for page in ec2.get_paginator("describe_volumes").paginate():
        for volume in page["Volumes"]:
            ec2.delete_volume(VolumeId=volume["VolumeId"])  # want: unscoped-sweep
