//! PostgreSQL's types as translations reckon with them, and which of them become which. More than the types that clients
//! are told ([`SqlType`]): what is not known yet, what any type may stand for, and what exists within statements alone. A
//! value of the wire has none of these, so that they are no variants there; what both have, has its names there alone.

use crate::pgtypes::SqlType;

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

/// The types that clients are told too: their names are there.
const ON_THE_WIRE: &[(Ty, SqlType)] = &[
    (Ty::Bool, SqlType::Bool),
    (Ty::Int2, SqlType::Int2),
    (Ty::Int4, SqlType::Int4),
    (Ty::Int8, SqlType::Int8),
    (Ty::Float4, SqlType::Float4),
    (Ty::Float8, SqlType::Float8),
    (Ty::Numeric, SqlType::Numeric),
    (Ty::Text, SqlType::Text),
    (Ty::Varchar, SqlType::Varchar),
    (Ty::Bpchar, SqlType::Bpchar),
    (Ty::Name, SqlType::Name),
    (Ty::Bytea, SqlType::Bytea),
    (Ty::Date, SqlType::Date),
    (Ty::Time, SqlType::Time),
    (Ty::Timestamp, SqlType::Timestamp),
    (Ty::Timestamptz, SqlType::Timestamptz),
    (Ty::Interval, SqlType::Interval),
    (Ty::Json, SqlType::Json),
    (Ty::Jsonb, SqlType::Jsonb),
    (Ty::Uuid, SqlType::Uuid),
    (Ty::Oid, SqlType::Oid),
    (Ty::Timetz, SqlType::Timetz),
    (Ty::Money, SqlType::Money),
    (Ty::Bit, SqlType::Bit),
    (Ty::Varbit, SqlType::Varbit),
    (Ty::Inet, SqlType::Inet),
    (Ty::Cidr, SqlType::Cidr),
    (Ty::Macaddr, SqlType::Macaddr),
    (Ty::Xml, SqlType::Xml),
    (Ty::Char, SqlType::Char),
    (Ty::Void, SqlType::Void),
    (Ty::Vector(&Ty::Int2), SqlType::Int2vector),
    (Ty::Vector(&Ty::Oid), SqlType::Oidvector),
];

/// Those that are in translations alone, with the name that signatures have for them and what messages say.
const TRANSLATION_ONLY: &[(&str, Ty, &str)] = &[
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
    ("expanded", Ty::Record(EXPANDED), "record"),
    ("acl", Ty::Record(ACL), "record"),
    ("record", Ty::Composite, "record"),
    ("unknown", Ty::Unknown, "unknown"),
    ("dynamic", Ty::Dynamic, "text"),
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
    /// What clients are told of it, where they are.
    pub(crate) fn sql_type(self) -> Option<SqlType> {
        ON_THE_WIRE
            .iter()
            .find(|(ty, _)| *ty == self)
            .map(|(_, told)| *told)
    }

    /// The one that a client means.
    pub(crate) fn of_sql_type(told: SqlType) -> Option<Self> {
        ON_THE_WIRE
            .iter()
            .find(|(_, known)| *known == told)
            .map(|(ty, _)| *ty)
    }

    /// `pg_type.typname`.
    pub(crate) fn internal(self) -> String {
        match self {
            Self::Array(of) => format!("_{}", of.internal()),
            _ => match self.sql_type() {
                Some(told) => told.name(),
                None => self.translation_only().map_or("unknown", |(name, _)| name),
            }
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
            // `char` alone would be another type.
            Self::Char => "\"char\"".to_owned(),
            _ => match self.sql_type() {
                Some(told) => told.sql_name(),
                None => self.translation_only().map_or("unknown", |(_, shown)| shown),
            }
            .to_owned(),
        }
    }

    /// Its names where clients are told nothing of it.
    fn translation_only(self) -> Option<(&'static str, &'static str)> {
        let found = TRANSLATION_ONLY.iter().find(|(_, ty, _)| *ty == self);
        found.map(|(name, _, shown)| (*name, *shown))
    }

    /// By `pg_type.typname`, with `[]` for arrays.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if let Some(of) = name.strip_suffix("[]") {
            return Self::named(of).map(Self::array);
        }
        let told = ON_THE_WIRE
            .iter()
            .find(|(_, told)| told.name() == name)
            .map(|(ty, _)| *ty);
        told.or_else(|| {
            let found = TRANSLATION_ONLY.iter().find(|(internal, ..)| *internal == name);
            found.map(|(_, ty, _)| *ty)
        })
    }

    /// The array of it; an array's is itself, whatever its dimensions.
    pub(crate) fn array(self) -> Self {
        if matches!(self, Self::Array(_)) {
            return self;
        }
        let all = ON_THE_WIRE
            .iter()
            .map(|(ty, _)| ty)
            .chain(TRANSLATION_ONLY.iter().map(|(_, ty, _)| ty));
        Self::Array(all.into_iter().find(|ty| **ty == self).unwrap_or(&Ty::Text))
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
            Oid, Registered, Text, Time, Timestamp, Timestamptz, Timetz, Varbit, Varchar,
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
            | (Time, Interval | Timetz)
            | (Registered(_), Oid)
            | (Int2 | Int4 | Int8 | Oid, Registered(_))
            | (Text | Varchar, Registered("regclass")) => true,
            (Self::Array(one) | Self::Vector(one), Self::Array(other)) => one.becomes(*other),
            _ => false,
        }
    }
}

