//! Delete artifacts that no build refers to.

use anyhow::Result;
use sqlx::PgPool;

pub async fn sweep(db: &PgPool) -> Result<u64> {
    let done = sqlx::query("DELETE FROM artifact WHERE NOT EXISTS (SELECT 1 FROM build WHERE build.artifact_id = artifact.id)").execute(db).await?; // want: delete-on-absence
    Ok(done.rows_affected())
}
