//! What becomes of one expression, given what becomes of its parts.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator as Op, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectName, Query,
    UnaryOperator, Value, Visitor,
};

use super::{
    SMALL, STORED, Size, Sizes, last,
    reach::{self, Reach},
};
use crate::question::validator::facts::Returns;

/// How much longer a text becomes that is quoted or encoded. One of control characters becomes six times as long, but
/// nobody has many of those.
const QUOTED: f64 = 2.0;

/// Parts of the names of functions whose result, as text, quotes or encodes what they are given.
const QUOTING: [&str; 10] = [
    "json", "xml", "quote", "encode", "decode", "escape", "convert", "send", "tsvector", "tsquery",
];

/// What a window costs the planner, in expressions: rows in an order of its own, around all that stands before it.
const WINDOW: f64 = 50.0;

/// Functions and operators whose time grows with each of their arguments alone.
const LINEAR: [&str; 12] = [
    "concat",
    "concat_ws",
    "coalesce",
    "greatest",
    "least",
    "format",
    "nullif",
    "length",
    "upper",
    "lower",
    "json_build_object",
    "jsonb_build_object",
];

impl Sizes<'_> {
    /// A column by its name, and by what it is read from where that is said.
    fn column(&self, source: Option<&str>, name: &str) -> Size {
        let name = name.to_lowercase();
        let sources = self.scopes.iter().rev().flatten();
        let named =
            sources.filter(|(called, _)| source.is_none_or(|source| called.eq_ignore_ascii_case(source)));
        let (mut found, mut is_stored) = (None, false);
        for (_, shape) in named {
            let Some(shape) = shape else {
                is_stored = true;
                continue;
            };
            let columns = shape.columns.iter().filter(|(known, _)| *known == name);
            found = columns.map(|(_, size)| *size).chain(found).reduce(Size::or);
        }
        // A table may have a column of the name as well.
        if let Some(size) = found.as_mut().filter(|_| is_stored) {
            size.reach = size.reach.or(Reach::STORED);
        }
        let whole_row = || source.is_none().then(|| self.row(&name)).flatten();
        found.or_else(whole_row).unwrap_or(Size::STORED)
    }

    /// All columns of what a query reads, as one value.
    fn row(&self, source: &str) -> Option<Size> {
        let mut sources = self.scopes.iter().rev().flatten();
        let (_, shape) = sources.find(|(called, _)| called.eq_ignore_ascii_case(source))?;
        let columns = &shape.as_ref()?.columns;
        let all: f64 = columns.iter().map(|(_, size)| size.bytes).sum();
        // A function's only column is called as the function is.
        let reach = match columns.as_slice() {
            [(_, only)] => only.reach,
            _ => Reach::STORED,
        };
        Some(Size {
            bytes: in_row(all, columns.len()),
            reach,
            ..Size::STORED
        })
    }

    /// What becomes of an expression that is made of these.
    fn made_of(&mut self, expr: &Expr, parts: &[Size], rows: f64) -> Size {
        let with_rows: Vec<Size>;
        let mut parts = parts;
        if let Expr::Function(function) = expr
            && let FunctionArguments::List(list) = &function.args
        {
            let read = list.args.iter().filter_map(row_argument);
            with_rows = parts
                .iter()
                .copied()
                .chain(read.filter_map(|name| self.row(&last(name))))
                .collect();
            parts = &with_rows;
        }
        let sum = |of: fn(&Size) -> f64| parts.iter().map(of).sum::<f64>();
        let all = sum(|part| part.bytes);
        let number = |at: usize| parts.get(at).and_then(|part| part.value);
        let (mut bytes, mut value, mut linear) = (all, None, false);
        match expr {
            Expr::Identifier(name) => return self.column(None, &name.value),
            Expr::CompoundIdentifier(names) => {
                let [.., source, name] = names.as_slice() else {
                    return Size::STORED;
                };
                return self.column(Some(&source.value), &name.value);
            }
            Expr::QualifiedWildcard(source, _) => return self.row(&last(source)).unwrap_or(Size::STORED),
            Expr::Value(literal) => {
                bytes = literal.value.to_string().len() as f64;
                if let Value::Number(number, _) = &literal.value {
                    value = number.replace('_', "").parse().ok();
                }
            }
            Expr::Nested(_) => {
                value = number(0);
                linear = true;
            }
            Expr::UnaryOp { op, .. } => {
                value = number(0).map(|value| {
                    if *op == UnaryOperator::Minus {
                        -value
                    } else {
                        value
                    }
                });
            }
            Expr::Cast { data_type, .. } => {
                value = number(0);
                // Blanks and zeros are added up to the length of such a type.
                let declared = data_type.to_string().to_lowercase();
                if declared == "bytea" {
                    bytes *= QUOTED;
                }
                if !declared.contains("var") {
                    let lengths = declared.split(|c: char| !c.is_ascii_digit());
                    bytes += lengths
                        .filter_map(|length| length.parse::<f64>().ok())
                        .sum::<f64>();
                }
            }
            Expr::BinaryOp { op, .. } => {
                let both = number(0).zip(number(1));
                match op {
                    Op::StringConcat => linear = true,
                    Op::Plus => value = both.map(|(one, other)| one + other),
                    Op::Minus => value = both.map(|(one, other)| one - other),
                    Op::Multiply => value = both.map(|(one, other)| one * other),
                    Op::Divide => value = both.map(|(one, other)| one / other),
                    Op::PGExp | Op::BitwiseXor => bytes = power(parts),
                    Op::And | Op::Or | Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => {
                        (bytes, linear) = (1.0, true);
                    }
                    _ => {}
                }
                if self.turning && matches!(op, Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo)
                {
                    bytes = SMALL;
                }
            }
            Expr::Like { .. } | Expr::ILike { .. } | Expr::SimilarTo { .. } | Expr::Position { .. } => {
                bytes = SMALL;
            }
            Expr::Array(_) | Expr::Tuple(_) => {
                (bytes, linear) = (in_row(all, parts.len()), true);
            }
            Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::InList { .. }
            | Expr::Between { .. }
            | Expr::Exists { .. } => {
                (bytes, linear) = (1.0, true);
            }
            Expr::Function(function) => {
                let name = last(&function.name);
                bytes = self.returned(function, &name, parts, rows);
                linear = LINEAR.contains(&name.as_str());
            }
            _ => linear = true,
        }
        let bytes = bytes + 1.0;
        let reaches: Vec<Reach> = parts.iter().map(|part| part.reach).collect();
        let reach = match expr {
            Expr::Function(function) if last(&function.name) == "generate_series" => {
                self.series_of(parts);
                reaches
                    .iter()
                    .take(2)
                    .copied()
                    .reduce(Reach::or)
                    .unwrap_or(Reach::ANY)
            }
            _ => reach::of(expr, &reaches),
        };
        let window = matches!(expr, Expr::Function(function) if function.over.is_some());
        Size {
            nodes: sum(|part| part.nodes) + if window { WINDOW } else { 1.0 },
            bytes,
            work: sum(|part| part.work) + bytes + if linear { 0.0 } else { compared(parts) },
            value,
            reach,
        }
    }

    /// How long a function's result becomes.
    fn returned(&self, function: &Function, name: &str, parts: &[Size], rows: f64) -> f64 {
        let all: f64 = parts.iter().map(|part| part.bytes).sum();
        let first = parts.first().map_or(0.0, |part| part.bytes);
        let rest = all - first;
        match name {
            "replace"
            | "regexp_replace"
            | "array_to_string"
            | "array_replace"
            | "format"
            | "string_to_array"
            | "regexp_split_to_array"
            | "regexp_match"
            | "regexp_matches"
            | "ts_headline"
            | "ts_rewrite" => (first + 1.0) * (rest + 1.0),
            "string_agg" | "group_concat" | "array_agg" | "json_agg" | "jsonb_agg" | "json_object_agg"
            | "jsonb_object_agg" | "json_group_array" | "json_group_object" | "range_agg" => all * rows,
            "concat_ws" => rest + first * parts.len() as f64,
            // An element is quoted as it comes into an array, and not again.
            "array_append" => first + QUOTED * rest + 3.0,
            "array_prepend" => QUOTED * first + rest + 3.0,
            "lpad" | "rpad" => all + self.facts.policy.longest_text as f64,
            "power" | "pow" => power(parts),
            "exp" => parts.first().and_then(|part| part.value).map_or(STORED, f64::abs),
            "factorial" => parts
                .first()
                .and_then(|part| part.value)
                .map_or(STORED, |value| value.abs() * 5.0),
            "to_char" | "to_number" => all * 10.0,
            "chr" | "char" | "hex" | "zeroblob" | "randomblob" => parts
                .first()
                .and_then(|part| part.value)
                .map_or(STORED, f64::abs)
                .max(2.0 * all),
            _ => {
                let count = arguments(function);
                let known = self.facts.functions.find(name, count).ok();
                let small = known.and_then(|(_, function)| function.returns);
                match small {
                    Some(
                        Returns::Integer
                        | Returns::Boolean
                        | Returns::Date
                        | Returns::Timestamp
                        | Returns::Time
                        | Returns::Uuid
                        | Returns::Interval,
                    ) => SMALL,
                    _ if name == "row" || QUOTING.iter().any(|part| name.contains(part)) => {
                        in_row(all, parts.len())
                    }
                    _ => all,
                }
            }
        }
    }
}

