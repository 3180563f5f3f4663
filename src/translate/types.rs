//! The types that columns declare and casts name, with what stands in their parentheses.

use sqlparser::ast::{ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, TimezoneInfo};

use super::Ty;

/// A type with what stands in its parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) ty: Ty,
    /// Length, or precision and scale.
    pub(super) modifier: Option<(i64, i64)>,
}

/// Digits that SQLite's own numbers keep.
const KEPT: i64 = 15;

impl Target {
    /// What the parentheses say, as `pg_attribute.atttypmod` has it.
    pub(super) fn told(self) -> Option<i32> {
        let (one, two) = self.modifier?;
        let told = match self.ty {
            Ty::Numeric => ((one << 16) | (two & 0x7ff)) + 4,
            Ty::Varchar | Ty::Bpchar => one + 4,
            Ty::Time | Ty::Timestamp | Ty::Timestamptz => one.clamp(0, 6),
            _ => return None,
        };
        i32::try_from(told).ok()
    }

    /// A type with what is told of it.
    pub(super) fn with_told(ty: Ty, told: Option<i32>) -> Self {
        let modifier = told.map(i64::from).and_then(|told| match ty {
            // PostgreSQL's scales of 11 bits are signed.
            Ty::Numeric => Some(((told - 4) >> 16, (((told - 4) & 0x7ff) ^ 0x400) - 0x400)),
            Ty::Varchar | Ty::Bpchar => Some((told - 4, 0)),
            Ty::Time | Ty::Timestamp | Ty::Timestamptz => Some((told, 0)),
            _ => None,
        });
        Self { ty, modifier }
    }
}

/// What SQLite is told of a column of a type, where its own rules for the type's name would change values: text that
/// looks like a number, and numbers with more digits than SQLite's have.
pub(super) fn stored(target: Target) -> Option<&'static str> {
    match target.ty {
        Ty::Numeric if target.modifier.is_none_or(|(precision, _)| precision > KEPT) => Some("NUMERIC_TEXT"),
        Ty::Bit => Some("BIT_TEXT"),
        Ty::Varbit => Some("VARBIT_TEXT"),
        Ty::Name => Some("NAME_TEXT"),
        Ty::Char => Some("CHAR_TEXT"),
        _ => None,
    }
}

/// What [`declared`] reads as a type, for what SQLite keeps no type of; none where nothing tells the type.
pub(super) fn spelled(ty: Ty, exact: bool, modifier: Option<i32>) -> Option<String> {
    let length = modifier.map(|modifier| modifier - 4).filter(|length| *length > 0);
    Some(match (ty, length) {
        (
            Ty::Unknown
            | Ty::Dynamic
            | Ty::Void
            | Ty::Registered(_)
            | Ty::Vector(_)
            | Ty::Record(_)
            | Ty::Any
            | Ty::AnyElement
            | Ty::AnyArray,
            _,
        ) => return None,
        (Ty::Array(of), _) => format!("{}[]", spelled(*of, false, None)?),
        (Ty::Numeric, _) if exact => "numeric_text".into(),
        (Ty::Numeric, Some(digits)) => format!("numeric({},{})", digits >> 16, digits & 0x7ff),
        (Ty::Varchar, Some(length)) => format!("varchar({length})"),
        (ty, _) => stored(Target {
            ty,
            modifier: Some((1, 0)),
        })
        .map_or_else(|| ty.internal(), str::to_lowercase),
    })
}

/// True for a column of `numeric` that is declared so.
pub(super) fn keeps_digits(declared: &str) -> bool {
    let word = declared.split(['(', ' ']).next().unwrap_or_default();
    word.eq_ignore_ascii_case("numeric_text")
}

/// What stands in front of the type of a column of the catalogue.
const CATALOGUE: &str = "pg_catalog.";

