//! What a statement or a list may come to.

use serde_json::json;

use super::{
    pages::{Browser, body},
    served::Served,
};

#[test]
fn a_statement_keeps_to_the_limits_of_the_configuration() {
    let limits = "[limits]\nrows = 3\nbytes = 1000\nstatement_timeout = \"1s\"\n[audit]\nenabled = false\n";
    let served = Served::start(limits);
    let browser = Browser::open(&served);
    let run = |sql: &str| browser.post("/api/v1/query", &json!({ "sql": sql }));
    let count = |to: u64| {
        format!(
            "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {to}) SELECT i FROM c"
        )
    };
    assert_eq!(run(&count(3)).code, 200);
    let endless = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
    for (sql, code, limit) in [
        (count(4).as_str(), "54000", "limits.rows"),
        ("SELECT hex(zeroblob(600))", "54000", "limits.bytes"),
        (endless, "57014", "limits.statement_timeout"),
    ] {
        let reply = run(sql);
        let told = body(&reply);
        assert!(
            reply.code == 422 && told.contains(code) && told.contains(limit),
            "{sql}: {told}"
        );
        assert_eq!(run(&count(3)).code, 200, "behind {sql}");
    }
}

#[test]
fn a_confidence_that_is_no_number_is_none() {
    let served = Served::start("[audit]\nenabled = false\n");
    let browser = Browser::open(&served);
    for number in ["NaN", "inf", "x"] {
        for name in ["min_confidence", "max_confidence"] {
            let reply = browser.get(&format!("/api/v1/questions?{name}={number}"));
            assert_eq!(reply.code, 400, "{name}={number}");
        }
    }
}
