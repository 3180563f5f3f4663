//! Values of one type as values of another: what happens by itself, on assignment, and by a cast.

use super::{
    Result, Translator, Ty, refuse,
    scope::{Literal, Typed, each_member},
    sql_expr::{self, SqlExpr, call, call_with, case_of, cast, chain, infix, number, text},
    ty::Family,
    types::{ALL_FIELDS, Target},
};
use crate::pgtypes::{ValueError, boolean, float, integer};

/// The longest name, in bytes.
const NAME_LENGTH: usize = 63;

/// How much a conversion may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    Implicit,
    Assignment,
    Explicit,
}

impl Translator<'_> {
    /// A value where this type is wanted and nothing is said of it.
    pub(super) fn implicitly(&mut self, value: Typed, ty: Ty) -> Result<Typed> {
        self.convert(value, Target { ty, modifier: None }, How::Implicit)
    }

    /// A value as one of a type.
    pub(super) fn convert(&mut self, value: Typed, target: Target, how: How) -> Result<Typed> {
        let to = target.ty;
        if matches!(
            to,
            Ty::Any | Ty::AnyElement | Ty::AnyArray | Ty::Unknown | Ty::Dynamic
        ) {
            return self.settled(value);
        }
        if value.ty == Ty::Unknown {
            return self.known(value, target, how);
        }
        let from = value.ty;
        let is_read = how == How::Explicit || matches!(to, Ty::Text | Ty::Varchar);
        if from == Ty::Dynamic && !value.by_values && is_read {
            return self.convert(value.into_text(), target, how);
        }
        if value.is_any() && to.family() == Family::Number {
            let expr = value.reckoned();
            return Ok(Self::modified(
                Typed {
                    ty: to,
                    expr,
                    ..value
                },
                target,
                how,
            ));
        }
        if from == to || from == Ty::Dynamic {
            return Ok(Self::modified(Typed { ty: to, ..value }, target, how));
        }
        if how == How::Implicit && !from.becomes(to) {
            return refuse(
                "42804",
                format!(
                    "expression is of type {} where {} is wanted",
                    from.shown(),
                    to.shown()
                ),
                value.position,
            );
        }
        if let (Ty::Float4 | Ty::Float8, Some(Literal::Number(digits))) = (to, &value.literal)
            && let Err(error) = floating(digits, to)
        {
            return refuse(error.sqlstate, error.message, None);
        }
        let bits = target.modifier.filter(|_| to == Ty::Bit && how == How::Explicit);
        if let (Ty::Int4 | Ty::Int8, Some((width, _))) = (from, bits) {
            let bits = call("pg_int_bit", [value.expr, number(width)]);
            return Ok(Typed::new(bits, to).at(value.position));
        }
        let Some(expr) = conversion(&value, to, how) else {
            return refuse(
                "42846",
                format!("cannot cast type {} to {}", from.shown(), to.shown()),
                value.position,
            );
        };
        self.is_by_settings |=
            from.becomes_by_settings(to) && !matches!(value.literal, Some(Literal::Text(_)));
        let literal = value
            .literal
            .clone()
            .filter(|_| expr == value.expr && from.family() == to.family());
        let converted = Typed {
            name: value.name.clone(),
            not_null: value.not_null,
            position: value.position,
            exact: to == Ty::Numeric && !from.is_integer(),
            literal,
            ..Typed::new(expr, to)
        };
        Ok(Self::modified(converted, target, how))
    }

    /// A literal of unknown type is text where nothing says otherwise.
    pub(super) fn settled(&mut self, value: Typed) -> Result<Typed> {
        if value.ty == Ty::Unknown {
            self.implicitly(value, Ty::Text)
        } else {
            Ok(value)
        }
    }

    /// A literal or parameter whose type is told by its place.
    fn known(&mut self, value: Typed, target: Target, how: How) -> Result<Typed> {
        let to = target.ty;
        if let Some(number) = value.parameter {
            let ty = *self.parameters.entry(number).or_insert(to);
            let typed = Typed {
                ty,
                exact: ty == Ty::Numeric,
                ..value
            };
            if ty != to {
                return self.convert(typed, target, How::Explicit);
            }
            let is_read =
                matches!(to.family(), Family::Time | Family::Span) || matches!(to, Ty::Registered(_));
            let expr = if is_read {
                input(typed.expr, to)
            } else {
                typed.expr
            };
            return Ok(Self::modified(Typed { expr, ..typed }, target, how));
        }
        let text = match &value.literal {
            Some(Literal::Null) | None => {
                return Ok(Typed {
                    ty: to,
                    modifier: target.told(),
                    exact: false,
                    ..value
                });
            }
            Some(Literal::Text(text) | Literal::Number(text)) => text.clone(),
        };
        let trimmed = text.trim();
        let told = |read: std::result::Result<i64, ValueError>| match read {
            Ok(read) => Ok(number(read)),
            Err(error) => refuse(error.sqlstate, error.message, value.position),
        };
        let mut literal = None;
        let as_it_is = || value.expr.clone();
        let expr = match to {
            Ty::Name if text.len() > NAME_LENGTH => call("pg_name", [as_it_is()]),
            ty if ty.is_string() && ty != Ty::Char => {
                literal = Some(Literal::Text(text.clone()));
                as_it_is()
            }
            Ty::Int2 => told(integer::read_int2(&text))?,
            Ty::Int4 => told(integer::read_int4(&text))?,
            Ty::Int8 => told(integer::read_int8(&text))?,
            Ty::Oid => told(integer::read_oid(&text))?,
            Ty::Float4 | Ty::Float8 => match floating(&text, to) {
                Ok(_) => input(as_it_is(), to),
                Err(error) => return refuse(error.sqlstate, error.message, value.position),
            },
            Ty::Bool => told(boolean::read(&text).map(i64::from))?,
            Ty::Vector(_) | Ty::Record(_) => as_it_is(),
            Ty::Numeric if is_decimal(trimmed) && is_shown_so(trimmed) => {
                literal = Some(Literal::Number(trimmed.to_owned()));
                sql_expr::text(trimmed)
            }
            other => match fields_of(target) {
                Some(fields) => call("pg_in_interval_of", [as_it_is(), number(fields)]),
                None => input(as_it_is(), other),
            },
        };
        let known = Typed {
            expr,
            ty: to,
            literal,
            exact: to == Ty::Numeric,
            ..value
        };
        Ok(Self::modified(known, target, how))
    }

    /// With what the parentheses of its type ask for.
    fn modified(value: Typed, target: Target, how: How) -> Typed {
        let Some((one, two)) = target.modifier else {
            let modifier = value.modifier.filter(|_| how == How::Implicit);
            return Typed { modifier, ..value };
        };
        let (one, two, is_cast) = (number(one), number(two), how == How::Explicit);
        let by = |function: &str, rest: &[&SqlExpr]| {
            call_with(function, value.expr.clone(), rest.iter().copied().cloned())
        };
        let flag = number(i32::from(is_cast));
        let expr = match target.ty {
            Ty::Numeric => call("pg_num_fit", [value.full(), one, two]),
            Ty::Varchar if is_cast => by("substr", &[&number(1), &one]),
            Ty::Varchar => by("pg_fit", &[&one, &text("character varying")]),
            Ty::Bpchar if is_cast => by("pg_pad", &[&one]),
            Ty::Bpchar => call("pg_pad", [by("pg_fit", &[&one, &text("character")]), one]),
            Ty::Timestamp | Ty::Timestamptz => by("pg_time_fit", &[&one]),
            Ty::Time => by("pg_clock_fit", &[&one]),
            Ty::Timetz => by("pg_timetz_fit", &[&one]),
            Ty::Bit | Ty::Varbit => by(&format!("pg_{}_fit", target.ty.internal()), &[&one, &flag]),
            Ty::Interval => by("pg_interval_fit", &[&one, &two]),
            Ty::Array(of) => by("pg_array_fit", &[&text(of.internal()), &one, &two, &flag]),
            _ => return value,
        };
        Typed {
            expr,
            modifier: target.told(),
            literal: None,
            exact: target.ty == Ty::Numeric,
            scale: None,
            ..value
        }
    }
}

