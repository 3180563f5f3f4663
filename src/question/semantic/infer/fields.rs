//! What each column of a table serves for.

use super::{
    Evidence,
    lexicon::{
        self, BOOKKEEPING, END, EXTENSIVE, INTENSIVE, KEY, KIND, LIFE, NAME, ORDINAL, PROSE, START, STOCK,
        SURE_KEY, stems,
    },
    units,
};
use crate::question::{
    schema::{Column, ColumnKind, ColumnProfile, ColumnRef, Format, words},
    semantic::{Additivity, Field, FieldRole, FlagForm, Wording},
};

/// Values of a column that can be told apart at a glance: with more it is no code.
const FEW: u64 = 40;
/// Words of a text on average, times ten, from which on it is prose.
const PROSE_WORDS: u64 = 60;

/// The fields of one table.
pub(super) fn fields(of: &Evidence<'_>, table: usize) -> Vec<Field> {
    (0..of.schema.tables[table].columns.len())
        .map(|column| field(of, ColumnRef { table, column }))
        .collect()
}

fn field(of: &Evidence<'_>, at: ColumnRef) -> Field {
    let column = of.schema.column(at);
    let profile = of.column(at);
    let name = stems(&column.name);
    let format = profile.and_then(|profile| profile.format);
    let role = role(of, at, (column, profile, &name));
    Field {
        role,
        unit: role.is_measure().then(|| units::unit(column, &name)).flatten(),
        labels: match role {
            FieldRole::Code | FieldRole::Flag(_) | FieldRole::Dimension => of
                .codes(at)
                .map_or_else(|| labels(column, profile), |codes| codes.labels.clone()),
            _ => Vec::new(),
        },
        format: format.filter(|_| matches!(role, FieldRole::Time | FieldRole::Document)),
        wording: Wording {
            synonyms: column
                .comment
                .as_deref()
                .and_then(said_name)
                .into_iter()
                .collect(),
            ..Wording::default()
        },
    }
}

/// Words of the longest comment that is only another name.
const LONGEST_NAME: usize = 4;

/// A comment that says nothing but what a column is called: `line of business`.
pub(super) fn said_name(comment: &str) -> Option<String> {
    let said = comment.trim().trim_end_matches('.');
    let words = said.split_whitespace().count();
    let is_name = said
        .chars()
        .all(|sign| sign.is_alphabetic() || matches!(sign, ' ' | '-' | '\''));
    let said = said.to_lowercase();
    // `empty while unpaid` tells what there is in it.
    let tells_more = said.split(' ').any(|word| {
        matches!(
            word,
            "empty" | "missing" | "null" | "may" | "while" | "until" | "unless" | "if" | "when" | "unknown"
        )
    });
    ((1..=LONGEST_NAME).contains(&words) && is_name && !tells_more).then_some(said)
}

type ColumnFacts<'a> = (&'a Column, Option<&'a ColumnProfile>, &'a [String]);

fn role(of: &Evidence<'_>, at: ColumnRef, (column, profile, name): ColumnFacts<'_>) -> FieldRole {
    let table = &of.schema.tables[at.table];
    let format = profile.and_then(|profile| profile.format);
    // A key of a calendar is a day all the same.
    let is_day = matches!(format, Some(Format::CompactDate | Format::Date));
    if of.refers(at) && !is_day {
        return FieldRole::Reference;
    }
    if table.primary_key == [at.column] {
        // A day that is the key of a calendar is a time all the same.
        return match column.kind {
            ColumnKind::Date | ColumnKind::Timestamp => FieldRole::Time,
            _ => FieldRole::Identifier,
        };
    }
    if let Some(form) = flag(column, profile, name) {
        return FieldRole::Flag(form);
    }
    if of.codes(at).is_some() {
        return FieldRole::Code;
    }
    if is_time((column, profile, name)) {
        return FieldRole::Time;
    }
    if column.kind.is_numeric() {
        return number(of, at, (column, profile, name));
    }
    match column.kind {
        ColumnKind::Time => FieldRole::Time,
        ColumnKind::Blob | ColumnKind::Other => FieldRole::Document,
        ColumnKind::Uuid => FieldRole::Identifier,
        ColumnKind::Enum => FieldRole::Code,
        ColumnKind::Interval => FieldRole::Measure(Additivity::Sum),
        _ => text((column, profile, name)),
    }
}

