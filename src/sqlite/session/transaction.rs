//! Transaction blocks as PostgreSQL has them, carried out by SQLite's.

use crate::{sqlite::engine::KeyModes, statement::TransactionModes, wire::TransactionStatus};

use super::{error::SessionError, portal::Portal, run::Session};

/// Where a session stands.
#[derive(Default)]
pub(super) struct Transaction {
    block: Block,
    /// Names of savepoints, the oldest first. In SQLite they are called by their position, since a name may
    /// be used twice.
    savepoints: Vec<Savepoint>,
    /// READ ONLY was asked for.
    pub(super) read_only: bool,
    /// Something in it has read: what it is cannot be said any more.
    pub(super) queried: bool,
    /// Something in it did more than read.
    pub(super) may_have_written: bool,
}

struct Savepoint {
    name: String,
    /// Whether the transaction was READ ONLY before it.
    read_only: bool,
    /// What SET CONSTRAINTS had said before it.
    keys: KeyModes,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// Each statement for itself.
    #[default]
    None,
    /// All statements of a Query or of a pipeline up to Sync.
    Implicit,
    /// BEGIN was said.
    Explicit,
    /// BEGIN was said, and then something failed.
    Failed,
}

impl Transaction {
    pub(super) fn block(&self) -> Block {
        self.block
    }

    pub(super) fn status(&self) -> TransactionStatus {
        match self.block {
            Block::None | Block::Implicit => TransactionStatus::Idle,
            Block::Explicit => TransactionStatus::InTransaction,
            Block::Failed => TransactionStatus::Failed,
        }
    }

    fn savepoint(&self, name: &str) -> Result<usize, SessionError> {
        self.savepoints
            .iter()
            .rposition(|savepoint| savepoint.name == name)
            .ok_or_else(|| SessionError::failed("3B001", format!("savepoint \"{name}\" does not exist")))
    }
}

impl Session {
    /// Runs a statement of the session's own that returns nothing.
    pub(super) async fn command(&mut self, sql: &str) -> Result<(), SessionError> {
        let connection = std::sync::Arc::clone(&self.connection);
        self.work_to_its_end(async move { connection.run(sql, vec![]).await.map(drop) })
            .await
    }

    /// Refuses what a failed transaction cannot do.
    pub(super) fn check_not_failed(&self) -> Result<(), SessionError> {
        if self.transaction.block == Block::Failed {
            return Err(SessionError::failed(
                "25P02",
                "current transaction is aborted, commands ignored until end of transaction block",
            ));
        }
        Ok(())
    }

    /// Starts the implicit transaction of a Query or pipeline, if there is no transaction yet.
    pub(super) async fn begin_implicit(&mut self) -> Result<(), SessionError> {
        if self.transaction.block == Block::None {
            self.command("BEGIN").await?;
            self.settings.save();
            self.transaction.block = Block::Implicit;
            self.transaction.may_have_written = false;
        }
        Ok(())
    }

    /// Makes an implicit transaction of what the database has left open: a statement that stands alone has written, and can
    /// still fail before its last row is told. It is committed where others are, at the end of the Query or by Sync.
    pub(super) fn adopt_transaction(&mut self) {
        if self.transaction.block == Block::None && self.connection.in_transaction() {
            self.settings.save();
            self.transaction.block = Block::Implicit;
            self.transaction.may_have_written = true;
        }
    }

    /// The end of a Query or pipeline.
    pub(super) async fn end_implicit(&mut self) -> Result<(), SessionError> {
        match self.transaction.block {
            Block::Implicit => self.commit_block().await,
            Block::None => {
                self.drop_portals();
                self.settle_portals();
                self.end_of_work(true);
                Ok(())
            }
            Block::Explicit | Block::Failed => Ok(()),
        }
    }

    /// BEGIN.
    pub(super) async fn begin(&mut self, modes: TransactionModes) -> Result<(), SessionError> {
        match self.transaction.block {
            Block::None => {
                let sql = if modes.immediate {
                    "BEGIN IMMEDIATE"
                } else {
                    "BEGIN"
                };
                self.command(sql).await?;
                self.settings.save();
            }
            // What the Query has done so far becomes part of it.
            Block::Implicit => {}
            Block::Explicit | Block::Failed => {
                self.warning("25001", "there is already a transaction in progress");
                return self.set_modes(modes);
            }
        }
        self.transaction.block = Block::Explicit;
        self.begin_modes()?;
        self.set_modes(modes)
    }