/// The type that a column declares, as users of SQLite write them.
pub(super) fn declared(declared: &str) -> Target {
    let lower = declared.trim().to_ascii_lowercase();
    if let Some(name) = lower.strip_prefix(CATALOGUE) {
        return Target {
            ty: in_catalogue(name).unwrap_or(Ty::Text),
            modifier: None,
        };
    }
    let (base, modifier) = match lower.split_once('(') {
        Some((base, rest)) => {
            let (inside, behind) = rest.split_once(')').unwrap_or((rest, ""));
            let mut numbers = inside.split(',').map(|number| number.trim().parse::<i64>().ok());
            let first = numbers.next().flatten();
            let second = numbers.next().flatten().unwrap_or(0);
            (
                format!("{} {}", base.trim(), behind.trim()),
                first.map(|first| (first, second)),
            )
        }
        None => (lower.clone(), None),
    };
    let base = base.trim();
    if let Some(of) = base.strip_suffix("[]") {
        return Target {
            ty: self::declared(of).ty.array(),
            modifier: None,
        };
    }
    let first = base.split_whitespace().next().unwrap_or_default();
    let ty = match first {
        "bool" | "boolean" => Ty::Bool,
        "oid" => Ty::Oid,
        "name" | "name_text" => Ty::Name,
        "timetz" => Ty::Timetz,
        "money" if modifier.is_none() => Ty::Money,
        "bit_text" => Ty::Bit,
        "varbit_text" => Ty::Varbit,
        "inet" => Ty::Inet,
        "cidr" => Ty::Cidr,
        "macaddr" => Ty::Macaddr,
        "xml" => Ty::Xml,
        "char_text" => Ty::Char,
        "int2" | "smallint" => Ty::Int2,
        "int4" => Ty::Int4,
        "real" | "float" | "double" | "float8" => Ty::Float8,
        "float4" => Ty::Float4,
        "decimal" | "numeric" | "dec" | "numeric_text" => Ty::Numeric,
        "date" => Ty::Date,
        "timestamptz" => Ty::Timestamptz,
        "timestamp" if base.contains("with time zone") => Ty::Timestamptz,
        "timestamp" | "datetime" => Ty::Timestamp,
        "time" => Ty::Time,
        "interval" => Ty::Interval,
        "varchar" | "nvarchar" | "character" | "char" | "nchar" => Ty::Varchar,
        "bpchar" => Ty::Bpchar,
        "text" | "clob" | "string" | "citext" => Ty::Text,
        "blob" | "bytea" | "binary" | "varbinary" => Ty::Bytea,
        "json" => Ty::Json,
        "jsonb" => Ty::Jsonb,
        "uuid" | "guid" => Ty::Uuid,
        word if word.contains("int") || word == "serial" || word == "bigserial" => Ty::Int8,
        word if word.contains("char") || word.contains("text") => Ty::Text,
        _ => Ty::Dynamic,
    };
    let keeps = matches!(
        ty,
        Ty::Numeric | Ty::Varchar | Ty::Bpchar | Ty::Time | Ty::Timestamp | Ty::Timestamptz
    );
    Target {
        ty,
        modifier: modifier.filter(|_| keeps),
    }
}

/// A type by its name in `pg_type`.
fn in_catalogue(name: &str) -> Option<Ty> {
    match name {
        "xid" | "cid" => Some(Ty::Oid),
        "aclitem" | "pg_node_tree" | "pg_lsn" | "cstring" | "character_data" | "yes_or_no" => Some(Ty::Text),
        "sql_identifier" => Some(Ty::Name),
        "cardinal_number" => Some(Ty::Int4),
        "time_stamp" => Some(Ty::Timestamptz),
        _ => match name.strip_prefix('_') {
            Some(of) => in_catalogue(of).map(Ty::array),
            None => Ty::named(name).filter(|ty| {
                !matches!(
                    ty,
                    Ty::Any | Ty::AnyElement | Ty::AnyArray | Ty::Unknown | Ty::Dynamic | Ty::Record(_)
                )
            }),
        },
    }
}

