//! Calls that are no plain ones: sequences, casts by a type's name, rows as arguments, names of arguments.

use std::borrow::Cow;

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList,
    FunctionArguments, Value, helpers::attached_token::AttachedToken,
};

use super::{
    Result, Stop, Translator, Ty,
    cast::How,
    named_column::check_is_one,
    refuse,
    scope::{Relation, Scope, Typed},
    signatures,
    sql_expr::{call, case_of, number, text, when, word},
    string,
    types::Target,
};

/// Types that a call of their name casts to.
const CASTS: &[&str] = &[
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "timetz",
    "int2",
    "int4",
    "int8",
    "float4",
    "float8",
    "numeric",
    "text",
    "varchar",
    "bool",
    "json",
    "jsonb",
    "uuid",
    "bpchar",
];
/// The arguments of `make_interval`.
const PARTS: [&str; 7] = ["years", "months", "weeks", "days", "hours", "mins", "secs"];

/// `f(DISTINCT …)`.
fn is_distinct(function: &Function) -> bool {
    match &function.args {
        FunctionArguments::List(list) => list.duplicate_treatment == Some(DuplicateTreatment::Distinct),
        _ => false,
    }
}

/// The arguments of a call that has none but plain expressions.
pub(super) fn unnamed(list: &FunctionArgumentList) -> Option<Vec<&Expr>> {
    let plain = list.args.iter().map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Some(expression),
        _ => None,
    });
    plain.collect()
}

/// A call with each `t.*` among its arguments as the row that it is where a value stands.
pub(super) fn stars_as_values(function: &Function) -> Cow<'_, Function> {
    let is_star = |argument: &FunctionArg| {
        let argument = match argument {
            FunctionArg::Unnamed(value)
            | FunctionArg::Named { arg: value, .. }
            | FunctionArg::ExprNamed { arg: value, .. } => value,
        };
        matches!(argument, FunctionArgExpr::QualifiedWildcard(_))
    };
    let FunctionArguments::List(list) = &function.args else {
        return Cow::Borrowed(function);
    };
    if !list.args.iter().any(is_star) {
        return Cow::Borrowed(function);
    }
    let mut list = list.clone();
    for argument in &mut list.args {
        let (FunctionArg::Unnamed(value)
        | FunctionArg::Named { arg: value, .. }
        | FunctionArg::ExprNamed { arg: value, .. }) = argument;
        if let FunctionArgExpr::QualifiedWildcard(name) = value {
            let row = Expr::QualifiedWildcard(name.clone(), AttachedToken::empty());
            *value = FunctionArgExpr::Expr(row);
        }
    }
    Cow::Owned(Function {
        args: FunctionArguments::List(list),
        ..function.clone()
    })
}

