//! PostgreSQL's SQL as SQLite's: what parses as PostgreSQL keeps its meaning on a SQLite file. Pure: names come in
//! through [`Names`], and what SQLite lacks is called by the functions that the backend adds to each connection.

mod acting;
mod aggregate_level;
mod alike;
mod any_values;
mod by_settings;
mod call;
mod cast;
mod changed;
mod choice;
mod collation;
mod columns;
mod compared;
mod composite;
mod condition;
mod conflict;
mod conflict_target;
mod constants;
mod constraint;
mod ddl;
mod declared;
mod default;
mod deparse;
mod deparse_calls;
mod deparse_forms;
mod destination;
mod distinct;
mod distinct_aggregates;
mod dml;
mod drop;
mod elements;
mod exclusion;
mod expression;
mod extension;
mod from;
mod grouping;
mod handed_on;
mod hypothetical;
mod identity;
mod in_list;
mod index;
mod index_text;
mod lateral;
mod like_all;
mod limit;
mod literal;
mod made_rows;
mod named_column;
mod named_join;
mod names;
mod normalization;
mod of_others;
mod parameter_casts;
mod parentheses;
mod parser_fallback;
mod passed_over;
mod populated;
mod presence;
mod print;
mod qualified;
mod quantified;
mod query;
mod refusing;
mod regrouped;
mod relation_names;
mod reserved;
mod returning;
mod rows;
mod scalar;
mod scope;
mod select;
mod sequence;
mod sequence_name;
mod sequence_users;
mod sequence_words;
mod set_list;
mod signatures;
mod single;
mod sortable;
mod special;
mod special_calls;
mod sql;
mod sql_expr;
mod step;
mod storage;
mod subscript;
mod symmetric;
mod table_function;
mod template;
mod template_text;
mod ty;
mod type_words;
mod types;
mod unary;
mod unify;
mod unnest;
mod unread;
mod upkeep;
mod usual_names;
mod view;
mod view_columns;
mod volatile;
mod window;
mod window_of;
mod with;
mod with_order;
mod write;
mod writing;
pub(crate) mod written;

use std::{cell::OnceCell, collections::BTreeMap, rc::Rc};

use sqlparser::{
    ast::{Expr, Ident, Statement},
    dialect::PostgreSqlDialect,
    tokenizer::Location,
};

use crate::statement::grammar::{self, Unread};
use identity::Overriding;
use refusing::{check_case, refuse, refuse_with, unsupported};
use sql::Sql;
use sql_expr::SqlExpr;
use step::rows_of_step;

pub(crate) use declared::{declared_type, do_not_refer, in_postgresql};
pub(crate) use default::retyped as retyped_default;
pub(crate) use elements::EACH_IN_FILE;
pub(crate) use extension::EXTENSIONS;
pub(crate) use identity::Identity;
pub(crate) use names::{HandedOn, NamedColumn, Names, Object, Origin};
pub(crate) use of_others::{DeclaredColumn, Purpose, with_words};
pub(crate) use parameter_casts::parameter_casts;
pub(crate) use refusing::{Refusal, too_deep};
pub(crate) use sequence::{KEPT, KeySequence};
pub(crate) use sequence_name::SequenceName;
pub(crate) use sequence_users::users_of_sequence;
pub(crate) use step::{PrecedingStatement, ROWS};
pub(crate) use storage::OF_COLUMN;
pub(crate) use ty::Ty;
pub(crate) use usual_names::usual_name;
pub(crate) use view_columns::named_text;
pub(crate) use volatile::is_in as is_volatile;
pub(crate) use write::{OnConflict, OnConflictUpdate, Write, WriteKind};

/// The names and types of a result's columns; no type where only the values tell it.
pub(crate) type ResultColumns = Vec<ResultColumn>;

/// What becomes of a statement.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of them at a time")]
pub(crate) enum Outcome {
    /// SQLite runs this instead.
    Translated(Translated),
    /// It is no PostgreSQL: SQLite runs it as it stands.
    AsItStands,
    /// PostgreSQL would refuse it, or SQLite cannot do it.
    Refused(Refusal),
}

/// A statement in SQLite's words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Translated {
    /// What runs before it, all as one.
    pub(crate) before: Vec<PrecedingStatement>,
    pub(crate) sql: String,
    /// The result's columns.
    pub(crate) columns: ResultColumns,
    /// The types of `$1`, `$2` … as far as their places tell them.
    pub(crate) parameters: BTreeMap<usize, Ty>,
    /// The sequence of the key that its rows get by themselves.
    pub(crate) key_sequence: Option<KeySequence>,
    /// The step whose rows are those that it writes, where SQLite would count others.
    pub(crate) counted: Option<usize>,
    /// The table that it writes, and what.
    pub(crate) write: Option<Write>,
    /// How it locks rows that are not the session's alone, as in `SELECT FOR UPDATE`.
    pub(crate) locks: Option<&'static str>,
}

