//! OVER, and the order of rows with NULL where PostgreSQL has it.

use sqlparser::ast::{
    DataType, Expr, Interval, NamedWindowDefinition, NamedWindowExpr, OrderByExpr, OrderByOptions,
    OrderBySort, Value, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use super::{
    Result, Stop, Translator, Ty, exclusion,
    parentheses::peeled,
    quoted, refuse, rows,
    scope::{Literal, Typed},
};

/// A key of ORDER BY: NULL comes last, or first where the order is descending.
pub(super) fn ordered(value: &Typed, options: &OrderByOptions) -> String {
    let descending = matches!(options.sort, Some(OrderBySort::Desc));
    let direction = if descending { " DESC" } else { "" };
    let first = options.nulls_first.unwrap_or(descending);
    // SQLite's own order needs no saying, and can use an index.
    let nulls = match (value.not_null, first, descending) {
        (true, ..) | (_, true, false) | (_, false, true) => "",
        (_, true, true) => " NULLS FIRST",
        (_, false, false) => " NULLS LAST",
    };
    format!("{}{direction}{nulls}", value.key_of_rows())
}

/// The fields of a row that is ordered by: NULL in it is behind all else.
fn in_row(fields: &[Typed], options: &OrderByOptions) -> Vec<String> {
    let options = OrderByOptions {
        nulls_first: None,
        ..options.clone()
    };
    fields.iter().map(|field| ordered(field, &options)).collect()
}

/// How far from its row a range begins and ends, where it says so.
fn offsets(frame: &WindowFrame) -> Vec<&Expr> {
    let mut found = vec![];
    for bound in [Some(&frame.start_bound), frame.end_bound.as_ref()] {
        if let Some(WindowFrameBound::Preceding(Some(offset)) | WindowFrameBound::Following(Some(offset))) =
            bound
        {
            found.push(&**offset);
        }
    }
    found.retain(|_| frame.units == WindowFrameUnits::Range);
    found
}

/// True for a span of time.
fn is_span(offset: &Expr) -> bool {
    matches!(
        offset,
        Expr::Interval(_)
            | Expr::Cast {
                data_type: DataType::Interval { .. },
                ..
            }
    )
}

/// What stands in a string without a type, which the parser takes for a span.
fn in_string(offset: &Expr) -> Option<&str> {
    match offset {
        Expr::Interval(Interval {
            value,
            leading_field: None,
            last_field: None,
            ..
        }) => match &**value {
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(text) => Some(text.trim()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// What the key of a range is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Numbers, or what nobody knows.
    Numbers,
    /// Of numeric, counted in billionths.
    Billionths,
    Times,
}

/// Why numbers have no range: SQLite adds whole numbers without a fault, and others not.
const TOO_FINE: &str = "a window's range over numbers of more than 9 digits behind the point";

/// A number in billionths, which is what `pg_num_billionths` makes of the key of a range.
fn billionths(digits: &str) -> Option<i64> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    (fraction.len() <= 9)
        .then(|| format!("{whole}{fraction:0<9}").parse().ok())
        .flatten()
}

/// The length of a span that has no months, in seconds: SQLite takes a number only.
fn seconds(text: &str) -> Option<i64> {
    let mut total = 0;
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if word.contains(':') {
            for (part, unit) in word.split(':').zip([3_600, 60, 1]) {
                total += part.parse::<i64>().ok()? * unit;
            }
            continue;
        }
        let number: i64 = word.parse().ok()?;
        let unit = words.next()?.trim_end_matches('s');
        total += number
            * match unit {
                "week" => 604_800,
                "day" => 86_400,
                "hour" => 3_600,
                "minute" | "min" => 60,
                "second" | "sec" => 1,
                _ => return None,
            };
    }
    Some(total)
}

fn range_of<T>(key: impl std::fmt::Display, offset: &str) -> Result<T> {
    let words = "RANGE with offset PRECEDING/FOLLOWING is not supported for column type";
    refuse("0A000", format!("{words} {key}{offset}"), None)
}

/// A number that stands in a string.
fn number_in(text: &str) -> Result<Typed> {
    let is_plain = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || b".+-".contains(&byte))
    };
    if !is_plain(text) || text.parse::<f64>().is_err() {
        let words = format!("invalid input syntax for type bigint: \"{text}\"");
        return refuse("22P02", words, None);
    }
    Ok(Typed {
        literal: Some(Literal::Number(text.to_owned())),
        ..Typed::new(text.to_owned(), Ty::Numeric)
    })
}

