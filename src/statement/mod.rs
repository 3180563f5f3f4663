//! What a client's text asks for: plain SQL, a question, or session control. Pure functions, no I/O.
//!
//! [`read`] splits a text into statements and classifies each; [`rewrite`] puts generated SQL where a
//! question stood; [`recognise`] tells the statements that a session without a server must carry out itself.

pub(crate) mod adjacent;
mod ask_keyword;
mod called;
mod classify;
mod collated;
mod control;
mod cursor;
mod depth;
pub(crate) mod duration;
mod error;
mod function;
pub(crate) mod grammar;
mod lexer;
mod literal;
mod marker;
mod masked;
mod model_view;
mod name_words;
mod order_operators;
mod outer;
mod parameters;
mod prefix_operators;
mod rewrite;
mod session_statement;
mod settings;
mod solid;
mod split;
pub(crate) mod sqlite_lexer;
mod table_queries;
mod truncation;
pub(crate) mod words;

pub use called::called;
pub use classify::classify;
pub use error::StatementError;
pub use lexer::{Piece, Span, pieces, tokens};
pub use masked::masked;
pub use model_view::ModelView;
pub use parameters::{ParameterError, check_parameters, first_parameter, parameters};
pub use rewrite::{Origin, Rewritten, rewrite};
pub use session_statement::{
    CommandTag, Copy, CopyFormat, CopyName, CopyOptions, CopySource, CopyTarget, Cursor, Discard, Explain,
    FetchDirection, IsolationLevel, Scope, SessionStatement, SetValue, TransactionModes, query_of_table,
    recognise, without_into,
};
pub use settings::{Dialect, Mode, Most, Notices, Setting, Settings};
pub use split::split;
pub use truncation::{Truncated, truncated};

/// What a session reads statements with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The session's `standard_conforming_strings`: if false, `\` escapes in plain strings too.
    pub standard_conforming_strings: bool,
    /// Whether `ASK question;` asks.
    pub ask_keyword: bool,
    /// The name of the function form, `nl` by default.
    pub function_name: String,
    /// Whether a question may stand in a statement that writes; refused with 42501 otherwise.
    pub allow_in_writes: bool,
    /// Whether the schema `semantic` has the views of the semantic model.
    pub model_views: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            standard_conforming_strings: true,
            ask_keyword: false,
            function_name: "nl".to_owned(),
            allow_in_writes: false,
            model_views: false,
        }
    }
}

/// One statement of a text, with its place in it.
#[derive(Debug, Clone)]
pub struct ClientStatement {
    /// Where it stands in the whole text, with its `;` and the white space and comments before it.
    /// The spans of a text's statements are adjacent and cover it.
    pub span: Span,
    /// What it is; a `Err` is told to the client when its turn comes, positions counted in the whole text.
    pub statement: Result<Statement, StatementError>,
}

/// Questions that one message may ask. Each is work of its own, and all of it is done before the first is answered.
pub const MOST_QUESTIONS: usize = 100;

/// Splits `text` at top-level `;` and classifies every statement. Empty only for an empty text.
/// More than one statement that is not [`Statement::Empty`] is an error in a Parse message (42601).
pub fn read(text: &str, options: &Options) -> Vec<ClientStatement> {
    let mut asked = 0;
    split(text, options)
        .into_iter()
        .map(|span| {
            let statement = classify(span.of(text), options)
                .and_then(|statement| counted(statement, span.of(text), &mut asked))
                .map_err(|error| error.shifted(text[..span.start].chars().count()));
            ClientStatement { span, statement }
        })
        .collect()
}

/// The statement, if it and those before it ask no more than a message may.
fn counted(statement: Statement, text: &str, asked: &mut usize) -> Result<Statement, StatementError> {
    if let Statement::Question(question) = &statement {
        let left = MOST_QUESTIONS.saturating_sub(*asked);
        *asked += question.asked.len();
        if let Some(first) = question.asked.get(left) {
            let position = text[..first.span.start].chars().count() + 1;
            return Err(StatementError::TooManyQuestions { position });
        }
    }
    Ok(statement)
}

