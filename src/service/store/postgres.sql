-- The journal of the audit. An event is a line of JSON in "body"; the other columns repeat what is looked for.
CREATE SCHEMA IF NOT EXISTS querent;
CREATE TABLE querent.audit (
    seq bigint PRIMARY KEY,
    time timestamptz NOT NULL,
    kind text NOT NULL,
    question text,
    user_name text,
    through bigint,
    body text NOT NULL,
    hash bytea NOT NULL
);
CREATE INDEX audit_time ON querent.audit (time);
CREATE INDEX audit_question ON querent.audit (question);
CREATE INDEX audit_through ON querent.audit (through) WHERE through IS NOT NULL;
CREATE FUNCTION querent.audit_append_only() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    -- Only what an event of the kind "pruned" stands for may go.
    IF TG_OP = 'DELETE' THEN
        IF OLD.seq <= (SELECT max(through) FROM querent.audit WHERE through IS NOT NULL) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = '42501';
END
$$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON querent.audit
    FOR EACH ROW EXECUTE FUNCTION querent.audit_append_only();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON querent.audit
    FOR EACH STATEMENT EXECUTE FUNCTION querent.audit_append_only();