fn epoch() -> Typed {
    Typed {
        literal: Some(Literal::Text("epoch".into())),
        ..Typed::new("'epoch'", Ty::Text)
    }
}

impl Translator<'_> {
    pub(super) fn over(&mut self, window: Option<&WindowType>) -> Result<String> {
        self.contents.window |= window.is_some();
        match window {
            None => Ok(String::new()),
            Some(WindowType::NamedWindow(name)) => Ok(format!(" OVER {}", quoted(&super::folded(name)))),
            Some(WindowType::WindowSpec(spec)) => Ok(format!(" OVER ({})", self.window(spec)?)),
        }
    }

    /// A key of ORDER BY in SQLite's words: a row is as many as it has fields. `items` are what numbers and names mean.
    pub(super) fn ordered_by(&mut self, key: &OrderByExpr, items: Option<&[Typed]>) -> Result<Vec<String>> {
        if let Some(fields) = rows::values(&key.expr) {
            let mut keys = vec![];
            for field in fields {
                let field = self.expression(&field)?;
                keys.push(self.settled(field)?);
            }
            return Ok(in_row(&keys, &key.options));
        }
        let value = if let Some(items) = items {
            self.key_or_item(&key.expr, items)?
        } else {
            let value = self.expression(&key.expr)?;
            self.settled(value)?
        };
        if !matches!(value.ty, Ty::Composite | Ty::Array(Ty::Composite)) {
            return Ok(vec![ordered(&value, &key.options)]);
        }
        if let Expr::Identifier(name) = peeled(&key.expr)
            && let Some(relation) = self.row_named(name)
        {
            let columns = relation.columns.iter().map(|column| relation.column(column));
            return Ok(in_row(&columns.collect::<Vec<_>>(), &key.options));
        }
        super::unsupported("ordering whole rows", value.position)
    }

    fn window(&mut self, spec: &WindowSpec) -> Result<String> {
        let mut parts = vec![];
        let mut exclude = String::new();
        if let Some(name) = &spec.window_name {
            parts.push(quoted(&super::folded(name)));
        }
        if !spec.partition_by.is_empty() {
            let mut keys = vec![];
            for key in &spec.partition_by {
                match exclusion::of_key(key) {
                    Some(excluded) => exclude = excluded,
                    None => keys.push(self.expression(key)?.key()),
                }
            }
            if !keys.is_empty() {
                parts.push(format!("PARTITION BY {}", keys.join(", ")));
            }
        }
        let offsets = spec.window_frame.as_ref().map(offsets).unwrap_or_default();
        if !offsets.is_empty() && spec.order_by.len() != 1 && spec.window_name.is_none() {
            let words = "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column";
            return refuse("42P20", words, None);
        }
        let mut keys = Keys::Numbers;
        if let ([key], false) = (spec.order_by.as_slice(), offsets.is_empty()) {
            let value = self.expression(&key.expr)?;
            keys = self.keys_of_range(&value, &offsets)?;
            let not_null = value.not_null;
            // SQLite adds numbers only to the key of a range.
            let value = match (keys, value.ty) {
                (Keys::Times, _) => {
                    let seconds = self.call("extract", vec![epoch(), value])?;
                    Typed::new(format!("CAST({} AS REAL)", seconds.sql), Ty::Float8)
                }
                (Keys::Billionths, _) => Typed::new(format!("pg_num_billionths({})", value.sql), Ty::Int8),
                (Keys::Numbers, Ty::Float4) => self.implicitly(value, Ty::Float8)?,
                (Keys::Numbers, _) => value,
            };
            let value = Typed { not_null, ..value };
            parts.push(format!("ORDER BY {}", ordered(&value, &key.options)));
        } else if !spec.order_by.is_empty() {
            parts.push(format!(
                "ORDER BY {}",
                self.order_keys(&spec.order_by)?.join(", ")
            ));
        }
        if let Some(frame) = &spec.window_frame {
            parts.push(self.frame(frame, keys)?);
        }
        if !exclude.is_empty() {
            parts.push(exclude);
        }
        Ok(parts.join(" "))
    }

    /// Looks that the key of a range and what is added to it go together.
    fn keys_of_range(&mut self, key: &Typed, offsets: &[&Expr]) -> Result<Keys> {
        let spans = offsets.iter().any(|offset| is_span(offset));
        let keys = match key.ty {
            Ty::Date | Ty::Time | Ty::Timetz | Ty::Timestamp | Ty::Timestamptz | Ty::Interval => Keys::Times,
            Ty::Numeric => Keys::Billionths,
            Ty::Dynamic | Ty::Unknown if spans => Keys::Times,
            Ty::Int2 | Ty::Int4 | Ty::Int8 | Ty::Float4 | Ty::Float8 | Ty::Dynamic | Ty::Unknown => {
                Keys::Numbers
            }
            other => return range_of(other.shown(), ""),
        };
        for offset in offsets {
            let is_in_string = in_string(offset).is_some();
            match keys {
                Keys::Times if !is_span(offset) => {
                    let offset = self.expression(offset)?.ty;
                    if !matches!(offset, Ty::Interval | Ty::Unknown | Ty::Dynamic) {
                        return range_of(key.ty.shown(), &format!(" and offset type {}", offset.shown()));
                    }
                }
                Keys::Numbers | Keys::Billionths if is_span(offset) && !is_in_string => {
                    return range_of(key.ty.shown(), " and offset type interval");
                }
                _ => {}
            }
        }
        Ok(keys)
    }

    fn frame(&mut self, frame: &WindowFrame, keys: Keys) -> Result<String> {
        let start = self.bound(&frame.start_bound, keys)?;
        Ok(match &frame.end_bound {
            Some(end) => {
                let end = self.bound(end, keys)?;
                format!("{} BETWEEN {start} AND {end}", frame.units)
            }
            None => format!("{} {start}", frame.units),
        })
    }

    fn bound(&mut self, bound: &WindowFrameBound, keys: Keys) -> Result<String> {
        let (value, word) = match bound {
            WindowFrameBound::CurrentRow => return Ok("CURRENT ROW".into()),
            WindowFrameBound::Preceding(value) => (value, "PRECEDING"),
            WindowFrameBound::Following(value) => (value, "FOLLOWING"),
        };
        match value {
            None => Ok(format!("UNBOUNDED {word}")),
            Some(value) => {
                let value = match in_string(value).filter(|_| keys != Keys::Times) {
                    Some(text) => number_in(text)?,
                    None => self.expression(value)?,
                };
                if value.ty == Ty::Interval {
                    // SQLite calls no functions there: only what is written out has a length.
                    let Some(seconds) = value.sql.split('\'').nth(1).and_then(seconds) else {
                        return super::unsupported("a window frame of this interval", value.position);
                    };
                    return Ok(format!("{seconds} {word}"));
                }
                if keys == Keys::Billionths {
                    let Some(Literal::Number(digits)) = &value.literal else {
                        return super::unsupported("a range of numeric that is no constant", value.position);
                    };
                    let Some(number) = billionths(digits) else {
                        return super::unsupported(TOO_FINE, value.position);
                    };
                    return Ok(format!("{number} {word}"));
                }
                Ok(format!("{} {word}", value.plain()))
            }
        }
    }

    /// The WINDOW clause.
    pub(super) fn windows(&mut self, windows: &[NamedWindowDefinition]) -> Result<String> {
        let mut parts = vec![];
        for NamedWindowDefinition(name, window) in windows {
            let NamedWindowExpr::WindowSpec(spec) = window else {
                return Err(Stop::AsItStands);
            };
            parts.push(format!(
                "{} AS ({})",
                quoted(&super::folded(name)),
                self.window(spec)?
            ));
        }
        Ok(if parts.is_empty() {
            String::new()
        } else {
            format!(" WINDOW {}", parts.join(", "))
        })
    }
}
