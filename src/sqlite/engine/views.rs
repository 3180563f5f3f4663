//! How many views SQLite puts in place of a view's name. It does so anew each time it looks at the view's columns, without a
//! look at any clock, and every session looks at all views: a few doublings would stop them all. So what a view becomes
//! is worked out from the views' own texts, before SQLite sees it.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Result};

use super::{alter::fault, attached, lossy};
use crate::statement::sqlite_lexer::{self, quote};

/// The views that one view may become: SQLite takes some 30 ms for as many.
pub(super) const LARGEST: u64 = 4_096;
/// What all views of a connection may become together.
pub(super) const LARGEST_OF_ALL: u64 = 65_536;
/// Views that read each other one after another.
const DEEPEST: usize = 500;

/// What the views of a connection read.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// By name in lower case: the names that it reads, once for each time.
    pub(super) reads: HashMap<String, Vec<String>>,
    /// The names of views; what else has one is part of a view.
    pub(super) whole: HashSet<String>,
    /// The schemas in lower case that they may be in.
    pub(super) schemas: Vec<String>,
}

/// Refuses a statement that makes a view with which SQLite would have too much to put in place.
pub(super) fn check(connection: &Connection, sql: &str) -> Result<()> {
    if !each_token(sql).next().is_some_and(|first| is(first, "create")) {
        return Ok(());
    }
    let tokens: Vec<&str> = each_token(sql).collect();
    if let Some(schema) = attached::defined_in(connection, &tokens) {
        attached::check_names(connection, &schema, &tokens)?;
    }
    let Some(name) = made(&tokens) else { return Ok(()) };
    let mut views = Views::of(connection)?;
    let before = views.sizes();
    views.add(&name, &tokens);
    let after = views.sizes();
    let grows = |name: &String, size: u64| before.get(name).is_none_or(|before| *before < size);
    let (what, most) = if after
        .iter()
        .any(|(name, size)| *size > LARGEST && grows(name, *size))
    {
        ("a view is", LARGEST)
    } else if sum(&after) > LARGEST_OF_ALL {
        ("the views are together", LARGEST_OF_ALL)
    } else {
        return Ok(());
    };
    let message = format!(
        "{what} made of more than {most} views, each counted as often as it is read; read them fewer times, or keep \
         what one gives in a table"
    );
    Err(fault("54001", message))
}

/// Of some views, by name and text, the names in lower case of those that put rows of several queries one after the other,
/// or read one that does.
pub(super) fn put_together<'a>(views: impl Iterator<Item = (&'a str, &'a str)>) -> HashSet<String> {
    let words = |(name, sql): (&str, &str)| {
        let words = each_token(sql).map(|token| sqlite_lexer::unquote(token).to_lowercase());
        (name.to_lowercase(), words.collect::<HashSet<String>>())
    };
    let mut left: Vec<(String, HashSet<String>)> = views.map(words).collect();
    let mut known: HashSet<String> = ["union", "intersect", "except"].map(str::to_owned).into();
    loop {
        let (found, others): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|(_, words)| !words.is_disjoint(&known));
        if found.is_empty() {
            return known;
        }
        known.extend(found.into_iter().map(|(name, _)| name));
        left = others;
    }
}

/// What all views become together, without those that are too large by themselves.
fn sum(sizes: &HashMap<String, u64>) -> u64 {
    sizes.values().filter(|size| **size <= LARGEST).sum()
}

/// The views in lower case that SQLite would have too much to put in place for.
pub(super) fn too_large(connection: &Connection) -> Result<HashSet<String>> {
    Ok(Views::of(connection)?.too_large())
}

impl Views {
    /// Those that a connection has.
    pub(super) fn of(connection: &Connection) -> Result<Self> {
        let mut views = Self::default();
        let schemas: Vec<String> = (0..)
            .map_while(|at| connection.db_name(at).ok())
            .filter(|schema| !matches!(schema.as_str(), "pg_catalog" | "information_schema"))
            .collect();
        views.schemas = schemas.iter().map(|schema| schema.to_lowercase()).collect();
        // The file has two names.
        views.schemas.push("main".to_owned());
        for schema in schemas {
            let sql = format!(
                "SELECT name, sql FROM {}.sqlite_schema WHERE type = 'view'",
                quote(&schema)
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (name, sql) = (lossy::text(row, 0)?, lossy::text(row, 1)?);
                let tokens: Vec<&str> = each_token(&sql).collect();
                views.add(&name, &tokens);
            }
        }
        Ok(views)
    }

