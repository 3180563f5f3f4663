//! Queries and statements as their words, in which names and expressions stand as such.

use std::fmt::{self, Display};

use super::{
    print,
    sql_expr::{SortKey, SqlExpr},
    window_of::Window,
};

/// SQL in pieces.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Sql(Vec<Piece>);

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Words(String),
    /// A name, which is written in quotes.
    Name(String),
    Expression(SqlExpr),
    Window(Window),
}

/// A name among words.
#[derive(Clone, Copy)]
pub(super) struct Named<'n>(pub(super) &'n str);

/// Words, names and expressions one behind the other.
macro_rules! sql {
    ($($part:expr),* $(,)?) => {{
        let mut sql = $crate::sqlite::translate::sql::Sql::default();
        $(sql.add($part);)*
        sql
    }};
}
pub(super) use sql;

/// What may be a piece, or several.
pub(super) trait IntoPieces {
    fn add_to(self, sql: &mut Sql);
}

impl Sql {
    pub(super) fn add(&mut self, part: impl IntoPieces) {
        part.add_to(self);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.0
    }

    pub(super) fn each_expression<'s>(&'s self, see: &mut dyn FnMut(&'s SqlExpr)) {
        for piece in &self.0 {
            match piece {
                Piece::Expression(expression) => see(expression),
                Piece::Window(window) => window.each_child(see),
                Piece::Words(_) | Piece::Name(_) => {}
            }
        }
    }

    /// The same with other names and expressions.
    pub(super) fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => Piece::Words(words.clone()),
            Piece::Name(name) => Piece::Expression(each(&super::sql_expr::name(name))),
            Piece::Expression(expression) => Piece::Expression(each(expression)),
            Piece::Window(window) => Piece::Window(window.rebuilt(each)),
        };
        Self(self.0.iter().map(piece).collect())
    }

    /// About how long it is, without its expressions.
    pub(super) fn own_length(&self) -> usize {
        let length = |piece: &Piece| match piece {
            Piece::Words(text) | Piece::Name(text) => text.len() + 2,
            Piece::Expression(_) | Piece::Window(_) => 0,
        };
        self.0.iter().map(length).sum()
    }
}

/// Parts with this between them.
pub(super) fn separated<T: IntoPieces>(parts: impl IntoIterator<Item = T>, between: &str) -> Sql {
    let mut sql = Sql::default();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            sql.add(between);
        }
        sql.add(part);
    }
    sql
}

/// Parts with commas between them.
pub(super) fn listed<T: IntoPieces>(parts: impl IntoIterator<Item = T>) -> Sql {
    separated(parts, ", ")
}

impl IntoPieces for &str {
    fn add_to(self, sql: &mut Sql) {
        match sql.0.last_mut() {
            Some(Piece::Words(words)) => words.push_str(self),
            _ if self.is_empty() => {}
            _ => sql.0.push(Piece::Words(self.to_owned())),
        }
    }
}

impl IntoPieces for String {
    fn add_to(self, sql: &mut Sql) {
        self.as_str().add_to(sql);
    }
}

impl IntoPieces for &String {
    fn add_to(self, sql: &mut Sql) {
        self.as_str().add_to(sql);
    }
}

impl IntoPieces for Named<'_> {
    fn add_to(self, sql: &mut Sql) {
        sql.0.push(Piece::Name(self.0.to_owned()));
    }
}

impl IntoPieces for SqlExpr {
    fn add_to(self, sql: &mut Sql) {
        sql.0.push(Piece::Expression(self));
    }
}

impl IntoPieces for &SqlExpr {
    fn add_to(self, sql: &mut Sql) {
        self.clone().add_to(sql);
    }
}

impl IntoPieces for Window {
    fn add_to(self, sql: &mut Sql) {
        sql.0.push(Piece::Window(self));
    }
}

impl IntoPieces for Sql {
    fn add_to(self, sql: &mut Sql) {
        for piece in self.0 {
            match piece {
                Piece::Words(words) => words.add_to(sql),
                piece => sql.0.push(piece),
            }
        }
    }
}

impl IntoPieces for &Sql {
    fn add_to(self, sql: &mut Sql) {
        self.clone().add_to(sql);
    }
}

impl IntoPieces for &SortKey {
    fn add_to(self, sql: &mut Sql) {
        sql.add(&self.key);
        if self.descending {
            sql.add(" DESC");
        }
        if let Some(nulls) = self.nulls {
            sql.add(" NULLS ");
            sql.add(nulls);
        }
    }
}

impl From<Sql> for String {
    fn from(sql: Sql) -> Self {
        sql.to_string()
    }
}

impl Display for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sql = String::new();
        print::words(&mut sql, self);
        f.write_str(&sql)
    }
}

impl fmt::Debug for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
