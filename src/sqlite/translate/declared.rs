//! Types as columns of a SQLite file declare them: how a new one is spelled there, and what the words mean that any
//! program may have written. Whoever tells a column's type asks here.

use sqlparser::ast::{ArrayElemTypeDef, DataType};

use super::{
    Ty,
    types::{self, ALL_FIELDS, Target, fields_named, fields_shown, in_catalog, is_rare},
};

/// Digits that SQLite's own numbers keep.
const KEPT: i64 = 15;

/// What stands in front of the type of a column of the catalogue.
const CATALOGUE: &str = "pg_catalog.";

/// The type that a column declares, and its modifier as `pg_attribute.atttypmod` has it; no type where its words say
/// nothing.
pub(crate) fn declared_type(declared: &str) -> Option<(Ty, Option<i32>)> {
    let target = read(declared);
    (target.ty != Ty::Dynamic).then(|| (target.ty, target.told()))
}

/// The names of two types, where a foreign key of the one may not refer to a column of the other.
pub(crate) fn do_not_refer(one: &str, other: &str) -> Option<(String, String)> {
    let ((one, _), (other, _)) = (declared_type(one)?, declared_type(other)?);
    (!one.refers_to(other)).then(|| (one.shown(), other.shown()))
}

/// What SQLite is told of a column of a type, where its own rules for the type's name would change values: text that
/// looks like a number, and numbers with more digits than SQLite's have.
fn stored(target: Target) -> Option<&'static str> {
    match target.ty {
        Ty::Numeric if target.modifier.is_none_or(|(precision, _)| precision > KEPT) => Some("NUMERIC_TEXT"),
        Ty::Bit => Some("BIT_TEXT"),
        Ty::Varbit => Some("VARBIT_TEXT"),
        Ty::Name => Some("NAME_TEXT"),
        Ty::Char => Some("CHAR_TEXT"),
        // Documents that are bare numbers.
        Ty::Json => Some("JSON_TEXT"),
        Ty::Jsonb => Some("JSONB_TEXT"),
        Ty::Xml => Some("XML_TEXT"),
        _ => None,
    }
}

/// What a column of a new table is declared as, and the words for it: SQLite's own stay as they are. `None` where nobody
/// has such a type.
pub(super) fn of_column(data_type: &DataType) -> Option<(Target, String)> {
    if let Some(target) = types::target(data_type).or_else(|| rare(data_type)) {
        return Some((target, spelled(target)));
    }
    let words = data_type.to_string();
    if !types::is_sqlites(&words) {
        return None;
    }
    let target = read(&words);
    // SQLite would make numbers of what looks like one where the word alone says that it is text.
    let is_text = target.ty == Ty::Text && by_affinity(&words.to_ascii_lowercase()) != Ty::Text;
    Some((target, if is_text { spelled(target) } else { words }))
}

/// A type of PostgreSQL's that is text here, or an array of it.
fn rare(data_type: &DataType) -> Option<Target> {
    if let DataType::Array(ArrayElemTypeDef::SquareBracket(of, _)) = data_type {
        return rare(of).map(|of| Target::plain(of.ty.array()));
    }
    is_rare(&data_type.to_string().to_ascii_lowercase()).then(|| Target::plain(Ty::Text))
}

/// The type that a column declares in PostgreSQL's words, which [`of_column`] takes for the same.
pub(crate) fn in_postgresql(declared: &str) -> String {
    let target = read(declared.trim().trim_matches('"'));
    match target.ty {
        // SQLite's word for a column that holds anything.
        Ty::Dynamic => "any".into(),
        Ty::Char => "\"char\"".into(),
        Ty::Array(Ty::Char) => "\"char\"[]".into(),
        _ => named(target),
    }
}

