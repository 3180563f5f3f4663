//! The command line, by running the program: every subcommand, bad input, exit codes, hints.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::program::{Place, ran, refuses};

#[test]
fn help_and_version_go_to_stdout() {
    let place = Place::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["serve", "--help"],
        &["ask", "--help"],
        &["eval", "--help"],
        &["check", "--help"],
        &["config", "--help"],
        &["demo", "--help"],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        assert!(ran.out.contains("querent"), "{arguments:?}: {}", ran.out);
    }
    assert!(place.run(&["ask", "--help"]).out.contains("Examples:"));
    assert_eq!(place.run(&[]).code, 2);
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let place = Place::new();
    refuses(&place, &["bogus"], 2, &["bogus"]);
    refuses(&place, &["ask"], 2, &["BACKEND"]);
    refuses(&place, &["ask", "sqlite:pets.db"], 2, &["QUESTION"]);
    refuses(
        &place,
        &["ask", "postgres://localhost:port/x", "q"],
        2,
        &["\"port\" is no port"],
    );
    refuses(&place, &["ask", "sqlite:", "q"], 2, &["names no file"]);
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q", "--format", "xml"],
        2,
        &["table, csv, json, jsonl, markdown"],
    );
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q", "--model", "a,b"],
        2,
        &["name one model"],
    );
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q", "--mode", "single"],
        2,
        &["mode single needs a language model", "--model"],
    );
    refuses(&place, &["eval", "set", "--mode", "guess"], 2, &["embedded"]);
    refuses(&place, &["eval", "set", "--oracle"], 2, &["--oracle"]);
    refuses(&place, &["eval", "set", "--resume"], 2, &["--out"]);
    refuses(&place, &["eval", "set", "--repair"], 2, &["--predictions"]);
    refuses(&place, &["eval", "set", "--limit", "0"], 2, &["above 0"]);
    refuses(&place, &["eval", "set", "--split", "x"], 2, &["FILE:NAME"]);
}

#[test]
fn files_that_are_no_database_are_refused() {
    let place = Place::new();
    place.write(
        "text.db",
        "this is not a database, only text that is long enough to be read as a header of one",
    );
    std::fs::create_dir(place.path("folder")).unwrap();
    for command in ["ask", "check", "serve"] {
        for (backend, expected) in [
            ("sqlite:missing.db", "missing.db"),
            ("sqlite:folder", "folder"),
            ("sqlite:text.db", "text.db"),
        ] {
            let mut arguments = vec![command, backend];
            if command == "ask" {
                arguments.push("how many?");
            }
            refuses(&place, &arguments, 1, &["error: ", expected]);
        }
    }
    assert!(!place.path("missing.db").exists());
}

