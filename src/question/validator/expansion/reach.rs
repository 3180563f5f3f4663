//! Where the values of an expression lie, as far as its text tells: a series is as long as its bounds are apart. What is stored
//! may be any number, and a time that people write down.

use sqlparser::ast::{
    BinaryOperator as Op, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
    Value,
};

use crate::pgtypes::{
    calendar::{SECOND, is_endless},
    datetime::{DateOrder, Surroundings, read_timestamptz},
    interval::Interval,
    zone::Zone,
};

/// Seconds.
const DAY: f64 = 86_400.0;
const YEAR: f64 = 366.0 * DAY;
/// Stored times, from 2000 on: by days they are fewer than a series may have values, and by hours they are more.
const STORED_TIMES: Range = Range {
    least: -1_000.0 * YEAR,
    most: 1_000.0 * YEAR,
};
/// Elements of an array and letters of a text that is stored.
const LONG: f64 = 100_000.0;

/// From the least to the most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    least: f64,
    most: f64,
}

/// What an expression is as each of three kinds of values; a text may be any of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    number: Range,
    /// In seconds from 2000 on.
    time: Range,
    /// An interval, in seconds.
    span: Range,
    /// True if it is a time for certain.
    is_time: bool,
}

impl Range {
    const ANY: Self = Self {
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
    };

    fn new(one: f64, other: f64) -> Self {
        if one.is_nan() || other.is_nan() {
            return Self::ANY;
        }
        Self {
            least: one.min(other),
            most: one.max(other),
        }
    }

    fn only(value: f64) -> Self {
        Self::new(value, value)
    }

    fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self::new(self.least + other.least, self.most + other.most)
    }

    fn negative(self) -> Self {
        Self::new(-self.least, -self.most)
    }

    /// By what becomes of the ends.
    fn with(self, other: Self, of: fn(f64, f64) -> f64) -> Self {
        let ends = [
            of(self.least, other.least),
            of(self.least, other.most),
            of(self.most, other.least),
            of(self.most, other.most),
        ];
        if ends.iter().any(|end| end.is_nan()) {
            return Self::ANY;
        }
        let start = Self::only(ends[0]);
        ends.iter().fold(start, |sum, end| sum.or(Self::only(*end)))
    }

    fn times(self, other: Self) -> Self {
        self.with(other, |one, other| one * other)
    }

    fn by(self, other: Self) -> Self {
        if other.least <= 0.0 && other.most >= 0.0 {
            return Self::ANY;
        }
        self.with(other, |one, other| one / other)
    }

    fn is_known(self) -> bool {
        self.least.is_finite() && self.most.is_finite()
    }
}

impl Reach {
    /// Nothing is known of it.
    pub(super) const ANY: Self = Self {
        number: Range::ANY,
        time: Range::ANY,
        span: Range::ANY,
        is_time: false,
    };
    /// Whatever is stored.
    pub(super) const STORED: Self = Self {
        time: STORED_TIMES,
        ..Self::ANY
    };

    fn number(range: Range) -> Self {
        Self {
            number: range,
            ..Self::ANY
        }
    }

    fn time(range: Range) -> Self {
        Self {
            time: range,
            is_time: true,
            ..Self::ANY
        }
    }

    fn span(range: Range) -> Self {
        Self {
            span: range,
            ..Self::ANY
        }
    }

    /// One of the two.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            number: self.number.or(other.number),
            time: self.time.or(other.time),
            span: self.span.or(other.span),
            is_time: self.is_time && other.is_time,
        }
    }

    fn text(text: &str) -> Self {
        let number = text.trim().parse().map_or(Range::ANY, Range::only);
        Self {
            number,
            time: time_of(text),
            span: span_of(text),
            is_time: false,
        }
    }

    fn plus(self, other: Self) -> Self {
        // A date and a number of days is a date as well.
        let later = |time: Self, by: Self| {
            let by = if by.span.is_known() {
                by.span
            } else {
                by.number.times(Range::only(DAY))
            };
            time.time.plus(by)
        };
        let (one, two) = (later(self, other), later(other, self));
        Self {
            number: self.number.plus(other.number),
            time: if one.is_known() { one } else { two },
            span: self.span.plus(other.span),
            is_time: self.is_time || other.is_time,
        }
    }

    fn minus(self, other: Self) -> Self {
        let apart = self.time.plus(other.time.negative());
        if self.is_time && other.is_time {
            return Self {
                number: apart.times(Range::only(1.0 / DAY)),
                ..Self::span(apart)
            };
        }
        self.plus(Self {
            number: other.number.negative(),
            time: Range::ANY,
            span: other.span.negative(),
            is_time: false,
        })
    }
}

