//! The statement module as a session uses it: cases from `tests/sql`, and what must hold for any text.
use std::fmt::Write;

use proptest::prelude::*;
use querent::{
    error::ClientError,
    statement::{Control, Options, Origin, Question, QuestionText, Settings, Statement, StatementError},
    statement::{classify, read, recognise, rewrite, split},
};

/// A statement's reading in the words of `tests/sql/questions.txt`.
fn reading(text: &str, options: &Options) -> String {
    match classify(text, options) {
        Ok(Statement::Empty) => "empty".to_owned(),
        Ok(Statement::Sql) => "sql".to_owned(),
        Ok(Statement::Question(question)) => question_reading(text, &question),
        Ok(Statement::Control(control)) => control_reading(control),
        Err(error) => error_reading(&error),
    }
}

fn question_reading(text: &str, question: &Question) -> String {
    let mut reading = format!("{:?}", question.context).to_lowercase();
    if question.parameters > 0 {
        write!(reading, " ${}", question.parameters).unwrap();
    }
    reading.push_str(if question.direct { " direct: " } else { ": " });
    let asked = question.asked.iter().map(|asked| {
        let words = match &asked.text {
            QuestionText::Literal(words) => format!("\"{words}\""),
            QuestionText::Parameter(number) => format!("${number}"),
            QuestionText::View(view) => format!("view {}", view.name()),
        };
        let parameters: Vec<String> = asked
            .parameters
            .iter()
            .map(|number| format!(" ${number}"))
            .collect();
        let parameters = parameters.concat();
        format!("{} {words}{parameters}", asked.action.name())
    });
    reading.push_str(&asked.collect::<Vec<_>>().join(", "));
    let sql: Vec<String> = (1..=question.asked.len())
        .map(|number| format!("SQL{number}"))
        .collect();
    let sql: Vec<&str> = sql.iter().map(String::as_str).collect();
    format!("{reading}\n{}", rewrite(text, question, &sql).text())
}

fn control_reading(control: Control) -> String {
    match control {
        Control::Set { local, setting } => {
            let name = setting.name();
            let mut settings = Settings::default();
            settings.set(setting);
            format!(
                "set {}{name} = {}",
                if local { "local " } else { "" },
                settings.show(name).unwrap()
            )
        }
        Control::Reset { local, name } => format!("reset {}{name}", if local { "local " } else { "" }),
        Control::Show { name } => format!("show {name}"),
    }
}

fn error_reading(error: &StatementError) -> String {
    let at = error
        .position()
        .map(|position| format!(" at {position}"))
        .unwrap_or_default();
    format!("error {}{at}: {error}", error.sqlstate())
}

/// How a session recognises a statement, spans as the text they cover.
fn recognised(text: &str) -> String {
    let statement = match recognise(text, &Options::default()) {
        Ok(statement) => format!("{statement:?}"),
        Err(error) => return error_reading(&error),
    };
    let mut reading = String::new();
    let mut rest = statement.as_str();
    while let Some((before, span)) = rest.split_once("Span { start: ") {
        let (numbers, behind) = span.split_once(" }").unwrap();
        let (start, end) = numbers.split_once(", end: ").unwrap();
        let covered = &text[start.parse().unwrap()..end.parse().unwrap()];
        write!(reading, "{before}«{covered}»").unwrap();
        rest = behind;
    }
    reading + rest
}

/// Reads cases as `tests/sql/questions.txt` explains them.
fn check(cases: &str, at_least: usize, read: impl Fn(&str) -> String) {
    let cases: Vec<_> = cases
        .split("\n\n")
        .filter_map(|case| case.split_once("\n----\n"))
        .collect();
    assert!(cases.len() >= at_least, "only {} cases were found", cases.len());
    for (input, expected) in cases {
        let input = input.replace('⏎', "\n");
        let lines: Vec<&str> = expected
            .trim_end()
            .lines()
            .map(|line| line.strip_prefix("> ").unwrap_or(line))
            .collect();
        let expected = lines.join("\n").replace('⏎', "\n");
        assert_eq!(read(&input), expected, "reading of\n{input}");
    }
}

#[test]
fn questions_are_read_as_the_cases_say() {
    let options = Options {
        ask_keyword: true,
        ..Options::default()
    };
    check(include_str!("../sql/questions.txt"), 90, |text| {
        reading(text, &options)
    });
}

