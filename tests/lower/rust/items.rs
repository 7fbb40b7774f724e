//! Items: functions, methods, traits, constants, imports, tests.
use crate::store::{self, Rows as Table};
use kube::Api;
use std::collections::{HashMap, HashSet};
use super::shared::*;

mod clock;

/// How long to keep.
pub const KEEP: u64 = 60 * 60;
static NAME: &str = "labs";

#[derive(Debug, Clone)]
pub struct Reaper<S: Store> {
    pub(crate) store: Arc<S>,
    rows: Mutex<HashMap<u64, Row>>,
    seen: Option<HashSet<u64>>,
    api: Api<Pod>,
}

pub struct Key(String);

enum Verdict {
    Keep,
    Gone { id: u64 },
}

pub trait Store: Send {
    const LIMIT: usize = 10;
    fn list(&self) -> Vec<u64>;
    fn first(&self) -> Option<u64> {
        self.list().first().copied()
    }
}

impl<S: Store> Reaper<S> {
    const BATCH: usize = 100;

    pub fn new(store: S) -> Self {
        Self { store: Arc::new(store), rows: Mutex::new(HashMap::new()), seen: None, api: Api::all(client()) }
    }

    #[tracing::instrument(skip(self))]
    pub async fn sweep<'a, T>(&'a mut self, table: &Table, (from, to): (u64, u64), other: &dyn store::Other) -> Result<(), Error>
    where
        T: Store,
    {
        Self::plain(from);
        self.forget(to, Self::BATCH).await?;
        store::remove(table, KEEP).await?;
        clock::tick(NAME, T::LIMIT);
        super::shared::go(r#type, other);
        self::here();
        Ok(())
    }

    fn plain(id: u64) -> u64 {
        id
    }

    unsafe fn forget(&self, id: u64, n: usize) {}
}

impl<S> Drop for Reaper<S> {
    fn drop(&mut self) {
        self.rows.lock().unwrap().clear();
    }
}

impl fmt::Display for store::Foreign<'_, Key> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

extern "C" {
    fn outside(x: i32) -> i32;
}

macro_rules! no_code {
    ($name:ident) => {
        fn $name() {}
    };
}

fn outer() -> u64 {
    use std::fs::remove_file as rm;
    const LOCAL: u64 = 5;
    fn helper(x: u64) -> u64 {
        x + 1
    }
    rm("a").ok();
    helper(LOCAL)
}

cfg_if! {
    if #[cfg(unix)] {
        fn in_a_macro() {
            go();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fakes::Fake;

    fn helper() -> Fake {
        Fake::new()
    }

    #[tokio::test]
    async fn deletes() {
        helper().run().await;
    }
}

#[test]
fn alone() {
    outer();
}
