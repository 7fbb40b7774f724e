//! Delete uploads that no row names.

use std::fs;
use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use sqlx::PgPool;

pub async fn sweep(db: &PgPool, folder: &Path) -> Result<()> {
    let known: HashSet<String> = sqlx::query_scalar("SELECT file_name FROM upload").fetch_all(db).await?.into_iter().collect();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !known.contains(&name) {
            fs::remove_file(entry.path())?; // want: delete-on-absence, missing-grace-period, reference-read-first
        }
    }
    Ok(())
}
