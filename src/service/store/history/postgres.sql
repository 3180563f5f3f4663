-- What lists of questions are made from: a row a question, which the journal's own rows make, change and take away.
CREATE TABLE querent.history (
    seq bigint PRIMARY KEY, -- of the decision
    question text NOT NULL,
    time timestamptz NOT NULL,
    session bigint NOT NULL,
    user_name text NOT NULL,
    database_name text NOT NULL,
    address text NOT NULL,
    application text NOT NULL,
    action text NOT NULL,
    state text NOT NULL, -- answered, unanswered, failed
    outcome text,
    sqlstate text,
    tier text NOT NULL,
    confidence double precision,
    cached boolean NOT NULL,
    model_calls bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    cost_usd double precision NOT NULL,
    answer_ms double precision NOT NULL,
    "rows" bigint,
    run_ms double precision,
    verdict text,
    words text NOT NULL,
    sql text,
    reason text
);
CREATE INDEX history_question ON querent.history (question);
CREATE INDEX history_time ON querent.history (time);
CREATE INDEX history_user ON querent.history (user_name, seq);
-- What the agents did for a question, as JSON; bounded in number and bytes.
CREATE TABLE querent.agent_runs (
    question text PRIMARY KEY,
    time timestamptz NOT NULL,
    bytes bigint NOT NULL,
    body text NOT NULL
);
CREATE INDEX agent_runs_time ON querent.agent_runs (time, bytes);
CREATE FUNCTION querent.history_added() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE b jsonb;
BEGIN
    IF NEW.kind NOT IN ('decided', 'ended', 'feedback') THEN
        RETURN NEW;
    END IF;
    b := NEW.body::jsonb;
    IF NEW.kind = 'decided' AND NEW.question IS NOT NULL THEN
        INSERT INTO querent.history VALUES (
        NEW.seq, NEW.question, NEW.time, coalesce((b ->> 'session')::bigint, 0), coalesce(b ->> 'user', ''),
        coalesce(b ->> 'database', ''), coalesce(b ->> 'address', ''),
        substr(coalesce(b ->> 'application', ''), 1, 200), coalesce(b ->> 'action', ''),
        CASE b ->> 'decision' WHEN 'allowed' THEN 'answered' ELSE 'unanswered' END,
        NULL, b ->> 'sqlstate', coalesce(b ->> 'tier', ''), (b ->> 'confidence')::double precision,
        coalesce((b ->> 'cached')::boolean, false), coalesce((b ->> 'model_calls')::bigint, 0),
        coalesce((b ->> 'prompt_tokens')::bigint, 0), coalesce((b ->> 'completion_tokens')::bigint, 0),
        coalesce((b ->> 'cost_usd')::double precision, 0), coalesce((b ->> 'answer_ms')::double precision, 0), NULL, NULL, NULL,
        substr(coalesce(b ->> 'question', ''), 1, 2000), substr(b ->> 'sql', 1, 2000),
        substr(b ->> 'reason', 1, 2000));
    ELSIF NEW.kind = 'ended' THEN
        UPDATE querent.history SET outcome = b ->> 'outcome', sqlstate = coalesce(b ->> 'sqlstate', sqlstate),
            "rows" = coalesce("rows", 0) + coalesce((b ->> 'rows')::bigint, 0),
            run_ms = coalesce(run_ms, 0) + coalesce((b ->> 'run_ms')::double precision, 0),
            state = CASE WHEN state <> 'unanswered' AND b ->> 'outcome' IN ('failed', 'cancelled') THEN 'failed'
                         WHEN state = 'failed' THEN 'answered' ELSE state END
        WHERE question = NEW.question;
    ELSIF NEW.kind = 'feedback' THEN
        -- What is said is of that user's last question of those words.
        UPDATE querent.history SET verdict = b ->> 'action' WHERE seq = (
            SELECT h.seq FROM querent.history AS h
            WHERE h.user_name = coalesce(b ->> 'user', '') AND h.seq > NEW.seq - 20000
              AND h.words = substr(b ->> 'question', 1, 2000) AND h.sql = substr(b ->> 'sql', 1, 2000)
            ORDER BY h.seq DESC LIMIT 1);
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER history_added AFTER INSERT ON querent.audit
    FOR EACH ROW EXECUTE FUNCTION querent.history_added();
CREATE FUNCTION querent.history_removed() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    DELETE FROM querent.history WHERE seq = OLD.seq;
    DELETE FROM querent.agent_runs WHERE question = OLD.question;
    RETURN OLD;
END
$$;
CREATE TRIGGER history_removed AFTER DELETE ON querent.audit
    FOR EACH ROW EXECUTE FUNCTION querent.history_removed();
-- What was asked before there was a history.
INSERT INTO querent.history SELECT
        d.seq, d.question, d.time, coalesce((b ->> 'session')::bigint, 0), coalesce(b ->> 'user', ''),
        coalesce(b ->> 'database', ''), coalesce(b ->> 'address', ''),
        substr(coalesce(b ->> 'application', ''), 1, 200), coalesce(b ->> 'action', ''),
        CASE b ->> 'decision' WHEN 'allowed' THEN 'answered' ELSE 'unanswered' END,
        NULL, b ->> 'sqlstate', coalesce(b ->> 'tier', ''), (b ->> 'confidence')::double precision,
        coalesce((b ->> 'cached')::boolean, false), coalesce((b ->> 'model_calls')::bigint, 0),
        coalesce((b ->> 'prompt_tokens')::bigint, 0), coalesce((b ->> 'completion_tokens')::bigint, 0),
        coalesce((b ->> 'cost_usd')::double precision, 0), coalesce((b ->> 'answer_ms')::double precision, 0), NULL, NULL, NULL,
        substr(coalesce(b ->> 'question', ''), 1, 2000), substr(b ->> 'sql', 1, 2000),
        substr(b ->> 'reason', 1, 2000)
FROM querent.audit AS d CROSS JOIN LATERAL (SELECT d.body::jsonb AS b) AS parsed
WHERE d.kind = 'decided' AND d.question IS NOT NULL;
UPDATE querent.history AS h SET outcome = e.outcome, "rows" = e.n, run_ms = e.run_ms,
    state = CASE WHEN h.state = 'answered' AND e.outcome IN ('failed', 'cancelled') THEN 'failed' ELSE h.state END
FROM (SELECT question AS asked, (array_agg(body::jsonb ->> 'outcome' ORDER BY seq DESC))[1] AS outcome,
             sum((body::jsonb ->> 'rows')::bigint) AS n, sum((body::jsonb ->> 'run_ms')::double precision) AS run_ms
      FROM querent.audit WHERE kind = 'ended' GROUP BY question) AS e
WHERE h.question = e.asked;