#[test]
fn views_of_the_model_are_read_where_a_table_stands() {
    let options = Options {
        model_views: true,
        ..Options::default()
    };
    for (text, expected) in [
        (
            "SELECT * FROM semantic.metrics",
            "query direct: run view metrics\nSELECT * FROM (SQL1) AS metrics",
        ),
        (
            "SELECT m.name FROM \"semantic\".Metrics AS m, semantic.fields WHERE 1 = 1",
            "query: run view metrics, run view fields\n\
             SELECT m.name FROM (SQL1) AS m, (SQL2) AS fields WHERE 1 = 1",
        ),
        (
            "SELECT semantic.metrics FROM t JOIN semantic.synonyms ON true",
            "query: run view synonyms\nSELECT semantic.metrics FROM t JOIN (SQL1) AS synonyms ON true",
        ),
        (
            "SELECT c.name FROM semantic.contents('sales.orders') AS c, Semantic.contents($$x$$)",
            "query: run view contents, run view contents\nSELECT c.name FROM (SQL1) AS c, (SQL2) AS contents",
        ),
        ("SELECT * FROM semantic.contents", "sql"),
        ("SELECT * FROM semantic.contents(1)", "sql"),
        ("SELECT * FROM semantic.contents('a', 'b')", "sql"),
        ("SELECT * FROM semantic.other('a')", "sql"),
        ("SELECT semantic.contents('a')", "sql"),
        ("SELECT * FROM semantic.other", "sql"),
        ("SELECT * FROM a.semantic.metrics", "sql"),
        ("SELECT * FROM semantic.metrics.x", "sql"),
        ("SELECT * FROM semantic.metrics(1)", "sql"),
        ("SELECT * FROM \"Semantic\".metrics", "sql"),
        ("SELECT 'FROM semantic.metrics' FROM t", "sql"),
        ("DROP TABLE semantic.metrics", "sql"),
        ("INSERT INTO semantic.metrics VALUES (1)", "sql"),
        ("DELETE FROM semantic.metrics", "sql"),
    ] {
        assert_eq!(reading(text, &options), expected, "{text}");
        assert_eq!(reading(text, &Options::default()), "sql", "{text}");
    }
}

#[test]
fn session_statements_are_recognised_as_the_cases_say() {
    check(include_str!("../sql/session_statements.txt"), 70, recognised);
}

#[test]
fn writing_around_a_question_is_read_where_it_is_allowed() {
    let options = Options {
        allow_in_writes: true,
        ..Options::default()
    };
    for (input, expected) in [
        (
            "CREATE TABLE t AS /* nl: a */",
            "CREATE TABLE t AS /* nl: a */ SQL1",
        ),
        (
            "CREATE TEMP TABLE t (b) AS SELECT /*+ nl: a */ WITH NO DATA",
            "CREATE TEMP TABLE t (b) AS SQL1 /*+ nl: a */ WITH NO DATA",
        ),
        (
            "CREATE OR REPLACE VIEW v AS SELECT * FROM nl('a')",
            "CREATE OR REPLACE VIEW v AS SELECT * FROM (SQL1) AS nl",
        ),
        (
            "INSERT INTO s.t (b, c) SELECT /*+ nl: a */ LIMIT 3",
            "INSERT INTO s.t (b, c) SELECT * FROM (SQL1) AS nl /*+ nl: a */ LIMIT 3",
        ),
        ("INSERT INTO t -- nl: a", "INSERT INTO t -- nl: a\nSQL1"),
        (
            "INSERT INTO t (b) /* nl: a */ ON CONFLICT DO NOTHING",
            "INSERT INTO t (b) /* nl: a */ SQL1 ON CONFLICT DO NOTHING",
        ),
        (
            "MERGE INTO t USING nl('a') AS s ON true WHEN MATCHED THEN DELETE",
            "MERGE INTO t USING (SQL1) AS s ON true WHEN MATCHED THEN DELETE",
        ),
        (
            "DELETE FROM t WHERE id IN (/* nl: a */)",
            "DELETE FROM t WHERE id IN (/* nl: a */ SELECT * FROM (SQL1) AS nl)",
        ),
        (
            "DELETE FROM t USING nl('a') WHERE true",
            "DELETE FROM t USING (SQL1) AS nl WHERE true",
        ),
    ] {
        assert_eq!(
            reading(input, &options),
            format!("write: run \"a\"\n{expected}"),
            "reading of {input}"
        );
    }
}

#[test]
fn statements_of_a_text_are_read_in_order() {
    let text = "SELECT 'ä;'; /* nl: */; ;-- nl: b";
    let statements = read(text, &Options::default());
    assert_eq!(statements.len(), 4);
    assert_eq!(statements[0].statement, Ok(Statement::Sql));
    let error = statements[1].statement.clone().unwrap_err();
    assert_eq!(
        error.position(),
        Some(14),
        "counted in characters of the whole text"
    );
    assert_eq!(statements[2].statement, Ok(Statement::Empty));
    assert!(matches!(statements[3].statement, Ok(Statement::Question(_))));
}