/// True for plain digits, with a sign and a point at most.
pub(super) fn is_decimal(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    text.len() - digits.len() <= 1
        && whole.len() + fraction.len() > 0
        && (whole.to_owned() + fraction)
            .bytes()
            .all(|byte| byte.is_ascii_digit())
}

/// True for digits as a number of them is shown: no sign without need, a digit on each side of the point, no more zeros
/// in front.
fn is_shown_so(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_zero = digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let begins = whole.starts_with(|first: char| first.is_ascii_digit());
    begins
        && (whole == "0" || !whole.starts_with('0'))
        && !fraction.is_empty()
        && !(is_zero && text.starts_with('-'))
}

/// Digits as a number with a floating point.
fn floating(digits: &str, ty: Ty) -> std::result::Result<f64, ValueError> {
    if ty == Ty::Float4 {
        float::read_float4(digits)
    } else {
        float::read_float8(digits)
    }
}

/// Text read as a value of a type.
fn input(value: SqlExpr, to: Ty) -> SqlExpr {
    match to {
        // The numbers of what its elements name.
        Ty::Array(Ty::Registered(kind)) => {
            let names = call("pg_in_array", [value.clone(), text("text")]);
            let members = call("pg_array_json", [names, text("text")]);
            each_member(value, members, (&format!("{kind}in"), "oid"))
        }
        Ty::Array(of) => call("pg_in_array", [value, text(of.internal())]),
        Ty::Registered(kind) => call(format!("{kind}in"), [value]),
        Ty::Vector(_) => value,
        _ => call(format!("pg_in_{}", to.internal()), [value]),
    }
}

