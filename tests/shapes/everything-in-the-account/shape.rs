//! Delete all volumes.

use anyhow::Result;

pub async fn tear_down(ec2: &aws_sdk_ec2::Client) -> Result<()> {
    let mut pages = ec2.describe_volumes().into_paginator().send();
    while let Some(page) = pages.next().await {
        for volume in page?.volumes() {
            if let Some(id) = volume.volume_id() {
                ec2.delete_volume().volume_id(id).send().await?; // want: unscoped-sweep
            }
        }
    }
    Ok(())
}