/// What one statement is. All spans count in the statement's own text, the text given to [`classify`].
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// White space, comments, a semicolon.
    Empty,
    /// The client's own SQL, which goes on as it is.
    Sql,
    /// It asks; see [`rewrite`].
    Question(Question),
    /// `SET`, `SHOW` or `RESET` of a `querent.` setting.
    Control(Control),
}

/// A statement that asks one or more questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What the client's own statement around the questions does.
    pub context: Context,
    /// The questions in the order of the text; at least one.
    pub asked: Vec<Asked>,
    /// The highest `$n` of the statement or, where they are parameters, of the questions; 0 for none.
    pub parameters: u16,
    /// True if the statement returns the one question's rows and nothing else happens to them: a bare
    /// marker, `SELECT * FROM nl('…')`, `SELECT nl('…')`, `ASK …`, at the top. Such a question can be
    /// answered without running [`rewrite`]'s text.
    pub direct: bool,
}

/// One question of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What comes back.
    pub action: Action,
    /// The question itself.
    pub text: QuestionText,
    /// The `$n` in the text that stand for values the client binds, ascending. A question of a simple
    /// Query outside PREPARE has no such values: there they are just text.
    pub parameters: Vec<u16>,
    /// The marker, call or `ASK` statement.
    pub span: Span,
    /// How the SQL goes in.
    pub(super) slot: Slot,
}

/// Where generated SQL goes, and what stands around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Slot {
    /// Replaced; empty where the SQL is put in between.
    pub(super) span: Span,
    pub(super) before: String,
    pub(super) after: String,
}

/// The words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionText {
    /// They stand in the statement.
    Literal(String),
    /// `nl($n)`: they come with Bind, and the statement cannot be described before (0A000).
    Parameter(u16),
    /// There are none: a view of the semantic model is read, and its rows are the answer.
    View(ModelView),
}

/// The statement around a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// A query, or nothing but the question.
    Query,
    /// `EXPLAIN …`.
    Explain,
    /// `DECLARE … CURSOR … FOR …`.
    Cursor,
    /// `COPY (…) TO STDOUT`.
    Copy,
    /// `PREPARE … AS …`.
    Prepare,
    /// A statement that writes; read only with [`Options::allow_in_writes`].
    Write,
}

words::words! {
    /// What a question wants back.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Action {
        /// The answer's own rows.
        #[default]
        Run = "run",
        /// The SQL with confidence, tier and cost.
        Sql = "sql",
        /// The steps a person can check.
        Explain = "explain",
        /// One row per agent run.
        Trace = "trace",
        /// The last question changed by this text, then as `Run`.
        Refine = "refine",
        /// Confirms the last answer.
        Good = "good",
        /// Rejects the last answer.
        Bad = "bad",
        /// Gives the right SQL for the last question.
        Fix = "fix",
        /// Forgets the session's conversation.
        Reset = "reset",
    }
}

impl Action {
    /// True for those about the last question rather than a new one: one row `status` comes back.
    pub fn is_feedback(self) -> bool {
        match self {
            Self::Good | Self::Bad | Self::Fix | Self::Reset => true,
            Self::Run | Self::Sql | Self::Explain | Self::Trace | Self::Refine => false,
        }
    }

    /// True where no text is needed.
    pub fn allows_empty(self) -> bool {
        match self {
            Self::Good | Self::Bad | Self::Reset => true,
            Self::Run | Self::Sql | Self::Explain | Self::Trace | Self::Refine | Self::Fix => false,
        }
    }
}

/// `SET`, `SHOW` or `RESET` of Querent's own settings, checked.
#[derive(Debug, Clone, PartialEq)]
pub enum Control {
    /// `SET [SESSION | LOCAL] querent.name = value`.
    Set {
        /// `LOCAL` ends with the transaction.
        local: bool,
        /// The setting and its new value.
        setting: Setting,
    },
    /// `RESET querent.name`, or `SET … TO DEFAULT`: back to what the session started with.
    Reset {
        /// `SET LOCAL … TO DEFAULT` ends with the transaction.
        local: bool,
        /// The name without `querent.`, one of [`Settings::NAMES`].
        name: &'static str,
    },
    /// `SHOW querent.name`: one row, one text column called `querent.name`.
    Show {
        /// The name without `querent.`, one of [`Settings::NAMES`] or [`Settings::READ_ONLY`].
        name: &'static str,
    },
}