/// How many values a series of these bounds, and perhaps of this step, may have.
pub(super) fn values(bounds: &[Reach]) -> f64 {
    let (from, to, step) = match bounds {
        [from, to] => (from, to, Reach::number(Range::only(1.0))),
        [from, to, step, ..] => (from, to, *step),
        _ => return f64::INFINITY,
    };
    let is_number = step.number.is_known();
    let step = if is_number { step.number } else { step.span };
    let (from, to) = if is_number {
        (from.number, to.number)
    } else {
        (from.time, to.time)
    };
    let apart = if step.least > 0.0 {
        (to.most - from.least) / step.least
    } else {
        (from.most - to.least) / -step.most
    };
    // A step that may be nothing has no end, and what is not known is no number.
    let is_step = step.is_known() && (step.least > 0.0 || step.most < 0.0);
    if !is_step || apart.is_nan() {
        return f64::INFINITY;
    }
    (apart.floor() + 1.0).max(0.0)
}

/// What becomes of an expression, given what becomes of its parts.
pub(super) fn of(expr: &Expr, parts: &[Reach]) -> Reach {
    let part = |at: usize| parts.get(at).copied().unwrap_or(Reach::ANY);
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => {
                let number = number.replace('_', "").parse();
                Reach::number(number.map_or(Range::ANY, Range::only))
            }
            Value::SingleQuotedString(text) => Reach::text(text),
            _ => Reach::ANY,
        },
        Expr::TypedString(typed) => match &typed.value.value {
            Value::SingleQuotedString(text) => cast(Reach::text(text), &typed.data_type.to_string()),
            _ => Reach::ANY,
        },
        Expr::Interval(interval) => {
            let text = literal(&interval.value);
            let unit = interval.leading_field.as_ref().map(ToString::to_string);
            text.map_or(Reach::ANY, |text| {
                Reach::span(span_of(&format!("{text} {}", unit.unwrap_or_default())))
            })
        }
        Expr::Nested(_) | Expr::Subquery(_) | Expr::Collate { .. } => part(0),
        Expr::UnaryOp { op, .. } => match op {
            UnaryOperator::Plus => part(0),
            UnaryOperator::Minus => Reach {
                number: part(0).number.negative(),
                span: part(0).span.negative(),
                ..Reach::ANY
            },
            _ => Reach::ANY,
        },
        Expr::AtTimeZone { .. } => {
            let day = Range::new(-DAY, DAY);
            Reach::time(part(0).time.plus(day))
        }
        Expr::Cast { data_type, .. } => cast(part(0), &data_type.to_string()),
        Expr::BinaryOp { op, .. } => calculated(op, part(0), part(1)),
        Expr::Extract { field, .. } => field_of(&field.to_string()),
        Expr::Ceil { .. } | Expr::Floor { .. } => rounded(part(0)),
        Expr::Function(function) => returned(function, parts),
        _ => Reach::ANY,
    }
}

fn calculated(op: &Op, one: Reach, other: Reach) -> Reach {
    match op {
        Op::Plus => one.plus(other),
        Op::Minus => one.minus(other),
        Op::Multiply => {
            let spans = (one.span.is_known(), other.span.is_known());
            let span = match spans {
                (true, _) => one.span.times(other.number),
                (_, true) => other.span.times(one.number),
                _ => Range::ANY,
            };
            Reach {
                number: one.number.times(other.number),
                ..Reach::span(span)
            }
        }
        Op::Divide => Reach {
            number: one.number.by(other.number),
            ..Reach::span(one.span.by(other.number))
        },
        Op::Modulo if other.number.is_known() => {
            let most = other.number.least.abs().max(other.number.most.abs());
            Reach::number(Range::new(-most, most))
        }
        Op::PGExp => Reach::number(one.number.with(other.number, f64::powf)),
        _ => Reach::ANY,
    }
}

/// What a type leaves of a value.
fn cast(reach: Reach, data_type: &str) -> Reach {
    let name = data_type.to_ascii_lowercase();
    let name = name.trim_start_matches("pg_catalog.");
    if name.contains('[') {
        return Reach::ANY;
    }
    if name.starts_with("date") || name.starts_with("timestamp") {
        return Reach::time(reach.time);
    }
    if name.starts_with("interval") {
        return Reach::span(reach.span);
    }
    if name.contains("char") || name.starts_with("text") {
        return reach;
    }
    let small = Range::new(-32_768.0, 32_767.0);
    match name {
        "smallint" | "int2" if !reach.number.is_known() => Reach::number(small),
        _ => rounded(reach),
    }
}

