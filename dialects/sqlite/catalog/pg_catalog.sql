-- The part of PostgreSQL's catalogue that is the same in every database: the types and schemas that
-- drivers look up when they connect. Numbers are PostgreSQL's own. Columns that nobody asked for yet are left out.

CREATE TABLE pg_catalog.pg_namespace (oid INTEGER PRIMARY KEY, nspname NAME, nspowner OID, nspacl TEXT);
INSERT INTO pg_catalog.pg_namespace (oid, nspname, nspowner) VALUES
    (11, 'pg_catalog', 10),
    (2200, 'main', 10);

CREATE TABLE pg_catalog.pg_type (
    oid INTEGER PRIMARY KEY, typname NAME, typnamespace OID, typowner OID, typlen INTEGER, typtype TEXT,
    typcategory TEXT, typarray OID, typelem OID,
    typbyval BOOLEAN DEFAULT 0, typisdefined BOOLEAN DEFAULT 1, typdelim TEXT DEFAULT ',', typrelid OID DEFAULT 0,
    typsubscript TEXT DEFAULT '-', typinput TEXT DEFAULT '-', typoutput TEXT DEFAULT '-', typreceive TEXT DEFAULT '-',
    typsend TEXT DEFAULT '-', typnotnull BOOLEAN DEFAULT 0, typbasetype OID DEFAULT 0, typtypmod INTEGER DEFAULT -1,
    typndims INTEGER DEFAULT 0, typcollation OID DEFAULT 0, typdefault TEXT
);
INSERT INTO pg_catalog.pg_type
    (oid, typname, typnamespace, typowner, typlen, typtype, typcategory, typarray, typelem) VALUES
    (16, 'bool', 11, 10, 1, 'b', 'B', 1000, 0),
    (17, 'bytea', 11, 10, -1, 'b', 'U', 1001, 0),
    (18, 'char', 11, 10, 1, 'b', 'Z', 1002, 0),
    (19, 'name', 11, 10, 64, 'b', 'S', 1003, 0),
    (20, 'int8', 11, 10, 8, 'b', 'N', 1016, 0),
    (21, 'int2', 11, 10, 2, 'b', 'N', 1005, 0),
    (23, 'int4', 11, 10, 4, 'b', 'N', 1007, 0),
    (24, 'regproc', 11, 10, 4, 'b', 'N', 1008, 0),
    (25, 'text', 11, 10, -1, 'b', 'S', 1009, 0),
    (26, 'oid', 11, 10, 4, 'b', 'N', 1028, 0),
    (114, 'json', 11, 10, -1, 'b', 'U', 199, 0),
    (142, 'xml', 11, 10, -1, 'b', 'U', 143, 0),
    (143, '_xml', 11, 10, -1, 'b', 'A', 0, 142),
    (199, '_json', 11, 10, -1, 'b', 'A', 0, 114),
    (650, 'cidr', 11, 10, -1, 'b', 'I', 651, 0),
    (651, '_cidr', 11, 10, -1, 'b', 'A', 0, 650),
    (700, 'float4', 11, 10, 4, 'b', 'N', 1021, 0),
    (701, 'float8', 11, 10, 8, 'b', 'N', 1022, 0),
    (705, 'unknown', 11, 10, -2, 'p', 'X', 0, 0),
    (790, 'money', 11, 10, 8, 'b', 'N', 791, 0),
    (791, '_money', 11, 10, -1, 'b', 'A', 0, 790),
    (869, 'inet', 11, 10, -1, 'b', 'I', 1041, 0),
    (1000, '_bool', 11, 10, -1, 'b', 'A', 0, 16),
    (1001, '_bytea', 11, 10, -1, 'b', 'A', 0, 17),
    (1002, '_char', 11, 10, -1, 'b', 'A', 0, 18),
    (1003, '_name', 11, 10, -1, 'b', 'A', 0, 19),
    (1005, '_int2', 11, 10, -1, 'b', 'A', 0, 21),
    (1007, '_int4', 11, 10, -1, 'b', 'A', 0, 23),
    (1008, '_regproc', 11, 10, -1, 'b', 'A', 0, 24),
    (1009, '_text', 11, 10, -1, 'b', 'A', 0, 25),
    (1014, '_bpchar', 11, 10, -1, 'b', 'A', 0, 1042),
    (1015, '_varchar', 11, 10, -1, 'b', 'A', 0, 1043),
    (1016, '_int8', 11, 10, -1, 'b', 'A', 0, 20),
    (1021, '_float4', 11, 10, -1, 'b', 'A', 0, 700),
    (1022, '_float8', 11, 10, -1, 'b', 'A', 0, 701),
    (1028, '_oid', 11, 10, -1, 'b', 'A', 0, 26),
    (1041, '_inet', 11, 10, -1, 'b', 'A', 0, 869),
    (1042, 'bpchar', 11, 10, -1, 'b', 'S', 1014, 0),
    (1043, 'varchar', 11, 10, -1, 'b', 'S', 1015, 0),
    (1082, 'date', 11, 10, 4, 'b', 'D', 1182, 0),
    (1083, 'time', 11, 10, 8, 'b', 'D', 1183, 0),
    (1114, 'timestamp', 11, 10, 8, 'b', 'D', 1115, 0),
    (1115, '_timestamp', 11, 10, -1, 'b', 'A', 0, 1114),
    (1182, '_date', 11, 10, -1, 'b', 'A', 0, 1082),
    (1183, '_time', 11, 10, -1, 'b', 'A', 0, 1083),
    (1184, 'timestamptz', 11, 10, 8, 'b', 'D', 1185, 0),
    (1185, '_timestamptz', 11, 10, -1, 'b', 'A', 0, 1184),
    (1186, 'interval', 11, 10, 16, 'b', 'T', 1187, 0),
    (1187, '_interval', 11, 10, -1, 'b', 'A', 0, 1186),
    (1231, '_numeric', 11, 10, -1, 'b', 'A', 0, 1700),
    (1266, 'timetz', 11, 10, 12, 'b', 'D', 1270, 0),
    (1270, '_timetz', 11, 10, -1, 'b', 'A', 0, 1266),
    (1700, 'numeric', 11, 10, -1, 'b', 'N', 1231, 0),
    (2205, 'regclass', 11, 10, 4, 'b', 'N', 2210, 0),
    (2206, 'regtype', 11, 10, 4, 'b', 'N', 2211, 0),
    (2210, '_regclass', 11, 10, -1, 'b', 'A', 0, 2205),
    (2211, '_regtype', 11, 10, -1, 'b', 'A', 0, 2206),
    (2249, 'record', 11, 10, -1, 'p', 'P', 0, 0),
    (2278, 'void', 11, 10, 4, 'p', 'P', 0, 0),
    (2950, 'uuid', 11, 10, 16, 'b', 'U', 2951, 0),
    (2951, '_uuid', 11, 10, -1, 'b', 'A', 0, 2950),
    (3802, 'jsonb', 11, 10, -1, 'b', 'U', 3807, 0),
    (3807, '_jsonb', 11, 10, -1, 'b', 'A', 0, 3802);