/// A type as a column of a new table declares it.
pub(super) fn spelled(target: Target) -> String {
    let word = match target.ty {
        Ty::Int4 => "INT4".into(),
        Ty::Int2 => "INT2".into(),
        Ty::Int8 => "BIGINT".into(),
        Ty::Float4 => "FLOAT4".into(),
        Ty::Float8 => "DOUBLE PRECISION".into(),
        Ty::Array(of) => return format!("\"{}\"", array(target.of(*of))),
        // In quotes, since others keep numbers and other words under these names: what is spelled so holds what it says.
        Ty::Date | Ty::Timestamp => {
            return format!("\"{}{}\"", target.ty.internal(), parentheses(target));
        }
        Ty::Interval => {
            let text = interval(target);
            // SQLite reads no TO in a type.
            let quotes = if text.contains(' ') { "\"" } else { "" };
            return format!("{quotes}{text}{quotes} COLLATE pg_interval");
        }
        ty => stored(target).map_or_else(|| ty.internal().to_ascii_uppercase(), str::to_owned),
    };
    // By which a key of such a column tells its values apart.
    let order = match word.as_str() {
        "NUMERIC_TEXT" => " COLLATE pg_numeric",
        "JSONB_TEXT" => " COLLATE pg_jsonb",
        _ => "",
    };
    format!("{word}{}{order}", parentheses(target))
}

fn array(of: Target) -> String {
    format!("{}[]", named(of))
}

pub(super) fn named(target: Target) -> String {
    match target.ty {
        Ty::Array(of) => array(target.of(*of)),
        Ty::Interval => interval(target).to_ascii_lowercase(),
        ty => format!("{}{}", ty.internal(), parentheses(target)),
    }
}

fn interval(target: Target) -> String {
    let Some((digits, fields)) = target.modifier else {
        return "INTERVAL".into();
    };
    let digits = if digits < 0 {
        String::new()
    } else {
        format!("({digits})")
    };
    match fields_shown(fields) {
        "" => format!("INTERVAL{digits}"),
        fields => format!("interval {fields}{digits}"),
    }
}

fn parentheses(target: Target) -> String {
    match (target.ty, target.modifier) {
        (Ty::Numeric, Some((one, two))) => format!("({one}, {two})"),
        (
            Ty::Varchar
            | Ty::Bpchar
            | Ty::Bit
            | Ty::Varbit
            | Ty::Time
            | Ty::Timetz
            | Ty::Timestamp
            | Ty::Timestamptz,
            Some((one, _)),
        ) => format!("({one})"),
        _ => String::new(),
    }
}

/// What [`read`] takes for a type, of what SQLite keeps no type of: a view's column. None where nothing tells the type.
pub(super) fn noted(ty: Ty, exact: bool, told: Option<i32>) -> Option<String> {
    if matches!(
        ty,
        Ty::Unknown
            | Ty::Dynamic
            | Ty::Void
            | Ty::Registered(_)
            | Ty::Vector(_)
            | Ty::Composite
            | Ty::Record(_)
            | Ty::Any
            | Ty::AnyElement
            | Ty::AnyArray
    ) {
        return None;
    }
    let target = Target::with_told(ty, told);
    let text = match ty {
        Ty::Numeric if exact => format!("numeric_text{}", parentheses(target)),
        // A number of SQLite's own.
        Ty::Numeric => format!("numeric{}", parentheses(target)),
        Ty::Array(of) => array(target.of(*of)),
        Ty::Interval => interval(target).to_ascii_lowercase(),
        ty => {
            let word = stored(target).map_or_else(|| ty.internal(), str::to_lowercase);
            word + &parentheses(target)
        }
    };
    Some(text)
}

/// The type that a column declares once it is made with these words.
pub(super) fn to_be(spelled: &str) -> String {
    let word = spelled.split(" COLLATE").next().unwrap_or_default();
    word.trim_matches('"').to_owned()
}

/// True for a column of `numeric` that is declared so.
pub(super) fn keeps_digits(declared: &str) -> bool {
    let word = declared.split(['(', ' ']).next().unwrap_or_default();
    word.eq_ignore_ascii_case("numeric_text")
}

