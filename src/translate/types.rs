//! PostgreSQL's types as far as they exist here, and which of them become which.

use sqlparser::ast::{ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, TimezoneInfo};

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ty {
    /// A string literal, NULL or parameter of which nothing else tells the type.
    Unknown,
    /// Whatever SQLite makes of it.
    Dynamic,
    Bool,
    Int2,
    Int4,
    Int8,
    Float4,
    Float8,
    Numeric,
    Text,
    Varchar,
    Bpchar,
    Name,
    Bytea,
    Date,
    Time,
    Timestamp,
    Timestamptz,
    Interval,
    Json,
    Jsonb,
    Uuid,
    Oid,
    Timetz,
    Money,
    Bit,
    Varbit,
    Inet,
    Cidr,
    Macaddr,
    Xml,
    Char,
    Void,
    /// A number of something, which is shown as its name: `regclass` and its like, by the type's name.
    Registered(&'static str),
    /// Numbers side by side that are counted from 0: `int2vector` and `oidvector`, of this type.
    Vector(&'static Ty),
    /// A row that a function gives, as a JSON array of these fields.
    Record(&'static [(&'static str, Ty)]),
    Array(&'static Ty),
    /// In signatures: any type at all.
    Any,
    /// In signatures: any type, the same wherever this stands.
    AnyElement,
    /// In signatures: an array of it.
    AnyArray,
}

/// A type with what stands in its parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) ty: Ty,
    /// Length, or precision and scale.
    pub(super) modifier: Option<(i64, i64)>,
}

/// Families within which values become each other by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Bool,
    Number,
    String,
    Time,
    Span,
    Other,
}

const NAMES: &[(&str, Ty, &str)] = &[
    ("bool", Ty::Bool, "boolean"),
    ("int2", Ty::Int2, "smallint"),
    ("int4", Ty::Int4, "integer"),
    ("int8", Ty::Int8, "bigint"),
    ("float4", Ty::Float4, "real"),
    ("float8", Ty::Float8, "double precision"),
    ("numeric", Ty::Numeric, "numeric"),
    ("text", Ty::Text, "text"),
    ("varchar", Ty::Varchar, "character varying"),
    ("bpchar", Ty::Bpchar, "character"),
    ("name", Ty::Name, "name"),
    ("bytea", Ty::Bytea, "bytea"),
    ("date", Ty::Date, "date"),
    ("time", Ty::Time, "time without time zone"),
    ("timestamp", Ty::Timestamp, "timestamp without time zone"),
    ("timestamptz", Ty::Timestamptz, "timestamp with time zone"),
    ("interval", Ty::Interval, "interval"),
    ("json", Ty::Json, "json"),
    ("jsonb", Ty::Jsonb, "jsonb"),
    ("uuid", Ty::Uuid, "uuid"),
    ("oid", Ty::Oid, "oid"),
    ("timetz", Ty::Timetz, "time with time zone"),
    ("money", Ty::Money, "money"),
    ("bit", Ty::Bit, "bit"),
    ("varbit", Ty::Varbit, "bit varying"),
    ("inet", Ty::Inet, "inet"),
    ("cidr", Ty::Cidr, "cidr"),
    ("macaddr", Ty::Macaddr, "macaddr"),
    ("xml", Ty::Xml, "xml"),
    ("char", Ty::Char, "\"char\""),
    ("void", Ty::Void, "void"),
    ("regclass", Ty::Registered("regclass"), "regclass"),
    ("regtype", Ty::Registered("regtype"), "regtype"),
    ("regproc", Ty::Registered("regproc"), "regproc"),
    ("regprocedure", Ty::Registered("regprocedure"), "regprocedure"),
    ("regnamespace", Ty::Registered("regnamespace"), "regnamespace"),
    ("regrole", Ty::Registered("regrole"), "regrole"),
    ("regoper", Ty::Registered("regoper"), "regoper"),
    ("regoperator", Ty::Registered("regoperator"), "regoperator"),
    ("regdictionary", Ty::Registered("regdictionary"), "regdictionary"),
    ("regconfig", Ty::Registered("regconfig"), "regconfig"),
    ("regcollation", Ty::Registered("regcollation"), "regcollation"),
    ("int2vector", Ty::Vector(&Ty::Int2), "int2vector"),
    ("oidvector", Ty::Vector(&Ty::Oid), "oidvector"),
    ("expanded", Ty::Record(EXPANDED), "record"),
    ("acl", Ty::Record(ACL), "record"),
    ("unknown", Ty::Unknown, "unknown"),
    ("dynamic", Ty::Dynamic, "unknown"),
    ("any", Ty::Any, "\"any\""),
    ("anyelement", Ty::AnyElement, "anyelement"),
    ("anyarray", Ty::AnyArray, "anyarray"),
];

/// What `_pg_expandarray` gives: an element and its place.
const EXPANDED: &[(&str, Ty)] = &[("x", Ty::Int4), ("n", Ty::Int4)];
/// What `aclexplode` gives.
const ACL: &[(&str, Ty)] = &[
    ("grantor", Ty::Oid),
    ("grantee", Ty::Oid),
    ("privilege_type", Ty::Text),
    ("is_grantable", Ty::Bool),
];

