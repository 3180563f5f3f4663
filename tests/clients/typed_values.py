"""Every type with values of it, and what a client sees of them: the same on PostgreSQL and on a SQLite file."""

# The type as it is declared, and values as they are written.
TYPES = [
    ("boolean", ["true", "false"]),
    ("smallint", ["0", "-32768", "32767"]),
    ("integer", ["0", "-2147483648", "2147483647"]),
    ("bigint", ["0", "-9223372036854775808", "9223372036854775807"]),
    ("real", ["0", "1.5", "-0.1", "3.4e+38", "Infinity"]),
    ("double precision", ["0", "0.1", "-1e-300", "1e300", "-Infinity", "123456789.123"]),
    ("numeric", ["0", "1.50", "-0.0001", "0.1234567890123456789", "123456789012345678901234567890.5", "NaN"]),
    ("numeric(10,2)", ["0.00", "1.50", "-12345678.90"]),
    ("text", ["", "plain", "Ünïcödé 🐘 'quoted' \\ back", "NULL"]),
    ("varchar(10)", ["", "abc", "ten chars!"]),
    ("char(5)", ["abc", "abcde", ""]),
    ("name", ["pg_class"]),
    ('"char"', ["x"]),
    ("bytea", ["\\x", "\\x00ff10"]),
    ("date", ["2024-02-29", "0001-01-01", "9999-12-31", "1969-12-31"]),
    ("time", ["00:00:00", "23:59:59.999999", "12:30:00.5"]),
    ("timetz", ["12:00:00+03", "23:59:59.5-05:30"]),
    ("timestamp", ["2024-02-29 12:34:56.789", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"]),
    ("timestamptz", ["2024-02-29 12:34:56+02", "1969-07-20 20:17:40.5+00"]),
    ("interval", ["00:00:00", "1 day", "-3 days +04:05:06.7", "26:00:00"]),
    ("uuid", ["00010203-0405-0607-0809-0a0b0c0d0e0f"]),
    ("json", ['{"a": [1, null, "x"]}', "[]", '"text"']),
    ("jsonb", ['{"b": 1, "a": [true, 2.5]}', "[]"]),
    ("oid", ["0", "4294967295"]),
    ("money", ["$1.50"]),
    ("inet", ["127.0.0.1", "10.1.2.3/8", "::1"]),
    ("cidr", ["10.0.0.0/8"]),
    ("macaddr", ["08:00:2b:01:02:03"]),
    ("bit(5)", ["10110"]),
    ("varbit", ["", "101"]),
    ("xml", ["<a>1</a>"]),
    ("boolean[]", ["{}", "{t,NULL,f}"]),
    ("smallint[]", ["{1,-2}"]),
    ("integer[]", ["{}", "{1,NULL,3}"]),
    ("bigint[]", ["{9223372036854775807}"]),
    ("real[]", ["{1.5,-0.25}"]),
    ("double precision[]", ["{0.1,1e+300}"]),
    ("numeric[]", ["{1.50,0.1234567890123456789}"]),
    ("text[]", ["{}", '{a,"b c",NULL,"q\\"uote","","NULL"}']),
    ("varchar[]", ["{a,b}"]),
    ("bytea[]", ['{"\\\\x00ff","\\\\x"}']),
    ("date[]", ["{2024-02-29}"]),
    ("time[]", ["{12:30:00.5}"]),
    ("timestamp[]", ['{"2024-02-29 12:34:56.789"}']),
    ("timestamptz[]", ['{"2024-02-29 12:34:56+02"}']),
    ("interval[]", ['{"1 day","04:05:06"}']),
    ("uuid[]", ["{00010203-0405-0607-0809-0a0b0c0d0e0f}"]),
    ("jsonb[]", ['{"{\\"a\\": 1}"}']),
]

# Types without an operator `=`.
INCOMPARABLE = {"json", "xml"}
# SQLite keeps a `real` by its shortest digits, so it equals the `double precision` of these digits.
INCOMPARABLE |= {"real", "real[]"}
# SQLite orders arrays and documents as texts.
ORDERED_OTHERWISE = {ty for ty, _ in TYPES if ty.endswith("[]")} | {"json", "jsonb", "xml"}


def table_of(ty):
    return "typed_" + "".join(c if c.isalnum() else "_" for c in ty)


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def literals(ty, values):
    """A query of the values, which PostgreSQL itself reads."""
    return " UNION ALL ".join(f"SELECT {n}, {quoted(value)}::{ty}" for n, value in enumerate(values)) + " ORDER BY 1"