/// The type that a column declares: as a translated CREATE TABLE spells it, and as users of SQLite and of other databases
/// do.
pub(super) fn read(declared: &str) -> Target {
    let lower = declared.trim().to_ascii_lowercase();
    if let Some(name) = lower.strip_prefix(CATALOGUE) {
        return Target::plain(in_catalog(name).unwrap_or(Ty::Text));
    }
    if let Some(of) = lower.strip_suffix("[]") {
        // Only PostgreSQL has arrays, and `bit` and `char` are its own there.
        let word = of.split('(').next().unwrap_or_default();
        let of = match word {
            "bit" | "varbit" | "char" => read(&of.replacen(word, &format!("{word}_text"), 1)),
            _ => read(of),
        };
        let ty = if of.ty == Ty::Dynamic { Ty::Text } else { of.ty };
        return of.of(ty.array());
    }
    let (base, numbers) = match lower.split_once('(') {
        Some((base, rest)) => {
            let (inside, behind) = rest.split_once(')').unwrap_or((rest, ""));
            let numbers = inside.split(',').map(|number| number.trim().parse::<i64>().ok());
            (format!("{} {}", base.trim(), behind.trim()), numbers.collect())
        }
        None => (lower, vec![]),
    };
    let words: Vec<&str> = base.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    let first = numbers.first().copied().flatten();
    let second = numbers.get(1).copied().flatten();
    let Some(word) = words.first() else {
        return Target::plain(Ty::Dynamic);
    };
    if *word == "interval" {
        let fields = fields_named(&words[1..].join(" "));
        let modifier = (fields.is_some() || first.is_some())
            .then(|| (first.unwrap_or(-1), fields.unwrap_or(ALL_FIELDS)));
        return Target {
            ty: Ty::Interval,
            modifier,
        };
    }
    let ty = match *word {
        "bool" | "boolean" => Ty::Bool,
        // What a translated CREATE TABLE declares, and types that no other database spells so.
        "bit_text" => Ty::Bit,
        "varbit_text" => Ty::Varbit,
        "char_text" => Ty::Char,
        "name" | "name_text" => Ty::Name,
        "oid" => Ty::Oid,
        "timetz" => Ty::Timetz,
        "inet" => Ty::Inet,
        "cidr" => Ty::Cidr,
        "macaddr" => Ty::Macaddr,
        "xml" | "xml_text" => Ty::Xml,
        "bpchar" => Ty::Bpchar,
        "float4" => Ty::Float4,
        // Other databases' `money` has digits in parentheses, or is a number all the same.
        "money" if first.is_none() => Ty::Money,
        // SQLite's users write INT for any whole number, and hardly anybody but PostgreSQL's writes these.
        "int2" | "smallint" => Ty::Int2,
        "int4" => Ty::Int4,
        "tinyint" | "smallserial" | "year" | "serial" | "bigserial" | "unsigned" | "signed" | "long"
        | "counter" | "autonumber" | "bit" | "rowid" => Ty::Int8,
        // NUMBER(10, 2) has decimals, NUMBER(10) has none.
        "number" if first.is_some() && second.is_none() => Ty::Int8,
        "decimal" | "numeric" | "dec" | "numeric_text" | "number" | "money" | "smallmoney" | "fixed"
        | "currency" => Ty::Numeric,
        "real" | "float" | "double" | "float8" | "binary_double" | "binary_float" => Ty::Float8,
        "date" => Ty::Date,
        "timestamptz" | "datetimeoffset" => Ty::Timestamptz,
        "timestamp" if has("with") && !has("without") => Ty::Timestamptz,
        "timestamp" | "datetime" | "datetime2" | "smalldatetime" => Ty::Timestamp,
        "time" if has("with") && !has("without") => Ty::Timetz,
        "time" => Ty::Time,
        // SQLite does not pad, so `character(n)` would promise too much.
        "varchar" | "varchar2" | "nvarchar" | "nvarchar2" | "varying" | "character" | "char" | "nchar"
        | "national" => Ty::Varchar,
        "text" | "tinytext" | "mediumtext" | "longtext" | "clob" | "nclob" | "ntext" | "string"
        | "citext" | "enum" | "set" | "native" => Ty::Text,
        "blob" | "tinyblob" | "mediumblob" | "longblob" | "binary" | "varbinary" | "bytea" | "image"
        | "raw" => Ty::Bytea,
        "json" | "json_text" => Ty::Json,
        "jsonb" | "jsonb_text" => Ty::Jsonb,
        "uuid" | "guid" | "uniqueidentifier" => Ty::Uuid,
        rare if is_rare(rare) => Ty::Text,
        other => by_affinity(other),
    };
    let keeps = match ty {
        Ty::Numeric => !matches!(*word, "money" | "smallmoney" | "currency"),
        Ty::Time | Ty::Timetz | Ty::Timestamp | Ty::Timestamptz => first.is_some_and(|digits| digits >= 0),
        Ty::Varchar | Ty::Bpchar | Ty::Bit | Ty::Varbit => first.is_some_and(|length| length > 0),
        _ => false,
    };
    Target {
        ty,
        modifier: first.map(|first| (first, second.unwrap_or(0))).filter(|_| keeps),
    }
}

