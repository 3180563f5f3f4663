//! What SQLite is told for a function of PostgreSQL's: an expression with places for its arguments, in which an aggregate's
//! calls of SQLite's aggregates stand apart, because DISTINCT, an order, FILTER and OVER belong to each of them.

use super::{
    Ty,
    sql_expr::{Call, Node, Place, SqlExpr, collate, text},
    template_text,
};

/// An expression with places in it.
#[derive(Debug)]
pub(super) struct Template(SqlExpr);

/// What the places are filled with.
pub(super) struct Arguments<'a> {
    pub(super) values: &'a [SqlExpr],
    /// The type of the first.
    pub(super) first: Ty,
    /// True if the first is a whole row.
    pub(super) is_row: bool,
}

impl Template {
    /// The one that a text spells; `None` where it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        template_text::read(text).map(Self)
    }

    /// A call of a function of ours with all arguments.
    pub(super) fn calling(name: &str) -> Self {
        let all = Node::Place(Place::Arguments).into();
        Self(super::sql_expr::call(format!("pg_{name}"), [all]))
    }

    /// The expression for these arguments, without a word more for its aggregates.
    pub(super) fn filled(&self, values: &[SqlExpr], first: Ty) -> SqlExpr {
        let arguments = Arguments {
            values,
            first,
            is_row: false,
        };
        self.with_aggregates(&arguments, |call, _| call)
    }

    /// The expression for these arguments, with each aggregate as it is made of the call, and of whether it is the last.
    pub(super) fn with_aggregates(
        &self,
        arguments: &Arguments<'_>,
        mut made: impl FnMut(Call, bool) -> Call,
    ) -> SqlExpr {
        let mut left = 0;
        self.0.has(&mut |part| {
            left += usize::from(matches!(part.node(), Node::Place(Place::Aggregate(_))));
            false
        });
        arguments.fill(&self.0, &mut |call| {
            left -= 1;
            made(call, left == 0)
        })
    }
}

impl Arguments<'_> {
    fn fill(&self, template: &SqlExpr, made: &mut dyn FnMut(Call) -> Call) -> SqlExpr {
        match template.node() {
            Node::Place(Place::Argument(at)) => {
                self.values.get(*at).cloned().unwrap_or_else(|| template.clone())
            }
            Node::Place(Place::Type) if self.is_row => text("record"),
            Node::Place(Place::Type) => text(self.first.kept()),
            Node::Place(Place::Element) => match self.first {
                Ty::Array(of) => text(of.kept()),
                other => text(other.kept()),
            },
            Node::Place(Place::Collated(value)) => {
                let collation = self.first.collation().unwrap_or("BINARY");
                collate(self.fill(value, made), collation)
            }
            Node::Place(Place::Aggregate(call)) => {
                let call = self.filled_call(call, made);
                made(call).into()
            }
            Node::Call(call) => self.filled_call(call, made).into(),
            _ => template.rebuilt(&mut |part| self.fill(part, made)),
        }
    }

    fn filled_call(&self, call: &Call, made: &mut dyn FnMut(Call) -> Call) -> Call {
        let mut arguments = vec![];
        for argument in &call.arguments {
            match argument.node() {
                Node::Place(Place::Arguments) => arguments.extend_from_slice(self.values),
                _ => arguments.push(self.fill(argument, made)),
            }
        }
        Call {
            name: call.name.clone(),
            arguments,
            ..Call::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::sql_expr::{name, text},
        *,
    };

    #[test]
    fn places_are_filled_and_what_stands_in_values_is_not_looked_at() {
        let values = [text("{1} %"), name("b")];
        for (template, expected) in [
            ("({0} || f({1}, '{}'))", "('{1} %' || f(\"b\", '{}'))"),
            ("pg_x({*}, {element})", "pg_x('{1} %', \"b\", 'int4')"),
            ("pg_i4({0} + {1})", "pg_i4('{1} %' + \"b\")"),
            (
                "pg_i4({0} - f({1}) - (f({1}) = 0))",
                "pg_i4('{1} %' - f(\"b\") - (f(\"b\") = 0))",
            ),
            (
                "CASE WHEN {0} IS NOT NULL AND {1} IS NULL THEN 0.0 END",
                "CASE WHEN '{1} %' IS NOT NULL AND \"b\" IS NULL THEN 0.0 END",
            ),
            ("(NOT f(-{1}, -({0})))", "(NOT f(-\"b\", -('{1} %')))"),
        ] {
            let template = Template::read(template).expect("well formed");
            assert_eq!(template.filled(&values, Ty::Int4.array()).to_string(), expected);
        }
        for template in ["f({0}", "{0} +", "a b", "%sum%"] {
            assert!(Template::read(template).is_none(), "{template}");
        }
    }

    #[test]
    fn each_aggregate_is_made_by_itself() {
        let template = Template::read("div(%sum({0})%, nullif(%count({0})%, 0))").expect("well formed");
        let arguments = Arguments {
            values: &[name("a")],
            first: Ty::Int4,
            is_row: false,
        };
        let made = template.with_aggregates(&arguments, |call, is_last| Call {
            distinct: is_last,
            ..call
        });
        assert_eq!(
            made.to_string(),
            "div(sum(\"a\"), nullif(count(DISTINCT \"a\"), 0))"
        );
    }
}