/// How a truth value is stored in a column; `None` where it holds something else.
fn flag(column: &Column, profile: Option<&ColumnProfile>, name: &[String]) -> Option<FlagForm> {
    if column.kind == ColumnKind::Boolean {
        return Some(FlagForm::Boolean);
    }
    let profile = profile?;
    let says_so = name.len() > 1
        && matches!(
            name[0].as_str(),
            "is" | "has" | "can" | "was" | "do" | "need" | "allow"
        )
        || name
            .last()
            .is_some_and(|last| matches!(last.as_str(), "flag" | "flg" | "yn" | "ind" | "indic"));
    let two = profile.distinct == 2 || (says_so && profile.distinct == 1);
    if !two {
        return None;
    }
    let forms: [(&[&str], FlagForm); 6] = [
        (&["true", "false"], FlagForm::TrueFalse),
        (&["t", "f"], FlagForm::Letter),
        (&["yes", "no"], FlagForm::YesNo),
        (&["y", "n"], FlagForm::YN),
        (&["j", "n"], FlagForm::YN),
        (&["1", "0"], FlagForm::Number),
    ];
    let form = forms.into_iter().find(|(values, _)| profile.is_within(values))?.1;
    // Two numbers are a flag where the column is not called a count.
    let counts = KEY.last(name) || EXTENSIVE.any(name) && says_several(&column.name);
    let counted = form == FlagForm::Number && counts && !says_so;
    (!counted).then_some(form)
}

/// True for a name of several, or of how much: `views`, `qty`; not for `sea_view`, `vat_registered` or `attended`, of which
/// a row has one or none.
fn says_several(name: &str) -> bool {
    words::identifier_words(name).last().is_some_and(|last| {
        let amount = matches!(
            last.as_str(),
            "quantity" | "qty" | "count" | "cnt" | "amount" | "amt" | "total" | "sum" | "cost" | "value"
        );
        // Of one accident two are injured.
        let of_people = matches!(
            last.as_str(),
            "children" | "people" | "killed" | "injured" | "pax"
        );
        amount || of_people || words::is_plural(last)
    })
}

fn is_time((column, profile, name): ColumnFacts<'_>) -> bool {
    let format = profile.and_then(|profile| profile.format);
    if column.kind.is_temporal() {
        return true;
    }
    let says = |wanted: &[&str]| name.iter().any(|word| wanted.contains(&word.as_str()));
    match format {
        Some(
            Format::Date | Format::DateTime | Format::YearMonth | Format::DayMonthYear | Format::MonthDayYear,
        ) => true,
        Some(Format::CompactDate) => {
            says(&[
                "date", "dt", "day", "dat", "on", "time", "key", "from", "to", "sinc", "open", "close",
            ]) || says_when(name)
                || profile.is_some_and(are_days)
        }
        Some(Format::CompactMonth) => says(&["month", "mon", "period", "date", "ym", "key", "mth"]),
        Some(Format::UnixSeconds | Format::UnixMilliseconds) => {
            says(&[
                "time",
                "timestamp",
                "ts",
                "at",
                "date",
                "dt",
                "on",
                "epoch",
                "tm",
                "when",
            ]) || says_when(name) && !EXTENSIVE.any(name)
        }
        Some(Format::Year) => says(&["year", "yr", "founded", "found", "built", "establish", "season"]),
        _ => false,
    }
}

/// True for a name that says what happened then: `created`, `last_seen`, `eff_fr`; not for a number of an order.
pub fn says_when(name: &[String]) -> bool {
    let says = [&START, &END, &LIFE, &BOOKKEEPING];
    !KEY.last(name) && says.iter().any(|words| words.any(name))
}

/// True for numbers of eight digits that are days by themselves: of other numbers hardly one in thirty would be.
fn are_days(profile: &ColumnProfile) -> bool {
    const ENOUGH: u64 = 10;
    const LATEST: f64 = 21_991_231.0;
    profile.distinct >= ENOUGH
        && profile
            .highest
            .is_some_and(|highest| highest <= LATEST || highest >= 99_991_231.0)
}