#[test]
fn settings_are_printed_with_their_sources_and_can_be_read_back() {
    let place = Place::new();
    place.write(
        "querent.toml",
        "listen = \"127.0.0.1:1\"\n[auth]\nmode = \"scram\"\n[auth.users]\nann = \"hunter2\"\n",
    );
    let output = place
        .command(&["config"])
        .env("QUERENT_LIMITS__ROWS", "9")
        .output()
        .unwrap();
    let ran = ran(&output);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in [
        "listen = [\"127.0.0.1:1\"]  # (from ./querent.toml:1)",
        "rows = 9  # (from environment QUERENT_LIMITS__ROWS)",
        "users = { ann = \"********\" }",
        "mode = \"scram\"",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    assert!(!ran.out.contains("hunter2"));
    place.write("again.toml", &ran.out);
    let again = place.run(&["config", "--config", "again.toml"]);
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn wrong_settings_name_the_place_and_the_neighbour() {
    let place = Place::new();
    place.write("querent.toml", "[limits]\nrow = 5\n");
    refuses(
        &place,
        &["config"],
        1,
        &["querent.toml:2", "limits.row", "did you mean limits.rows?"],
    );
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q"],
        1,
        &["did you mean limits.rows?"],
    );
    refuses(&place, &["config", "--config", "none.toml"], 1, &["none.toml"]);
    place.write("querent.toml", "log = \"a=b=c\"\n");
    refuses(&place, &["config"], 1, &["log filter", "hint:"]);
}

#[test]
fn check_shows_the_schema_and_tells_problems() {
    let place = Place::new();
    let ran = place.run(&["check", "sqlite:pets.db"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in [
        "owner_id",
        "-> owner.id",
        "primary",
        "2 tables",
        "1 declared foreign keys",
        "value index:",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    place.write("open.toml", "listen = \"0.0.0.0:7432\"\n");
    let ran = place.run(&["check", "sqlite:pets.db", "--config", "open.toml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("problem: 0.0.0.0:7432") && ran.err.contains("allow_trust_from_anywhere"),
        "{}",
        ran.err
    );
    place.database("empty.db", "VACUUM");
    let ran = place.run(&["check", "sqlite:empty.db"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no table that can be read"), "{}", ran.err);
}

#[test]
fn check_tells_what_it_leaves_out() {
    let place = Place::new();
    place.database(
        "odd.db",
        "CREATE TABLE t (a); CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone;
         CREATE TABLE odd (a); PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET name = CAST(x'6fff64' AS TEXT), tbl_name = CAST(x'6fff64' AS TEXT),
                sql = 'CREATE TABLE \"' || CAST(x'6fff64' AS TEXT) || '\" (a)' WHERE name = 'odd';",
    );
    for format in ["table", "json"] {
        let ran = place.run(&["check", "sqlite:odd.db", "--format", format]);
        assert_eq!(ran.code, 1, "{} {}", ran.out, ran.err);
        let told = ran.out + &ran.err;
        for problem in [
            "broken is left out: ",
            "main.gone",
            "o\u{fffd}d is left out: its name is not UTF-8",
        ] {
            assert!(told.contains(problem), "{problem}: {told}");
        }
    }
}

#[test]
fn serve_refuses_strangers_without_passwords() {
    let place = Place::new();
    let arguments = ["serve", "sqlite:pets.db", "--listen", "0.0.0.0:0"];
    refuses(&place, &arguments, 1, &["trust", "allow_trust_from_anywhere"]);
    refuses(
        &place,
        &["serve", "sqlite:pets.db", "--listen", "nowhere:x"],
        1,
        &["listen", "argument --listen"],
    );
}

#[test]
fn serve_tells_where_it_listens_and_ends_on_sigterm() {
    let place = Place::new();
    let mut child = place
        .command(&["serve", "sqlite:pets.db", "--listen", "127.0.0.1:0"])
        .arg("--listen")
        .arg(place.path("").join(".s.PGSQL.7"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let mut listening = || loop {
        let line = lines.next().expect("the server says where it listens");
        if let Some(address) = line.strip_prefix("listening on ") {
            return address.to_owned();
        }
    };
    let address = listening();
    assert!(!address.ends_with(":0"), "{address}");
    assert!(listening().ends_with(".s.PGSQL.7"));
    TcpStream::connect(address).unwrap();
    let told = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    assert!(child.wait().unwrap().success());
    assert!(!place.path(".s.PGSQL.7").exists());
}

#[test]
fn a_question_is_answered_in_every_format() {
    let place = Place::new();
    let ask = |more: &[&str]| {
        let question = ["ask", "sqlite:pets.db", "How many pets are there of each kind?"];
        let ran = place.run(&[&question[..], more].concat());
        assert_eq!(ran.code, 0, "{more:?}: {}", ran.err);
        ran
    };
    let table = ask(&[]);
    assert!(
        table.out.contains("(2 rows)") && table.out.contains("cat"),
        "{}",
        table.out
    );
    let notice = table.err.lines().last().unwrap();
    assert!(
        notice.starts_with("nl: SELECT ") && notice.ends_with(" ms)"),
        "{notice}"
    );

    let csv = ask(&["--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(lines, ["cat,2", "dog,1"]);
    let rows: Value = serde_json::from_str(&ask(&["--format", "json"]).out).unwrap();
    assert_eq!(rows[0]["kind"], "cat");

    let sql = ask(&["--sql"]);
    assert!(
        sql.out.starts_with("SELECT ") && sql.out.ends_with(";\n"),
        "{}",
        sql.out
    );
    let connection = rusqlite::Connection::open(place.path("pets.db")).unwrap();
    connection.query_row(sql.out.trim(), [], |_| Ok(())).unwrap();

    let trace = ask(&["--trace", "--format", "csv"]).out;
    assert!(trace.starts_with(
        "seq,agent,model,attempt,milliseconds,prompt_tokens,completion_tokens,outcome,output\n1,reading,"
    ));
    let quiet = place
        .command(&["ask", "sqlite:pets.db", "how many owners?"])
        .env("QUERENT_NOTICES", "off")
        .output();
    assert_eq!(ran(&quiet.unwrap()).err, "");
}

#[test]
fn questions_that_make_no_sense_have_an_error_and_a_hint() {
    let place = Place::new();
    for question in [
        "",
        "   ",
        "xyzzy plugh frobnicate",
        "Wie viele Haustiere gibt es eigentlich?",
    ] {
        refuses(&place, &["ask", "sqlite:pets.db", question], 1, &["error: NL00"]);
    }
    let output = place
        .command(&["ask", "sqlite:pets.db", "how many pets?"])
        .env("QUERENT_QUESTIONS", "off")
        .output();
    assert!(ran(&output.unwrap()).err.contains("switched off"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_querent"));
    let script = format!("set -o pipefail; '{}' config | true", binary.display());
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let ran = ran(&output);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}
