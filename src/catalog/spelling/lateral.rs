//! `FROM pg_index i, unnest(i.indkey, i.indoption) …`: what stands in FROM looks at what stands before it there, which no
//! subquery of SQLite's may. It reads the relation once more, and is joined by the row.

use std::fmt::Write as _;

use super::{Respelling, split};
use crate::catalog::{
    definitions::find,
    lexical::{Piece, pieces, unquote},
};

/// What stands in FROM instead, and what it is joined on.
pub(super) struct Lateral {
    pub(super) told: String,
    pub(super) condition: String,
}

impl Respelling<'_> {
    /// The arrays of a relation that stands in the same FROM, as a subquery of these columns; `before` is where it stands.
    pub(super) fn lateral(
        &self,
        before: usize,
        arrays: &str,
        (alias, names): (&str, &[String]),
        ordinality: bool,
    ) -> Option<Lateral> {
        let mut arrays = split(arrays).into_iter().map(column);
        let (of, first) = arrays.next()??;
        let mut columns = vec![first];
        for array in arrays {
            let (qualifier, column) = array?;
            if !qualifier.eq_ignore_ascii_case(of) {
                return None;
            }
            columns.push(column);
        }
        let relation = self.relation_before(before, of)?;
        let name = |at: usize| names.get(at).map_or("value", String::as_str);
        let mut told = String::from("(SELECT nl_row.rowid AS nl_rowid");
        for (at, column) in columns.iter().enumerate() {
            let _ = write!(
                told,
                ", catalogue_array_at(nl_row.{column}, nl_set.key) AS {}",
                name(at)
            );
        }
        if ordinality {
            let position = names.get(columns.len()).map_or("ordinality", String::as_str);
            let _ = write!(told, ", nl_set.key + 1 AS {position}");
        }
        let _ = write!(
            told,
            " FROM pg_catalog.{relation} AS nl_row, json_each(catalogue_array_json(nl_row.{first})) AS nl_set) AS {alias}"
        );
        Some(Lateral {
            told,
            condition: format!("{alias}.nl_rowid = {of}.rowid"),
        })
    }

    /// The relation that has this name in the FROM clause that ends at `before`.
    fn relation_before(&self, before: usize, name: &str) -> Option<&'static str> {
        let mut depth = 0_usize;
        for at in (0..before).rev() {
            match self.token(at) {
                ")" => depth += 1,
                "(" if depth == 0 => return None,
                "(" => depth -= 1,
                _ if depth > 0 => {}
                token if at == 0 || token.eq_ignore_ascii_case("from") => return None,
                token if token.eq_ignore_ascii_case(name) && !self.is(at - 1, ".") => {
                    let place = if self.is(at - 1, "as") {
                        at.checked_sub(2)?
                    } else {
                        at - 1
                    };
                    let named = |at: usize| find("pg_catalog", &unquote(self.token(at)).to_lowercase());
                    return named(place).or_else(|| named(at)).map(|relation| relation.name);
                }
                _ => {}
            }
        }
        None
    }
}

/// `i.indkey` as its two names.
fn column(text: &str) -> Option<(&str, &str)> {
    let mut tokens = pieces(text).filter_map(|(_, piece)| match piece {
        Piece::Token(token) => Some(token),
        _ => None,
    });
    match [tokens.next()?, tokens.next()?, tokens.next()?] {
        [of, ".", column] if tokens.next().is_none() => Some((of, column)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::render;

    #[test]
    fn arrays_of_what_stands_before_are_joined_by_the_row() {
        for (sql, expected) in [
            (
                "FROM pg_index i, unnest(i.a, i.b) WITH ORDINALITY k(x, y, n)",
                "FROM pg_index i JOIN (SELECT nl_row.rowid AS nl_rowid, catalogue_array_at(nl_row.a, nl_set.key) AS x, \
                 catalogue_array_at(nl_row.b, nl_set.key) AS y, nl_set.key + 1 AS n FROM pg_catalog.pg_index AS nl_row, \
                 json_each(catalogue_array_json(nl_row.a)) AS nl_set) AS k ON k.nl_rowid = i.rowid",
            ),
            (
                "FROM pg_index AS i JOIN LATERAL unnest(i.a) AS x ON true",
                "FROM pg_index AS i JOIN (SELECT nl_row.rowid AS nl_rowid, catalogue_array_at(nl_row.a, nl_set.key) AS x \
                 FROM pg_catalog.pg_index AS nl_row, json_each(catalogue_array_json(nl_row.a)) AS nl_set) AS x \
                 ON x.nl_rowid = i.rowid AND true",
            ),
        ] {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeezed(&render(sql)), squeezed(expected), "{sql}");
        }
    }
}
