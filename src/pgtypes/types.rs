//! The PostgreSQL types that a client is told, and their numbers in `pg_type`.

/// What a client is told that a result column holds.
///
/// SQLite stores any value in any column, so this is a promise about the usual value, not about each.
/// Text results send a value that does not fit as it is spelled; a binary result fails with `22P02`
/// and names column and value, since there is no spelling that a client could read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SqlType {
    /// `boolean`; SQLite holds 0 and 1.
    Bool,
    /// `bytea`.
    Bytea,
    /// `int8`.
    Int8,
    /// `int2`.
    Int2,
    /// `int4`.
    Int4,
    /// `text`.
    Text,
    /// `oid`.
    Oid,
    /// `name`, of catalogue columns.
    Name,
    /// `"char"`, of catalogue columns.
    Char,
    /// `json`.
    Json,
    /// `jsonb`.
    Jsonb,
    /// `float4`.
    Float4,
    /// `float8`.
    Float8,
    /// `character(n)`.
    Bpchar,
    /// `character varying`.
    Varchar,
    /// `date`; ISO text.
    Date,
    /// `time`; ISO text.
    Time,
    /// `timestamp`; ISO text.
    Timestamp,
    /// `timestamptz`; ISO text with an offset.
    Timestamptz,
    /// `numeric`.
    Numeric,
    /// `uuid`; text.
    Uuid,
    /// `timetz`; ISO text with an offset.
    Timetz,
    /// `money`; text as PostgreSQL shows it.
    Money,
    /// `bit(n)`; text of zeros and ones.
    Bit,
    /// `bit varying`; text of zeros and ones.
    Varbit,
    /// `inet`; text.
    Inet,
    /// `cidr`; text.
    Cidr,
    /// `macaddr`; text.
    Macaddr,
    /// `xml`; text.
    Xml,
    /// `interval`; text as PostgreSQL shows it.
    Interval,
    /// `void`: what a function returns that returns nothing.
    Void,
    /// `int2vector`, of catalogue columns; numbers with blanks between.
    Int2vector,
    /// `oidvector`, of catalogue columns; numbers with blanks between.
    Oidvector,
    /// An array; text as PostgreSQL writes it.
    Array(&'static SqlType),
}

/// What `pg_type` says of a scalar type: its number, its name, the bytes of a value (-1 where they vary), and the number
/// and the name of the array of it.
type Facts = (u32, &'static str, i16, u32, &'static str);

impl SqlType {
    /// The array types; `void` has none.
    const ARRAYS: [Self; 32] = [
        Self::Array(&Self::Bool),
        Self::Array(&Self::Bytea),
        Self::Array(&Self::Char),
        Self::Array(&Self::Name),
        Self::Array(&Self::Int8),
        Self::Array(&Self::Int2),
        Self::Array(&Self::Int4),
        Self::Array(&Self::Text),
        Self::Array(&Self::Oid),
        Self::Array(&Self::Json),
        Self::Array(&Self::Float4),
        Self::Array(&Self::Float8),
        Self::Array(&Self::Bpchar),
        Self::Array(&Self::Varchar),
        Self::Array(&Self::Date),
        Self::Array(&Self::Time),
        Self::Array(&Self::Timestamp),
        Self::Array(&Self::Timestamptz),
        Self::Array(&Self::Interval),
        Self::Array(&Self::Numeric),
        Self::Array(&Self::Uuid),
        Self::Array(&Self::Jsonb),
        Self::Array(&Self::Timetz),
        Self::Array(&Self::Money),
        Self::Array(&Self::Bit),
        Self::Array(&Self::Varbit),
        Self::Array(&Self::Inet),
        Self::Array(&Self::Cidr),
        Self::Array(&Self::Macaddr),
        Self::Array(&Self::Xml),
        Self::Array(&Self::Int2vector),
        Self::Array(&Self::Oidvector),
    ];

    /// The scalar types, in the order of their numbers.
    const SCALARS: [Self; 33] = [
        Self::Bool,
        Self::Bytea,
        Self::Char,
        Self::Name,
        Self::Int8,
        Self::Int2,
        Self::Int2vector,
        Self::Int4,
        Self::Text,
        Self::Oid,
        Self::Oidvector,
        Self::Json,
        Self::Xml,
        Self::Cidr,
        Self::Float4,
        Self::Float8,
        Self::Money,
        Self::Macaddr,
        Self::Inet,
        Self::Bpchar,
        Self::Varchar,
        Self::Date,
        Self::Time,
        Self::Timestamp,
        Self::Timestamptz,
        Self::Interval,
        Self::Timetz,
        Self::Bit,
        Self::Varbit,
        Self::Numeric,
        Self::Void,
        Self::Uuid,
        Self::Jsonb,
    ];