impl Ty {
    /// `pg_type.typname`.
    pub(super) fn internal(self) -> String {
        match self {
            Self::Array(of) => format!("_{}", of.internal()),
            _ => NAMES
                .iter()
                .find(|(_, ty, _)| *ty == self)
                .map_or("unknown", |(name, ..)| name)
                .to_owned(),
        }
    }

    /// As PostgreSQL's messages name it.
    pub(super) fn shown(self) -> String {
        match self {
            Self::Array(of) => format!("{}[]", of.shown()),
            _ => NAMES
                .iter()
                .find(|(_, ty, _)| *ty == self)
                .map_or("unknown", |(_, _, shown)| shown)
                .to_owned(),
        }
    }

    /// By `pg_type.typname`, with `[]` for arrays.
    pub(super) fn named(name: &str) -> Option<Self> {
        if let Some(of) = name.strip_suffix("[]") {
            return Self::named(of).map(Self::array);
        }
        NAMES
            .iter()
            .find(|(internal, ..)| *internal == name)
            .map(|(_, ty, _)| *ty)
    }

    /// The array of it.
    pub(crate) fn array(self) -> Self {
        let found = NAMES.iter().find(|(_, ty, _)| *ty == self);
        Self::Array(found.map_or(&Ty::Text, |(_, ty, _)| ty))
    }

    pub(super) fn family(self) -> Family {
        match self {
            Self::Bool => Family::Bool,
            Self::Int2
            | Self::Int4
            | Self::Int8
            | Self::Float4
            | Self::Float8
            | Self::Numeric
            | Self::Oid
            | Self::Registered(_) => Family::Number,
            Self::Text | Self::Varchar | Self::Bpchar | Self::Name | Self::Char => Family::String,
            Self::Date | Self::Time | Self::Timestamp | Self::Timestamptz => Family::Time,
            Self::Interval => Family::Span,
            _ => Family::Other,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        matches!(self, Self::Int2 | Self::Int4 | Self::Int8 | Self::Oid)
    }

    pub(super) fn is_string(self) -> bool {
        self.family() == Family::String
    }

    /// The type that its family falls back to.
    pub(super) fn is_preferred(self) -> bool {
        matches!(
            self,
            Self::Bool | Self::Float8 | Self::Text | Self::Timestamptz | Self::Interval
        )
    }

    /// True if a value becomes one of the other type by itself.
    pub(super) fn becomes(self, other: Self) -> bool {
        use Ty::{
            Bpchar, Char, Cidr, Date, Float4, Float8, Inet, Int2, Int4, Int8, Interval, Name, Numeric, Oid,
            Registered, Text, Time, Timestamp, Timestamptz, Varchar,
        };
        if self == other || other == Self::Any || self == Self::Unknown || self == Self::Dynamic {
            return true;
        }
        match (self, other) {
            (Int2, Int4 | Int8 | Numeric | Float4 | Float8 | Oid)
            | (Int4, Int8 | Numeric | Float4 | Float8 | Oid)
            | (Int8, Numeric | Float4 | Float8 | Oid)
            | (Numeric, Float4 | Float8)
            | (Float4, Float8)
            | (Varchar, Text | Bpchar | Name | Char)
            | (Text, Varchar | Bpchar | Name | Char)
            | (Bpchar | Name | Char, Text | Varchar)
            | (Cidr, Inet)
            | (Date, Timestamp | Timestamptz)
            | (Timestamp, Timestamptz)
            | (Time, Interval)
            | (Oid, Int8)
            | (Registered(_), Oid | Int8)
            | (Int2 | Int4 | Int8 | Oid, Registered(_))
            | (Text | Varchar, Registered("regclass")) => true,
            (Self::Array(one) | Self::Vector(one), Self::Array(other)) => one.becomes(*other),
            _ => false,
        }
    }
}

/// The one type that values of several take together; the first two that have none otherwise.
pub(super) fn common(types: impl IntoIterator<Item = Ty>) -> Result<Ty, (Ty, Ty)> {
    let mut found = Ty::Unknown;
    for ty in types {
        if ty == Ty::Unknown || ty == found {
            continue;
        }
        if found == Ty::Unknown {
            found = ty;
        } else if found == Ty::Dynamic || ty == Ty::Dynamic {
            found = Ty::Dynamic;
        } else if let (Ty::Bpchar, Ty::Varchar) | (Ty::Varchar, Ty::Bpchar) = (found, ty) {
            found = Ty::Bpchar;
        } else if found.family() != ty.family() || matches!(found.family(), Family::Other) {
            return Err((found, ty));
        } else if found.becomes(ty) && !(found.is_preferred() && ty.becomes(found)) {
            found = ty;
        } else if !ty.becomes(found) {
            return Err((found, ty));
        }
    }
    Ok(found)
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
    lower.contains('.')
        || [
            "blob", "clob", "string", "datetime", "text", "char", "int", "real", "signed", "none", "any",
        ]
        .iter()
        .any(|word| lower.contains(word))
}

/// A name without its quotes.
pub(super) fn unquoted(name: &str) -> String {
    match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => name.to_lowercase(),
    }
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
        DataType::Bit(_) => Ty::Bit,
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
