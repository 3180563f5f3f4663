//! The PostgreSQL types that a client is told, and their numbers in `pg_type`.

/// Declares the types: a row gives a scalar type its number in `pg_type`, its name, the bytes of a value (-1 where they vary),
/// and the number and the name of the array of it.
macro_rules! types {
    (@array $ty:ident $array:literal) => {
        SqlType::Array(&SqlType::$ty)
    };
    ($($(#[$doc:meta])* $ty:ident: $oid:literal, $name:literal, $size:literal $(, array $array:literal $array_name:literal)?;)*) => {
        /// What a client is told that a result column holds.
        ///
        /// SQLite stores any value in any column, so this is a promise about the usual value, not about each.
        /// Text results send a value that does not fit as it is spelled; a binary result fails with `22P02`
        /// and names column and value, since there is no spelling that a client could read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum SqlType {
            $($(#[$doc])* $ty,)*
            /// An array; text as PostgreSQL writes it.
            Array(&'static SqlType),
        }

        impl SqlType {
            /// The array types; `void` has none.
            const ARRAYS: &'static [Self] = &[$($(types!(@array $ty $array),)?)*];

            /// The scalar types, in the order of their numbers.
            const SCALARS: &'static [Self] = &[$(Self::$ty),*];

            /// Those of a scalar type; an array's are those of its elements.
            fn facts(self) -> Facts {
                match self {
                    Self::Array(of) => of.facts(),
                    $(Self::$ty => Facts {
                        oid: $oid,
                        name: $name,
                        size: $size,
                        array: [$(($array, $array_name))?].first().copied(),
                    },)*
                }
            }
        }
    };
}

types! {
    /// `boolean`; SQLite holds 0 and 1.
    Bool: 16, "bool", 1, array 1000 "_bool";
    /// `bytea`.
    Bytea: 17, "bytea", -1, array 1001 "_bytea";
    /// `"char"`, of catalogue columns.
    Char: 18, "char", 1, array 1002 "_char";
    /// `name`, of catalogue columns.
    Name: 19, "name", 64, array 1003 "_name";
    /// `int8`.
    Int8: 20, "int8", 8, array 1016 "_int8";
    /// `int2`.
    Int2: 21, "int2", 2, array 1005 "_int2";
    /// `int2vector`, of catalogue columns; numbers with blanks between.
    Int2vector: 22, "int2vector", -1, array 1006 "_int2vector";
    /// `int4`.
    Int4: 23, "int4", 4, array 1007 "_int4";
    /// `text`.
    Text: 25, "text", -1, array 1009 "_text";
    /// `oid`.
    Oid: 26, "oid", 4, array 1028 "_oid";
    /// `oidvector`, of catalogue columns; numbers with blanks between.
    Oidvector: 30, "oidvector", -1, array 1013 "_oidvector";
    /// `json`.
    Json: 114, "json", -1, array 199 "_json";
    /// `xml`; text.
    Xml: 142, "xml", -1, array 143 "_xml";
    /// `cidr`; text.
    Cidr: 650, "cidr", -1, array 651 "_cidr";
    /// `float4`.
    Float4: 700, "float4", 4, array 1021 "_float4";
    /// `float8`.
    Float8: 701, "float8", 8, array 1022 "_float8";
    /// `money`; text as PostgreSQL shows it.
    Money: 790, "money", 8, array 791 "_money";
    /// `macaddr`; text.
    Macaddr: 829, "macaddr", 6, array 1040 "_macaddr";
    /// `inet`; text.
    Inet: 869, "inet", -1, array 1041 "_inet";
    /// `character(n)`.
    Bpchar: 1042, "bpchar", -1, array 1014 "_bpchar";
    /// `character varying`.
    Varchar: 1043, "varchar", -1, array 1015 "_varchar";
    /// `date`; ISO text.
    Date: 1082, "date", 4, array 1182 "_date";
    /// `time`; ISO text.
    Time: 1083, "time", 8, array 1183 "_time";
    /// `timestamp`; ISO text.
    Timestamp: 1114, "timestamp", 8, array 1115 "_timestamp";
    /// `timestamptz`; ISO text with an offset.
    Timestamptz: 1184, "timestamptz", 8, array 1185 "_timestamptz";
    /// `interval`; text as PostgreSQL shows it.
    Interval: 1186, "interval", 16, array 1187 "_interval";
    /// `timetz`; ISO text with an offset.
    Timetz: 1266, "timetz", 12, array 1270 "_timetz";
    /// `bit(n)`; text of zeros and ones.
    Bit: 1560, "bit", -1, array 1561 "_bit";
    /// `bit varying`; text of zeros and ones.
    Varbit: 1562, "varbit", -1, array 1563 "_varbit";
    /// `numeric`.
    Numeric: 1700, "numeric", -1, array 1231 "_numeric";
    /// `void`: what a function returns that returns nothing.
    Void: 2278, "void", 4;
    /// `uuid`; text.
    Uuid: 2950, "uuid", 16, array 2951 "_uuid";
    /// `jsonb`.
    Jsonb: 3802, "jsonb", -1, array 3807 "_jsonb";
}

/// What `pg_type` says of a scalar type, and of the array of it.
struct Facts {
    oid: u32,
    name: &'static str,
    size: i16,
    array: Option<(u32, &'static str)>,
}

impl SqlType {
    /// Every type, the scalar ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::SCALARS.iter().chain(Self::ARRAYS).copied()
    }

    /// The type's row in `pg_type`.
    pub fn oid(self) -> u32 {
        let facts = self.facts();
        match facts.array.filter(|_| self.element().is_some()) {
            Some((array, _)) => array,
            None => facts.oid,
        }
    }

    /// The type with this number, where there is one here.
    pub fn from_oid(oid: u32) -> Option<Self> {
        Self::all().find(|ty| ty.oid() == oid)
    }

    /// The type with this name of `pg_type`, where there is one here.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|ty| ty.name() == name)
    }

    /// True where any text is a value as it stands.
    pub(crate) fn takes_any_text(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Varchar | Self::Bpchar | Self::Name | Self::Xml | Self::Char | Self::Void
        )
    }

    /// PostgreSQL's name for it, as in `pg_type.typname`.
    pub fn name(self) -> &'static str {
        let facts = self.facts();
        match facts.array.filter(|_| self.element().is_some()) {
            Some((_, array)) => array,
            None => facts.name,
        }
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
            self.facts().size
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
        let array = self.facts().array;
        let of = Self::ARRAYS.iter().find(|ty| ty.facts().array == array);
        *of.filter(|_| array.is_some())
            .unwrap_or(&Self::Array(&Self::Text))
    }
}
