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
    /// `boolean[]`; an array is kept as PostgreSQL writes it.
    BoolArray,
    /// `int2[]`.
    Int2Array,
    /// `text[]`.
    TextArray,
    /// `int8[]`.
    Int8Array,
    /// `oid[]`.
    OidArray,
}

impl SqlType {
    /// The type's row in `pg_type`.
    pub fn oid(self) -> u32 {
        match self {
            Self::Bool => 16,
            Self::Bytea => 17,
            Self::Char => 18,
            Self::Name => 19,
            Self::Int8 => 20,
            Self::Int2 => 21,
            Self::Int4 => 23,
            Self::Text => 25,
            Self::Oid => 26,
            Self::Json => 114,
            Self::Float4 => 700,
            Self::Float8 => 701,
            Self::Bpchar => 1042,
            Self::Varchar => 1043,
            Self::Date => 1082,
            Self::Time => 1083,
            Self::Timestamp => 1114,
            Self::Timestamptz => 1184,
            Self::Numeric => 1700,
            Self::Uuid => 2950,
            Self::Jsonb => 3802,
            Self::BoolArray => 1000,
            Self::Int2Array => 1005,
            Self::TextArray => 1009,
            Self::Int8Array => 1016,
            Self::OidArray => 1028,
        }
    }

    /// The type with this number, where there is one here.
    pub fn from_oid(oid: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.oid() == oid)
    }

    /// PostgreSQL's name for it, as in `pg_type.typname`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Bytea => "bytea",
            Self::Char => "char",
            Self::Name => "name",
            Self::Int8 => "int8",
            Self::Int2 => "int2",
            Self::Int4 => "int4",
            Self::Text => "text",
            Self::Oid => "oid",
            Self::Json => "json",
            Self::Float4 => "float4",
            Self::Float8 => "float8",
            Self::Bpchar => "bpchar",
            Self::Varchar => "varchar",
            Self::Date => "date",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::Timestamptz => "timestamptz",
            Self::Numeric => "numeric",
            Self::Uuid => "uuid",
            Self::Jsonb => "jsonb",
            Self::BoolArray => "_bool",
            Self::Int2Array => "_int2",
            Self::TextArray => "_text",
            Self::Int8Array => "_int8",
            Self::OidArray => "_oid",
        }
    }

    /// `pg_type.typlen`: bytes of a value in PostgreSQL's storage, or -1 where it varies.
    pub fn size(self) -> i16 {
        match self {
            Self::Bool | Self::Char => 1,
            Self::Int2 => 2,
            Self::Int4 | Self::Float4 | Self::Oid | Self::Date => 4,
            Self::Int8 | Self::Float8 | Self::Time | Self::Timestamp | Self::Timestamptz => 8,
            Self::Uuid => 16,
            Self::Name => 64,
            _ => -1,
        }
    }

    /// The type of an array's elements; `None` where it is none.
    pub fn element(self) -> Option<Self> {
        Some(match self {
            Self::BoolArray => Self::Bool,
            Self::Int2Array => Self::Int2,
            Self::TextArray => Self::Text,
            Self::Int8Array => Self::Int8,
            Self::OidArray => Self::Oid,
            _ => return None,
        })
    }

    /// The array of values of this type.
    #[must_use]
    pub fn array(self) -> Self {
        match self {
            Self::Bool => Self::BoolArray,
            Self::Int2 => Self::Int2Array,
            Self::Int4 | Self::Int8 => Self::Int8Array,
            Self::Oid => Self::OidArray,
            _ => Self::TextArray,
        }
    }

    /// Every type, in the order of its number.
    pub const ALL: [Self; 26] = [
        Self::Bool,
        Self::Bytea,
        Self::Char,
        Self::Name,
        Self::Int8,
        Self::Int2,
        Self::Int4,
        Self::Text,
        Self::Oid,
        Self::Json,
        Self::Float4,
        Self::Float8,
        Self::BoolArray,
        Self::Int2Array,
        Self::TextArray,
        Self::Int8Array,
        Self::OidArray,
        Self::Bpchar,
        Self::Varchar,
        Self::Date,
        Self::Time,
        Self::Timestamp,
        Self::Timestamptz,
        Self::Numeric,
        Self::Uuid,
        Self::Jsonb,
    ];
}
