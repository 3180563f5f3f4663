-- What lists of questions are made from: a row a question, which the journal's own rows make, change and take away.
CREATE TABLE history (
    seq INTEGER PRIMARY KEY, -- of the decision
    question TEXT NOT NULL,
    time INTEGER NOT NULL, -- microseconds since 1970, UTC
    session INTEGER NOT NULL,
    user_name TEXT NOT NULL,
    database_name TEXT NOT NULL,
    address TEXT NOT NULL,
    application TEXT NOT NULL,
    action TEXT NOT NULL,
    state TEXT NOT NULL, -- answered, unanswered, failed
    outcome TEXT,
    sqlstate TEXT,
    tier TEXT NOT NULL,
    confidence REAL,
    cached INTEGER NOT NULL,
    model_calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    answer_ms REAL NOT NULL,
    rows INTEGER,
    run_ms REAL,
    verdict TEXT,
    words TEXT NOT NULL,
    sql TEXT,
    reason TEXT
);
CREATE INDEX history_question ON history (question);
CREATE INDEX history_time ON history (time);
CREATE INDEX history_user ON history (user_name, seq);
CREATE TRIGGER history_decided AFTER INSERT ON audit WHEN NEW.kind = 'decided' AND NEW.question IS NOT NULL BEGIN
    INSERT INTO history VALUES (
        NEW.seq, NEW.question, NEW.time, coalesce(NEW.body ->> 'session', 0), coalesce(NEW.body ->> 'user', ''),
        coalesce(NEW.body ->> 'database', ''), coalesce(NEW.body ->> 'address', ''),
        substr(coalesce(NEW.body ->> 'application', ''), 1, 200), coalesce(NEW.body ->> 'action', ''),
        CASE NEW.body ->> 'decision' WHEN 'allowed' THEN 'answered' ELSE 'unanswered' END,
        NULL, NEW.body ->> 'sqlstate', coalesce(NEW.body ->> 'tier', ''), NEW.body ->> 'confidence',
        coalesce(NEW.body ->> 'cached', 0), coalesce(NEW.body ->> 'model_calls', 0),
        coalesce(NEW.body ->> 'prompt_tokens', 0), coalesce(NEW.body ->> 'completion_tokens', 0),
        coalesce(NEW.body ->> 'cost_usd', 0), coalesce(NEW.body ->> 'answer_ms', 0), NULL, NULL, NULL,
        substr(coalesce(NEW.body ->> 'question', ''), 1, 2000), substr(NEW.body ->> 'sql', 1, 2000),
        substr(NEW.body ->> 'reason', 1, 2000));
END;
CREATE TRIGGER history_ended AFTER INSERT ON audit WHEN NEW.kind = 'ended' BEGIN
    UPDATE history SET outcome = NEW.body ->> 'outcome', sqlstate = coalesce(NEW.body ->> 'sqlstate', sqlstate),
        rows = coalesce(rows, 0) + coalesce(NEW.body ->> 'rows', 0),
        run_ms = coalesce(run_ms, 0) + coalesce(NEW.body ->> 'run_ms', 0),
        state = CASE WHEN state <> 'unanswered' AND NEW.body ->> 'outcome' IN ('failed', 'cancelled') THEN 'failed'
                     WHEN state = 'failed' THEN 'answered' ELSE state END
    WHERE question = NEW.question;
END;
-- What is said is of that user's last question of those words.
CREATE TRIGGER history_feedback AFTER INSERT ON audit WHEN NEW.kind = 'feedback' BEGIN
    UPDATE history SET verdict = NEW.body ->> 'action' WHERE seq = (
        SELECT h.seq FROM history AS h
        WHERE h.user_name = coalesce(NEW.body ->> 'user', '') AND h.seq > NEW.seq - 20000
          AND h.words = substr(NEW.body ->> 'question', 1, 2000) AND h.sql = substr(NEW.body ->> 'sql', 1, 2000)
        ORDER BY h.seq DESC LIMIT 1);
END;
CREATE TRIGGER history_removed AFTER DELETE ON audit BEGIN
    DELETE FROM history WHERE seq = OLD.seq;
    DELETE FROM agent_runs WHERE question = OLD.question;
END;
-- What the agents did for a question, as JSON; bounded in number and bytes.
CREATE TABLE agent_runs (
    question TEXT PRIMARY KEY,
    time INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX agent_runs_time ON agent_runs (time, bytes);

-- What was asked before there was a history.
INSERT INTO history SELECT
        d.seq, d.question, d.time, coalesce(d.body ->> 'session', 0), coalesce(d.body ->> 'user', ''),
        coalesce(d.body ->> 'database', ''), coalesce(d.body ->> 'address', ''),
        substr(coalesce(d.body ->> 'application', ''), 1, 200), coalesce(d.body ->> 'action', ''),
        CASE d.body ->> 'decision' WHEN 'allowed' THEN 'answered' ELSE 'unanswered' END,
        NULL, d.body ->> 'sqlstate', coalesce(d.body ->> 'tier', ''), d.body ->> 'confidence',
        coalesce(d.body ->> 'cached', 0), coalesce(d.body ->> 'model_calls', 0),
        coalesce(d.body ->> 'prompt_tokens', 0), coalesce(d.body ->> 'completion_tokens', 0),
        coalesce(d.body ->> 'cost_usd', 0), coalesce(d.body ->> 'answer_ms', 0), NULL, NULL, NULL,
        substr(coalesce(d.body ->> 'question', ''), 1, 2000), substr(d.body ->> 'sql', 1, 2000),
        substr(d.body ->> 'reason', 1, 2000)
FROM audit AS d WHERE d.kind = 'decided' AND d.question IS NOT NULL;
UPDATE history SET outcome = e.outcome, rows = e.rows, run_ms = e.run_ms,
    state = CASE WHEN state = 'answered' AND e.outcome IN ('failed', 'cancelled') THEN 'failed' ELSE state END
FROM (SELECT question AS asked, body ->> 'outcome' AS outcome, sum(body ->> 'rows') AS rows, sum(body ->> 'run_ms') AS run_ms,
             max(seq) AS last
      FROM audit WHERE kind = 'ended' GROUP BY question) AS e
WHERE history.question = e.asked;