fn number(of: &Evidence<'_>, at: ColumnRef, (column, profile, name): ColumnFacts<'_>) -> FieldRole {
    let owner = lexicon::table_stems(&of.schema.tables[at.table].name);
    let own: Vec<String> = name
        .iter()
        .filter(|word| !owner.contains(word))
        .cloned()
        .collect();
    let few =
        profile.is_some_and(|profile| profile.distinct <= FEW && profile.distinct * 5 <= profile.values);
    let whole = column.kind == ColumnKind::Integer && profile.is_none_or(|profile| profile.fractions == 0);
    let last = name.last().map(String::as_str).unwrap_or_default();
    if whole && KIND.last(name) && profile.is_none_or(|profile| profile.distinct <= FEW) {
        return FieldRole::Code;
    }
    // `line_no`, `week_num`: a place in a short order.
    let low = profile.is_some_and(|profile| {
        let repeats = profile.distinct * 2 < profile.values;
        profile.highest.is_some_and(|highest| {
            highest < 1_000.0 && repeats || highest < 100.0 && profile.distinct < profile.values
        })
    });
    if whole
        && low
        && matches!(last, "no" | "nr" | "nbr" | "num" | "number")
        && !EXTENSIVE.any(&own)
        && name.first().is_none_or(|first| first != last)
    {
        return FieldRole::Dimension;
    }
    // `PAY_NO` of payments, where nothing pays.
    let alone = profile.is_some_and(|profile| profile.is_unique() && profile.values > 3);
    if whole && (SURE_KEY.last(name) || alone && name.len() == 2 && KEY.last(name)) {
        return FieldRole::Identifier;
    }
    if whole && name.len() > 1 && KEY.last(name) && !EXTENSIVE.any(&own) {
        let counts =
            matches!(last, "num" | "number" | "no" | "nr" | "nbr") && name[name.len() - 2..][0] == "of";
        if !counts {
            return if few {
                FieldRole::Code
            } else {
                FieldRole::Identifier
            };
        }
    }
    // `pages` are counted, a page is a place.
    let plural = words::is_plural(&column.name.to_lowercase()) && last != "pos";
    // A reorder level is an amount that stock is held against; `on_order`, `in_stock` say how many there are of it.
    let in_state = says_state(name);
    let of_stock = in_state
        || name.iter().any(|word| {
            matches!(
                word.as_str(),
                "reorder" | "reord" | "restock" | "stock" | "safeti"
            )
        });
    if whole
        && ORDINAL.last(name)
        && !plural
        && !of_stock
        && !matches!(last, "hour" | "week" | "day" | "month" | "year" | "point" | "lap")
    {
        return FieldRole::Dimension;
    }
    // `hour`, `week` alone are parts of a date; `hours`, `training_days` are amounts.
    if whole && name.len() == 1 && ORDINAL.has(last) && !column.name.to_lowercase().ends_with('s') {
        return FieldRole::Dimension;
    }
    // `units_in_stock` are counted, `unit_price` is of one.
    let is_figure = name.len() > 1
        && !column.name.to_lowercase().starts_with("units")
        && matches!(
            name[0].as_str(),
            "avg"
                | "averag"
                | "mean"
                | "max"
                | "min"
                | "unit"
                | "unt"
                | "std"
                | "standard"
                | "median"
                | "hour"
        );
    let additivity = if is_figure || name.iter().any(|word| word == "per") {
        Additivity::Average
    } else if in_state || STOCK.any(name) {
        Additivity::Last
    } else if INTENSIVE.last(name) {
        Additivity::Average
    } else if EXTENSIVE.any(name) {
        if INTENSIVE.any(name) && !EXTENSIVE.last(name) {
            Additivity::Average
        } else {
            Additivity::Sum
        }
    } else if INTENSIVE.any(name) {
        Additivity::Average
    } else if whole && own.is_empty() && of.tells_of_others(at.table) {
        // `marks.mark`: a table of what is given to others is called by what is given.
        Additivity::Average
    } else if whole
        && !plural
        && (few || !of_stock && profile.is_some_and(is_short_list))
        && profile.is_some_and(|profile| profile.highest.is_some_and(|highest| highest < 20.0))
    {
        return FieldRole::Code;
    } else {
        Additivity::Sum
    };
    FieldRole::Measure(additivity)
}

