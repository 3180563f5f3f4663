//! Functions and expressions of other databases as this one writes them. What stands for what is data under
//! `dialects/`.

use std::{cell::Cell, collections::HashMap, ops::ControlFlow, sync::LazyLock};

use serde::Deserialize;
use sqlparser::ast::{
    BinaryOperator as Op, CastKind, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    Interval, ObjectNamePart, Value,
};

use super::{
    fragments::{expression, with_arguments},
    walk::change_exprs,
};
use crate::question::{
    schema::Dialect,
    validator::{
        Asked,
        facts::{Misuse, facts},
        names::misspelt,
        parse::Parsed,
        resolve::LocatedFinding,
    },
};

/// Misspelled names of functions that are looked for in a statement; one with more of them is no slip.
const MAX_COMPARED: usize = 20;

/// What stands for what in one dialect.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Foreign {
    /// Functions that are only called otherwise.
    names: HashMap<String, String>,
    calls: HashMap<String, String>,
    fields: HashMap<String, String>,
    formats: HashMap<String, HashMap<String, String>>,
}

static SQLITE: LazyLock<Foreign> =
    LazyLock::new(|| read(include_str!("../../../../dialects/sqlite/foreign.toml")));
static POSTGRES: LazyLock<Foreign> =
    LazyLock::new(|| read(include_str!("../../../../dialects/postgres/foreign.toml")));

fn read(text: &str) -> Foreign {
    toml::from_str(text).expect("the tests read the same file")
}

fn foreign(dialect: Dialect) -> &'static Foreign {
    match dialect {
        Dialect::Sqlite => &SQLITE,
        Dialect::Postgres => &POSTGRES,
    }
}

/// The statement with all that this dialect writes otherwise.
pub(super) fn translate(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let mut query = parsed.query.clone();
    let translator = Translator {
        dialect: asked.snapshot.dialect,
        compared: Cell::new(0),
    };
    let mut changed = false;
    change_exprs(query.as_mut(), &mut |expr, _| {
        if let Some(new) = translator.other(expr) {
            *expr = new;
            changed = true;
        }
        ControlFlow::Continue(())
    });
    if changed { vec![query.to_string()] } else { vec![] }
}

struct Translator {
    dialect: Dialect,
    /// Names that were held against all that are known.
    compared: Cell<usize>,
}

impl Translator {
    /// What this dialect writes for an expression of others.
    fn other(&self, expr: &Expr) -> Option<Expr> {
        let new = match self.dialect {
            Dialect::Sqlite => self.for_sqlite(expr),
            Dialect::Postgres => self.for_postgres(expr),
        };
        new.or_else(|| self.call(expr))
    }

    /// A call that the dialect does not know.
    fn call(&self, expr: &Expr) -> Option<Expr> {
        let Expr::Function(function) = expr else {
            return None;
        };
        let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice() else {
            return None;
        };
        let name = name.value.to_lowercase();
        if let Some(own) = foreign(self.dialect).names.get(&name) {
            let mut function = function.clone();
            function.name = vec![Ident::new(own)].into();
            return Some(Expr::Function(function));
        }
        let arguments = plain_arguments(function)?;
        let functions = &facts(self.dialect).functions;
        let foreign = foreign(self.dialect);
        let first = arguments.first().map(unit).unwrap_or_default();
        let key = format!("{name}/{}", arguments.len());
        let exact = foreign.calls.get(&format!("{key}:{first}"));
        let known = functions.find(&name, arguments.len());
        if known.is_ok() && exact.is_none() {
            return None;
        }
        if let ("date_part" | "datepart" | "extract", [_, date]) = (name.as_str(), arguments.as_slice()) {
            return with_arguments(
                foreign.fields.get(&first)?,
                std::slice::from_ref(date),
                self.dialect,
            );
        }
        match exact.or_else(|| foreign.calls.get(&key)) {
            Some(template) => {
                let arguments = self.formatted(&name, arguments)?;
                with_arguments(template, &arguments, self.dialect)
            }
            None if matches!(known, Err(Misuse::Unknown)) && self.compared.get() < MAX_COMPARED => {
                self.compared.set(self.compared.get() + 1);
                let meant = misspelt(&name, functions.names())?;
                functions.find(meant, arguments.len()).ok()?;
                let mut function = function.clone();
                function.name = vec![Ident::new(meant)].into();
                Some(Expr::Function(function))
            }
            None => None,
        }
    }