/// The parts of a row or an array as its text, with quotes around each and a comma behind it.
fn in_row(bytes: f64, parts: usize) -> f64 {
    QUOTED * bytes + 3.0 * parts as f64
}

/// What is named by an argument like `t.*`.
fn row_argument(argument: &FunctionArg) -> Option<&ObjectName> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(name)) => Some(name),
        _ => None,
    }
}

/// What is done with every part of one value for every part of another.
fn compared(parts: &[Size]) -> f64 {
    let mut bytes: Vec<f64> = parts.iter().map(|part| part.bytes).collect();
    bytes.sort_by(|one, other| other.total_cmp(one));
    match bytes[..] {
        [one, other, ..] => one * other,
        _ => 0.0,
    }
}

/// The digits of a power.
fn power(parts: &[Size]) -> f64 {
    let base = parts.first().map_or(1.0, |part| part.bytes);
    let exponent = parts.get(1).and_then(|part| part.value).map_or(1.0, f64::abs);
    (base * exponent.max(1.0)).max(SMALL)
}

fn arguments(function: &Function) -> usize {
    match &function.args {
        FunctionArguments::List(list) => list.args.len(),
        _ => 0,
    }
}

/// Walks an expression and measures it from its leaves.
pub(super) struct Measure<'s, 'f> {
    pub(super) sizes: &'s mut Sizes<'f>,
    /// The parts of each expression that is open.
    pub(super) open: Vec<Vec<Size>>,
    /// Queries around, which are measured by themselves.
    pub(super) inside: usize,
    pub(super) rows: f64,
}

impl Visitor for Measure<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if self.inside == 0 {
            let shape = self.sizes.query(query);
            let first = shape.columns.first().map_or(Size::STORED, |(_, size)| *size);
            let size = Size {
                nodes: shape.nodes,
                work: shape.work,
                ..first
            };
            self.open
                .last_mut()
                .into_iter()
                .for_each(|parts| parts.push(size));
        }
        self.inside += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.inside -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        if self.inside == 0 {
            self.open.push(vec![]);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.inside == 0 {
            let parts = self.open.pop().unwrap_or_default();
            let size = self.sizes.made_of(expr, &parts, self.rows);
            self.sizes.longest = self.sizes.longest.max(size.bytes);
            self.open
                .last_mut()
                .into_iter()
                .for_each(|parts| parts.push(size));
        }
        ControlFlow::Continue(())
    }
}