/// A column of a result.
#[derive(Debug, Clone)]
pub(crate) struct ResultColumn {
    pub(crate) name: String,
    /// `None` where only the values can tell.
    pub(crate) ty: Option<Ty>,
    /// Its length or its digits, as `pg_attribute.atttypmod` has them.
    pub(crate) modifier: Option<i32>,
    /// The column that it is handed on from, where it is one.
    pub(crate) origin: Option<Origin>,
}

/// What of an INSERT is read apart, since the parser has no words for it.
#[derive(Debug, Clone, Default)]
struct Apart {
    /// What becomes of values for identity columns.
    overriding: Option<Overriding>,
    /// What ON CONFLICT means where it says more than columns, each under its number.
    targets: Vec<conflict_target::Target>,
}

/// Why a translation ends early.
#[derive(Debug)]
enum Stop {
    AsItStands,
    Refused(Refusal),
}

type Result<T> = std::result::Result<T, Stop>;

/// Longer statements carry data; parsing them twice is not worth their while.
const LONGEST: usize = 4 << 20;

/// Translates one statement. `declared` are the types that the client gives its parameters.
pub(crate) fn translate(sql: &str, names: &dyn Names, declared: &[Option<Ty>]) -> Outcome {
    match translate_rest(sql, names, declared, Apart::default()) {
        Outcome::AsItStands => unread::refusal(sql).map_or(Outcome::AsItStands, Outcome::Refused),
        outcome => outcome,
    }
}

fn translate_rest(sql: &str, names: &dyn Names, declared: &[Option<Ty>], apart: Apart) -> Outcome {
    if sql.len() > LONGEST {
        return Outcome::AsItStands;
    }
    if let Some(refusal) = literal::side_by_side(sql) {
        return Outcome::Refused(refusal);
    }
    if let Some(outcome) = upkeep::read(sql, names) {
        return outcome;
    }
    let respelled = reserved::respelled(sql).or_else(|| symmetric::respelled(sql));
    let sql = respelled.as_deref().unwrap_or(sql);
    let read = grammar::read(&PostgreSqlDialect {}, sql, |statements| {
        let [statement] = statements.as_slice() else {
            return Outcome::AsItStands;
        };
        let mut translator = Translator::new(sql, names, declared);
        translator.apart = apart.clone();
        match translator.statement(statement) {
            Ok((sql, columns)) => Outcome::Translated(Translated {
                before: translator.before,
                sql: sql.into(),
                columns,
                parameters: translator.parameters,
                key_sequence: translator.key_sequence,
                counted: translator.counted,
                write: translator.write,
                locks: translator.locks,
            }),
            Err(Stop::AsItStands) => Outcome::AsItStands,
            Err(Stop::Refused(refusal)) => Outcome::Refused(refusal),
        }
    });
    match read {
        Ok(outcome) => outcome,
        Err(Unread::TooDeep) => Outcome::Refused(too_deep()),
        Err(Unread::NotUnderstood) => not_understood(sql, names, declared, apart),
    }
}

/// What the parser does not read: something that it has no words for, or no PostgreSQL.
fn not_understood(sql: &str, names: &dyn Names, declared: &[Option<Ty>], apart: Apart) -> Outcome {
    if let Some(refusal) = with::numbers_rows(sql) {
        return Outcome::Refused(refusal);
    }
    match parser_fallback::read(sql) {
        Some(parser_fallback::Read::Again(text)) => translate_rest(&text, names, declared, apart),
        Some(parser_fallback::Read::Overriding(text, overriding)) => {
            let overriding = Some(overriding);
            translate_rest(&text, names, declared, Apart { overriding, ..apart })
        }
        Some(parser_fallback::Read::Targets(text, targets)) => {
            translate_rest(&text, names, declared, Apart { targets, ..apart })
        }
        Some(parser_fallback::Read::Done(translated)) => Outcome::Translated(*translated),
        None => Outcome::AsItStands,
    }
}

/// A statement that the parser does not know in words that it does; none for what it knows, or never will.
pub(crate) fn respelled(sql: &str) -> Option<String> {
    match parser_fallback::read(sql) {
        Some(parser_fallback::Read::Again(text)) => Some(text),
        _ => None,
    }
}

