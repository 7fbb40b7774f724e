//! Command lines and statements that macros and builders put together.
use cmd_lib::run_cmd;
use sqlx::{Postgres, QueryBuilder};
use xshell::{Shell, cmd};

fn lines(sh: &Shell, name: &str, ids: &[String], dir: &str) -> Result<()> {
    cmd!(sh, "docker rm -f {name} 'a b' {ids...}").quiet().run()?;
    cmd!(sh, "git -C {dir} branch -D lab-{name}").run()?;
    run_cmd!(cd $dir; docker rm -f "lab ${name}")?;
    run_cmd!(docker rm $[ids])?;
    Ok(())
}

async fn statement(pool: &Pool, owner: Option<&str>, limit: i64) -> Result<()> {
    let mut q: QueryBuilder<Postgres> = QueryBuilder::new("DELETE FROM lab WHERE true");
    if let Some(owner) = owner {
        q.push(" AND owner = ").push_bind(owner);
    }
    q.push(format!(" LIMIT {limit}"));
    q.build().execute(pool).await?;
    Ok(())
}
