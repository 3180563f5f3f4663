//! WITH: common table expressions, which may read themselves.

use sqlparser::ast::{CteAsMaterialized, SetExpr, With};

use super::{
    Refusal, Result, Translator, Ty,
    columns::{named, rename},
    query::{names_of, within_parentheses},
    refuse,
    scope::Relation,
    sql::{Named, Sql, listed, sql},
    unsupported, with_order,
};
use crate::statement::tokens;

/// The refusal of SEARCH and CYCLE behind a query of WITH, which number its rows and end it by a column of their own.
pub(super) fn numbers_rows(sql: &str) -> Option<Refusal> {
    let tokens: Vec<(usize, &str)> = tokens(sql).collect();
    let is = |at: usize, words: &[&str]| {
        let token = tokens.get(at);
        token.is_some_and(|(_, token)| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    };
    let is_with = (0..tokens.len()).any(|at| is(at, &["with"]) && is(at + 1, &["recursive"]));
    let says = |at: &usize| {
        let search = is(*at, &["search"]) && is(at + 1, &["depth", "breadth"]) && is(at + 2, &["first"]);
        let cycle = is(*at, &["cycle"]) && (at + 2..tokens.len()).any(|later| is(later, &["set"]));
        (search || cycle) && is(at.wrapping_sub(1), &[")"])
    };
    let at = (0..tokens.len()).find(says).filter(|_| is_with)?;
    let (offset, word) = tokens[at];
    let hint = if word.eq_ignore_ascii_case("search") {
        "Let the query carry its depth (depth + 1) or a text of its path (path || '/' || id), and ORDER BY that."
    } else {
        "Let the query carry a text of its path, and leave out rows that it holds already; UNION in place of UNION ALL \
         ends a recursion whose rows come again."
    };
    Some(Refusal {
        sqlstate: "0A000",
        message: format!(
            "{} in WITH RECURSIVE is not supported on a SQLite file",
            word.to_ascii_uppercase()
        ),
        detail: None,
        hint: Some(hint.into()),
        position: Some(sql.get(..offset)?.chars().count() + 1),
    })
}

/// Queries in one WITH: SQLite compares the name of each with those of all others.
const MOST_QUERIES: usize = 1_000;

impl Translator<'_> {
    /// WITH and its queries.
    pub(super) fn with(&mut self, with: &With) -> Result<Sql> {
        let parts = self.with_parts(with)?;
        let recursive = if with.recursive { "RECURSIVE " } else { "" };
        Ok(sql!["WITH ", recursive, listed(parts), " "])
    }

    /// The queries of a WITH, each with its name.
    pub(super) fn with_parts(&mut self, with: &With) -> Result<Vec<Sql>> {
        if with.cte_tables.len() > MOST_QUERIES {
            let message = format!("more than {MOST_QUERIES} queries cannot stand in WITH on a SQLite file");
            return refuse("54001", message, None);
        }
        with_order::check_names(&with.cte_tables, |name| self.at(name))?;
        let queries = if with.recursive {
            with_order::sorted(&with.cte_tables, |name| self.at(name))?
        } else {
            with.cte_tables.iter().collect()
        };
        let mut parts = vec![];
        for cte in queries {
            let name = super::folded(&cte.alias.name);
            let inner = self.name_within(&name);
            let renamed: Vec<String> = cte
                .alias
                .columns
                .iter()
                .map(|column| super::folded(&column.name))
                .collect();
            let outer = std::mem::take(&mut self.read);
            let is_volatile_outside = std::mem::take(&mut self.is_volatile);
            if matches!(
                *cte.query.body,
                SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_)
            ) {
                return unsupported("WITH around a statement that writes", self.at(&cte.alias.name));
            }
            if with.recursive
                && let SetExpr::SetOperation { left, .. } = within_parentheses(&cte.query.body)
            {
                // The first part tells the columns of what the second reads.
                let scopes = self.scopes.len();
                let first = self.body(left);
                self.scopes.truncate(scopes);
                let mut first = first?;
                self.settle_body(&mut first)?;
                let mut columns = rename(named(&first.columns()), &renamed);
                for column in &mut columns {
                    // What the second part gives comes back here, and may be kept as text where the first gave numbers.
                    column.exact |= column.ty == Ty::Numeric;
                }
                self.ctes.push(Relation {
                    name: name.clone(),
                    inner: inner.clone(),
                    columns,
                    ..Relation::default()
                });
                let ((sql, found), contents) = self.noting_contents(|own| own.query(&cte.query, false))?;
                self.is_volatile |= contents.volatile;
                if let Some(relation) = self.ctes.last_mut() {
                    relation.columns = rename(found, &renamed);
                }
                let reads_itself = self.read.contains(&inner);
                parts.push(self.cte((&inner, sql), cte.materialized.as_ref(), reads_itself));
            } else {
                let ((sql, columns), contents) = self.noting_contents(|own| own.query(&cte.query, false))?;
                self.is_volatile |= contents.volatile;
                if renamed.len() > columns.len() {
                    let message = format!(
                        "WITH query \"{name}\" has {} columns available but {} columns specified",
                        columns.len(),
                        renamed.len()
                    );
                    return refuse("42P10", message, self.at(&cte.alias.name));
                }
                self.ctes.push(Relation {
                    name: name.clone(),
                    inner: inner.clone(),
                    columns: rename(columns, &renamed),
                    ..Relation::default()
                });
                parts.push(self.cte((&inner, sql), cte.materialized.as_ref(), false));
            }
            self.is_volatile |= is_volatile_outside;
            let own = std::mem::replace(&mut self.read, outer);
            self.read_by.push((inner, own));
        }
        Ok(parts)
    }

    /// What SQLite calls a query of WITH: it has one name mean the same in all queries of a WITH, and in what is written, where
    /// PostgreSQL means the table, or the query of the WITH around, as long as there is no other.
    pub(super) fn name_within(&mut self, name: &str) -> String {
        let mut queries = self.ctes.iter();
        let is_taken = queries.any(|cte| cte.name.eq_ignore_ascii_case(name))
            || self.names.relation(None, name).is_some()
            || self.names.has_function(name);
        if is_taken { self.fresh() } else { name.to_owned() }
    }

    fn cte(
        &mut self,
        (name, query): (&str, Sql),
        materialized: Option<&CteAsMaterialized>,
        reads_itself: bool,
    ) -> Sql {
        // What reads itself is worked out once anyhow, and may end by a limit around it.
        let materialized = if self.is_volatile && !reads_itself {
            Some(&CteAsMaterialized::Materialized)
        } else {
            materialized
        };
        let columns = self.ctes.last().map(|relation| names_of(&relation.columns));
        let how = match materialized {
            Some(CteAsMaterialized::Materialized) => "MATERIALIZED ",
            Some(CteAsMaterialized::NotMaterialized) => "NOT MATERIALIZED ",
            None => "",
        };
        let columns = columns.unwrap_or_default();
        sql![Named(name), "(", columns, ") AS ", how, "(", query, ")"]
    }
}
