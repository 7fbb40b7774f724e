//! Terminate machines that no row names.

use std::collections::HashSet;

use anyhow::Result;
use sqlx::PgPool;

pub async fn sweep(ec2: &aws_sdk_ec2::Client, db: &PgPool) -> Result<()> {
    let mut machines = Vec::new();
    let mut pages = ec2.describe_instances().into_paginator().send();
    while let Some(page) = pages.next().await {
        for reservation in page?.reservations() {
            for instance in reservation.instances() {
                if let Some(id) = instance.instance_id() {
                    machines.push(id.to_string());
                }
            }
        }
    }
    let known: HashSet<String> = sqlx::query_scalar("SELECT instance_id FROM machine").fetch_all(db).await?.into_iter().collect();
    for machine in machines {
        if !known.contains(&machine) {
            ec2.terminate_instances().instance_ids(&machine).send().await?; // want: delete-on-absence, missing-grace-period, unscoped-sweep
        }
    }
    Ok(())
}
