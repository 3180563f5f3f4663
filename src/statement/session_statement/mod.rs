//! The statements that a session carries out itself where no PostgreSQL server stands behind it.

use super::Span;

mod copy;
mod lock;
mod recognise;
mod tag;

pub use recognise::recognise;
pub use tag::{CommandTag, query_of_table, without_into};

/// A statement by what the session has to do. Names are folded as PostgreSQL folds them: unquoted ones in
/// lower case. Spans count in the statement's text and leave out its final `;`.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionStatement {
    /// White space, comments, a semicolon.
    Empty,
    /// `BEGIN`, `START TRANSACTION`. SQLite's `BEGIN IMMEDIATE` and the like are this, too.
    Begin(TransactionModes),
    /// `COMMIT`, `END`.
    Commit {
        /// `AND CHAIN`: a new transaction starts at once.
        chain: bool,
    },
    /// `ROLLBACK`, `ABORT`.
    Rollback {
        /// `AND CHAIN`: a new transaction starts at once.
        chain: bool,
    },
    /// `SAVEPOINT name`.
    Savepoint(String),
    /// `RELEASE [SAVEPOINT] name`.
    Release(String),
    /// `ROLLBACK [TRANSACTION] TO [SAVEPOINT] name`.
    RollbackTo(String),
    /// `SET TRANSACTION …`, `SET SESSION CHARACTERISTICS AS TRANSACTION …`.
    SetTransaction {
        /// True for the form that sets the session's default.
        session: bool,
        /// What it sets.
        modes: TransactionModes,
    },
    /// `SET name = …`; also `SET TIME ZONE`, `NAMES`, `ROLE`, `SESSION AUTHORIZATION`, `SCHEMA`,
    /// `SEED`, `XML OPTION` by the name of the setting behind them.
    Set {
        /// Until when it holds.
        scope: Scope,
        /// The setting, in lower case.
        name: String,
        /// The new value.
        value: SetValue,
    },
    /// `SHOW name`; `None` for `SHOW ALL`.
    Show(Option<String>),
    /// `RESET name`; `None` for `RESET ALL`.
    Reset(Option<String>),
    /// `DISCARD …`.
    Discard(Discard),
    /// `PREPARE name [(types)] AS query`.
    Prepare {
        /// Its name.
        name: String,
        /// The declared types as they are written.
        types: Vec<String>,
        /// The statement that it prepares.
        query: Span,
    },
    /// `EXECUTE name [(arguments)]`.
    Execute {
        /// The prepared statement.
        name: String,
        /// The expressions.
        arguments: Vec<Span>,
    },
    /// `DEALLOCATE [PREPARE] name`; `None` for `ALL`.
    Deallocate(Option<String>),
    /// `DECLARE name CURSOR FOR query`.
    Declare(Cursor),
    /// `FETCH …`.
    Fetch {
        /// Which rows.
        direction: FetchDirection,
        /// The cursor.
        cursor: String,
    },
    /// `MOVE …`: as `Fetch` without the rows.
    Move {
        /// Where to.
        direction: FetchDirection,
        /// The cursor.
        cursor: String,
    },
    /// `CLOSE name`; `None` for `ALL`.
    Close(Option<String>),
    /// `LISTEN channel`.
    Listen(String),
    /// `UNLISTEN channel`; `None` for `*`.
    Unlisten(Option<String>),
    /// `NOTIFY channel [, 'payload']`.
    Notify {
        /// The channel.
        channel: String,
        /// What is sent; empty where nothing is written.
        payload: String,
    },
    /// `LOCK TABLE`.
    Lock {
        /// The tables as they are written.
        tables: Vec<Span>,
        /// Whether the lock keeps others from writing.
        writes: bool,
    },
    /// `COPY …`.
    Copy(Copy),
    /// `EXPLAIN …`.
    Explain(Explain),
    /// Anything else; the database runs it.
    Ordinary(CommandTag),
}

/// What `BEGIN` and `SET TRANSACTION` say of a transaction; `None` where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TransactionModes {
    /// `ISOLATION LEVEL …`.
    pub isolation: Option<IsolationLevel>,
    /// `READ ONLY` or `READ WRITE`.
    pub read_only: Option<bool>,
    /// `[NOT] DEFERRABLE`.
    pub deferrable: Option<bool>,
    /// SQLite's `BEGIN IMMEDIATE` or `EXCLUSIVE`: the write lock is taken at once.
    pub immediate: bool,
}