/// A number to the next whole one.
fn rounded(reach: Reach) -> Reach {
    Reach::number(Range::new(reach.number.least.floor(), reach.number.most.ceil()))
}

/// What a part of a time may be.
fn field_of(field: &str) -> Reach {
    match field.to_ascii_lowercase().as_str() {
        "epoch" | "julian" | "microsecond" | "microseconds" => Reach::ANY,
        _ => Reach::number(Range::new(-300_000.0, 300_000.0)),
    }
}

fn returned(function: &Function, parts: &[Reach]) -> Reach {
    let name = super::last(&function.name);
    let first = parts.first().copied().unwrap_or(Reach::ANY);
    let all = || parts.iter().copied().reduce(Reach::or).unwrap_or(Reach::ANY);
    // What a function's first argument says, in lower case.
    let told = || {
        argument(function, 0)
            .and_then(literal)
            .unwrap_or_default()
            .to_lowercase()
    };
    match name.as_str() {
        "now"
        | "current_date"
        | "current_timestamp"
        | "localtimestamp"
        | "transaction_timestamp"
        | "statement_timestamp"
        | "clock_timestamp" => {
            let now = now();
            Reach::time(Range::new(now - DAY, now + DAY))
        }
        "date_trunc" => {
            let unit = DAY
                * match told().as_str() {
                    "second" | "minute" | "hour" | "day" => 1.0,
                    "week" => 7.0,
                    "month" => 31.0,
                    "quarter" => 92.0,
                    "year" => 366.0,
                    _ => 366_000.0,
                };
            let time = parts.get(1).map_or(Range::ANY, |part| part.time);
            Reach::time(Range::new(time.least - unit, time.most))
        }
        "date_part" => field_of(&told()),
        "make_date" | "make_timestamp" | "make_timestamptz" => {
            let years = first.number.plus(Range::only(-2_000.0));
            Reach::time(years.times(Range::only(YEAR)).plus(Range::new(-YEAR, YEAR)))
        }
        "min" | "max" | "any_value" | "first_value" | "last_value" | "nullif" => first,
        "coalesce" => all(),
        "least" | "greatest" => {
            let (most, least) = parts
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(most, least), part| {
                    (most.min(part.number.most), least.max(part.number.least))
                });
            let number = all().number;
            let number = if name == "least" {
                Range { most, ..number }
            } else {
                Range { least, ..number }
            };
            Reach { number, ..all() }
        }
        "to_date" | "to_timestamp" | "date" => Reach::time(first.time),
        "timezone" => Reach::time(parts.last().map_or(Range::ANY, |part| part.time)),
        "floor" | "ceil" | "ceiling" | "round" | "trunc" => rounded(first),
        "abs" => Reach::number(first.number.or(first.number.negative())),
        "random" => Reach::number(Range::new(0.0, 1.0)),
        "array_length" | "array_upper" | "array_lower" | "cardinality" | "jsonb_array_length"
        | "json_array_length" | "length" | "char_length" | "character_length" => {
            Reach::number(Range::new(0.0, LONG))
        }
        _ => Reach::ANY,
    }
}

fn argument(function: &Function, at: usize) -> Option<&Expr> {
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    match list.args.get(at)? {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// The text that an expression is.
fn literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::Number(text, _) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn time_of(text: &str) -> Range {
    let zone = Zone::default();
    let around = Surroundings {
        zone: &zone,
        order: DateOrder::default(),
        now: (now() * SECOND as f64) as i64,
    };
    let Some(time) = read_timestamptz(text, &around)
        .ok()
        .filter(|time| !is_endless(*time))
    else {
        return Range::ANY;
    };
    let time = time as f64 / SECOND as f64;
    // Which of its numbers is the day may be the session's to say.
    let digits = text.trim().bytes().take_while(u8::is_ascii_digit).count();
    if digits >= 4 {
        Range::only(time)
    } else {
        Range::new(time - YEAR, time + YEAR)
    }
}

/// Months are as long as the shortest and the longest.
fn span_of(text: &str) -> Range {
    let Ok(read) = Interval::read(text) else {
        return Range::ANY;
    };
    let rest = read.days as f64 * DAY + read.micros as f64 / SECOND as f64;
    let months = read.months as f64 * DAY;
    Range::new(months * 28.0 + rest, months * 31.0 + rest)
}

/// In seconds from 2000 on.
fn now() -> f64 {
    const EPOCH: f64 = 946_684_800.0;
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64() - EPOCH
}