    /// Adds a view by the tokens of `CREATE VIEW … AS …`.
    fn add(&mut self, name: &str, tokens: &[&str]) {
        let name = name.to_lowercase();
        let body = tokens.iter().position(|token| is(token, "as"));
        self.add_query(&name, body.map_or(&[][..], |at| &tokens[at + 1..]), |_| true);
        self.whole.insert(name);
    }

    /// Adds what a query of this name in lower case reads, where its tokens may be names.
    pub(super) fn add_query(&mut self, name: &str, body: &[&str], may_be: impl Fn(usize) -> bool) {
        let queries = named_queries(body);
        let inside = |of: &str| format!("{name}\0{of}");
        let mut read: HashMap<String, Vec<String>> = HashMap::from([(name.to_owned(), vec![])]);
        for query in &queries {
            read.insert(inside(&query.name), vec![]);
        }
        for at in (0..body.len()).filter(|at| queries.iter().all(|query| query.at != *at)) {
            let Some(reads) = relation(body, at, &self.schemas).filter(|_| may_be(at)) else {
                continue;
            };
            // The innermost query that has a name and is around it.
            let around = queries.iter().filter(|query| query.from < at && at < query.to);
            let reader = around.min_by_key(|query| query.to - query.from);
            let reader = reader.map_or_else(|| name.to_owned(), |query| inside(&query.name));
            let own = inside(&reads);
            let is_named = own != reader && read.contains_key(&own);
            if let Some(targets) = read.get_mut(&reader) {
                // The named query may be none here, so that a view of the same name counts too.
                targets.extend(is_named.then_some(own));
                targets.push(reads);
            }
        }
        // A temporary view may have the name of another: both count.
        for (name, reads) in read {
            self.reads.entry(name).or_default().extend(reads);
        }
    }

    /// Those in lower case that SQLite would have too much to put in place for.
    pub(super) fn too_large(&self) -> HashSet<String> {
        let mut large = HashSet::new();
        let sizes = self.sizes().into_iter();
        let mut in_order: Vec<(u64, String)> = sizes.map(|(name, size)| (size, name)).collect();
        in_order.sort_unstable();
        let mut all = 0_u64;
        for (size, name) in in_order {
            all = all.saturating_add(size);
            if size > LARGEST || all > LARGEST_OF_ALL {
                large.insert(name);
            }
        }
        large
    }

    /// How many views each becomes, itself counted.
    fn sizes(&self) -> HashMap<String, u64> {
        let mut known = HashMap::new();
        for name in &self.whole {
            self.size(name, 0, &mut known);
        }
        known.retain(|name, _| self.whole.contains(name));
        known
    }

    pub(super) fn size(&self, name: &str, depth: usize, known: &mut HashMap<String, u64>) -> u64 {
        if let Some(size) = known.get(name) {
            return *size;
        }
        let Some(reads) = self.reads.get(name) else {
            return 0;
        };
        if depth > DEEPEST {
            return u64::MAX;
        }
        // What reads itself is an error of SQLite's, or is read once.
        known.insert(name.to_owned(), 1);
        let size = reads.iter().fold(1_u64, |size, read| {
            size.saturating_add(self.size(read, depth + 1, known))
        });
        known.insert(name.to_owned(), size);
        size
    }
}

/// A query of a WITH: its name and the place of that, and where its parentheses are.
pub(super) struct NamedQuery {
    pub(super) name: String,
    at: usize,
    from: usize,
    to: usize,
}

/// The queries that have a name in a view: `name [(column, …)] AS [NOT MATERIALIZED] (SELECT …)`.
pub(super) fn named_queries(tokens: &[&str]) -> Vec<NamedQuery> {
    let mut closing = HashMap::new();
    let mut opening = HashMap::new();
    let mut open = vec![];
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" => open.push(at),
            ")" => {
                if let Some(from) = open.pop() {
                    closing.insert(from, at);
                    opening.insert(at, from);
                }
            }
            _ => {}
        }
    }
    let mut found = vec![];
    for at in (1..tokens.len()).filter(|at| is(tokens[*at], "as")) {
        let mut from = at + 1;
        while tokens
            .get(from)
            .is_some_and(|token| is(token, "not") || is(token, "materialized"))
        {
            from += 1;
        }
        // A window is in parentheses as well.
        let queries = ["select", "with", "values"];
        let begins = tokens
            .get(from + 1)
            .is_some_and(|token| queries.iter().any(|word| is(token, word)));
        let Some(to) = closing.get(&from).filter(|_| begins) else {
            continue;
        };
        let named = match opening.get(&(at - 1)) {
            Some(columns) => columns.checked_sub(1),
            None => Some(at - 1),
        };
        if let Some(named) = named {
            let name = sqlite_lexer::unquote(tokens[named]).to_lowercase();
            found.push(NamedQuery {
                name,
                at: named,
                from,
                to: *to,
            });
        }
    }
    found
}

