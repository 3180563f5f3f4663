-- How good authors have turned out to be: sums over the answers of one author to one kind of question about one database.
CREATE TABLE IF NOT EXISTS {schema}skill (
    database_name text NOT NULL,
    author text NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    noted double precision NOT NULL,
    was_right double precision NOT NULL,
    claimed double precision NOT NULL,
    updated bigint NOT NULL, -- seconds since 1970, UTC
    PRIMARY KEY (database_name, author, kind, source)
);
