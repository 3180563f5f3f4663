-- The journal of the audit. An event is a line of JSON in `body`; the other columns repeat what is looked for.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL, -- microseconds since 1970, UTC
    kind TEXT NOT NULL,
    question TEXT,
    user_name TEXT,
    through INTEGER,
    body TEXT NOT NULL,
    hash BLOB NOT NULL
);
CREATE INDEX audit_time ON audit (time);
CREATE INDEX audit_question ON audit (question);
CREATE INDEX audit_through ON audit (through) WHERE through IS NOT NULL;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
-- Only what an event of the kind "pruned" stands for may go.
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
WHEN OLD.seq > (SELECT coalesce(max(through), 0) FROM audit WHERE through IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
-- INSERT OR REPLACE removes a row without the trigger above.
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN NEW.seq <= (SELECT coalesce(max(seq), 0) FROM audit)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