/// True for the name of a number that says how many are so: `in_stock`, `on_order`, `on_hand`.
pub(super) fn says_state(name: &[String]) -> bool {
    let [first, last] = name else { return false };
    matches!(first.as_str(), "in" | "on" | "under")
        && matches!(
            last.as_str(),
            "stock" | "order" | "hand" | "loan" | "hire" | "rent" | "transit" | "repair" | "use" | "storag"
        )
}

/// Rows of a short table at most.
const SHORT: u64 = 60;

/// True for a column of a short table that has most values twice.
fn is_short_list(profile: &ColumnProfile) -> bool {
    profile.values <= SHORT && profile.distinct * 2 <= profile.values
}

/// True for texts of one word with digits that tell rows apart, whatever the column is called: `M0034471`, `GH-77A1`.
fn are_keys(profile: &ColumnProfile) -> bool {
    /// Of fewer rows any may have another text.
    const ENOUGH: u64 = 20;
    profile.is_unique()
        && profile.values > ENOUGH
        && profile.tenth_words == 10
        && profile.format.is_none()
        && profile
            .sample
            .as_ref()
            .is_some_and(|sample| sample.bytes().any(|byte| byte.is_ascii_digit()))
}

fn text((column, profile, name): ColumnFacts<'_>) -> FieldRole {
    let Some(profile) = profile.filter(|profile| profile.values > profile.blanks) else {
        return if PROSE.last(name) {
            FieldRole::Text
        } else {
            FieldRole::Dimension
        };
    };
    if profile.format == Some(Format::Json) {
        return FieldRole::Document;
    }
    if profile.tenth_words >= PROSE_WORDS
        || (PROSE.last(name) && profile.tenth_words >= 30 && profile.frequent.is_empty())
    {
        return FieldRole::Text;
    }
    let held = profile.values - profile.blanks;
    // `post_code`: where somebody lives, however many live elsewhere.
    let place = name
        .iter()
        .any(|word| matches!(word.as_str(), "post" | "postal" | "zip"));
    if KEY.last(name) && profile.distinct * 2 > held && held > 3 && !place {
        return FieldRole::Identifier;
    }
    let short = profile.frequent.iter().all(|(value, _)| value.trim().len() <= 4);
    if !profile.frequent.is_empty()
        && profile.distinct <= FEW
        && profile.distinct * 3 <= held
        && (short || column.unique)
    {
        return FieldRole::Code;
    }
    if NAME.any(name) && profile.distinct * 2 > held {
        return FieldRole::Name;
    }
    let called = |word: &String| {
        matches!(
            word.as_str(),
            "phone" | "tel" | "telephon" | "mobil" | "cell" | "fax"
        )
    };
    if are_keys(profile) && !place && !name.iter().any(called) {
        return FieldRole::Identifier;
    }
    FieldRole::Dimension
}

/// The meanings of codes that a comment tells: `B = van, C = truck`, `1: yes; 0: no`.
fn labels(column: &Column, profile: Option<&ColumnProfile>) -> Vec<(String, String)> {
    let Some(comment) = &column.comment else {
        return Vec::new();
    };
    let known = |code: &str| {
        profile.is_none_or(|profile| {
            profile
                .frequent
                .iter()
                .any(|(value, _)| value.trim().eq_ignore_ascii_case(code))
        })
    };
    let parts = || comment.split([',', ';', '\n']).map(str::trim);
    // `ACT active, EXP expired`.
    let codes_first = || {
        parts().filter_map(|part| {
            let (code, label) = part.split_once(' ')?;
            let is_code = code.len() <= 4 && !code.chars().any(char::is_lowercase);
            (is_code && !label.contains(['=', ':']) && known(code)).then_some((code, label))
        })
    };
    if codes_first().count() >= 2 {
        return codes_first()
            .map(|(code, label)| (code.to_owned(), label.trim().to_owned()))
            .collect();
    }
    parts()
        .filter_map(|part| part.split_once('=').or_else(|| part.split_once(':')))
        .map(|(code, label)| {
            let code = code
                .rsplit([' ', '('])
                .find(|word| !word.is_empty())
                .unwrap_or_default();
            let clean = |text: &str| text.trim().trim_matches(['\'', '"', '.', ')']).to_owned();
            (clean(code), clean(label))
        })
        .filter(|(code, label)| !code.is_empty() && !label.is_empty() && known(code))
        .collect()
}
