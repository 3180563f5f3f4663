//! Generated SQL becomes a [`ValidatedSql`] here, or a list of findings. Nothing else can make one.

use std::sync::{Arc, OnceLock};

use jiff::civil::Date;
use sqlparser::{ast::Query, tokenizer::Token};

use crate::question::{
    embedded::intent::{Intent, intent},
    schema::{ColumnRef, Dialect, Schema, Snapshot},
    semantic::SemanticModel,
    today,
};

mod body;
mod checks;
mod database_error;
mod definitions;
mod double_quotes;
mod escapes;
mod expansion;
mod facts;
mod filters;
mod finding;
mod intent;
mod learned;
mod lexical;
mod literals;
mod names;
mod parse;
mod policy;
mod query_summary;
mod ranking;
mod reads;
mod repair;
mod resolve;
mod resolved;
mod restrict;
mod result;
mod result_names;
mod rewrite;
mod scope;
mod start;
mod taxonomy;
mod trust;
mod variants;
pub(crate) mod walk;

pub use body::{Suspects, body_names, body_reaches_out};
pub use definitions::{Definition, definitions};
pub use filters::{Filter, filters, tables_called};
pub use finding::{Category, Code, Finding, Severity};
pub use learned::{Change, LEARNED, Subtype, change};
pub use ranking::{Ranking, ranking};
pub use repair::{Repaired, repair, repair_only};
use resolve::LocatedFinding;
pub use resolved::{Clause, ColumnUse, OutputColumn, Resolved, TableUse};
pub use restrict::{row_condition, withheld_message};
pub use result::{EQUAL_ROWS_MERGED, ResultShape, review_result};
pub use result_names::result_names;
pub use rewrite::{Rewrite, rewrites};
pub use taxonomy::Entry;
pub use trust::weight;
pub use variants::with_equal_rows;

/// True for a function that SQL for a question may call, by its name in lower case.
pub fn function_is_listed(name: &str, dialect: Dialect) -> bool {
    facts::facts(dialect).functions.lists(name)
}

/// True for a function that changes something or reaches beyond the data, by its name in lower case: not even a view
/// that the database defines may call it for a question.
pub fn function_reaches_out(name: &str, dialect: Dialect) -> bool {
    facts::facts(dialect).policy.reaches_out(name)
}

/// True for an extension whose functions in C reckon with their arguments alone, but for those that reach out.
pub fn extension_is_known(name: &str, dialect: Dialect) -> bool {
    facts::facts(dialect).policy.knows_extension(name)
}

/// True for a function of which something stays when its transaction is rolled back, by its name in lower case.
pub fn function_outlasts_rollback(name: &str, dialect: Dialect) -> bool {
    facts::facts(dialect).policy.outlasts_rollback(name)
}

/// True for a function that SQL for a question must not call, by its name in lower case.
pub fn function_is_forbidden(name: &str, dialect: Dialect) -> bool {
    facts::facts(dialect).policy.forbids_function(name)
}

/// True for a table that SQL for a question may not read, whatever the database says.
pub fn table_is_forbidden(name: &str, dialect: Dialect) -> bool {
    facts::facts(dialect).policy.forbids_table(name)
}

/// SQL that parses, names only what the schema has, and that the policy allows: one reading query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatedSql {
    sql: String,
    columns: Vec<String>,
    parameters: usize,
    tables: Vec<usize>,
    columns_read: Vec<ColumnRef>,
    findings: Vec<Finding>,
    ordered: bool,
    /// As it was before an access policy changed it.
    unrestricted: Option<String>,
    /// As its author has spelled it, where strings are spelled otherwise now.
    spelled: Option<String>,
    recursive: bool,
    reads_views: bool,
    catalog: Arc<str>,
    relations: Vec<String>,
    reads: reads::Reads,
}

impl ValidatedSql {
    /// The SQL text: one statement, no semicolon, no comment.
    pub fn as_str(&self) -> &str {
        &self.sql
    }

    /// Names of the output columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The highest `$n` in it.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// The tables and views it reads, as positions in [`Schema::tables`], each once, ascending.
    pub fn tables(&self) -> &[usize] {
        &self.tables
    }

    /// The columns it reads, each once, ascending; those behind a `*` included.
    pub fn columns_read(&self) -> &[ColumnRef] {
        &self.columns_read
    }

    /// True if its rows come in an order that it asks for.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// True if an access policy has changed the text: positions in it mean nothing to its author.
    pub fn is_restricted(&self) -> bool {
        self.unrestricted.is_some()
    }