/// Isolation levels of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsolationLevel {
    /// `READ UNCOMMITTED`.
    ReadUncommitted,
    /// `READ COMMITTED`.
    ReadCommitted,
    /// `REPEATABLE READ`.
    RepeatableRead,
    /// `SERIALIZABLE`.
    Serializable,
}

/// Until when a `SET` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The session's end (or the transaction's rollback).
    Session,
    /// The transaction's end.
    Local,
}

/// What a `SET` sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetValue {
    /// `DEFAULT`.
    Default,
    /// The list of values, unquoted; one in most cases.
    Values(Vec<String>),
}

/// What `DISCARD` throws away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discard {
    /// Everything of the session.
    All,
    /// Cached plans.
    Plans,
    /// Sequence state.
    Sequences,
    /// Temporary tables.
    Temporary,
}

/// `DECLARE … CURSOR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Its name.
    pub name: String,
    /// `BINARY`: values are sent in the binary format.
    pub binary: bool,
    /// `SCROLL` or `NO SCROLL`.
    pub scroll: Option<bool>,
    /// `WITH HOLD`: it outlives the transaction.
    pub hold: bool,
    /// The query.
    pub query: Span,
}

/// The rows that `FETCH` and `MOVE` mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchDirection {
    /// `NEXT`, `FORWARD n`, `n`: as many rows onwards; 0 is the current row again, `None` all.
    Forward(Option<u64>),
    /// `PRIOR`, `BACKWARD n`, `-n`: as many rows back; `None` all.
    Backward(Option<u64>),
    /// `FIRST`, `LAST`, `ABSOLUTE n`: that row, counted from 1, or from the end by -1; 0 is before the first.
    Absolute(i64),
    /// `RELATIVE n`: that row counted from the current one.
    Relative(i64),
}

/// `COPY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// What is copied.
    pub source: CopySource,
    /// Where to or from.
    pub target: CopyTarget,
    /// How the data look.
    pub options: CopyOptions,
}

/// What `COPY` reads or fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopySource {
    /// `COPY (query) TO`: what stands in the parentheses.
    Query(Span),
    /// `COPY table [(columns)]`.
    Table {
        /// With its qualifiers, if it is written with any; its name has none.
        table: CopyName,
        /// The columns; empty for all.
        columns: Vec<CopyName>,
    },
}

/// What `COPY` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyName {
    /// Where it is written.
    pub written: Span,
    /// The name itself, in small letters where it is not quoted.
    pub name: String,
}

/// Where `COPY` goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyTarget {
    /// `TO STDOUT`.
    ToClient,
    /// `FROM STDIN`.
    FromClient,
    /// A file or program of the server's host, either way.
    ServerFile,
}

/// How copied data look (manual, `COPY`); `None` stands for the format's own default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CopyOptions {
    /// `FORMAT`.
    pub format: CopyFormat,
    /// `HEADER`.
    pub header: bool,
    /// `HEADER MATCH`: the first line must have the names of the columns.
    pub header_match: bool,
    /// `DELIMITER`.
    pub delimiter: Option<String>,
    /// `NULL`.
    pub null: Option<String>,
    /// `QUOTE`.
    pub quote: Option<String>,
    /// `ESCAPE`.
    pub escape: Option<String>,
    /// `FORCE_QUOTE`: columns, or `*`.
    pub force_quote: Vec<String>,
    /// Other options by name, with their values as they are written.
    pub other: Vec<(String, String)>,
    /// True where one is said twice.
    pub repeated: bool,
}

/// The format of copied data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CopyFormat {
    /// Tabs and backslashes.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// PostgreSQL's binary format.
    Binary,
}

/// `EXPLAIN`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explain {
    /// `ANALYZE`: the statement is run.
    pub analyze: bool,
    /// SQLite's `EXPLAIN QUERY PLAN`.
    pub query_plan: bool,
    /// The other options by name in lower case, with their values as they are written, empty where there is none.
    pub options: Vec<(String, String)>,
    /// The statement that it explains.
    pub query: Span,
}