CREATE TABLE pg_catalog.pg_range (
    rngtypid INTEGER PRIMARY KEY, rngsubtype OID, rngmultitypid OID, rngcollation OID, rngsubopc OID
);
CREATE TABLE pg_catalog.pg_enum (oid INTEGER PRIMARY KEY, enumtypid OID, enumsortorder REAL, enumlabel NAME);
CREATE TABLE pg_catalog.pg_extension (
    oid INTEGER PRIMARY KEY, extname NAME, extowner OID, extnamespace OID, extversion TEXT
);
CREATE TABLE pg_catalog.pg_database (
    oid INTEGER PRIMARY KEY, datname NAME, datdba OID, encoding INTEGER, datcollate TEXT, datctype TEXT,
    datistemplate BOOLEAN DEFAULT 0, datallowconn BOOLEAN DEFAULT 1, datconnlimit INTEGER DEFAULT -1, datacl TEXT
);
CREATE TABLE pg_catalog.pg_roles (
    oid INTEGER PRIMARY KEY, rolname NAME, rolsuper BOOLEAN, rolcanlogin BOOLEAN, rolinherit BOOLEAN DEFAULT 1,
    rolcreaterole BOOLEAN DEFAULT 0, rolcreatedb BOOLEAN DEFAULT 0, rolreplication BOOLEAN DEFAULT 0,
    rolconnlimit INTEGER DEFAULT -1, rolvaliduntil TIMESTAMP
);
