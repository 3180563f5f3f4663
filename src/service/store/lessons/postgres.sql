-- Statements that were corrected, with what was changed in them, and what people have decided of such changes.
CREATE TABLE querent.lesson (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    time timestamptz NOT NULL,
    database_name text NOT NULL,
    source text NOT NULL,
    code text NOT NULL,
    change text NOT NULL,
    before text NOT NULL,
    after text NOT NULL
);
-- Statements may be longer than what fits into an index.
CREATE UNIQUE INDEX lesson_once ON querent.lesson (database_name, md5(change), md5(before), md5(after));
CREATE TABLE querent.subtype (
    database_name text NOT NULL,
    change text NOT NULL,
    accepted boolean NOT NULL,
    PRIMARY KEY (database_name, change)
);
