//! Tables and columns that do not exist, columns of other tables, names that several tables have, and joins along
//! columns that are no key.

use sqlparser::ast::{BinaryOperator, Expr, Ident, JoinConstraint, ObjectName, ObjectNamePart};

use super::{
    Mutator,
    clauses::{binary, comparison, joins, on, rejoined, with_joins},
    scope::{Scope, ident, last_name, renamed},
    spelling::{other_number, other_style, slip},
    subject::{Subject, text_of},
};
use crate::question::{
    schema::{ColumnRef, Schema, words::identifier_words},
    validator::{
        Code::{AmbiguousCol, ColMissing, IncorrectForeignKey, TableMissing},
        walk::each_relation,
    },
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(TableMissing, "other number", |subject| {
        tables(subject, other_number)
    }),
    Mutator(TableMissing, "misspelt", |subject| tables(subject, slip)),
    Mutator(TableMissing, "other style", |subject| {
        tables(subject, other_style)
    }),
    Mutator(TableMissing, "invented", |subject| {
        tables(subject, |name| format!("{name}_details"))
    }),
    Mutator(ColMissing, "other number", |subject| {
        columns(subject, other_number)
    }),
    Mutator(ColMissing, "misspelt", |subject| columns(subject, slip)),
    Mutator(ColMissing, "other style", |subject| columns(subject, other_style)),
    Mutator(ColMissing, "with or without the table's name", prefixed),
    Mutator(ColMissing, "of another table", of_another_table),
    Mutator(ColMissing, "text without quotes", bare_text),
    Mutator(AmbiguousCol, "qualifier left out", unqualified),
    Mutator(IncorrectForeignKey, "another column", other_key),
    Mutator(IncorrectForeignKey, "the table between left out", bridge_left_out),
];

/// Each table of the query under another name, where the schema has none of that name.
fn tables(subject: &Subject<'_>, misspelt: impl Fn(&str) -> String) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    each_relation(&mut subject.query.clone(), &mut |relation| {
        names.push(last_name(relation));
    });
    names.retain(|name| subject.schema().table_named(name).is_some());
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| {
            let wrong = misspelt(&name);
            if wrong == name || subject.schema().table_named(&wrong).is_some() {
                return None;
            }
            // Qualifiers go along.
            let mut query = subject.requalified(&name, &ident(&wrong));
            each_relation(&mut query, &mut |relation| {
                if last_name(relation).eq_ignore_ascii_case(&name) {
                    *relation = ObjectName(vec![ObjectNamePart::Identifier(ident(&wrong))]);
                }
            });
            Some(query.to_string())
        })
        .collect()
}

/// Each column of the query under another name, where no table in reach has one of that name.
fn columns(subject: &Subject<'_>, misspelt: impl Fn(&str) -> String) -> Vec<String> {
    subject.names(|expr, scope| {
        let wrong = scope.column(expr, subject.schema()).and_then(|(_, at)| {
            let wrong = misspelt(&subject.schema().column(at).name);
            (!in_reach(&wrong, subject.schema(), scope)).then(|| renamed(expr, &wrong))?
        });
        wrong.into_iter().collect()
    })
}

fn in_reach(name: &str, schema: &Schema, scope: &Scope) -> bool {
    scope
        .tables()
        .any(|(_, table)| schema.tables[table].column_named(name).is_some())
}

/// `singer_name` for `name`, or the reverse.
fn prefixed(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.names(|expr, scope| {
        let Some((_, at)) = scope.column(expr, schema) else {
            return Vec::new();
        };
        let name = &schema.column(at).name;
        let table = identifier_words(&schema.tables[at.table].name);
        let words = identifier_words(name);
        let other = match (table.last(), words.split_first()) {
            (Some(last), Some((first, rest))) if first == last && !rest.is_empty() => rest.join("_"),
            (Some(last), _) => format!("{}_{}", singular(last), name.to_lowercase()),
            _ => return Vec::new(),
        };
        if in_reach(&other, schema, scope) {
            return Vec::new();
        }
        renamed(expr, &other).into_iter().collect()
    })
}

fn singular(word: &str) -> String {
    let other = other_number(word);
    if other.len() < word.len() {
        other
    } else {
        word.to_owned()
    }
}

/// A column that a neighbour has, but not this table.
fn of_another_table(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.names(|expr, scope| {
        let Some((_, at)) = scope.column(expr, schema) else {
            return Vec::new();
        };
        let own = &schema.tables[at.table];
        let kind = schema.column(at).kind;
        let mut neighbours: Vec<usize> = subject.snapshot.joins.neighbours(at.table).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        let foreign = neighbours
            .iter()
            .flat_map(|table| &schema.tables[*table].columns)
            .filter(|column| column.kind == kind && own.column_named(&column.name).is_none());
        let bare = matches!(expr, Expr::Identifier(_));
        foreign
            .filter(|column| !bare || !in_reach(&column.name, schema, scope))
            .filter_map(|column| renamed(expr, &column.name))
            .collect()
    })
}