/// True for a word that users of SQLite take for a type.
pub(super) fn is_sqlites(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [
        "blob", "clob", "string", "datetime", "text", "char", "int", "real", "signed", "none", "any",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// True for a type that neither PostgreSQL has nor users of SQLite write.
pub(super) fn is_nobodys(data_type: &DataType) -> bool {
    /// PostgreSQL's that have no values here of their own.
    const RARE: [&str; 16] = [
        "point", "line", "lseg", "box", "path", "polygon", "circle", "tsvector", "tsquery", "pg_lsn",
        "macaddr8", "jsonpath", "xid", "xid8", "cid", "tid",
    ];
    let DataType::Custom(name, _) = data_type else {
        return false;
    };
    let name = name.to_string().to_lowercase();
    let plain = name.strip_prefix("pg_catalog.").unwrap_or(&name);
    let is_rare = RARE.contains(&plain) || ["reg", "range"].iter().any(|part| plain.contains(part));
    !(is_rare || is_sqlites(&name))
}

fn exact(info: &ExactNumberInfo) -> Option<(i64, i64)> {
    match info {
        ExactNumberInfo::None => None,
        ExactNumberInfo::Precision(precision) => Some((*precision as i64, 0)),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => Some((*precision as i64, *scale)),
    }
}

fn length(length: Option<&CharacterLength>) -> Option<(i64, i64)> {
    match length? {
        CharacterLength::IntegerLength { length, .. } => Some((*length as i64, 0)),
        CharacterLength::Max => None,
    }
}

/// The type that a cast or a column of a new table names; `None` where there is none such here.
pub(super) fn target(data_type: &DataType) -> Option<Target> {
    let mut modifier = None;
    let ty = match data_type {
        DataType::Bool | DataType::Boolean => Ty::Bool,
        DataType::SmallInt(_) | DataType::Int2(_) => Ty::Int2,
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) => Ty::Int4,
        DataType::BigInt(_) | DataType::Int8(_) => Ty::Int8,
        DataType::Real | DataType::Float4 => Ty::Float4,
        DataType::Float(info) => match exact(info) {
            Some((precision, _)) if precision <= 24 => Ty::Float4,
            _ => Ty::Float8,
        },
        DataType::Float8 | DataType::DoublePrecision | DataType::Double(_) => Ty::Float8,
        DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info) => {
            modifier = exact(info);
            Ty::Numeric
        }
        DataType::Text => Ty::Text,
        DataType::Varchar(size) | DataType::CharacterVarying(size) | DataType::CharVarying(size) => {
            modifier = length(size.as_ref());
            Ty::Varchar
        }
        DataType::Char(size) | DataType::Character(size) => {
            modifier = length(size.as_ref()).or(Some((1, 0)));
            Ty::Bpchar
        }
        DataType::Bytea => Ty::Bytea,
        DataType::Date => Ty::Date,
        DataType::Time(precision, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => {
            modifier = precision.map(|precision| (precision as i64, 0));
            Ty::Time
        }
        DataType::Time(..) => Ty::Timetz,
        DataType::Bit(length) => {
            modifier = Some((length.map_or(1, |length| length as i64), 0));
            Ty::Bit
        }
        DataType::BitVarying(_) | DataType::VarBit(_) => Ty::Varbit,
        DataType::Timestamp(precision, zone) => {
            modifier = precision.map(|precision| (precision as i64, 0));
            match zone {
                TimezoneInfo::None | TimezoneInfo::WithoutTimeZone => Ty::Timestamp,
                _ => Ty::Timestamptz,
            }
        }
        DataType::Interval { .. } => Ty::Interval,
        DataType::JSON => Ty::Json,
        DataType::JSONB => Ty::Jsonb,
        DataType::Uuid => Ty::Uuid,
        DataType::Regclass => Ty::Registered("regclass"),
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(of, _)
            | ArrayElemTypeDef::AngleBracket(of)
            | ArrayElemTypeDef::Qualified(of, _),
        ) => target(of)?.ty.array(),
        DataType::Custom(name, arguments) => {
            let ident = name.0.last()?.as_ident()?;
            let name = ident.value.to_ascii_lowercase();
            modifier = arguments
                .first()
                .and_then(|length| length.parse().ok())
                .map(|n| (n, 0));
            match name.as_str() {
                "oid" => Ty::Oid,
                "name" => Ty::Name,
                "bpchar" => Ty::Bpchar,
                "serial" | "serial4" => Ty::Int4,
                "bigserial" | "serial8" => Ty::Int8,
                "smallserial" | "serial2" => Ty::Int2,
                "timestamptz" => Ty::Timestamptz,
                "timetz" => Ty::Timetz,
                "money" => Ty::Money,
                "inet" => Ty::Inet,
                "cidr" => Ty::Cidr,
                "macaddr" => Ty::Macaddr,
                "xml" => Ty::Xml,
                "char" if ident.quote_style.is_some() => Ty::Char,
                name => in_catalogue(name)?,
            }
        }
        _ => return None,
    };
    Some(Target { ty, modifier })
}
