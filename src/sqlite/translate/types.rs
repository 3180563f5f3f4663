//! The types that columns declare and casts name, with what stands in their parentheses.

use sqlparser::ast::{ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, TimezoneInfo};

use super::Ty;
use crate::pgtypes::interval_fields::{self, DAY, HOUR, MINUTE, MONTH, SECOND, YEAR};

/// A type with what stands in its parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) ty: Ty,
    /// Length, or precision and scale.
    pub(super) modifier: Option<(i64, i64)>,
}

impl Target {
    /// A type of which nothing more is said.
    pub(super) fn plain(ty: Ty) -> Self {
        Self { ty, modifier: None }
    }

    /// What the parentheses say, as `pg_attribute.atttypmod` has it.
    pub(super) fn told(self) -> Option<i32> {
        let (one, two) = self.modifier?;
        let told = match self.ty {
            Ty::Numeric => ((one << 16) | (two & 0x7ff)) + 4,
            Ty::Varchar | Ty::Bpchar => one + 4,
            Ty::Time | Ty::Timetz | Ty::Timestamp | Ty::Timestamptz => one.clamp(0, 6),
            Ty::Bit | Ty::Varbit => one,
            Ty::Interval => (two << 16) | if one < 0 { ANY_DIGITS } else { one.min(6) },
            Ty::Array(of) => return self.of(*of).told(),
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
            Ty::Time | Ty::Timetz | Ty::Timestamp | Ty::Timestamptz | Ty::Bit | Ty::Varbit => Some((told, 0)),
            Ty::Interval => {
                let digits = told & ANY_DIGITS;
                Some((if digits == ANY_DIGITS { -1 } else { digits }, told >> 16))
            }
            Ty::Array(of) => Self::with_told(*of, i32::try_from(told).ok()).modifier,
            _ => None,
        });
        Self { ty, modifier }
    }

    /// The same of another type.
    pub(super) fn of(self, ty: Ty) -> Self {
        Self { ty, ..self }
    }
}

/// No digits of seconds in particular, in what is told of an `interval`.
const ANY_DIGITS: i64 = 0xffff;
/// All fields of an `interval`.
pub(super) const ALL_FIELDS: i64 = interval_fields::ALL;

/// The fields that an `interval` may be restricted to, with the bits that stand for them.
const FIELDS: [(&str, i64); 13] = [
    ("year", YEAR),
    ("month", MONTH),
    ("day", DAY),
    ("hour", HOUR),
    ("minute", MINUTE),
    ("second", SECOND),
    ("year to month", YEAR | MONTH),
    ("day to hour", DAY | HOUR),
    ("day to minute", DAY | HOUR | MINUTE),
    ("day to second", DAY | HOUR | MINUTE | SECOND),
    ("hour to minute", HOUR | MINUTE),
    ("hour to second", HOUR | MINUTE | SECOND),
    ("minute to second", MINUTE | SECOND),
];

/// The bits of the fields that words name; none where they name no such fields.
pub(super) fn fields_named(words: &str) -> Option<i64> {
    let mut known = FIELDS.iter();
    known.find(|(name, _)| *name == words).map(|(_, bits)| *bits)
}

/// The fields that bits stand for, in words; empty for all.
pub(super) fn fields_shown(bits: i64) -> &'static str {
    FIELDS
        .iter()
        .find(|(_, known)| *known == bits)
        .map_or("", |(name, _)| name)
}

/// A type by its name in `pg_type`.
pub(super) fn in_catalog(name: &str) -> Option<Ty> {
    match name {
        "xid" | "cid" => Some(Ty::Oid),
        "aclitem" | "pg_node_tree" | "pg_lsn" | "cstring" | "character_data" | "yes_or_no" => Some(Ty::Text),
        "sql_identifier" => Some(Ty::Name),
        "cardinal_number" => Some(Ty::Int4),
        "time_stamp" => Some(Ty::Timestamptz),
        _ => match name.strip_prefix('_') {
            Some(of) => in_catalog(of).map(Ty::array),
            None => Ty::named(name).filter(|ty| {
                !matches!(
                    ty,
                    Ty::Any
                        | Ty::AnyElement
                        | Ty::AnyArray
                        | Ty::Unknown
                        | Ty::Dynamic
                        | Ty::Composite
                        | Ty::Record(_)
                )
            }),
        },
    }
}