    /// Those of a scalar type; an array's are those of its elements.
    fn facts(self) -> Facts {
        match self {
            Self::Array(of) => of.facts(),
            Self::Bool => (16, "bool", 1, 1000, "_bool"),
            Self::Bytea => (17, "bytea", -1, 1001, "_bytea"),
            Self::Char => (18, "char", 1, 1002, "_char"),
            Self::Name => (19, "name", 64, 1003, "_name"),
            Self::Int8 => (20, "int8", 8, 1016, "_int8"),
            Self::Int2 => (21, "int2", 2, 1005, "_int2"),
            Self::Int2vector => (22, "int2vector", -1, 1006, "_int2vector"),
            Self::Oidvector => (30, "oidvector", -1, 1013, "_oidvector"),
            Self::Int4 => (23, "int4", 4, 1007, "_int4"),
            Self::Text => (25, "text", -1, 1009, "_text"),
            Self::Oid => (26, "oid", 4, 1028, "_oid"),
            Self::Json => (114, "json", -1, 199, "_json"),
            Self::Float4 => (700, "float4", 4, 1021, "_float4"),
            Self::Float8 => (701, "float8", 8, 1022, "_float8"),
            Self::Bpchar => (1042, "bpchar", -1, 1014, "_bpchar"),
            Self::Varchar => (1043, "varchar", -1, 1015, "_varchar"),
            Self::Date => (1082, "date", 4, 1182, "_date"),
            Self::Time => (1083, "time", 8, 1183, "_time"),
            Self::Timestamp => (1114, "timestamp", 8, 1115, "_timestamp"),
            Self::Timestamptz => (1184, "timestamptz", 8, 1185, "_timestamptz"),
            Self::Interval => (1186, "interval", 16, 1187, "_interval"),
            Self::Numeric => (1700, "numeric", -1, 1231, "_numeric"),
            Self::Void => (2278, "void", 4, 1009, "_text"),
            Self::Xml => (142, "xml", -1, 143, "_xml"),
            Self::Cidr => (650, "cidr", -1, 651, "_cidr"),
            Self::Money => (790, "money", 8, 791, "_money"),
            Self::Macaddr => (829, "macaddr", 6, 1040, "_macaddr"),
            Self::Inet => (869, "inet", -1, 1041, "_inet"),
            Self::Timetz => (1266, "timetz", 12, 1270, "_timetz"),
            Self::Bit => (1560, "bit", -1, 1561, "_bit"),
            Self::Varbit => (1562, "varbit", -1, 1563, "_varbit"),
            Self::Uuid => (2950, "uuid", 16, 2951, "_uuid"),
            Self::Jsonb => (3802, "jsonb", -1, 3807, "_jsonb"),
        }
    }

    /// Every type, the scalar ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::SCALARS.into_iter().chain(Self::ARRAYS)
    }

    /// The type's row in `pg_type`.
    pub fn oid(self) -> u32 {
        let (scalar, _, _, array, _) = self.facts();
        if self.element().is_some() { array } else { scalar }
    }

    /// The type with this number, where there is one here.
    pub fn from_oid(oid: u32) -> Option<Self> {
        Self::all().find(|ty| ty.oid() == oid)
    }

    /// The type with this name of `pg_type`, where there is one here.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|ty| ty.name() == name)
    }

    /// PostgreSQL's name for it, as in `pg_type.typname`.
    pub fn name(self) -> &'static str {
        let (_, scalar, _, _, array) = self.facts();
        if self.element().is_some() { array } else { scalar }
    }

    /// The name that the standard has for it, which messages use.
    pub(crate) fn sql_name(self) -> &'static str {
        match self {
            Self::Bool => "boolean",
            Self::Int2 => "smallint",
            Self::Int4 => "integer",
            Self::Int8 => "bigint",
            Self::Float4 => "real",
            Self::Float8 => "double precision",
            Self::Bpchar => "character",
            Self::Varchar => "character varying",
            Self::Varbit => "bit varying",
            Self::Time => "time without time zone",
            Self::Timetz => "time with time zone",
            Self::Timestamp => "timestamp without time zone",
            Self::Timestamptz => "timestamp with time zone",
            other => other.name(),
        }
    }

    /// `pg_type.typlen`: bytes of a value in PostgreSQL's storage, or -1 where it varies.
    pub fn size(self) -> i16 {
        if self.element().is_some() {
            -1
        } else {
            self.facts().2
        }
    }

    /// The type of an array's elements; `None` where it is none.
    pub fn element(self) -> Option<Self> {
        match self {
            Self::Array(of) => Some(*of),
            _ => None,
        }
    }

    /// The array of values of this type; an array's is itself, and text's stands for what has none.
    #[must_use]
    pub fn array(self) -> Self {
        let array = self.facts().3;
        Self::ARRAYS
            .into_iter()
            .find(|ty| ty.facts().3 == array)
            .unwrap_or(Self::Array(&Self::Text))
    }
}
