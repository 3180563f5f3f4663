//! OVER, and the order of rows with NULL where PostgreSQL has it.

use sqlparser::ast::{
    DataType, Expr, Interval, NamedWindowDefinition, NamedWindowExpr, OrderByExpr, OrderByOptions,
    OrderBySort, Value, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use super::{
    Result, Stop, Translator, Ty, exclusion, refuse, rows,
    scope::{Literal, Typed},
    sortable::{has_equality, has_ordering},
    sql::{Named, Sql, listed, sql},
    sql_expr::{Node, SortKey, SqlExpr, call, cast, number, text},
    window_of::{Bound, Frame, Over, Window},
};

/// A key of ORDER BY: NULL comes last, or first where the order is descending.
pub(super) fn ordered(value: &Typed, options: &OrderByOptions) -> SortKey {
    let descending = matches!(options.sort, Some(OrderBySort::Desc));
    let first = options.nulls_first.unwrap_or(descending);
    // SQLite's own order needs no saying, and can use an index.
    let nulls = match (value.not_null, first, descending) {
        (true, ..) | (_, true, false) | (_, false, true) => None,
        (_, true, true) => Some("FIRST"),
        (_, false, false) => Some("LAST"),
    };
    SortKey {
        key: value.key_of_rows(),
        descending,
        nulls,
    }
}

/// The fields of a row that is ordered by: NULL in it is behind all else.
fn in_row(fields: &[Typed], options: &OrderByOptions) -> Vec<SortKey> {
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
fn number_in(digits: &str) -> Result<Typed> {
    let is_plain = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || b".+-".contains(&byte))
    };
    if !is_plain(digits) || digits.parse::<f64>().is_err() {
        let words = format!("invalid input syntax for type bigint: \"{digits}\"");
        return refuse("22P02", words, None);
    }
    Ok(Typed {
        literal: Some(Literal::Number(digits.to_owned())),
        ..Typed::new(number(digits), Ty::Numeric)
    })
}

fn epoch() -> Typed {
    Typed {
        literal: Some(Literal::Text("epoch".into())),
        ..Typed::new(text("epoch"), Ty::Text)
    }
}

/// What an interval says that is written out.
fn written_out(interval: &SqlExpr) -> Option<&str> {
    let call = interval.called()?;
    let is_read = matches!(
        call.name.as_str(),
        "pg_in_interval" | "pg_in_interval_of" | "pg_interval_fit"
    );
    match call.arguments.first().filter(|_| is_read)?.node() {
        Node::Text(text) => Some(text),
        _ => written_out(&call.arguments[0]),
    }
}

impl Translator<'_> {
    pub(super) fn over(&mut self, window: Option<&WindowType>) -> Result<Option<Over>> {
        self.contents.window |= window.is_some();
        Ok(match window {
            None => None,
            Some(WindowType::NamedWindow(name)) => Some(Over::Named(super::folded(name))),
            Some(WindowType::WindowSpec(spec)) => Some(Over::Window(self.window(spec)?)),
        })
    }

    /// A key of ORDER BY in SQLite's words: a row is as many as it has fields. `items` are what numbers and names mean.
    pub(super) fn ordered_by(&mut self, key: &OrderByExpr, items: Option<&[Typed]>) -> Result<Vec<SortKey>> {
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
            has_ordering(&value)?;
            return Ok(vec![ordered(&value, &key.options)]);
        }
        if let Some(relation) = self.row_meant(&key.expr) {
            let columns = relation.columns.iter().map(|column| relation.column(column));
            return Ok(in_row(&columns.collect::<Vec<_>>(), &key.options));
        }
        super::unsupported("ordering whole rows", value.position)
    }

    fn window(&mut self, spec: &WindowSpec) -> Result<Window> {
        let mut window = Window {
            base: spec.window_name.as_ref().map(super::folded),
            ..Window::default()
        };
        for key in &spec.partition_by {
            if let Some(excluded) = exclusion::of_key(key) {
                window.exclude = Some(excluded);
            } else {
                let key = self.expression(key)?;
                has_equality([&key])?;
                window.partition.push(key.key());
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
                    Typed::new(cast(seconds.expr, "REAL"), Ty::Float8)
                }
                (Keys::Billionths, _) => Typed::new(call("pg_num_billionths", [value.expr]), Ty::Int8),
                (Keys::Numbers, Ty::Float4) => self.implicitly(value, Ty::Float8)?,
                (Keys::Numbers, _) => value,
            };
            let value = Typed { not_null, ..value };
            window.order.push(ordered(&value, &key.options));
        } else {
            window.order = self.order_keys(&spec.order_by)?;
        }
        if let Some(frame) = &spec.window_frame {
            window.frame = Some(self.frame(frame, keys)?);
        }
        Ok(window)
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

    fn frame(&mut self, frame: &WindowFrame, keys: Keys) -> Result<Frame> {
        let start = self.bound(&frame.start_bound, keys)?;
        let end = frame.end_bound.as_ref().map(|end| self.bound(end, keys));
        Ok(Frame {
            units: frame.units.to_string(),
            start,
            end: end.transpose()?,
        })
    }

    fn bound(&mut self, bound: &WindowFrameBound, keys: Keys) -> Result<Bound> {
        let (value, word) = match bound {
            WindowFrameBound::CurrentRow => return Ok(Bound::CurrentRow),
            WindowFrameBound::Preceding(value) => (value, "PRECEDING"),
            WindowFrameBound::Following(value) => (value, "FOLLOWING"),
        };
        match value {
            None => Ok(Bound::Unbounded(word)),
            Some(value) => {
                let value = match in_string(value).filter(|_| keys != Keys::Times) {
                    Some(text) => number_in(text)?,
                    None => self.expression(value)?,
                };
                if value.ty == Ty::Interval {
                    // SQLite calls no functions there: only what is written out has a length.
                    let Some(seconds) = written_out(&value.expr).and_then(seconds) else {
                        return super::unsupported("a window frame of this interval", value.position);
                    };
                    return Ok(Bound::By(number(seconds), word));
                }
                if keys == Keys::Billionths {
                    let Some(Literal::Number(digits)) = &value.literal else {
                        return super::unsupported("a range of numeric that is no constant", value.position);
                    };
                    let Some(billionths) = billionths(digits) else {
                        return super::unsupported(TOO_FINE, value.position);
                    };
                    return Ok(Bound::By(number(billionths), word));
                }
                Ok(Bound::By(value.plain(), word))
            }
        }
    }

    /// The WINDOW clause.
    pub(super) fn windows(&mut self, windows: &[NamedWindowDefinition]) -> Result<Sql> {
        let mut parts = vec![];
        let names: Vec<String> = windows.iter().map(|window| super::folded(&window.0)).collect();
        super::check_case(names.iter().map(String::as_str))?;
        for NamedWindowDefinition(name, window) in windows {
            let NamedWindowExpr::WindowSpec(spec) = window else {
                return Err(Stop::AsItStands);
            };
            let window = self.window(spec)?;
            parts.push(sql![Named(&super::folded(name)), " AS (", window, ")"]);
        }
        Ok(if parts.is_empty() {
            Sql::default()
        } else {
            sql![" WINDOW ", listed(parts)]
        })
    }
}