    /// The arguments with the parts of a date in their literals as this dialect writes them.
    fn formatted(&self, name: &str, mut arguments: Vec<Expr>) -> Option<Vec<Expr>> {
        let Some(parts) = foreign(self.dialect).formats.get(name) else {
            return Some(arguments);
        };
        let format = arguments.iter_mut().find_map(|argument| match argument {
            Expr::Value(value) => match &mut value.value {
                Value::SingleQuotedString(text) => Some(text),
                _ => None,
            },
            _ => None,
        })?;
        *format = reformatted(format, parts)?;
        Some(arguments)
    }

    fn for_sqlite(&self, expr: &Expr) -> Option<Expr> {
        let template = |template: &str, arguments: &[&Expr]| {
            let arguments: Vec<Expr> = arguments.iter().map(|argument| (*argument).clone()).collect();
            with_arguments(template, &arguments, self.dialect)
        };
        match expr {
            Expr::Extract {
                field, expr: date, ..
            } => {
                let field = field.to_string().to_lowercase();
                template(foreign(self.dialect).fields.get(&field)?, &[date])
            }
            Expr::Ceil { expr: number, .. } => {
                template(foreign(self.dialect).calls.get("ceil/1")?, &[number])
            }
            Expr::Floor { expr: number, .. } => {
                template(foreign(self.dialect).calls.get("floor/1")?, &[number])
            }
            Expr::Position { expr: part, r#in } => template("instr($1, $2)", &[r#in, part]),
            Expr::Substring {
                expr: text,
                substring_from: Some(from),
                substring_for,
                special: false,
                ..
            } => match substring_for {
                Some(length) => template("substr($1, $2, $3)", &[text, from, length]),
                None => template("substr($1, $2)", &[text, from]),
            },
            Expr::ILike {
                negated,
                any: false,
                expr: tested,
                pattern,
                escape_char,
            } => Some(Expr::Like {
                negated: *negated,
                any: false,
                expr: tested.clone(),
                pattern: pattern.clone(),
                escape_char: escape_char.clone(),
            }),
            Expr::Cast {
                kind: CastKind::DoubleColon | CastKind::TryCast | CastKind::SafeCast,
                expr: inner,
                data_type,
                ..
            } => {
                // In SQLite a cast to a date is arithmetic.
                match data_type.to_string().to_uppercase().as_str() {
                    "DATE" => template("date($1)", &[inner]),
                    "TIMESTAMP" | "DATETIME" => template("datetime($1)", &[inner]),
                    _ => Some(Expr::Cast {
                        kind: CastKind::Cast,
                        expr: inner.clone(),
                        data_type: data_type.clone(),
                        format: None,
                    }),
                }
            }
            Expr::TypedString(typed) => Some(Expr::Value(typed.value.clone())),
            Expr::BinaryOp {
                left,
                op: op @ (Op::Plus | Op::Minus),
                right,
            } => {
                let Expr::Interval(interval) = right.as_ref() else {
                    return None;
                };
                let span = span_of(interval)?;
                let sign = if *op == Op::Plus { '+' } else { '-' };
                template(&format!("date($1, '{sign}{span}')"), &[left])
            }
            Expr::AnyOp {
                left,
                compare_op,
                right,
                ..
            } => compared_with_all(left, compare_op, right, true, self.dialect),
            Expr::AllOp {
                left,
                compare_op,
                right,
            } => compared_with_all(left, compare_op, right, false, self.dialect),
            _ => None,
        }
    }

    fn for_postgres(&self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::BinaryOp {
                left,
                op: Op::Regexp,
                right,
            } => Some(Expr::BinaryOp {
                left: left.clone(),
                op: Op::PGRegexMatch,
                right: right.clone(),
            }),
            Expr::RLike {
                negated,
                expr: text,
                pattern,
                ..
            } => Some(Expr::BinaryOp {
                left: text.clone(),
                op: if *negated {
                    Op::PGRegexNotMatch
                } else {
                    Op::PGRegexMatch
                },
                right: pattern.clone(),
            }),
            Expr::Cast {
                kind: CastKind::TryCast | CastKind::SafeCast,
                expr: inner,
                data_type,
                ..
            } => with_arguments(
                &format!("CAST($1 AS {data_type})"),
                &[inner.as_ref().clone()],
                self.dialect,
            ),
            _ => None,
        }
    }
}