impl Ty {
    /// True where a foreign key of this type may refer to a column of the other.
    pub(super) fn refers_to(self, other: Self) -> bool {
        use Ty::{Date, Float4, Float8, Int2, Int4, Int8, Timestamp, Timestamptz};
        let both = |types: &[Self]| types.contains(&self) && types.contains(&other);
        self.becomes(other)
            || other == Ty::Dynamic
            || both(&[Int2, Int4, Int8])
            || both(&[Float4, Float8])
            || both(&[Date, Timestamp, Timestamptz])
    }

    /// The type as which an operator compares values of these two.
    pub(super) fn compared(one: Self, other: Self) -> Result<Self, (Self, Self)> {
        match (one, other) {
            (Ty::Unknown, Ty::Unknown) => Ok(Ty::Text),
            (Ty::Unknown, ty) | (ty, Ty::Unknown) => Ok(ty),
            // A `real` beside another number is one of double precision.
            (Ty::Float4, ty) | (ty, Ty::Float4)
                if ty != Ty::Float4 && (ty.is_integer() || matches!(ty, Ty::Float8 | Ty::Numeric)) =>
            {
                Ok(Ty::Float8)
            }
            // Arrays are compared with such of the same elements alone.
            (Ty::Array(&of), Ty::Array(&with)) if of != with && of != Ty::Char && with != Ty::Char => {
                Err((one, other))
            }
            _ => Self::common([one, other]),
        }
    }

    /// As what an operator that compares values of these two takes the first of them.
    pub(super) fn first_compared(one: Self, other: Self) -> Self {
        // These have operators that take both as they are.
        let is_day = |ty: Ty| matches!(ty, Ty::Date | Ty::Timestamp | Ty::Timestamptz);
        let is_float = |ty: Ty| matches!(ty, Ty::Float4 | Ty::Float8);
        let is_integer = |ty: Ty| matches!(ty, Ty::Int2 | Ty::Int4 | Ty::Int8);
        let alone = [is_day, is_float, is_integer];
        // A `real` is compared with any number as it is: the other one becomes `double precision`.
        if one == Ty::Float4 && (is_float(other) || is_integer(other) || other == Ty::Numeric) {
            return one;
        }
        if alone.iter().any(|kind| kind(one) && kind(other)) || one == Ty::Name {
            return one;
        }
        match Self::compared(one, other) {
            Ok(Ty::Varchar | Ty::Unknown) => Ty::Text,
            Ok(ty) => ty,
            Err(_) => one,
        }
    }

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
                    // The first one stays where each becomes the other.
                    (one, other) if one.becomes(*other) && !other.becomes(*one) => found = ty,
                    (one, other) if other.becomes(*one) => {}
                    _ => return Err((found, ty)),
                }
            } else if let (Ty::Char, Ty::Bpchar) | (Ty::Bpchar, Ty::Char) = (found, ty) {
                found = Ty::Bpchar;
            } else if let (Ty::Cidr, Ty::Inet) | (Ty::Inet, Ty::Cidr) = (found, ty) {
                found = Ty::Inet;
            } else if let (Ty::Time, Ty::Timetz) | (Ty::Timetz, Ty::Time) = (found, ty) {
                found = Ty::Timetz;
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