/// The name in lower case if a table or view may stand here. Rather one too many than one too few.
pub(super) fn relation(tokens: &[&str], at: usize, schemas: &[String]) -> Option<String> {
    let before = at.checked_sub(1).map(|before| tokens[before])?;
    let after = tokens.get(at + 1).copied().unwrap_or_default();
    let may_stand = match before {
        "," | "(" => true,
        // Behind a table's name stands a column.
        "." => {
            let place = at
                .checked_sub(2)
                .map(|place| sqlite_lexer::unquote(tokens[place]))?;
            schemas.contains(&place.to_lowercase())
        }
        before => ["from", "join", "in"].iter().any(|word| is(before, word)),
    };
    (may_stand && !matches!(after, "." | "(")).then(|| sqlite_lexer::unquote(tokens[at]).to_lowercase())
}

/// The name of the view that a statement makes.
fn made(tokens: &[&str]) -> Option<String> {
    let mut at = 1;
    if !is(tokens.first()?, "create") {
        return None;
    }
    at += usize::from(is(tokens.get(at)?, "temp") || is(tokens.get(at)?, "temporary"));
    if !is(tokens.get(at)?, "view") {
        return None;
    }
    at += 1;
    if is(tokens.get(at)?, "if") && is(tokens.get(at + 1)?, "not") {
        at += 3;
    }
    if tokens.get(at + 1) == Some(&".") {
        at += 2;
    }
    tokens.get(at).map(|name| sqlite_lexer::unquote(name))
}

pub(super) fn each_token(sql: &str) -> impl Iterator<Item = &str> {
    sqlite_lexer::tokens(sql).map(|(_, token)| token)
}

/// The name that a token is, in lower case.
pub(super) fn lower(token: &str) -> String {
    sqlite_lexer::unquote(token).to_lowercase()
}

pub(super) fn is(token: &str, word: &str) -> bool {
    token.eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(sql: &str) -> Vec<&str> {
        each_token(sql).collect()
    }

    #[test]
    fn what_a_view_becomes_is_counted() {
        for (body, expected) in [
            ("SELECT 1", 1),
            ("SELECT a FROM v", 4),
            ("SELECT v.a FROM main.v AS v JOIN \"V\" AS w ON v.a = w.a", 7),
            ("SELECT a FROM t, v, [v] WHERE a IN v", 10),
            (
                "SELECT 'it''s from v' AS v, t.v FROM t AS v WHERE t.v = 1 -- from v",
                1,
            ),
            ("SELECT a FROM (WITH v AS (SELECT 1 AS a) SELECT a FROM v), v", 9),
            (
                "SELECT a FROM (SELECT a FROM v) WHERE EXISTS (SELECT 1 FROM 'v')",
                7,
            ),
            ("WITH c AS (SELECT a FROM v) SELECT a FROM c", 5),
            (
                "WITH c(a) AS NOT MATERIALIZED (SELECT a FROM v) SELECT a FROM c JOIN c AS d",
                9,
            ),
            (
                "WITH d AS (SELECT a FROM c, c), c AS (SELECT a FROM v) SELECT a FROM d, d",
                19,
            ),
            (
                "WITH RECURSIVE n AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM n) SELECT a FROM n",
                2,
            ),
            (
                "SELECT sum(a) OVER w FROM v WINDOW w AS (ORDER BY (SELECT a FROM v))",
                7,
            ),
        ] {
            let mut views = Views {
                schemas: vec!["main".to_owned()],
                ..Views::default()
            };
            views.add("u", &tokens("CREATE VIEW u AS SELECT 1"));
            views.add(
                "v",
                &tokens("CREATE VIEW v (a) AS SELECT a FROM u UNION ALL SELECT a FROM u"),
            );
            views.add("x", &tokens(&format!("CREATE VIEW x AS {body}")));
            assert_eq!(views.sizes()["x"], expected, "{body}");
        }
    }

    #[test]
    fn statements_that_make_views_are_known() {
        for (sql, expected) in [
            ("CREATE VIEW a AS SELECT 1", Some("a")),
            (
                "/* why */ create temp view if not exists main.\"A\" (b) as select 1",
                Some("A"),
            ),
            ("CREATE TABLE view (a)", None),
            ("SELECT 1", None),
            ("CREATE", None),
        ] {
            assert_eq!(made(&tokens(sql)).as_deref(), expected, "{sql}");
        }
    }
}
