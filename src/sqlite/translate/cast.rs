//! Values of one type as values of another: what happens by itself, on assignment, and by a cast.

use super::{
    Result, Translator, Ty, refuse,
    scope::{Literal, Typed},
    string,
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
            let sql = format!("pg_int_bit({}, {width})", value.sql);
            return Ok(Typed::new(sql, to).at(value.position));
        }
        let Some(sql) = conversion(&value, to, how) else {
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
            .filter(|_| sql == value.sql && from.family() == to.family());
        let converted = Typed {
            name: value.name.clone(),
            not_null: value.not_null,
            position: value.position,
            exact: to == Ty::Numeric && !from.is_integer(),
            literal,
            ..Typed::new(sql, to)
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
            let canonical = match to.family() {
                Family::Time | Family::Span => input(&typed.sql, to),
                _ if matches!(to, Ty::Registered(_)) => input(&typed.sql, to),
                _ => typed.sql.clone(),
            };
            return Ok(Self::modified(
                Typed {
                    sql: canonical,
                    ..typed
                },
                target,
                how,
            ));
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
            Ok(number) => Ok(number.to_string()),
            Err(error) => refuse(error.sqlstate, error.message, value.position),
        };
        let mut literal = None;
        let sql = match to {
            Ty::Name if text.len() > NAME_LENGTH => format!("pg_name({})", value.sql),
            ty if ty.is_string() && ty != Ty::Char => {
                literal = Some(Literal::Text(text.clone()));
                value.sql.clone()
            }
            Ty::Int2 => told(integer::read_int2(&text))?,
            Ty::Int4 => told(integer::read_int4(&text))?,
            Ty::Int8 => told(integer::read_int8(&text))?,
            Ty::Oid => told(integer::read_oid(&text))?,
            Ty::Float4 | Ty::Float8 => match floating(&text, to) {
                Ok(_) => input(&value.sql, to),
                Err(error) => return refuse(error.sqlstate, error.message, value.position),
            },
            Ty::Bool => told(boolean::read(&text).map(i64::from))?,
            Ty::Vector(_) | Ty::Record(_) => value.sql.clone(),
            Ty::Numeric if is_decimal(trimmed) && is_shown_so(trimmed) => {
                literal = Some(Literal::Number(trimmed.to_owned()));
                string(trimmed)
            }
            other => match fields_of(target) {
                Some(fields) => input_of(&value.sql, fields),
                None => input(&value.sql, other),
            },
        };
        let known = Typed {
            sql,
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
        let sql = match target.ty {
            Ty::Numeric => format!("pg_num_fit({}, {one}, {two})", value.full()),
            Ty::Varchar if how == How::Explicit => format!("substr({}, 1, {one})", value.sql),
            Ty::Varchar => format!("pg_fit({}, {one}, 'character varying')", value.sql),
            Ty::Bpchar if how == How::Explicit => format!("pg_pad({}, {one})", value.sql),
            Ty::Bpchar => format!("pg_pad(pg_fit({}, {one}, 'character'), {one})", value.sql),
            Ty::Timestamp | Ty::Timestamptz => format!("pg_time_fit({}, {one})", value.sql),
            Ty::Time => format!("pg_clock_fit({}, {one})", value.sql),
            Ty::Timetz => format!("pg_timetz_fit({}, {one})", value.sql),
            Ty::Bit | Ty::Varbit => {
                let is_cast = i32::from(how == How::Explicit);
                format!("pg_{}_fit({}, {one}, {is_cast})", target.ty.internal(), value.sql)
            }
            Ty::Interval => format!("pg_interval_fit({}, {one}, {two})", value.sql),
            Ty::Array(of) => {
                let is_cast = i32::from(how == How::Explicit);
                let of = string(&of.internal());
                format!("pg_array_fit({}, {of}, {one}, {two}, {is_cast})", value.sql)
            }
            _ => return value,
        };
        Typed {
            sql,
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
fn input(sql: &str, to: Ty) -> String {
    match to {
        // The numbers of what its elements name.
        Ty::Array(Ty::Registered(kind)) => format!(
            "CASE WHEN {sql} IS NOT NULL THEN (SELECT coalesce(pg_array_agg({kind}in(value), 'oid'), '{{}}') \
             FROM json_each(pg_array_json(pg_in_array({sql}, 'text'), 'text'))) END"
        ),
        Ty::Array(of) => format!("pg_in_array({sql}, {})", string(&of.internal())),
        Ty::Registered(kind) => format!("{kind}in({sql})"),
        Ty::Vector(_) => sql.to_owned(),
        _ => format!("pg_in_{}({sql})", to.internal()),
    }
}

/// The fields of an `interval` that is restricted to them: they tell what a number without a unit is.
fn fields_of(target: Target) -> Option<i64> {
    let (_, fields) = target.modifier.filter(|_| target.ty == Ty::Interval)?;
    (fields != ALL_FIELDS).then_some(fields)
}

/// Text read as a span of such fields.
fn input_of(sql: &str, fields: i64) -> String {
    format!("pg_in_interval_of({sql}, {fields})")
}

/// A cast that needs more than another name; `None` where there is none.
fn conversion(value: &Typed, to: Ty, how: How) -> Option<String> {
    let (from, sql) = (value.ty, &value.sql);
    let plain = || Some(sql.clone());
    if to.is_string() {
        return match from {
            _ if to == Ty::Char && from != to && from.is_string() => Some(input(sql, to)),
            Ty::Bpchar if to == Ty::Name => Some(format!("pg_name(rtrim({sql}, ' '))")),
            _ if to == Ty::Name && from != to && from.is_string() => Some(format!("pg_name({sql})")),
            Ty::Bpchar if to != Ty::Bpchar => Some(format!("rtrim({sql}, ' ')")),
            _ if from.is_string() => plain(),
            _ if how == How::Implicit => None,
            Ty::Int4 if to == Ty::Char => (how == How::Explicit).then(|| format!("pg_int4_char({sql})")),
            // PostgreSQL has no way from other types to this one.
            _ if to == Ty::Char => None,
            // No cast of its own, so that it is what is shown of it.
            Ty::Bool if to == Ty::Name => Some(format!("CASE {sql} WHEN 1 THEN 't' WHEN 0 THEN 'f' END")),
            Ty::Bool => Some(format!("pg_text_bool({sql})")),
            _ if from.is_integer() => Some(format!("CAST({sql} AS TEXT)")),
            Ty::Numeric => Some(format!("pg_text_numeric({})", value.full())),
            Ty::Bytea => Some(format!("pg_text_bytea({sql})")),
            Ty::Inet => Some(format!("pg_text_inet({sql})")),
            Ty::Float4 | Ty::Float8 | Ty::Date | Ty::Timestamp | Ty::Timestamptz | Ty::Interval => {
                Some(format!("pg_text_{}({sql})", from.internal()))
            }
            Ty::Array(_) => Some(value.printed_array()),
            Ty::Registered(_) => Some(value.shown()),
            _ => plain(),
        };
    }
    if let (Ty::Char, Ty::Int4, How::Explicit) = (from, to, how) {
        return Some(format!("pg_char_int4({sql})"));
    }
    if from.is_string() {
        return (how == How::Explicit || from.becomes(to)).then(|| input(sql, to));
    }
    let explicit = how >= How::Explicit;
    let assigned = how >= How::Assignment;
    let is_literal = matches!(&value.literal, Some(Literal::Number(digits)) if !digits.starts_with('-'));
    match (from, to) {
        (Ty::Registered(_), _) | (_, Ty::Registered(_)) => registered(value, to, assigned),
        (Ty::Float4, Ty::Float8) => Some(format!("pg_float4_float8({sql})")),
        (Ty::Oid, Ty::Int4) if assigned => Some(format!("pg_oid_int4({sql})")),
        (Ty::Int2 | Ty::Int4, Ty::Oid) if assigned && !is_literal => Some(format!("pg_int4_oid({sql})")),
        (Ty::Int8, Ty::Oid) if assigned => Some(format!("pg_oid({sql})")),
        (Ty::Numeric, Ty::Float4 | Ty::Float8) if value.literal.is_none() => {
            Some(format!("pg_num_{}({sql})", to.internal()))
        }
        (Ty::Int2, Ty::Int4 | Ty::Int8 | Ty::Oid | Ty::Numeric)
        | (Ty::Int4, Ty::Int8 | Ty::Oid | Ty::Numeric)
        | (Ty::Int8 | Ty::Oid, Ty::Numeric)
        | (Ty::Oid, Ty::Int8)
        | (Ty::Int8, Ty::Oid)
        | (Ty::Bit, Ty::Varbit)
        | (Ty::Varbit, Ty::Bit)
        | (Ty::Array(Ty::Registered(_)), Ty::Array(Ty::Oid | Ty::Registered(_)))
        | (Ty::Array(Ty::Oid), Ty::Array(Ty::Registered(_))) => plain(),
        (Ty::Int4 | Ty::Int8, Ty::Int2) if assigned => Some(format!("pg_i2({sql})")),
        (Ty::Int8, Ty::Int4) if assigned => Some(format!("pg_i4({sql})")),
        (Ty::Numeric, Ty::Int2 | Ty::Int4 | Ty::Int8) if assigned => {
            Some(format!("pg_num_{}({})", to.internal(), value.full()))
        }
        (Ty::Float4, Ty::Int2 | Ty::Int4 | Ty::Int8) if assigned => {
            Some(format!("pg_float_{}(pg_float4_float8({sql}))", to.internal()))
        }
        (Ty::Float8, Ty::Int2 | Ty::Int4 | Ty::Int8) if assigned => {
            Some(format!("pg_float_{}({sql})", to.internal()))
        }
        (Ty::Float4 | Ty::Float8, Ty::Numeric) if assigned => {
            Some(format!("pg_{}_numeric({sql})", from.internal()))
        }
        (Ty::Float8, Ty::Float4) if assigned => Some(format!("pg_float4({sql})")),
        (_, Ty::Float4) if from.family() == Family::Number => Some(format!("pg_float4(CAST({sql} AS REAL))")),
        (_, Ty::Float8) if from.family() == Family::Number => Some(format!("CAST({sql} AS REAL)")),
        (Ty::Bool, Ty::Int4) if explicit => plain(),
        (Ty::Int4, Ty::Bool) if explicit => Some(format!("({sql} <> 0)")),
        (Ty::Date, Ty::Timestamp) => Some(format!("pg_date_timestamp({sql})")),
        (Ty::Date, Ty::Timestamptz) => Some(format!("pg_date_timestamptz({sql})")),
        (Ty::Timestamp, Ty::Timestamptz) => Some(format!("pg_timestamp_timestamptz({sql})")),
        (Ty::Timestamptz, Ty::Timestamp) if assigned => Some(format!("pg_timestamptz_timestamp({sql})")),
        (Ty::Timestamp, Ty::Date) if assigned => Some(format!("pg_timestamp_date({sql})")),
        (Ty::Timestamp, Ty::Time) if assigned => Some(format!("pg_timestamp_time({sql})")),
        (Ty::Timestamptz, Ty::Date | Ty::Time) if assigned => {
            Some(format!("pg_timestamptz_{}({sql})", to.internal()))
        }
        (Ty::Time, Ty::Timetz) => Some(format!("pg_time_timetz({sql})")),
        (Ty::Timetz, Ty::Time) if assigned => Some(format!("pg_timetz_time({sql})")),
        (Ty::Timestamptz, Ty::Timetz) if assigned => Some(format!("pg_timestamptz_timetz({sql})")),
        (Ty::Interval, Ty::Time) if assigned => Some(format!("pg_interval_time({sql})")),
        (Ty::Time, Ty::Interval) => Some(format!("pg_in_interval({sql})")),
        (Ty::Numeric, Ty::Money) if assigned => {
            Some(format!("pg_in_money(pg_text_numeric({}))", value.full()))
        }
        (Ty::Int2 | Ty::Int4 | Ty::Int8, Ty::Money) if assigned => {
            Some(format!("pg_in_money(CAST({sql} AS TEXT))"))
        }
        (Ty::Money, Ty::Numeric) if assigned => Some(format!(
            "pg_in_numeric(replace(replace({sql}, '$', ''), ',', ''))"
        )),
        (Ty::Vector(_), Ty::Array(_)) => Some(format!("('{{' || replace({sql}, ' ', ',') || '}}')")),
        (Ty::Cidr, Ty::Inet) => Some(format!("pg_in_inet({sql})")),
        (Ty::Json, Ty::Jsonb) if assigned => Some(format!("pg_in_jsonb({sql})")),
        (Ty::Jsonb, Ty::Json) if assigned => plain(),
        (Ty::Jsonb, Ty::Bool | Ty::Int2 | Ty::Int4 | Ty::Int8 | Ty::Numeric | Ty::Float4 | Ty::Float8)
            if explicit =>
        {
            Some(format!("pg_jsonb_{}({sql})", to.internal()))
        }
        (Ty::Bit, Ty::Int4 | Ty::Int8) if explicit => Some(format!("pg_bit_{}({sql})", to.internal())),
        (Ty::Array(Ty::Float4), Ty::Array(Ty::Float8)) => Some(format!("pg_array_float4_float8({sql})")),
        (Ty::Array(from), Ty::Array(of)) if is_changed(*from, *of) => {
            let (from, of) = (string(&from.internal()), string(&of.internal()));
            Some(format!("pg_array_cast({sql}, {from}, {of})"))
        }
        (Ty::Array(_), Ty::Array(of)) => Some(format!("pg_in_array({sql}, {})", string(&of.internal()))),
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

/// Numbers of things and what else is a number.
fn registered(value: &Typed, to: Ty, assigned: bool) -> Option<String> {
    let is_numbered = |ty: Ty| ty.is_integer() || matches!(ty, Ty::Registered(_));
    if !(is_numbered(value.ty) && is_numbered(to)) || (matches!(to, Ty::Int2 | Ty::Int4) && !assigned) {
        return None;
    }
    Some(value.sql.clone())
}