#[test]
fn settings_of_the_session_decide() {
    let other = Options {
        function_name: "frag mich".to_owned(),
        ..Options::default()
    };
    let expected = "query direct: run \"a\"\nSELECT * FROM (SQL1) AS \"frag mich\"";
    assert_eq!(reading("SELECT * FROM \"Frag mich\"('a')", &other), expected);
    assert_eq!(reading("SELECT * FROM nl('a')", &other), "sql");
    assert_eq!(reading("ASK who?", &Options::default()), "sql");
    let backslashes = Options {
        standard_conforming_strings: false,
        ..Options::default()
    };
    assert_eq!(reading("SELECT '\\' /* nl: a */'", &backslashes), "sql");
    assert_eq!(
        reading("SELECT * FROM nl('it\\'s')", &backslashes),
        "query direct: run \"it's\"\nSELECT * FROM (SQL1) AS nl"
    );
}

#[test]
fn errors_say_what_to_do() {
    let error = classify("SET querent.min_confidense = 1", &Options::default()).unwrap_err();
    assert!(error.detail().unwrap().contains("querent.statement_timeout"));
    assert_eq!(
        error.hint().unwrap(),
        "Perhaps you meant \"querent.min_confidence\"."
    );
    let error = classify("SELECT * FROM nl('a', 'x')", &Options::default()).unwrap_err();
    assert_eq!(
        error.hint().unwrap(),
        "The actions are run, sql, explain, trace, good, bad, fix, reset."
    );
}

#[test]
fn positions_lead_back_to_the_clients_text() {
    let text = "SELECT x FROM nl('ä') JOIN u";
    let Ok(Statement::Question(question)) = classify(text, &Options::default()) else {
        panic!("it asks");
    };
    let rewritten = rewrite(text, &question, &["SELECT 1 -- one"]);
    assert_eq!(rewritten.text(), "SELECT x FROM (SELECT 1 -- one\n) AS nl JOIN u");
    assert_eq!(rewritten.origin(7), Origin::Client(7));
    assert_eq!(
        rewritten.origin(14),
        Origin::Client(14),
        "what is added points at the question"
    );
    assert_eq!(rewritten.origin(22), Origin::Generated { asked: 0, offset: 7 });
    assert_eq!(rewritten.origin(33), Origin::Client(14));
    let joined = rewritten.text().find("JOIN").unwrap();
    assert_eq!(
        rewritten.origin(joined),
        Origin::Client(text.find("JOIN").unwrap())
    );
    assert_eq!(rewritten.origin(1000), Origin::Client(text.len()));
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let size = 1 << 20;
    let of = |part: &str| part.repeat(size / part.len());
    let texts = [
        format!("-- nl: {}", of("how many? ")),
        format!("-- nl: a\n{}", of("-- b\n")),
        format!("SELECT * FROM nl('{}')", of("how ''many''? ")),
        format!("{} nl: a", of("/*")),
        format!(
            "{} nl: a {}",
            of("/* ").split_at(size / 2).0,
            of(" */").split_at(size / 2).0
        ),
        format!("ASK {}", of("/*'\"--")),
        format!("ASK {}", of("/* a ' ")),
        format!("SELECT * FROM nl('a') {}", of("((")),
        format!("/* nl: a */ {}", of(") (")),
        format!("/* nl: a */ {}", of("$a$ $b")),
        format!("/* nl: a */ {}", of("''\n--x\n")),
        of("SELECT * FROM nl('a') JOIN "),
        of("SELECT * FROM nl('a'),nl"),
        of("nl("),
        of("/* nl: a */"),
        of("U&'\\"),
        of("\0"),
        of("EXPLAIN "),
        of("PREPARE p AS "),
        of("SET querent.tiers = a,"),
        of("CREATE TRIGGER BEGIN CASE "),
        of("-- nl: a /*k='v'*/;"),
    ];
    let options = Options {
        ask_keyword: true,
        ..Options::default()
    };
    for text in texts {
        let start = std::time::Instant::now();
        let _ = read(&text, &options);
        let _ = recognise(&text, &options);
        let elapsed = start.elapsed();
        // Generous for a busy machine without optimisation; quadratic time would be hours.
        assert!(
            elapsed.as_secs() < 20,
            "{elapsed:?} for {}…",
            &text[..text.floor_char_boundary(40)]
        );
    }
}

