//! `querent demo`, run as a person runs it.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    process::{Command, Output, Stdio},
};

/// The demo with its temporary files in `folder` and no settings of whoever runs the tests.
fn demo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
    command
        .arg("demo")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("TMPDIR", folder)
        .stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    demo(folder, arguments).output().unwrap()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn once_answers_five_questions_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &["--once", "--today", "2025-12-31"]);
    let (table, told) = (
        String::from_utf8(ran.stdout).unwrap(),
        String::from_utf8(ran.stderr).unwrap(),
    );
    assert!(ran.status.success(), "{told}");
    assert!(table.matches("SELECT").count() >= 5, "{table}");
    // The shop is the same every time.
    for expected in [
        "how many customers",
        "Argentina | 65",
        "Kestrel Gravel Bike",
        "3.81069",
    ] {
        assert!(table.contains(expected), "{expected} is missing:\n{table}");
    }
    assert!(told.contains("orders from 2022-01-01 to 2025-12-31"), "{told}");
    assert!(!told.contains("listening"), "{told}");
    assert!(is_empty(folder.path()));
}

#[test]
fn an_address_that_is_none_is_told_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    for (address, expected) in [
        ("nowhere.invalid", "cannot listen on nowhere.invalid:7432"),
        ("0.0.0.0", "0.0.0.0:7432 can be reached from other machines"),
    ] {
        let ran = run(folder.path(), &["--listen", address]);
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(!ran.status.success());
        assert!(told.contains(expected) && !told.contains("sample shop"), "{told}");
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn it_is_saved_for_the_examples_of_other_commands() {
    let folder = tempfile::tempdir().unwrap();
    let querent = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
        let command = command.args(arguments).current_dir(folder.path()).env_clear();
        let ran = command.stdin(Stdio::null()).output().unwrap();
        let (out, err) = (String::from_utf8(ran.stdout), String::from_utf8(ran.stderr));
        (ran.status.code(), out.unwrap(), err.unwrap())
    };
    let save = ["demo", "--save", "shop.db", "--today", "2025-12-31"];
    let (code, _, told) = querent(&save);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("querent serve shop.db"), "{told}");
    let (code, _, told) = querent(&save);
    assert!(
        code == Some(1) && told.contains("shop.db is there already"),
        "{told}"
    );
    // As docs/lint.md and `lint --help` have it.
    let misspelled = "SELECT frist_name FROM customers WHERE city = 'Berlin'";
    let (code, _, told) = querent(&["lint", "sqlite:shop.db", "customers in Berlin", misspelled]);
    let repaired = "repaired: SELECT first_name FROM customers WHERE city = 'Berlin'\n";
    assert_eq!((code, told.as_str()), (Some(1), repaired));
    let other = "SELECT COUNT(*) FROM order_lines";
    let (code, out, _) = querent(&["lint", "sqlite:shop.db", "how many orders are there?", other]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains("the rows of order_lines are counted, the question counts orders"),
        "{out}"
    );
    let lines = "how many order lines are there?";
    let (_, out, _) = querent(&["lint", "sqlite:shop.db", lines, other]);
    assert!(out.contains("(0 rows)"), "{out}");
}

#[test]
fn a_taken_port_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = run(folder.path(), &["--listen", &address]);
    let told = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{told}");
    assert!(told.contains(&address) && told.contains("hint"), "{told}");
    assert!(is_empty(folder.path()));
}

#[test]
fn a_taken_address_of_the_console_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = run(folder.path(), &["--listen", "127.0.0.1:0", "--console", &address]);
    let told = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{told}");
    assert!(
        told.contains(&address) && told.contains("--console off"),
        "{told}"
    );
    assert!(is_empty(folder.path()));
}

#[test]
fn an_interrupt_ends_it_and_removes_the_database() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = demo(folder.path(), &["--listen", "127.0.0.1:0", "--console", "off"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let told = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut told = told.map_while(Result::ok);
        assert!(told.any(|line| line.starts_with("listening on 127.0.0.1:")));
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        drop(told.by_ref().last());
        assert!(child.wait().unwrap().success());
        assert!(is_empty(folder.path()));
    }
}