    /// Where a position in the text stands in its author's, both from 1; `None` where that is not known.
    pub fn position(&self, at: usize) -> Option<usize> {
        match &self.spelled {
            _ if self.is_restricted() => None,
            Some(spelled) => Some(escapes::position(spelled, &self.sql, at)),
            None => Some(at),
        }
    }

    /// True if a part of it reads itself.
    pub fn is_recursive(&self) -> bool {
        self.recursive
    }

    /// True if it reads a view, of which it is not known what that does in its turn.
    pub fn reads_views(&self) -> bool {
        self.reads_views
    }

    /// By what its database can tell whether it still has what this was judged by; empty where nothing is told.
    pub fn catalog(&self) -> &Arc<str> {
        &self.catalog
    }

    /// The tables and views it reads, as SQL names them.
    pub fn relations(&self) -> &[String] {
        &self.relations
    }

    /// True for what a database may read for it, `within_view` or by itself; for its authorizer, that sees what is really read.
    pub fn may_read(&self, table: &str, column: &str, within_view: bool) -> bool {
        self.reads.has(table, column, within_view)
    }

    /// The same judged by what there is now; `None` where that may not be read so any more, or is read otherwise.
    pub fn judged_anew(&self, schema: &Schema, dialect: Dialect) -> Option<Self> {
        let written = self.unrestricted.as_ref().unwrap_or(&self.sql);
        let judged = validate(written, schema, dialect).ok()?;
        let same = judged.sql == self.sql && judged.columns == self.columns;
        same.then(|| Self {
            findings: self.findings.clone(),
            ..judged
        })
    }

    /// The warnings; never an error.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// What generated SQL should answer, and the database that it is judged against.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The question in plain language; empty where it is not known, and then nothing is judged by it.
    pub question: &'a str,
    /// What `last year` is counted from.
    pub today: Date,
    /// Schema, keys and stored values.
    pub snapshot: &'a Snapshot,
    /// What that means, where it is known.
    pub model: Option<&'a SemanticModel>,
    /// The errors that people have accepted beside the built-in ones.
    pub learned: &'a [Subtype],
    /// Where what the question asks for is kept once it was read.
    intent: Option<&'a KeptIntent>,
}

/// What a question asks for, kept for all that is judged by it.
pub(crate) type KeptIntent = OnceLock<Option<Arc<Intent>>>;

/// What a check of one statement found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspection {
    /// Errors first, then warnings, each in the order of the text.
    pub findings: Vec<Finding>,
    /// The statement with its names resolved; `None` if it is not one parsable query.
    pub resolved: Option<Resolved>,
}

/// Checks generated SQL against the grammar, the policy and the schema.
/// Errors, and then the warnings beside them, come back as `Err`.
pub fn validate(sql: &str, schema: &Schema, dialect: Dialect) -> Result<ValidatedSql, Vec<Finding>> {
    let parsed = parse::parse(sql, dialect).map_err(|finding| vec![finding])?;
    let (resolved, found) = resolve::resolve(&parsed, schema, dialect);
    let findings: Vec<_> = found.into_iter().map(|found| found.finding).collect();
    if findings.iter().any(Finding::is_error) {
        return Err(restrict::explained(findings, &parsed, schema, dialect));
    }
    let restricted =
        restrict::restricted(&parsed, &resolved, schema, dialect).map_err(|finding| vec![finding])?;
    let unrestricted = restricted.is_some().then(|| parsed.text.clone());
    let text = restricted.unwrap_or(parsed.text);
    let (sql, spelled) = match escapes::written_out(&text, dialect) {
        Some(written) => (written, Some(text)),
        None => (text, None),
    };
    Ok(ValidatedSql {
        ordered: parsed.query.order_by.is_some(),
        recursive: resolved.recursive,
        reads_views: resolved.tables.iter().any(|at| schema.tables[*at].is_view),
        unrestricted,
        sql,
        spelled,
        columns: resolved.output.into_iter().map(|column| column.name).collect(),
        parameters: resolved.parameters,
        catalog: Arc::clone(&schema.catalog),
        relations: resolved
            .tables
            .iter()
            .map(|at| schema.tables[*at].written(dialect))
            .collect(),
        reads: reads::Reads::of(&resolved.tables, schema),
        tables: resolved.tables,
        columns_read: resolved.columns,
        findings,
    })
}

/// One query with nothing behind it, as the grammar has it; `None` for what is no query, or nested too deeply.
pub(crate) fn parse_query(sql: &str, dialect: Dialect) -> Option<Box<Query>> {
    parse::piece(sql, dialect, |parser| {
        let query = parser.parse_query()?;
        parser.expect_token(&Token::EOF)?;
        Ok(query)
    })
}