/// SQLite's own rule for words that nobody knows ("Datatypes In SQLite", section 3.1).
fn by_affinity(word: &str) -> Ty {
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    if has(&["int"]) {
        Ty::Int8
    } else if has(&["char", "clob", "text"]) {
        Ty::Text
    } else if has(&["blob"]) {
        Ty::Bytea
    } else if has(&["real", "floa", "doub"]) {
        Ty::Float8
    } else {
        Ty::Dynamic
    }
}

#[cfg(test)]
mod tests {
    use sqlparser::{dialect::PostgreSqlDialect, parser::Parser};

    use super::*;

    #[test]
    fn what_is_spelled_is_read() {
        let scalars = [
            Target::plain(Ty::Bool),
            Target::plain(Ty::Int2),
            Target::plain(Ty::Int4),
            Target::plain(Ty::Int8),
            Target::plain(Ty::Float4),
            Target::plain(Ty::Float8),
            Target::plain(Ty::Numeric),
            Target {
                ty: Ty::Numeric,
                modifier: Some((10, 2)),
            },
            Target {
                ty: Ty::Numeric,
                modifier: Some((30, -2)),
            },
            Target::plain(Ty::Text),
            Target::plain(Ty::Varchar),
            Target {
                ty: Ty::Varchar,
                modifier: Some((3, 0)),
            },
            Target::plain(Ty::Bpchar),
            Target {
                ty: Ty::Bpchar,
                modifier: Some((3, 0)),
            },
            Target::plain(Ty::Name),
            Target::plain(Ty::Char),
            Target::plain(Ty::Bytea),
            Target::plain(Ty::Date),
            Target {
                ty: Ty::Time,
                modifier: Some((0, 0)),
            },
            Target {
                ty: Ty::Timetz,
                modifier: Some((2, 0)),
            },
            Target {
                ty: Ty::Timestamp,
                modifier: Some((3, 0)),
            },
            Target {
                ty: Ty::Timestamptz,
                modifier: Some((3, 0)),
            },
            Target::plain(Ty::Timestamptz),
            Target::plain(Ty::Interval),
            Target {
                ty: Ty::Interval,
                modifier: Some((3, ALL_FIELDS)),
            },
            Target {
                ty: Ty::Interval,
                modifier: Some((-1, 1 << 2)),
            },
            Target {
                ty: Ty::Interval,
                modifier: fields_named("day to second").map(|fields| (0, fields)),
            },
            Target::plain(Ty::Json),
            Target::plain(Ty::Jsonb),
            Target::plain(Ty::Uuid),
            Target::plain(Ty::Oid),
            Target::plain(Ty::Money),
            Target {
                ty: Ty::Bit,
                modifier: Some((1, 0)),
            },
            Target {
                ty: Ty::Varbit,
                modifier: Some((9, 0)),
            },
            Target::plain(Ty::Varbit),
            Target::plain(Ty::Inet),
            Target::plain(Ty::Cidr),
            Target::plain(Ty::Macaddr),
            Target::plain(Ty::Xml),
        ];
        for scalar in scalars {
            for target in [scalar, scalar.of(scalar.ty.array())] {
                let text = spelled(target);
                let declared = to_be(&text);
                assert_eq!(read(&declared), target, "{text}");
                let told = target.told();
                let noted = noted(target.ty, target.ty == Ty::Numeric, told).unwrap();
                assert_eq!(read(&noted), target, "{noted}");
                assert_eq!(Target::with_told(target.ty, told), target, "{text}");
                let (again, words) = column(&in_postgresql(&declared)).unwrap();
                assert_eq!((again, &words), (target, &text));
            }
        }
    }