impl Translator<'_> {
    /// `pg_typeof(a)`.
    pub(super) fn type_of(&mut self, function: &Function) -> Result<Typed> {
        let value = self.arguments(function)?.values.pop();
        let ty = value.as_ref().map_or(Ty::Unknown, |value| value.ty);
        let mut number = call("regtypein", [text(ty.shown())]);
        // What counts rows has one row, also where nobody looks at the number.
        if let Some(value) = value.filter(|_| self.aggregated) {
            number = when(word("TRUE"), number).otherwise(value.expr);
        }
        Ok(Typed::new(number, Ty::Registered("regtype")).named("pg_typeof"))
    }

    /// One of them; `None` for all other calls.
    pub(super) fn special_call(&mut self, function: &Function, name: &str) -> Result<Option<Typed>> {
        let FunctionArguments::List(list) = &function.args else {
            return Ok(None);
        };
        let plain = unnamed(list);
        let Some(plain) = plain else {
            return if name == "make_interval" {
                self.make_interval(&list.args).map(Some)
            } else {
                Ok(None)
            };
        };
        match (name, plain.as_slice()) {
            ("nextval" | "currval" | "setval", [sequence, rest @ ..]) => {
                let mut values = vec![self.expression(Self::sequence_name(sequence))?];
                for value in rest {
                    values.push(self.expression(value)?);
                }
                Ok(Some(self.call(name, values)?.named(name)))
            }
            ("grouping", arguments) => {
                let arguments: Vec<Expr> = arguments.iter().map(|argument| (*argument).clone()).collect();
                self.grouping(&arguments).map(Some)
            }
            (
                "current_timestamp" | "localtimestamp" | "current_time" | "localtime",
                [Expr::Value(digits)],
            ) => {
                let value = self.call(name, vec![])?;
                let fit = match value.ty {
                    Ty::Time => "pg_clock_fit",
                    Ty::Timetz => "pg_timetz_fit",
                    _ => "pg_time_fit",
                };
                let Value::Number(digits, _) = &digits.value else {
                    return Err(Stop::AsItStands);
                };
                let fitting = call(fit, [value.expr, number(digits)]);
                Ok(Some(Typed::new(fitting, value.ty).named(name)))
            }
            ("array_fill", [Expr::Value(value), ..])
                if matches!(value.value, Value::SingleQuotedString(_) | Value::Null) =>
            {
                let message = "could not determine polymorphic type because input has type unknown";
                refuse("42804", message, None)
            }
            ("normalize", [text, rest @ ..]) if rest.len() < 2 => {
                self.normalized(text, rest.first().copied()).map(Some)
            }
            ("make_interval", _) => self.make_interval(&list.args).map(Some),
            ("row_to_json", [row, by_lines]) => {
                let lines = self.any_row_by("pg_row_json_lines", row);
                let (Some(row), Some(lines)) = (self.any_row_by("pg_row_json", row), lines) else {
                    return Ok(None);
                };
                let by_lines = self.expression(by_lines)?;
                let by_lines = self.implicitly(by_lines, Ty::Bool)?;
                let written = case_of(by_lines.expr).when(number(1), lines.expr);
                let written = written.when(number(0), row.expr).end();
                Ok(Some(Typed::new(written, Ty::Json).named(name)))
            }
            ("row_to_json" | "to_json", [row]) => {
                Ok(self.any_row_by("pg_row_json", row).map(|row| row.named(name)))
            }
            ("to_jsonb", [row @ (Expr::Function(_) | Expr::Tuple(_))]) => {
                let Some(row) = self.any_row_by("pg_row_json", row) else {
                    return Ok(None);
                };
                let row =
                    self.implicitly(Typed::new(call("pg_in_jsonb", [row.expr]), Ty::Jsonb), Ty::Jsonb)?;
                Ok(Some(row.named(name)))
            }
            (_, [value]) if CASTS.contains(&name) && signatures::kind(name).is_none() => {
                let Some(ty) = Ty::named(name) else {
                    return Ok(None);
                };
                let value = self.expression(value)?;
                if value.ty == Ty::Dynamic {
                    return Ok(None);
                }
                let value = if value.ty.is_string() && value.literal.is_some() {
                    Typed {
                        ty: Ty::Unknown,
                        ..value
                    }
                } else {
                    value
                };
                let done = self.convert(value, Target { ty, modifier: None }, How::Explicit)?;
                Ok(Some(done.named(name)))
            }
            _ => Ok(None),
        }
    }

    /// A whole row where a function of JSON takes one.
    pub(super) fn row_argument(&mut self, function: &Function, argument: &Expr) -> Result<Option<Typed>> {
        let name = function.name.0.last().and_then(|part| part.as_ident());
        let name = name.map(super::folded).unwrap_or_default();
        let is_binary = name.starts_with("jsonb_") || name == "to_jsonb";
        let is_text = name.starts_with("json_");
        if !(is_text || is_binary || name == "count") {
            return Ok(None);
        }
        if name == "count" {
            return self.counted_row(argument, is_distinct(function));
        }
        let Some(row) = self.whole_row(argument) else {
            return Ok(None);
        };
        Ok(Some(if is_binary {
            Typed::new(call("pg_in_jsonb", [row.expr]), Ty::Jsonb)
        } else {
            row
        }))
    }

    /// The relation of a name whose whole row is meant.
    pub(super) fn relation_called(
        &mut self,
        (schema, name): (Option<&str>, &str),
        position: Option<usize>,
    ) -> Result<Relation> {
        self.contents.row = true;
        let of = |scope: &Scope| {
            let is_of = |relation: &&Relation| schema.is_none_or(|schema| self.is_of(relation, schema));
            let mut relations = scope.relations.iter().filter(is_of);
            let exact = relations.clone().find(|relation| relation.name == name);
            let alike = || relations.find(|relation| relation.name.eq_ignore_ascii_case(name));
            exact.or_else(alike).cloned()
        };
        let mut levels = self.scopes.iter().enumerate().rev();
        let found = levels.find_map(|(level, scope)| Some((level, of(scope)?)));
        if let Some((level, _)) = found {
            if schema.is_none() {
                check_is_one(&self.scopes[level], name, position)?;
            }
            self.note_level(level);
        }
        match found {
            Some((_, relation)) => Ok(relation),
            None => refuse(
                "42P01",
                format!("missing FROM-clause entry for table \"{name}\""),
                position,
            ),
        }
    }

    fn make_interval(&mut self, arguments: &[FunctionArg]) -> Result<Typed> {
        let mut values: Vec<Typed> = PARTS.iter().map(|_| Typed::new(number(0), Ty::Int4)).collect();
        for (at, argument) in arguments.iter().enumerate() {
            let (place, value) = match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => (at, value),
                FunctionArg::Named {
                    name,
                    arg: FunctionArgExpr::Expr(value),
                    ..
                }
                | FunctionArg::ExprNamed {
                    name: Expr::Identifier(name),
                    arg: FunctionArgExpr::Expr(value),
                    ..
                } => (part(&super::folded(name))?, value),
                _ => return Err(Stop::AsItStands),
            };
            let value = self.expression(value)?;
            if let Some(slot) = values.get_mut(place) {
                *slot = value;
            }
        }
        Ok(self.call("make_interval", values)?.named("make_interval"))
    }
}

fn part(name: &str) -> Result<usize> {
    PARTS.iter().position(|part| *part == name).map_or_else(
        || {
            refuse(
                "42883",
                format!("function make_interval({} => …) does not exist", string(name)),
                None,
            )
        },
        Ok,
    )
}
