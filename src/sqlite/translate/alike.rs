//! Whether two expressions are one. Each time one is translated, the relations inside of it that have no name get new ones,
//! and those say nothing.

use super::sql_expr::{Node, Part, SqlExpr};

/// What the names begin with that are made for relations; a number follows.
const MADE: &str = "pg:";

/// True for expressions that differ in such names alone, of those that came after the first `known`.
pub(super) fn alike(one: &SqlExpr, other: &SqlExpr, known: usize) -> bool {
    one == other
        || (has_made(one) && has_made(other) && Numbered::of(one, known) == Numbered::of(other, known))
}

/// True where such names may be.
fn has_made(expression: &SqlExpr) -> bool {
    let is_made = |part: &Part| matches!(part, Part::Quoted(name) if name.starts_with(MADE));
    expression.has(&mut |part| match part.node() {
        Node::Name(parts) => parts.iter().any(is_made),
        Node::Query(_) => true,
        _ => false,
    })
}

/// Numbers those names by their order in an expression.
struct Numbered {
    known: usize,
    seen: Vec<usize>,
}

impl Numbered {
    fn of(expression: &SqlExpr, known: usize) -> SqlExpr {
        Self { known, seen: vec![] }.expression(expression)
    }

    fn expression(&mut self, expression: &SqlExpr) -> SqlExpr {
        match expression.node() {
            Node::Name(parts) => Node::Name(parts.iter().map(|part| self.part(part)).collect()).into(),
            _ => expression.rebuilt(&mut |part| self.expression(part)),
        }
    }

    fn part(&mut self, part: &Part) -> Part {
        let Part::Quoted(name) = part else {
            return part.clone();
        };
        let number = name.strip_prefix(MADE).and_then(|number| number.parse().ok());
        let Some(number) = number.filter(|number| *number > self.known) else {
            return part.clone();
        };
        let place = self.seen.iter().position(|seen| *seen == number);
        let place = place.unwrap_or_else(|| {
            self.seen.push(number);
            self.seen.len() - 1
        });
        // No number of a name that was made has a letter.
        Part::Quoted(format!("{MADE}n{place}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            sql::{Named, listed, sql},
            sql_expr::{column, infix, query},
        },
        *,
    };

    #[test]
    fn names_inside_of_an_expression_say_nothing() {
        let compared = |left: &str, right: &str, outside: &str| {
            let test = infix(column(left, "v"), "<", column(right, "v"));
            let from = listed([left, right, outside].map(|name| sql![Named(name)]));
            query(sql!["SELECT ", test, " FROM ", from])
        };
        let one = compared("pg:3", "pg:4", "pg:1");
        for (other, is_alike) in [
            (compared("pg:7", "pg:9", "pg:1"), true),
            (compared("pg:7", "pg:7", "pg:1"), false),
            (compared("pg:7", "pg:9", "pg:2"), false),
        ] {
            assert_eq!(alike(&one, &other, 2), is_alike, "{other}");
        }
    }
}
