//! The program itself: `querent serve` records, `querent audit` reads.

use std::{
    fs::File,
    process::{Child, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::book::PATIENCE;
use crate::{
    console::served::Served,
    program::{Place, Ran, ran, refuses},
};

const FILE: &str = ".local/state/querent/querent.db";

fn entries(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let ran = place.run(&[&["audit", "--format", "json"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_the_server_ends() {
    let mut served = Served::start("");
    served.line(|line| line.contains("questions are recorded") && line.contains(FILE));
    let client = served.client().await;
    for number in 0..300 {
        let question = format!("-- nl: how many owners are there? {}", " ".repeat(number % 3));
        client.simple_query(&question).await.unwrap();
    }
    client
        .simple_query("-- nl: frobnicate the zorblax")
        .await
        .unwrap_err();
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    let all = entries(&served.place, &[]);
    assert_eq!(all.len(), 301);
    assert!(
        all.iter()
            .take(300)
            .all(|entry| entry["outcome"] == "ok" && entry["rows"] == 1),
        "{:?}",
        all[299]
    );
    assert_eq!(
        (&all[300]["decision"], &all[300]["sqlstate"]),
        (&"refused".into(), &"NL001".into())
    );
    assert_eq!(
        (&all[0]["user"], &all[0]["database"]),
        (&"ada".into(), &"pets".into())
    );
    let ran = served.place.run(&["audit", "--verify"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.starts_with("the chain holds: 601 events, from 1 to 601"),
        "{}",
        ran.out
    );
    assert!(served.place.path(FILE).exists(), "the usual place");
    // What is read can be narrowed.
    assert_eq!(
        entries(&served.place, &["--user", "ada", "--since", "1h"]).len(),
        301
    );
    assert_eq!(entries(&served.place, &["--user", "eve"]).len(), 0);
    assert_eq!(entries(&served.place, &["--since", "2999-01-01"]).len(), 0);
    let table = served.place.run(&["audit"]).out;
    assert!(
        table.contains("frobnicate the zorblax") && table.contains("(301 rows)"),
        "{table}"
    );
    let csv = served.place.run(&["audit", "--format", "csv"]).out;
    assert_eq!(csv.lines().count(), 302);
    assert!(csv.starts_with("time,id,server,session,user,role,"), "{csv}");
    it_ends_where_nothing_can_be_written(&served.place);
    // And shows what was done to it.
    served.place.database(
        FILE,
        "DROP TRIGGER audit_no_update; UPDATE audit SET user_name = 'eve' WHERE seq = 7",
    );
    refuses(
        &served.place,
        &["audit", "--verify"],
        1,
        &["the chain is broken at event 7", "hint"],
    );
}

/// More questions than are read ahead: whoever reads them must notice that nobody writes them.
fn it_ends_where_nothing_can_be_written(place: &Place) {
    let ways: [&[&str]; 7] = [
        &["--format", "table"],
        &["--format", "csv"],
        &["--format", "json"],
        &["--format", "jsonl"],
        &["--format", "markdown"],
        &["--follow", "--since", "1h"],
        &["--follow", "--since", "2999-01-01"],
    ];
    for way in ways {
        let arguments = [&["audit"], way].concat();
        let mut command = place.command(&arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ran = ended(child, &arguments);
        assert_eq!((ran.code, &*ran.err), (0, ""), "{arguments:?}");
    }
    for way in &ways[..6] {
        let arguments = [&["audit"], *way].concat();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = place.command(&arguments);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let ran = ended(child, &arguments);
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.err.contains("No space left"), "{arguments:?}: {}", ran.err);
    }
}

fn ended(mut child: Child, arguments: &[&str]) -> Ran {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} goes on");
        }
        sleep(Duration::from_millis(20));
    }
    ran(&child.wait_with_output().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_old_is_forgotten() {
    let toml = "[audit]\nretention = \"1s\"\n";
    let mut served = Served::start(toml);
    served
        .client()
        .await
        .simple_query("-- nl: how many owners are there?")
        .await
        .unwrap();
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    assert_eq!(entries(&served.place, &[]).len(), 1);
    let place = std::mem::replace(&mut served.place, Place::new());
    drop(served);
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let mut served = Served::start_in(place, toml, &["sqlite:pets.db", "--console", "127.0.0.1:0"]);
    served
        .client()
        .await
        .simple_query("-- nl: how many pets are there?")
        .await
        .unwrap();
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    let left = entries(&served.place, &[]);
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0]["question"], "how many pets are there?");
    let ran = served.place.run(&["audit", "--verify"]);
    assert!(
        ran.out.starts_with("the chain holds: 3 events, from 3 to 5"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_delays_nobody() {
    let served = Served::start("[store]\npath = \"pets.db/no/querent.db\"\n");
    let warning = served.line(|line| line.contains("questions cannot be recorded"));
    assert!(warning.contains("pets.db/no/querent.db"), "{warning}");
    let client = served.client().await;
    client
        .simple_query("-- nl: how many owners are there?")
        .await
        .unwrap();
    let off = Served::start("[audit]\nenabled = false\n");
    off.client()
        .await
        .simple_query("-- nl: how many owners are there?")
        .await
        .unwrap();
    drop(off.client().await);
    assert!(!off.place.path(FILE).exists());
}

#[test]
fn what_cannot_be_read_is_told_with_advice() {
    let place = Place::new();
    refuses(
        &place,
        &["audit"],
        1,
        &["there is no such file", "nothing has been recorded there yet"],
    );
    refuses(&place, &["audit", "--since", "yesterday"], 2, &["2h, 7d"]);
    refuses(
        &place,
        &["audit", "--verify", "--user", "ada"],
        2,
        &["cannot be used with"],
    );
    place.write("querent.toml", "[store]\npath = \"pets.db\"\n");
    refuses(&place, &["audit"], 1, &["it holds no audit"]);
    place.write(
        "querent.toml",
        "[store]\nurl = \"postgres://ann:hunter2@127.0.0.1:1/x\"\n",
    );
    refuses(&place, &["audit"], 1, &["127.0.0.1:1"]);
    let shown = place.run(&["config"]).out;
    assert!(
        shown.contains("url = \"********\"") && !shown.contains("hunter2"),
        "{shown}"
    );
}
