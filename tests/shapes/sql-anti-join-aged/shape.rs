//! Delete old artifacts that no build refers to.

use anyhow::Result;
use sqlx::PgPool;

pub async fn sweep(db: &PgPool) -> Result<u64> {
    let done = sqlx::query("DELETE FROM artifact WHERE created_at < now() - interval '7 days' AND id NOT IN (SELECT artifact_id FROM build)").execute(db).await?;
    Ok(done.rows_affected())
}