/// The fields of an `interval` that is restricted to them: they tell what a number without a unit is.
fn fields_of(target: Target) -> Option<i64> {
    let (_, fields) = target.modifier.filter(|_| target.ty == Ty::Interval)?;
    (fields != ALL_FIELDS).then_some(fields)
}

/// A cast that needs more than another name; `None` where there is none.
fn conversion(value: &Typed, to: Ty, how: How) -> Option<SqlExpr> {
    let from = value.ty;
    let own = || value.expr.clone();
    let plain = || Some(own());
    let by = |function: &str| Some(call(function, [own()]));
    let by_name = |before: &str, ty: Ty, behind: &str| by(&format!("{before}{}{behind}", ty.internal()));
    if to.is_string() {
        let trimmed = || call("rtrim", [own(), text(" ")]);
        return match from {
            _ if to == Ty::Char && from != to && from.is_string() => Some(input(own(), to)),
            Ty::Bpchar if to == Ty::Name => Some(call("pg_name", [trimmed()])),
            _ if to == Ty::Name && from != to && from.is_string() => by("pg_name"),
            Ty::Bpchar if to != Ty::Bpchar => Some(trimmed()),
            _ if from.is_string() => plain(),
            _ if how == How::Implicit => None,
            Ty::Int4 if to == Ty::Char => (how == How::Explicit).then(|| call("pg_int4_char", [own()])),
            // PostgreSQL has no way from other types to this one.
            _ if to == Ty::Char => None,
            // No cast of its own, so that it is what is shown of it.
            Ty::Bool if to == Ty::Name => {
                let letter = case_of(own()).when(number(1), text("t"));
                Some(letter.when(number(0), text("f")).end())
            }
            Ty::Bool => by("pg_text_bool"),
            _ if from.is_integer() => Some(cast(own(), "TEXT")),
            Ty::Numeric => Some(call("pg_text_numeric", [value.full()])),
            Ty::Bytea => by("pg_text_bytea"),
            Ty::Inet => by("pg_text_inet"),
            Ty::Float4 | Ty::Float8 | Ty::Date | Ty::Timestamp | Ty::Timestamptz | Ty::Interval => {
                by_name("pg_text_", from, "")
            }
            Ty::Array(_) => Some(value.printed_array()),
            Ty::Registered(_) => Some(value.shown()),
            Ty::Jsonb => Some(unordered(own())),
            _ => plain(),
        };
    }
    if let (Ty::Char, Ty::Int4, How::Explicit) = (from, to, how) {
        return by("pg_char_int4");
    }
    if from.is_string() {
        return (how == How::Explicit || from.becomes(to)).then(|| input(own(), to));
    }
    let explicit = how >= How::Explicit;
    let assigned = how >= How::Assignment;
    let is_literal = matches!(&value.literal, Some(Literal::Number(digits)) if !digits.starts_with('-'));
    match (from, to) {
        (Ty::Registered(_), _) | (_, Ty::Registered(_)) => registered(value, to, assigned),
        (Ty::Float4, Ty::Float8) => by("pg_float4_float8"),
        (Ty::Oid, Ty::Int4) if assigned => by("pg_oid_int4"),
        (Ty::Int2 | Ty::Int4, Ty::Oid) if assigned && !is_literal => by("pg_int4_oid"),
        (Ty::Int8, Ty::Oid) if assigned => by("pg_oid"),
        (Ty::Numeric, Ty::Float4 | Ty::Float8) if value.literal.is_none() => by_name("pg_num_", to, ""),
        (Ty::Int2, Ty::Int4 | Ty::Int8 | Ty::Oid | Ty::Numeric)
        | (Ty::Int4, Ty::Int8 | Ty::Oid | Ty::Numeric)
        | (Ty::Int8 | Ty::Oid, Ty::Numeric)
        | (Ty::Oid, Ty::Int8)
        | (Ty::Int8, Ty::Oid)
        | (Ty::Bit, Ty::Varbit)
        | (Ty::Varbit, Ty::Bit)
        | (Ty::Array(Ty::Registered(_)), Ty::Array(Ty::Oid | Ty::Registered(_)))
        | (Ty::Array(Ty::Oid), Ty::Array(Ty::Registered(_))) => plain(),
        (Ty::Int4 | Ty::Int8, Ty::Int2) if assigned => by("pg_i2"),
        (Ty::Int8, Ty::Int4) if assigned => by("pg_i4"),
        (Ty::Numeric, Ty::Int2 | Ty::Int4 | Ty::Int8) if assigned => {
            Some(call(format!("pg_num_{}", to.internal()), [value.full()]))
        }
        (Ty::Float4, Ty::Int2 | Ty::Int4 | Ty::Int8) if assigned => {
            let wide = call("pg_float4_float8", [own()]);
            Some(call(format!("pg_float_{}", to.internal()), [wide]))
        }
        (Ty::Float8, Ty::Int2 | Ty::Int4 | Ty::Int8) if assigned => by_name("pg_float_", to, ""),
        (Ty::Float4 | Ty::Float8, Ty::Numeric) if assigned => by_name("pg_", from, "_numeric"),
        (Ty::Float8, Ty::Float4) if assigned => by("pg_float4"),
        (_, Ty::Float4) if from.family() == Family::Number => Some(call("pg_float4", [cast(own(), "REAL")])),
        (_, Ty::Float8) if from.family() == Family::Number => Some(cast(own(), "REAL")),
        (Ty::Bool, Ty::Int4) if explicit => plain(),
        (Ty::Int4, Ty::Bool) if explicit => Some(infix(own(), "<>", number(0))),
        (Ty::Date, Ty::Timestamp) => by("pg_date_timestamp"),
        (Ty::Date, Ty::Timestamptz) => by("pg_date_timestamptz"),
        (Ty::Timestamp, Ty::Timestamptz) => by("pg_timestamp_timestamptz"),
        (Ty::Timestamptz, Ty::Timestamp) if assigned => by("pg_timestamptz_timestamp"),
        (Ty::Timestamp, Ty::Date) if assigned => by("pg_timestamp_date"),
        (Ty::Timestamp, Ty::Time) if assigned => by("pg_timestamp_time"),
        (Ty::Timestamptz, Ty::Date | Ty::Time) if assigned => by_name("pg_timestamptz_", to, ""),
        (Ty::Time, Ty::Timetz) => by("pg_time_timetz"),
        (Ty::Timetz, Ty::Time) if assigned => by("pg_timetz_time"),
        (Ty::Timestamptz, Ty::Timetz) if assigned => by("pg_timestamptz_timetz"),
        (Ty::Interval, Ty::Time) if assigned => by("pg_interval_time"),
        (Ty::Time, Ty::Interval) => by("pg_in_interval"),
        (Ty::Numeric, Ty::Money) if assigned => {
            let digits = call("pg_text_numeric", [value.full()]);
            Some(call("pg_in_money", [digits]))
        }
        (Ty::Int2 | Ty::Int4 | Ty::Int8, Ty::Money) if assigned => {
            Some(call("pg_in_money", [cast(own(), "TEXT")]))
        }
        (Ty::Money, Ty::Numeric) if assigned => {
            let without = |value, sign: &str| call("replace", [value, text(sign), text("")]);
            Some(call("pg_in_numeric", [without(without(own(), "$"), ",")]))
        }
        (Ty::Vector(_), Ty::Array(_)) => {
            let members = call("replace", [own(), text(" "), text(",")]);
            Some(chain("||", [text("{"), members, text("}")]))
        }
        (Ty::Cidr, Ty::Inet) => by("pg_in_inet"),
        (Ty::Json, Ty::Jsonb) if assigned => by("pg_in_jsonb"),
        (Ty::Jsonb, Ty::Json) if assigned => Some(unordered(own())),
        (Ty::Jsonb, Ty::Bool | Ty::Int2 | Ty::Int4 | Ty::Int8 | Ty::Numeric | Ty::Float4 | Ty::Float8)
            if explicit =>
        {
            by_name("pg_jsonb_", to, "")
        }
        (Ty::Bit, Ty::Int4 | Ty::Int8) if explicit => by_name("pg_bit_", to, ""),
        (Ty::Array(Ty::Float4), Ty::Array(Ty::Float8)) => by("pg_array_float4_float8"),
        (Ty::Array(from), Ty::Array(of)) if is_changed(*from, *of) => {
            let (from, of) = (text(from.internal()), text(of.internal()));
            Some(call("pg_array_cast", [own(), from, of]))
        }
        (Ty::Array(_), Ty::Array(of)) => Some(call("pg_in_array", [own(), text(of.internal())])),
        _ => None,
    }
}

/// True for elements whose words are none of the other type, or say another value there.
fn is_changed(from: Ty, to: Ty) -> bool {
    matches!(
        (from, to),
        (
            Ty::Numeric | Ty::Float4 | Ty::Float8,
            Ty::Int2 | Ty::Int4 | Ty::Int8
        ) | (Ty::Float4 | Ty::Float8, Ty::Numeric)
            | (Ty::Bool, Ty::Int4)
            | (Ty::Int4, Ty::Bool)
    )
}

/// A document's text without the order that its column has as `jsonb`: SQLite looks through a CAST for it.
fn unordered(document: SqlExpr) -> SqlExpr {
    chain("||", [document, text("")])
}

/// Numbers of things and what else is a number.
fn registered(value: &Typed, to: Ty, assigned: bool) -> Option<SqlExpr> {
    let is_numbered = |ty: Ty| ty.is_integer() || matches!(ty, Ty::Registered(_));
    if !(is_numbered(value.ty) && is_numbered(to)) || (matches!(to, Ty::Int2 | Ty::Int4) && !assigned) {
        return None;
    }
    Some(value.expr.clone())
}