/// `x = ANY (subquery)` and `x >= ALL (subquery)` for a database without them.
fn compared_with_all(left: &Expr, op: &Op, right: &Expr, any: bool, dialect: Dialect) -> Option<Expr> {
    let query = match right {
        Expr::Subquery(query) => query,
        Expr::Nested(inner) => match inner.as_ref() {
            Expr::Subquery(query) => query,
            _ => return None,
        },
        _ => return None,
    };
    let text = match (any, op) {
        (true, Op::Eq) => format!("{left} IN ({query})"),
        (false, Op::NotEq) => format!("{left} NOT IN ({query})"),
        _ => {
            let greatest = match (any, op) {
                (false, Op::Gt | Op::GtEq) | (true, Op::Lt | Op::LtEq) => "max",
                (false, Op::Lt | Op::LtEq) | (true, Op::Gt | Op::GtEq) => "min",
                _ => return None,
            };
            let shown = only_item(query)?;
            format!("{left} {op} (SELECT {greatest}({shown}) FROM ({query}))")
        }
    };
    expression(&text, dialect)
}

/// The name of a query's only column.
fn only_item(query: &sqlparser::ast::Query) -> Option<String> {
    use sqlparser::ast::{SelectItem, SetExpr};
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    match select.projection.as_slice() {
        [SelectItem::ExprWithAlias { alias, .. }] => Some(alias.to_string()),
        [SelectItem::UnnamedExpr(Expr::Identifier(name))] => Some(name.to_string()),
        [SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts))] => parts.last().map(ToString::to_string),
        _ => None,
    }
}

/// `1 days` of INTERVAL '1 day' or INTERVAL 1 DAY.
fn span_of(interval: &Interval) -> Option<String> {
    let amount = match interval.value.as_ref() {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => text.clone(),
            Value::Number(number, _) => number.clone(),
            _ => return None,
        },
        _ => return None,
    };
    let field = interval
        .leading_field
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    let text = format!("{amount} {field}").trim().to_lowercase();
    let (number, unit) = text.split_once(' ')?;
    let unit = unit.trim_end_matches('s');
    let known = ["year", "month", "day", "hour", "minute", "second"].contains(&unit);
    let whole = number.bytes().all(|byte| byte.is_ascii_digit()) && number.len() < 6;
    (known && whole).then(|| format!("{number} {unit}s"))
}

/// The arguments of a call that has nothing else around them.
fn plain_arguments(function: &Function) -> Option<Vec<Expr>> {
    if function.over.is_some() || function.filter.is_some() || !function.within_group.is_empty() {
        return None;
    }
    match &function.args {
        FunctionArguments::None => Some(vec![]),
        FunctionArguments::List(list) if list.duplicate_treatment.is_none() && list.clauses.is_empty() => {
            list.args
                .iter()
                .map(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
                    _ => None,
                })
                .collect()
        }
        _ => None,
    }
}

/// A name or literal that says of what a call is, in lower case.
fn unit(argument: &Expr) -> String {
    match argument {
        Expr::Identifier(name) => name.value.to_lowercase(),
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => text.to_lowercase(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// The parts of a date in a literal, each replaced; `None` where one is not known.
fn reformatted(format: &str, parts: &HashMap<String, String>) -> Option<String> {
    let mut written = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let known = parts.iter().filter(|(part, _)| rest.starts_with(part.as_str()));
        if let Some((part, here)) = known.max_by_key(|(part, _)| part.len()) {
            written.push_str(here);
            rest = &rest[part.len()..];
        } else if first.is_alphabetic() || first == '%' {
            return None;
        } else {
            written.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_an_expression_of_its_dialect() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let foreign = foreign(dialect);
            for (name, template) in foreign.calls.iter().chain(&foreign.fields) {
                assert!(
                    expression(template, dialect).is_some(),
                    "{}: {name}",
                    dialect.name()
                );
            }
            for (name, own) in &foreign.names {
                let functions = &facts(dialect).functions;
                assert!(
                    !functions.lists(name) && functions.lists(own),
                    "{}: {name}",
                    dialect.name()
                );
            }
            for name in foreign.formats.keys() {
                let known = foreign
                    .calls
                    .keys()
                    .any(|call| call.split('/').next() == Some(name));
                assert!(known, "{}: {name}", dialect.name());
            }
        }
    }

    #[test]
    fn formats_are_written_in_the_other_way_or_not_at_all() {
        let parts = &foreign(Dialect::Sqlite).formats["to_char"];
        assert_eq!(reformatted("YYYY-MM", parts).as_deref(), Some("%Y-%m"));
        assert_eq!(reformatted("Month YYYY", parts), None);
    }
}