/// Types that PostgreSQL has not, as SQLite's documentation and users of it write them, many after other databases.
const SQLITES: [&str; 42] = [
    "any",
    "none",
    "int1",
    "int3",
    "tinyint",
    "mediumint",
    "unsigned",
    "unsigned integer",
    "signed",
    "signed integer",
    "int unsigned",
    "integer unsigned",
    "tinyint unsigned",
    "smallint unsigned",
    "mediumint unsigned",
    "bigint unsigned",
    "long",
    "number",
    "currency",
    "smallmoney",
    "datetime",
    "datetime2",
    "smalldatetime",
    "datetimeoffset",
    "string",
    "nchar",
    "nvarchar",
    "varchar2",
    "nvarchar2",
    "tinytext",
    "mediumtext",
    "longtext",
    "ntext",
    "clob",
    "nclob",
    "blob",
    "tinyblob",
    "mediumblob",
    "longblob",
    "binary",
    "varbinary",
    "guid",
];

/// True for a word that users of SQLite take for a type.
pub(super) fn is_sqlites(written: &str) -> bool {
    let lower = written.to_ascii_lowercase();
    let (word, behind) = lower.split_once('(').unwrap_or((&lower, ""));
    let behind = behind.split_once(')').map_or("", |(_, behind)| behind);
    let word = format!("{}{behind}", word.trim_end());
    SQLITES.contains(&word.as_str())
}

/// Types of PostgreSQL's that have no values here of their own, but text.
const RARE: [&str; 39] = [
    "point",
    "line",
    "lseg",
    "box",
    "path",
    "polygon",
    "circle",
    "tsvector",
    "tsquery",
    "pg_lsn",
    "pg_snapshot",
    "txid_snapshot",
    "macaddr8",
    "jsonpath",
    "xid",
    "xid8",
    "cid",
    "tid",
    "int4range",
    "int8range",
    "numrange",
    "daterange",
    "tsrange",
    "tstzrange",
    "int4multirange",
    "int8multirange",
    "nummultirange",
    "datemultirange",
    "tsmultirange",
    "tstzmultirange",
    "regtype",
    "regproc",
    "regprocedure",
    "regoper",
    "regoperator",
    "regrole",
    "regnamespace",
    "regconfig",
    "regdictionary",
];

/// True for a type of PostgreSQL's that has no values here of its own, but text.
pub(super) fn is_rare(name: &str) -> bool {
    RARE.contains(&name.strip_prefix("pg_catalog.").unwrap_or(name))
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
        DataType::Time(precision, _) => {
            modifier = precision.map(|precision| (precision as i64, 0));
            Ty::Timetz
        }
        DataType::Bit(size) => {
            modifier = Some((size.map_or(1, |size| size as i64), 0));
            Ty::Bit
        }
        DataType::BitVarying(size) | DataType::VarBit(size) => {
            modifier = size.map(|size| (size as i64, 0));
            Ty::Varbit
        }
        DataType::Timestamp(precision, zone) => {
            modifier = precision.map(|precision| (precision as i64, 0));
            match zone {
                TimezoneInfo::None | TimezoneInfo::WithoutTimeZone => Ty::Timestamp,
                _ => Ty::Timestamptz,
            }
        }
        DataType::Interval { fields, precision } => {
            let named = fields
                .as_ref()
                .map(|fields| fields.to_string().to_ascii_lowercase());
            let bits = named.and_then(|named| fields_named(&named));
            let digits = precision.map(|precision| precision as i64);
            modifier = (bits.is_some() || digits.is_some())
                .then(|| (digits.unwrap_or(-1), bits.unwrap_or(ALL_FIELDS)));
            Ty::Interval
        }
        DataType::JSON => Ty::Json,
        DataType::JSONB => Ty::Jsonb,
        DataType::Uuid => Ty::Uuid,
        DataType::Regclass => Ty::Registered("regclass"),
        DataType::Array(
            ArrayElemTypeDef::SquareBracket(of, _)
            | ArrayElemTypeDef::AngleBracket(of)
            | ArrayElemTypeDef::Qualified(of, _),
        ) => {
            let of = target(of)?;
            modifier = of.modifier;
            of.ty.array()
        }
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
                "nchar" if ident.quote_style.is_none() => {
                    modifier = modifier.or(Some((1, 0)));
                    Ty::Bpchar
                }
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
                name => in_catalog(name)?,
            }
        }
        _ => return None,
    };
    Some(Target { ty, modifier })
}
