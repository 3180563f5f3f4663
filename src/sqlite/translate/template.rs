//! What SQLite is told for a function of PostgreSQL's: SQL with places for its arguments, in which an aggregate's calls of
//! SQLite's aggregates stand apart, because DISTINCT, an order, FILTER and OVER belong to each of them.

use super::{Ty, string};

/// SQL with places in it.
#[derive(Debug)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Sql(String),
    /// `{0}`: an argument.
    Argument(usize),
    /// `{*}`: all arguments.
    Arguments,
    /// `{type}`: the name of the first argument's type.
    Type,
    /// `{element}`: that of its elements.
    Element,
    /// `{collation}`: that by which it is compared.
    Collation,
    /// `%name(…)%`: an aggregate of SQLite's.
    Aggregate {
        name: String,
        arguments: Vec<Piece>,
    },
}

/// What the places are filled with.
pub(super) struct Arguments<'a> {
    pub(super) values: &'a [String],
    /// The type of the first.
    pub(super) first: Ty,
    /// True if the first is a whole row.
    pub(super) is_row: bool,
}

/// An aggregate of SQLite's that is called.
pub(super) struct AggregateCall<'a> {
    /// True for the last of a template.
    pub(super) is_last: bool,
    pub(super) name: &'a str,
    pub(super) arguments: String,
}

impl Template {
    /// A function of rows: a percent sign is one.
    pub(super) fn plain(text: &str) -> Self {
        Self(pieces(text))
    }

    /// An aggregate; `None` if a call between percent signs is none.
    pub(super) fn aggregate(text: &str) -> Option<Self> {
        let mut found = vec![];
        for (at, part) in text.split('%').enumerate() {
            if at % 2 == 0 {
                found.extend(pieces(part));
            } else {
                let (name, arguments) = part.strip_suffix(')')?.split_once('(')?;
                found.push(Piece::Aggregate {
                    name: name.to_owned(),
                    arguments: pieces(arguments),
                });
            }
        }
        Some(Self(found))
    }

    /// The SQL for these arguments, without a word more for its aggregates.
    pub(super) fn filled(&self, values: &[String], first: Ty) -> String {
        let arguments = Arguments {
            values,
            first,
            is_row: false,
        };
        self.with_aggregates(&arguments, |call| format!("{}({})", call.name, call.arguments))
    }

    /// The SQL for these arguments, with each aggregate as it is printed.
    pub(super) fn with_aggregates(
        &self,
        arguments: &Arguments<'_>,
        mut print: impl FnMut(AggregateCall<'_>) -> String,
    ) -> String {
        let is_aggregate = |piece: &Piece| matches!(piece, Piece::Aggregate { .. });
        let mut left = self.0.iter().filter(|piece| is_aggregate(piece)).count();
        let mut sql = String::new();
        for piece in &self.0 {
            if let Piece::Aggregate {
                name,
                arguments: inner,
            } = piece
            {
                left -= 1;
                sql.push_str(&print(AggregateCall {
                    is_last: left == 0,
                    name,
                    arguments: inner.iter().map(|piece| piece.filled(arguments)).collect(),
                }));
            } else {
                sql.push_str(&piece.filled(arguments));
            }
        }
        sql
    }
}

impl Piece {
    fn filled(&self, arguments: &Arguments<'_>) -> String {
        let first = arguments.first;
        match self {
            Self::Sql(sql) => sql.clone(),
            Self::Argument(at) => arguments.values.get(*at).cloned().unwrap_or_default(),
            Self::Arguments => arguments.values.join(", "),
            Self::Type if arguments.is_row => string("record"),
            Self::Type => string(&first.kept()),
            Self::Element => match first {
                Ty::Array(of) => string(&of.kept()),
                other => string(&other.kept()),
            },
            Self::Collation => first.collation().unwrap_or("BINARY").to_owned(),
            // None stands within another.
            Self::Aggregate { .. } => String::new(),
        }
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut found = vec![];
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once('{') {
        let Some((place, after)) = opened.split_once('}') else {
            break;
        };
        found.push(Piece::Sql(before.to_owned()));
        found.push(match place {
            "*" => Piece::Arguments,
            "type" => Piece::Type,
            "collation" => Piece::Collation,
            "element" => Piece::Element,
            place => match place.parse() {
                Ok(at) => Piece::Argument(at),
                // No place: `'{}'` is an array.
                Err(_) => Piece::Sql(format!("{{{place}}}")),
            },
        });
        rest = after;
    }
    found.push(Piece::Sql(rest.to_owned()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_what_stands_in_values_is_not_looked_at() {
        let values = ["'{1} %'".to_owned(), "b".to_owned()];
        let filled = |template: &Template| template.filled(&values, Ty::Int4.array());
        assert_eq!(
            filled(&Template::plain("{0} % f({1}, '{}')")),
            "'{1} %' % f(b, '{}')"
        );
        assert_eq!(
            filled(&Template::plain("pg_x({*}, {element})")),
            "pg_x('{1} %', b, 'int4')"
        );
    }

    #[test]
    fn each_aggregate_is_printed_by_itself() {
        let template = Template::aggregate("div(%sum({0})%, nullif(%count({0})%, 0))").expect("well formed");
        let arguments = Arguments {
            values: &["a".to_owned()],
            first: Ty::Int4,
            is_row: false,
        };
        let sql = template.with_aggregates(&arguments, |call| {
            let last = if call.is_last { " last" } else { "" };
            format!("<{} {}{last}>", call.name, call.arguments)
        });
        assert_eq!(sql, "div(<sum a>, nullif(<count a last>, 0))");
        assert!(Template::aggregate("%sum%").is_none());
    }
}
