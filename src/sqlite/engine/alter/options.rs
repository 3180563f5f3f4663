//! What becomes of a column whose values come from elsewhere: SET GENERATED, SET of its sequence's options, RESTART, DROP
//! IDENTITY, DROP EXPRESSION.

use rusqlite::Result;

use super::{
    fault, find,
    identity::identity_of_key,
    missing, named,
    plan::Plan,
    quoted, string,
    text::{Clause, ClauseKind},
};
use crate::{
    sqlite::{
        engine::session::Session,
        translate::{Identity, SequenceName},
    },
    statement::sqlite_lexer::of_client,
};

/// The words that an option of a sequence begins with.
const OPTIONS: [&str; 9] = [
    "as",
    "cache",
    "cycle",
    "increment",
    "maxvalue",
    "minvalue",
    "no",
    "restart",
    "start",
];

/// The statement.
pub(in crate::sqlite::engine) struct Changed {
    table: (Option<String>, String),
    if_exists: bool,
    column: String,
    what: What,
}

enum What {
    /// True where it may be none.
    Drop(bool),
    /// Of what is computed, as well.
    DropExpression(bool),
    /// When it takes other numbers, and the options of its sequence as ALTER SEQUENCE has them.
    Set(Option<Identity>, Vec<String>),
}

/// `ALTER TABLE t ALTER COLUMN c …`, which the parser does not know.
pub(super) fn read(sql: &str) -> Option<Changed> {
    let tokens: Vec<&str> = of_client(sql).filter(|token| *token != ";").collect();
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|token| token.eq_ignore_ascii_case(word))
    };
    let mut at = 2;
    let if_exists = is(at, "if") && is(at + 1, "exists");
    at += if if_exists { 2 } else { 0 };
    at += usize::from(is(at, "only"));
    let mut table = (None, named(tokens.get(at)?));
    at += 1;
    if is(at, ".") {
        table = (Some(table.1), named(tokens.get(at + 1)?));
        at += 2;
    }
    if !is(at, "alter") {
        return None;
    }
    at += 1;
    at += usize::from(is(at, "column"));
    let column = named(tokens.get(at)?);
    at += 1;
    let what = if is(at, "drop") && (is(at + 1, "identity") || is(at + 1, "expression")) {
        let drop = if is(at + 1, "identity") {
            What::Drop
        } else {
            What::DropExpression
        };
        let may = is(at + 2, "if") && is(at + 3, "exists");
        at += if may { 4 } else { 2 };
        drop(may)
    } else {
        let (mut generated, mut options) = (None, vec![]);
        while at < tokens.len() {
            if is(at, "set") && is(at + 1, "generated") {
                let always = is(at + 2, "always");
                if !(always || is(at + 2, "by") && is(at + 3, "default")) {
                    return None;
                }
                generated = Some(if always {
                    Identity::Always
                } else {
                    Identity::ByDefault
                });
                at += if always { 3 } else { 4 };
                continue;
            }
            let is_option = |at: usize| OPTIONS.iter().any(|option| is(at, option));
            if !(is(at, "restart") || is(at, "set") && is_option(at + 1)) {
                return None;
            }
            let start = if is(at, "set") { at + 1 } else { at };
            // Up to the next option.
            at = (start + 1..tokens.len())
                .find(|&next| is(next, "set") || is(next, "restart"))
                .unwrap_or(tokens.len());
            options.push(tokens.get(start..at)?.join(" "));
        }
        if generated.is_none() && options.is_empty() {
            return None;
        }
        What::Set(generated, options)
    };
    (at == tokens.len()).then_some(Changed {
        table,
        if_exists,
        column,
        what,
    })
}

impl Session<'_> {
    pub(super) fn change_identity(&self, changed: &Changed) -> Result<()> {
        let (schema, name) = &changed.table;
        let Some(found) = find(&self.own.connection, schema.as_deref(), name)? else {
            return missing(&self.own.connection, name, changed.if_exists);
        };
        let mut plan = Plan::new(&self.own.connection, found)?;
        plan.change_identity(changed)?;
        self.carry_out(plan, false)
    }
}