    /// COMMIT; gives the command tag, which tells the client when it was a rollback.
    pub(super) async fn commit(&mut self, chain: bool) -> Result<&'static str, SessionError> {
        let modes = self.modes();
        let tag = match self.transaction.block {
            Block::None | Block::Implicit => {
                if chain {
                    return Err(only_in_block("COMMIT AND CHAIN"));
                }
                self.warning("25P01", "there is no transaction in progress");
                self.end_implicit().await?;
                return Ok("COMMIT");
            }
            Block::Explicit => {
                self.commit_block().await?;
                "COMMIT"
            }
            Block::Failed => {
                self.rollback_block().await?;
                "ROLLBACK"
            }
        };
        if chain {
            self.begin(modes).await?;
        }
        Ok(tag)
    }

    /// ROLLBACK.
    pub(super) async fn rollback(&mut self, chain: bool) -> Result<(), SessionError> {
        match self.transaction.block {
            Block::None | Block::Implicit => {
                if chain {
                    return Err(only_in_block("ROLLBACK AND CHAIN"));
                }
                self.warning("25P01", "there is no transaction in progress");
                if self.transaction.block == Block::Implicit {
                    self.rollback_block().await?;
                }
            }
            Block::Explicit | Block::Failed => {
                let modes = self.modes();
                self.rollback_block().await?;
                if chain {
                    self.begin(modes).await?;
                }
            }
        }
        Ok(())
    }

    /// SAVEPOINT.
    pub(super) async fn savepoint(&mut self, name: String) -> Result<(), SessionError> {
        if self.transaction.block != Block::Explicit {
            return Err(only_in_block("SAVEPOINT"));
        }
        let sql = format!("SAVEPOINT querent_{}", self.transaction.savepoints.len());
        self.command(&sql).await?;
        let read_only = self.transaction.read_only;
        let keys = self.connection.session_context().key_modes();
        self.transaction.savepoints.push(Savepoint {
            name,
            read_only,
            keys,
        });
        self.tell_savepoints();
        self.settings.save();
        Ok(())
    }

    /// RELEASE.
    pub(super) async fn release(&mut self, name: &str) -> Result<(), SessionError> {
        if self.transaction.block != Block::Explicit {
            return Err(only_in_block("RELEASE SAVEPOINT"));
        }
        let at = self.transaction.savepoint(name)?;
        self.command(&format!("RELEASE querent_{at}")).await?;
        let read_only = self.transaction.savepoints[at].read_only;
        self.transaction.savepoints.truncate(at);
        // What was made since is now the outer part's.
        for portal in self.portals.values_mut() {
            portal.depth = portal.depth.min(at);
        }
        self.tell_savepoints();
        self.settings.release(at + 1);
        self.set_read_only(read_only)
    }

    /// ROLLBACK TO, which also heals a failed transaction.
    pub(super) async fn rollback_to(&mut self, name: &str) -> Result<(), SessionError> {
        if !matches!(self.transaction.block, Block::Explicit | Block::Failed) {
            return Err(only_in_block("ROLLBACK TO SAVEPOINT"));
        }
        let at = self.transaction.savepoint(name)?;
        if !self.connection.in_transaction() {
            return Err(SessionError::failed(
                "25P02",
                "the database has rolled back the whole transaction, its savepoints are gone",
            )
            .with_hint("End it by ROLLBACK and begin again."));
        }
        self.portals.retain(|_, portal| portal.older_than(at));
        self.command(&format!("ROLLBACK TO querent_{at}")).await?;
        self.transaction.savepoints.truncate(at + 1);
        self.tell_savepoints();
        self.settings.restore(at + 1);
        let keys = self.transaction.savepoints[at].keys.clone();
        self.connection.session_context().set_key_modes(keys);
        self.forget_notifications(at);
        self.transaction.block = Block::Explicit;
        self.set_read_only(self.transaction.savepoints[at].read_only)
    }

    fn tell_savepoints(&self) {
        self.connection.session_context().set_savepoints(self.depth());
    }

    /// How many savepoints there are.
    pub(super) fn depth(&self) -> usize {
        self.transaction.savepoints.len()
    }

    /// Something failed.
    pub(super) async fn fail_transaction(&mut self) -> Result<(), SessionError> {
        match self.transaction.block {
            Block::None => {
                self.drop_unsettled_portals();
                self.end_of_work(false);
                Ok(())
            }
            Block::Implicit => self.abandon().await,
            Block::Explicit => {
                self.transaction.block = Block::Failed;
                if self.transaction.savepoints.is_empty() {
                    // Nothing can be saved any more: the locks go now, as PostgreSQL does it. Portals keep their names.
                    let lost = self.portals.values_mut().filter(|portal| !portal.is_settled());
                    lost.for_each(Portal::fail);
                    self.rollback_database().await?;
                }
                Ok(())
            }
            Block::Failed => Ok(()),
        }
    }

    async fn abandon(&mut self) -> Result<(), SessionError> {
        self.drop_unsettled_portals();
        let rolled_back = self.rollback_database().await;
        self.end_block(false);
        rolled_back
    }

    async fn commit_block(&mut self) -> Result<(), SessionError> {
        self.drop_portals();
        let committed = self.command("COMMIT").await;
        if committed.is_err() {
            self.drop_unsettled_portals();
            self.rollback_database().await?;
        } else {
            self.settle_portals();
        }
        self.end_block(committed.is_ok());
        committed
    }

    async fn rollback_block(&mut self) -> Result<(), SessionError> {
        self.abandon().await
    }

    /// SQLite may have rolled back by itself, for example on a full disk.
    async fn rollback_database(&mut self) -> Result<(), SessionError> {
        if !self.connection.in_transaction() {
            return Ok(());
        }
        let connection = std::sync::Arc::clone(&self.connection);
        // Neither cancel requests nor time limits stop a rollback.
        connection.run("ROLLBACK", vec![]).await?;
        Ok(())
    }

    fn end_block(&mut self, committed: bool) {
        self.settings.end_transaction(committed);
        self.transaction = Transaction::default();
        self.tell_savepoints();
        self.end_of_work(committed);
    }

    /// What waited for a transaction's end, or for that of a statement outside of transactions.
    fn end_of_work(&mut self, committed: bool) {
        if committed {
            self.notify_others();
        } else {
            self.forget_all_notifications();
        }
        self.connection.session_context().end_transaction();
    }

    /// Portals end with their transaction, cursors WITH HOLD excepted.
    fn drop_portals(&mut self) {
        self.portals.retain(|_, portal| portal.is_held());
    }

    /// What is rolled back takes the cursors WITH HOLD with it that it made: their rows were never committed.
    fn drop_unsettled_portals(&mut self) {
        self.portals.retain(|_, portal| portal.is_settled());
    }

    fn settle_portals(&mut self) {
        self.portals.values_mut().for_each(Portal::outlive);
    }
}

pub(super) fn only_in_block(what: &str) -> SessionError {
    SessionError::failed("25P01", format!("{what} can only be used in transaction blocks"))
}