/// `colour = red` for `colour = 'red'`.
fn bare_text(subject: &Subject<'_>) -> Vec<String> {
    subject.exprs(|expr, scope| {
        let Some((left, op, right)) = comparison(expr) else {
            return Vec::new();
        };
        let word = text_of(right).filter(|text| {
            let plain = text.chars().all(|character| character.is_ascii_alphabetic());
            plain && text.len() > 1 && !in_reach(text, subject.schema(), scope)
        });
        let bare = word.map(|word| Expr::Identifier(Ident::new(word)));
        bare.map(|bare| binary(left.clone(), op.clone(), bare))
            .into_iter()
            .collect()
    })
}

fn unqualified(subject: &Subject<'_>) -> Vec<String> {
    subject.names(|expr, scope| {
        let Expr::CompoundIdentifier(names) = expr else {
            return Vec::new();
        };
        let Some(name) = names
            .last()
            .filter(|_| scope.column(expr, subject.schema()).is_some())
        else {
            return Vec::new();
        };
        let having = scope.tables().filter(|(_, table)| {
            subject.schema().tables[*table]
                .column_named(&name.value)
                .is_some()
        });
        if having.count() > 1 {
            vec![Expr::Identifier(name.clone())]
        } else {
            Vec::new()
        }
    })
}

/// One side of a join on another column of its table, a likely one: a key, or one of the same kind.
fn other_key(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.selects(|select, scope| {
        let mut found = Vec::new();
        for (at, join) in joins(select).iter().enumerate() {
            let Some((left, BinaryOperator::Eq, right)) = on(join).and_then(comparison) else {
                continue;
            };
            let (Some((_, one)), Some((_, other))) =
                (scope.column(left, schema), scope.column(right, schema))
            else {
                continue;
            };
            let sides = [(left, one, other, true), (right, other, one, false)];
            for (side, own, opposite, is_left) in sides {
                let kind = schema.column(opposite).kind;
                let likely = |name: &str| {
                    let table = &schema.tables[own.table];
                    table.column_named(name).is_some_and(|position| {
                        let column = ColumnRef {
                            table: own.table,
                            column: position,
                        };
                        !is_key(schema, column, opposite)
                            && (table.primary_key.contains(&position) || in_some_key(schema, column))
                    })
                };
                for wrong in
                    scope.siblings(side, schema, |column| column.kind == kind && likely(&column.name))
                {
                    let condition = if is_left {
                        binary(wrong, BinaryOperator::Eq, right.clone())
                    } else {
                        binary(left.clone(), BinaryOperator::Eq, wrong)
                    };
                    let mut list = joins(select).to_vec();
                    list[at] = rejoined(join, JoinConstraint::On(condition));
                    found.push(with_joins(select, list));
                }
            }
        }
        found
    })
}

fn is_key(schema: &Schema, one: ColumnRef, other: ColumnRef) -> bool {
    schema.foreign_keys.iter().any(|key| {
        key.from
            .iter()
            .zip(&key.to)
            .any(|(from, to)| (*from, *to) == (one, other) || (*to, *from) == (one, other))
    })
}

fn in_some_key(schema: &Schema, column: ColumnRef) -> bool {
    schema
        .foreign_keys
        .iter()
        .any(|key| key.from.contains(&column) || key.to.contains(&column))
}

/// `a JOIN b ON a.x = b.y JOIN c ON b.z = c.w` without b, where nothing but the conditions reads b.
fn bridge_left_out(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.selects(|select, scope| {
        let [first, second] = joins(select) else {
            return Vec::new();
        };
        let sides = |join| {
            let (left, op, right) = comparison(on(join)?)?;
            let sources = (scope.column(left, schema)?.0, scope.column(right, schema)?.0);
            (*op == BinaryOperator::Eq).then_some([(left.clone(), sources.0), (right.clone(), sources.1)])
        };
        let (Some(one), Some(other)) = (sides(first), sides(second)) else {
            return Vec::new();
        };
        // Positions: 0 is the first table, 1 the one between, 2 the last.
        let outer = |sides: &[(Expr, usize); 2], source: usize| {
            sides
                .iter()
                .find(|(_, at)| *at == source)
                .map(|(expr, _)| expr.clone())
        };
        let (Some(from), Some(to)) = (outer(&one, 0), outer(&other, 2)) else {
            return Vec::new();
        };
        let condition = binary(from, BinaryOperator::Eq, to);
        let short = with_joins(select, vec![rejoined(second, JoinConstraint::On(condition))]);
        let between = format!("{}.", scope.sources[1].name.to_lowercase());
        let still_read = short.to_string().to_lowercase().contains(&between);
        if still_read || one.iter().all(|(_, at)| *at != 1) {
            Vec::new()
        } else {
            vec![short]
        }
    })
}
