//! PostgreSQL's types as far as they exist here, and which of them become which.

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
    /// A row as the text of its fields.
    Composite,
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
    ("record", Ty::Composite, "record"),
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
    pub(crate) fn internal(self) -> String {
        match self {
            Self::Array(of) => format!("_{}", of.internal()),
            _ => NAMES
                .iter()
                .find(|(_, ty, _)| *ty == self)
                .map_or("unknown", |(name, ..)| name)
                .to_owned(),
        }
    }

    /// The name of the type as which its values are kept, in arrays too.
    pub(super) fn kept(self) -> String {
        match self {
            Self::Registered(_) => Self::Oid.internal(),
            _ => self.internal(),
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
    pub(crate) fn named(name: &str) -> Option<Self> {
        if let Some(of) = name.strip_suffix("[]") {
            return Self::named(of).map(Self::array);
        }
        NAMES
            .iter()
            .find(|(internal, ..)| *internal == name)
            .map(|(_, ty, _)| *ty)
    }

    /// The array of it; an array's is itself, whatever its dimensions.
    pub(crate) fn array(self) -> Self {
        if matches!(self, Self::Array(_)) {
            return self;
        }
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

    /// The collation of texts that SQLite would not compare as PostgreSQL does.
    pub(super) fn collation(self) -> Option<&'static str> {
        Some(match self {
            Self::Bpchar => "RTRIM",
            Self::Numeric => "pg_numeric",
            Self::Interval => "pg_interval",
            Self::Jsonb => "pg_jsonb",
            Self::Inet | Self::Cidr => "pg_inet",
            Self::Money => "pg_money",
            Self::Timetz => "pg_timetz",
            Self::Array(of) => match of {
                Self::Bpchar => "pg_array_bpchar",
                Self::Float4 | Self::Float8 => "pg_array_float8",
                Self::Interval => "pg_array_interval",
                Self::Jsonb => "pg_array_jsonb",
                Self::Inet | Self::Cidr => "pg_array_inet",
                Self::Money => "pg_array_money",
                Self::Timetz => "pg_array_timetz",
                of if of.family() == Family::Number => "pg_array_numeric",
                _ => "pg_array_text",
            },
            _ => return None,
        })
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
            Bit, Bpchar, Char, Cidr, Date, Float4, Float8, Inet, Int2, Int4, Int8, Interval, Name, Numeric,
            Oid, Registered, Text, Time, Timestamp, Timestamptz, Varbit, Varchar,
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
            | (Bpchar | Name, Text | Varchar)
            | (Char, Text | Varchar | Bpchar)
            | (Bpchar, Char)
            | (Cidr, Inet)
            | (Bit, Varbit)
            | (Varbit, Bit)
            | (Date, Timestamp | Timestamptz)
            | (Timestamp, Timestamptz)
            | (Time, Interval)
            | (Registered(_), Oid)
            | (Int2 | Int4 | Int8 | Oid, Registered(_))
            | (Text | Varchar, Registered("regclass")) => true,
            (Self::Array(one) | Self::Vector(one), Self::Array(other)) => one.becomes(*other),
            _ => false,
        }
    }
}

impl Ty {
    /// The one type that values of several take together; the first two that have none otherwise.
    pub(super) fn common(types: impl IntoIterator<Item = Self>) -> Result<Self, (Self, Self)> {
        let mut found = Ty::Unknown;
        for ty in types {
            if ty == Ty::Unknown || ty == found {
                continue;
            }
            if found == Ty::Unknown {
                found = ty;
            } else if let (Ty::Array(one) | Ty::Vector(one), Ty::Array(other) | Ty::Vector(other)) =
                (found, ty)
            {
                // Arrays become each other where one holds what the other's elements are kept as.
                match (one, other) {
                    (one, other) if one == other => found = one.array(),
                    (Ty::Char, Ty::Text | Ty::Varchar) => found = ty,
                    (Ty::Text | Ty::Varchar, Ty::Char) => {}
                    _ => return Err((found, ty)),
                }
            } else if let (Ty::Char, Ty::Bpchar) | (Ty::Bpchar, Ty::Char) = (found, ty) {
                found = Ty::Bpchar;
            } else if let (Ty::Cidr, Ty::Inet) | (Ty::Inet, Ty::Cidr) = (found, ty) {
                found = Ty::Inet;
            } else if let (Ty::Bit, Ty::Varbit) | (Ty::Varbit, Ty::Bit) = (found, ty) {
                found = Ty::Varbit;
            } else if found == Ty::Dynamic || ty == Ty::Dynamic {
                found = Ty::Dynamic;
            } else if let (Ty::Oid, Ty::Registered(_)) = (found, ty) {
                // A number stays one; it is the preferred type of both.
            } else if let (Ty::Registered(_), Ty::Registered(_)) = (found, ty) {
                // Numbers of different things.
                found = Ty::Oid;
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
}