/// What SQL names of what its user may not read, and whether the name may be told; empty for SQL that does not parse.
/// What stands behind a `*` is not named.
pub fn withheld(sql: &str, schema: &Schema, dialect: Dialect) -> Vec<Option<String>> {
    let parsed = parse::parse(sql, dialect);
    let kept_back = parsed.map(|parsed| restrict::kept_back(&parsed, schema, dialect));
    kept_back
        .unwrap_or_default()
        .into_iter()
        .map(|(_, name)| name)
        .collect()
}

impl<'a> Asked<'a> {
    /// Asked now.
    pub fn now(question: &'a str, snapshot: &'a Snapshot) -> Self {
        Self {
            question,
            today: today(),
            snapshot,
            model: None,
            learned: &[],
            intent: None,
        }
    }

    /// The same, with a place for what the question asks for: of this question over this snapshot alone.
    #[must_use]
    pub(crate) fn with_intent(self, intent: &'a KeptIntent) -> Self {
        Self {
            intent: Some(intent),
            ..self
        }
    }

    /// What the question asks for; `None` where it cannot be linked to the schema at all.
    pub(crate) fn intent(&self) -> Option<Arc<Intent>> {
        let read = || intent(self.question, self.snapshot, self.today).map(Arc::new);
        match self.intent {
            Some(kept) => kept.get_or_init(read).clone(),
            None => read(),
        }
    }

    /// The same, with what was learned from corrections.
    #[must_use]
    pub fn with_learned(self, learned: &'a [Subtype]) -> Self {
        Self { learned, ..self }
    }

    /// The same, with what the database means.
    #[must_use]
    pub fn with_model(self, model: &'a SemanticModel) -> Self {
        Self {
            model: Some(model),
            ..self
        }
    }
}

/// All that speaks against a statement without running it: what [`inspect`] finds, and what does not fit the
/// question or the stored values. SQLite's text in double quotes is text here; [`validate`] refuses it, and [`repair`]
/// writes it as SQL has it.
pub fn review(sql: &str, asked: &Asked<'_>) -> Inspection {
    match parse::parse(sql, asked.snapshot.dialect) {
        Ok(parsed) => inspection(all_found(&double_quotes::as_sqlite_reads(parsed, asked), asked)),
        Err(finding) => unparsed(finding),
    }
}

/// As [`validate`], with all that [`review`] finds: what does not fit the question is an error or a warning too.
pub fn validate_answer(sql: &str, asked: &Asked<'_>) -> Result<ValidatedSql, Vec<Finding>> {
    let valid = validate(sql, &asked.snapshot.schema, asked.snapshot.dialect).map_err(|mut findings| {
        // What was corrected before may be what is wrong.
        findings.extend(learned::findings(sql, asked));
        findings
    })?;
    let findings = review(sql, asked).findings;
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    Ok(ValidatedSql { findings, ..valid })
}

/// Everything found in a parsed statement, errors first.
fn all_found(parsed: &parse::Parsed, asked: &Asked<'_>) -> (Resolved, Vec<LocatedFinding>) {
    found_by(parsed, asked, asked.intent().as_deref())
}

/// The same, given what the question asks for.
fn found_by(
    parsed: &parse::Parsed,
    asked: &Asked<'_>,
    intent: Option<&Intent>,
) -> (Resolved, Vec<LocatedFinding>) {
    let snapshot = asked.snapshot;
    let (resolved, mut found) = resolve::resolve(parsed, &snapshot.schema, snapshot.dialect);
    let summary = query_summary::summarize(parsed, &resolved, &snapshot.schema, snapshot.dialect);
    literals::excuse_numbers(&mut found, &summary, asked);
    let unknown = literals::literals(&summary, asked);
    if let Some(intent) = intent {
        found.extend(intent::against(&summary, &resolved, &unknown, asked, intent));
    }
    found.extend(unknown);
    found.extend(learned::found(parsed, &resolved, asked));
    for found in &mut found {
        trust::grade(&mut found.finding);
    }
    resolve::sort(&mut found);
    (resolved, found)
}

/// Checks as [`validate`] does, for those who want to know more than whether the statement may run.
pub fn inspect(sql: &str, schema: &Schema, dialect: Dialect) -> Inspection {
    match parse::parse(sql, dialect) {
        Ok(parsed) => inspection(resolve::resolve(&parsed, schema, dialect)),
        Err(finding) => unparsed(finding),
    }
}

fn inspection((resolved, found): (Resolved, Vec<LocatedFinding>)) -> Inspection {
    Inspection {
        findings: found.into_iter().map(|found| found.finding).collect(),
        resolved: Some(resolved),
    }
}

fn unparsed(finding: Finding) -> Inspection {
    Inspection {
        findings: vec![finding],
        resolved: None,
    }
}