    /// What a column of a new table is declared as that says this of its type.
    fn column(data_type: &str) -> Option<(Target, String)> {
        let mut parser = Parser::new(&PostgreSqlDialect {})
            .try_with_sql(data_type)
            .unwrap();
        of_column(&parser.parse_data_type().unwrap())
    }

    #[test]
    fn types_that_new_columns_take() {
        for (written, expected) in [
            ("DATETIME", Some((Ty::Timestamp, "DATETIME"))),
            ("nvarchar(20)", Some((Ty::Varchar, "NVARCHAR(20)"))),
            ("number(10,2)", Some((Ty::Numeric, "number(10, 2)"))),
            ("int unsigned", Some((Ty::Int8, "INT UNSIGNED"))),
            ("int(11) unsigned", Some((Ty::Int8, "INT(11) UNSIGNED"))),
            ("blob", Some((Ty::Bytea, "BLOB"))),
            ("any", Some((Ty::Dynamic, "any"))),
            ("string", Some((Ty::Text, "TEXT"))),
            ("json", Some((Ty::Json, "JSON_TEXT"))),
            ("jsonb", Some((Ty::Jsonb, "JSONB_TEXT COLLATE pg_jsonb"))),
            ("xml", Some((Ty::Xml, "XML_TEXT"))),
            ("int4range", Some((Ty::Text, "TEXT"))),
            (
                "pg_catalog.tsvector[]",
                Some((Ty::Array(&Ty::Text), "\"text[]\"")),
            ),
            ("point", Some((Ty::Text, "TEXT"))),
            ("vrachar(10)", None),
            ("intt", None),
            ("blobb", None),
            ("stringint", None),
            ("orange", None),
            ("registry", None),
            ("serialised", None),
            ("datetime[]", None),
        ] {
            let found = column(written);
            let found = found.as_ref().map(|(target, words)| (target.ty, words.as_str()));
            assert_eq!(found, expected, "{written}");
        }
    }

    #[test]
    fn names_of_many_databases() {
        for (declared, expected) in [
            ("INTEGER", Ty::Int8),
            ("unsigned big int", Ty::Int8),
            ("VARCHAR(20)", Ty::Varchar),
            ("varying character (255)", Ty::Varchar),
            ("character varying(30)", Ty::Varchar),
            ("DECIMAL(10,2)", Ty::Numeric),
            ("NUMBER(10)", Ty::Int8),
            ("NUMBER(10, 2)", Ty::Numeric),
            ("DATETIME", Ty::Timestamp),
            ("timestamp with time zone", Ty::Timestamptz),
            ("TIMESTAMP WITHOUT TIME ZONE", Ty::Timestamp),
            ("Double Precision", Ty::Float8),
            ("bool", Ty::Bool),
            ("floating point", Ty::Float8),
            ("UINT64", Ty::Int8),
            ("point", Ty::Text),
            ("JSON", Ty::Json),
            ("jsonb", Ty::Jsonb),
            ("xml", Ty::Xml),
            ("geometry", Ty::Dynamic),
            ("", Ty::Dynamic),
            ("(3)", Ty::Dynamic),
            ("[]", Ty::Array(&Ty::Text)),
        ] {
            assert_eq!(read(declared).ty, expected, "{declared}");
        }
    }
}
