//! Delete objects of the archive that no row names.

use std::collections::HashSet;

use anyhow::Result;
use sqlx::PgPool;

pub async fn sweep(s3: &aws_sdk_s3::Client, db: &PgPool, bucket: &str) -> Result<()> {
    let mut keys = Vec::new();
    let mut pages = s3.list_objects_v2().bucket(bucket).into_paginator().send();
    while let Some(page) = pages.next().await {
        for object in page?.contents() {
            if let Some(key) = object.key() {
                keys.push(key.to_string());
            }
        }
    }
    let known: HashSet<String> = sqlx::query_scalar("SELECT object_key FROM archive").fetch_all(db).await?.into_iter().collect();
    for key in keys {
        if !known.contains(&key) {
            s3.delete_object().bucket(bucket).key(&key).send().await?; // want: delete-on-absence, missing-grace-period
        }
    }
    Ok(())
}