/// Pieces of SQL that a reader may stumble over, put together at random.
fn sql() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("'"),
        Just("\""),
        Just("$$"),
        Just("$a$"),
        Just("/*"),
        Just("*/"),
        Just("--"),
        Just("\n"),
        Just(" "),
        Just("nl:"),
        Just("-- nl: a"),
        Just("/* nl: b */"),
        Just("nl('c')"),
        Just("SELECT"),
        Just("FROM"),
        Just("("),
        Just(")"),
        Just(","),
        Just(";"),
        Just("E'"),
        Just("U&'"),
        Just("\\"),
        Just("$1"),
        Just("LIMIT 1"),
        Just("ASK"),
        Just("EXPLAIN"),
        Just("COPY"),
        Just("TO STDOUT"),
        Just("PREPARE p AS"),
        Just("SET querent.mode ="),
        Just("*"),
        Just("CREATE"),
        Just("TABLE t AS"),
        Just("TRIGGER"),
        Just("BEGIN"),
        Just("END"),
        Just("INSERT INTO t"),
        Just("\0"),
        Just("é"),
        Just("😀"),
        Just("::"),
        Just("1.5e"),
        Just("DECLARE c CURSOR FOR"),
        Just("WITH"),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// What every text must satisfy, whatever it is.
fn holds(text: &str, options: &Options) -> Result<(), TestCaseError> {
    let pieces: Vec<&str> = split(text, options)
        .into_iter()
        .map(|span| span.of(text))
        .collect();
    prop_assert_eq!(pieces.concat(), text);
    for piece in pieces {
        let _ = recognise(piece, options);
        if let Ok(Statement::Question(question)) = classify(piece, options) {
            // Without the SQL and what is put around it, the client's text is what it was.
            let sql = vec!["\u{1}"; question.asked.len()];
            let rewritten = rewrite(piece, &question, &sql);
            let mut kept = 0;
            for (at, byte) in rewritten.text().bytes().enumerate() {
                match rewritten.origin(at) {
                    Origin::Client(origin) if piece.as_bytes()[origin] == byte => kept += 1,
                    Origin::Client(origin) => {
                        prop_assert!(question.asked.iter().any(|asked| asked.span.start == origin));
                    }
                    Origin::Generated { asked, offset } => {
                        prop_assert_eq!(offset, 0);
                        prop_assert!(asked < sql.len());
                    }
                }
            }
            let replaced: usize = question
                .asked
                .iter()
                .map(|asked| asked.span.end - asked.span.start + 6)
                .sum();
            prop_assert!(kept + replaced >= piece.len());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>(), standard in any::<bool>(), ask in any::<bool>()) {
        let options = Options { standard_conforming_strings: standard, ask_keyword: ask, ..Options::default() };
        holds(&text, &options)?;
    }

    #[test]
    fn any_sql_is_read(text in sql(), standard in any::<bool>(), ask in any::<bool>()) {
        let options = Options {
            standard_conforming_strings: standard, ask_keyword: ask, allow_in_writes: true, ..Options::default()
        };
        holds(&text, &options)?;
    }

    #[test]
    fn quoted_text_never_asks(text in sql(), tag in "[a-z]{0,3}") {
        let options = Options::default();
        let dollar = format!("${tag}$");
        let quoted = [
            format!("SELECT '{}'", text.replace('\'', "''")),
            format!("SELECT 1 AS \"{}\"", text.replace('"', "\"\"")),
            format!("SELECT E'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            format!("SELECT {dollar}{}{dollar}", text.replace('$', "")),
        ];
        for statement in quoted {
            prop_assert_eq!(split(&statement, &options).len(), 1);
            prop_assert_eq!(classify(&statement, &options), Ok(Statement::Sql));
        }
    }

    #[test]
    fn a_question_is_found_word_for_word(words in "[^\0\\*/'$]{0,40}[a-z]") {
        let expected = QuestionText::Literal(words.trim().to_owned());
        for statement in [format!("/* nl: {words} */"), format!("SELECT * FROM nl('{words}')")] {
            match classify(&statement, &Options::default()) {
                Ok(Statement::Question(question)) => prop_assert_eq!(&question.asked[0].text, &expected),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}

#[test]
fn a_message_asks_so_many_questions() {
    let failed = |text: &str| -> Vec<usize> {
        let statements = read(text, &Options::default());
        let failed = statements.iter().filter_map(|one| one.statement.as_ref().err());
        failed
            .map(|error| {
                assert_eq!(error.sqlstate().as_str(), "54000");
                error.position().unwrap()
            })
            .collect()
    };
    let calls = |count: usize| vec!["nl('q')"; count].join(", ");
    assert!(failed(&format!("SELECT 1 FROM {}", calls(100))).is_empty());
    assert_eq!(failed(&format!("SELECT 1 FROM {}", calls(101))), [15 + 9 * 100]);
    assert_eq!(
        failed(&format!("SELECT 1;{}", "SELECT nl('q');".repeat(101))),
        [10 + 15 * 100 + 7]
    );
}
