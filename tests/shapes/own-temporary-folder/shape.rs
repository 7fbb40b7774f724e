//! Unpack an upload that a row announces.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use sqlx::PgPool;

pub async fn unpack(db: &PgPool, archive: &str, target: &Path) -> Result<bool> {
    let folder = tempfile::tempdir()?.keep();
    Command::new("tar").arg("-C").arg(&folder).args(["-xf", archive]).status()?;
    let id: Option<i64> =
        sqlx::query_scalar("SELECT id FROM upload WHERE archive = $1").bind(archive).fetch_optional(db).await?;
    if id.is_none() {
        fs::remove_dir_all(&folder)?;
        return Ok(false);
    }
    fs::rename(&folder, target)?;
    Ok(true)
}