impl Plan<'_> {
    fn change_identity(&mut self, changed: &Changed) -> Result<()> {
        let column = changed.column.as_str();
        self.must_have(column)?;
        if let What::DropExpression(may_be_none) = changed.what {
            return self.drop_expression(column, may_be_none);
        }
        let default = self.clause(column, ClauseKind::Default);
        let noted = default.filter(|clause| self.text().words(&clause.tokens).contains("/* identity "));
        let key = self.counting_key(column);
        match (&changed.what, noted, key) {
            (What::DropExpression(_), ..) => {}
            (What::Drop(true), None, None) => {
                let what = format!("column \"{column}\"");
                self.pass_over("00000", &what, "is not an identity column")?;
            }
            (_, None, None) => {
                let words = format!(
                    "column \"{column}\" of relation \"{}\" is not an identity column",
                    self.found.name
                );
                return Err(fault("55000", words));
            }
            (What::Drop(_), Some(default), _) => {
                let sequence = self.sequence(&default, column);
                self.sql = self.text().without(&default.tokens);
                let step = format!(
                    "SELECT pg_drop_sequence({}, 1, {})",
                    string(&sequence.name),
                    string(sequence.within.unwrap_or(&self.found.schema))
                );
                self.steps.borrow_mut().push(step);
            }
            (What::Drop(_), None, Some((key, ty))) => {
                self.numbered_by_nobody(column, &key, &ty.to_uppercase());
            }
            (What::Set(generated, options), Some(default), _) => {
                if let Some(generated) = generated {
                    let words = self.text().words(&default.tokens).to_owned();
                    let (bare, _) = words.split_once(" /* identity ").unwrap_or((&words, ""));
                    let words = generated.noted(bare) + ")";
                    self.sql = self.text().replaced(&default.tokens, &words);
                }
                let sequence = self.sequence(&default, column);
                self.alter_sequence(&sequence.name, options)?;
            }
            (What::Set(generated, options), None, Some((_, ty))) => {
                if let Some(generated) = generated {
                    let width = match (generated, ty) {
                        (Identity::Always, ty) => Some(format!("{ty} always")),
                        (Identity::ByDefault, "int8") => None,
                        (Identity::ByDefault, ty) => Some(ty.to_owned()),
                    };
                    self.sql = self.text().with_width(column, width.as_deref());
                }
                let sequence = format!("{}_{column}_seq", self.found.name);
                self.alter_sequence(&sequence, options)?;
            }
        }
        Ok(())
    }

    /// A computed column keeps the values that it has.
    fn drop_expression(&mut self, column: &str, may_be_none: bool) -> Result<()> {
        let Some(computed) = self.clause(column, ClauseKind::Generated) else {
            if may_be_none {
                let what = format!("column \"{column}\"");
                return self.pass_over("00000", &what, "is not a stored generated column");
            }
            let words = format!(
                "column \"{column}\" of relation \"{}\" is not a stored generated column",
                self.found.name
            );
            return Err(fault("55000", words));
        };
        self.sql = self.text().without(&computed.tokens);
        self.filled.push((column.to_owned(), None));
        self.rewrites = true;
        Ok(())
    }

    /// The clause of a key that SQLite numbers as an identity, and its type.
    pub(super) fn counting_key(&self, column: &str) -> Option<(Clause, &'static str)> {
        let key = self.clause(column, ClauseKind::PrimaryKey)?;
        let text = self.text();
        let counts = text.counts(&key);
        let (ty, identity) = identity_of_key(text.sql(), column);
        identity.filter(|_| counts).map(|_| (key, ty))
    }

    /// The sequence that a default draws from.
    fn sequence(&self, default: &Clause, column: &str) -> SequenceName {
        let text = self.text();
        let drawn = SequenceName::drawn_by(text.words(&default.tokens));
        drawn.unwrap_or_else(|| self.sequence_of(column))
    }

    fn alter_sequence(&self, sequence: &str, options: &[String]) -> Result<()> {
        if !options.is_empty() {
            self.in_sqlite(&format!(
                "ALTER SEQUENCE {}.{} {}",
                quoted(&self.found.schema),
                quoted(sequence),
                options.join(" ")
            ))?;
        }
        Ok(())
    }
}
