-- Statements that were corrected, with what was changed in them, and what people have decided of such changes.
CREATE TABLE lesson (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL, -- microseconds since 1970, UTC
    database_name TEXT NOT NULL,
    source TEXT NOT NULL,
    code TEXT NOT NULL,
    change TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    UNIQUE (database_name, change, before, after)
);
CREATE TABLE subtype (
    database_name TEXT NOT NULL,
    change TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    PRIMARY KEY (database_name, change)
) WITHOUT ROWID;