/// The state of one translation.
struct Translator<'t> {
    text: &'t str,
    /// How many characters stand before each line of it.
    lines: OnceCell<Vec<usize>>,
    names: &'t dyn Names,
    declared: &'t [Option<Ty>],
    parameters: BTreeMap<usize, Ty>,
    /// The queries around the present place, the innermost last.
    scopes: Vec<scope::Scope>,
    /// The common table expressions in reach, the innermost last.
    ctes: Vec<scope::Relation>,
    /// Where an aggregate may stand: the number of levels of them around.
    aggregates: usize,
    /// The clause of the present query that takes no aggregates, where one is being read.
    plain_clause: Option<&'static str>,
    /// True once an aggregate was seen in the present query.
    aggregated: bool,
    /// How often an expression is being tried as one that is grouped by.
    tries: usize,
    /// How deep the present expression stands in others.
    depth: usize,
    /// A name for what has none of its own.
    unnamed: usize,
    /// What is to run before.
    before: Vec<PrecedingStatement>,
    /// The functions that give rows in the select list that is being read.
    lists: Option<select::Lists>,
    /// The WITH that stands before the statement that is being written.
    head: Sql,
    /// The step that found what the statement returns of other tables than the one it writes.
    joined: Option<usize>,
    /// What DEFAULT stands for, by its place, in the rows that are to be written.
    defaults: Vec<(usize, scope::Typed)>,
    /// The tables that were read, and by which common table expressions.
    read: Vec<String>,
    read_by: Vec<(String, Vec<String>)>,
    /// True once something was translated that gives another value each time, and is worked out once for all who read it.
    is_volatile: bool,
    /// What stood in what was translated since that was looked at last.
    contents: volatile::Contents,
    /// In RETURNING: what tells the last number of a sequence, before the arguments of the call that asks for it.
    row_number: Option<Vec<SqlExpr>>,
    /// The columns that were read since, where that is asked.
    reads: Option<Vec<SqlExpr>>,
    /// The queries, by their places in `scopes`, whose columns were read: a bit for each.
    levels: u64,
    /// True in the arguments of an aggregate that is known to belong to the query it stands in.
    is_of_inner: bool,
    /// Where aggregates stand that belong to a query around the one that they are written in.
    of_outer: Vec<usize>,
    /// What is changed at the present place, where rows are to be read as they were before.
    changed: Option<Rc<changed::Changed>>,
    /// The tables and views that a step reads before the statement, and the step's number.
    read_before: Vec<((Option<String>, String), usize)>,
    /// The sequence of the key that new rows get by themselves.
    key_sequence: Option<KeySequence>,
    /// As in [`Translated`].
    counted: Option<usize>,
    /// What the statement writes.
    write: Option<Write>,
    /// How the statement locks rows.
    locks: Option<&'static str>,
    /// The table that is being made.
    made: Option<constraint::Made>,
    /// What the parser has no words for.
    apart: Apart,
    /// What is grouped by in other sets than the present one, while a query is grouped by sets.
    absent: Option<Vec<Expr>>,
    /// True once something was translated that is another value under other settings of the session.
    is_by_settings: bool,
    /// The file, as SQLite calls it, that keeps the view that is being made.
    home: Option<String>,
}

impl<'t> Translator<'t> {
    fn new(text: &'t str, names: &'t dyn Names, declared: &'t [Option<Ty>]) -> Self {
        Self {
            text,
            lines: OnceCell::new(),
            names,
            declared,
            parameters: BTreeMap::new(),
            scopes: vec![],
            ctes: vec![],
            aggregates: 0,
            plain_clause: None,
            aggregated: false,
            tries: 0,
            depth: 0,
            unnamed: 0,
            before: vec![],
            lists: None,
            head: Sql::default(),
            joined: None,
            defaults: vec![],
            read: vec![],
            read_by: vec![],
            is_volatile: false,
            contents: volatile::Contents::default(),
            row_number: None,
            reads: None,
            levels: 0,
            is_of_inner: false,
            of_outer: vec![],
            changed: None,
            read_before: vec![],
            key_sequence: None,
            counted: None,
            write: None,
            locks: None,
            made: None,
            apart: Apart::default(),
            absent: None,
            is_by_settings: false,
            home: None,
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<(Sql, ResultColumns)> {
        if !matches!(statement, Statement::Pragma { .. }) {
            literal::check_numbers(self.text)?;
        }
        match statement {
            Statement::Query(query) => self.whole_query(query),
            Statement::Insert(insert) => self.insert(insert),
            Statement::Update(update) => self.update(update),
            Statement::Delete(delete) => self.delete(delete),
            other => Ok((sql::sql![self.definition(other)?], vec![])),
        }
    }

    /// The place of something in the client's text, in characters from 1.
    fn position(&self, at: Location) -> Option<usize> {
        let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
        // Counted once: a long list has one on each of its lines.
        let lines = self.lines.get_or_init(|| {
            let lines = self.text.split_inclusive('\n');
            let ends = lines.scan(0, |end, line| {
                *end += line.chars().count();
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect()
        });
        let before = lines.get(line).or(lines.last())?;
        Some(before + usize::try_from(at.column).ok()?)
    }

    fn at(&self, ident: &Ident) -> Option<usize> {
        self.position(ident.span.start)
    }

    /// Has a statement run before.
    fn first(&mut self, sql: impl Into<String>) {
        self.before.push(PrecedingStatement::new(sql));
    }

    /// A name for a relation that the client does not name, and no other has.
    fn fresh(&mut self) -> String {
        loop {
            self.unnamed += 1;
            let name = format!("pg:{}", self.unnamed);
            if !self.text.contains(&name) {
                return name;
            }
        }
    }
}

/// A statement that does nothing and has no result.
const NOTHING: &str = "DROP INDEX IF EXISTS \"querent:nothing\"";

/// A name in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A string in quotes.
fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name as PostgreSQL reads it: in lower case unless it is quoted.
fn folded(ident: &Ident) -> String {
    if ident.quote_style.is_some() {
        ident.value.clone()
    } else {
        ident.value.to_lowercase()
    }
}
