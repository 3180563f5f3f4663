//! What models write, and what is read of it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{read, sql_in};

fn check(text: &str, expected: &Value) {
    assert_eq!(read(text).as_ref(), Some(expected), "{text}");
}

#[test]
fn json_that_is_not_quite_json_is_read() {
    let one = json!({"sql": "SELECT 1"});
    for text in [
        "{\"sql\": \"SELECT 1\"}",
        " \n{\"sql\":\"SELECT 1\"}\n ",
        "```json\n{\"sql\": \"SELECT 1\"}\n```",
        "```\n{\"sql\": \"SELECT 1\"}\n```",
        "```{\"sql\": \"SELECT 1\"}```",
        "```JSON\n{\"sql\": \"SELECT 1\",}\n```\nIt selects one {as you asked}.",
        "```json\n{\"sql\": \"SELECT 1\"",
        "Here is the answer:\n{\"sql\": \"SELECT 1\"}\nI hope that it helps.",
        "As in [1] and {curly} prose: {\"sql\": \"SELECT 1\"}.",
        "{\"sql\": \"SELECT 1\",}",
        "{'sql': 'SELECT 1'}",
        "{sql: 'SELECT 1'}",
        "{`sql`: `SELECT 1`}",
        "{“sql”: “SELECT 1”}",
        "{\"sql\": \"\"\"SELECT 1\"\"\"}",
        "{\"sql\": \"\"\"\n  SELECT 1\n\"\"\",}",
        "{\"sql\": \"SELECT 1\"",
        "{\"sql\": \"SELECT 1",
        "{\"sql\": \"SELECT 1\"}}}",
        "{\"sql\": \"SELECT 1\" // the answer\n}",
        "{\"sql\" \"SELECT 1\"}",
        "{\"sql\": \"SELECT 1\"} {\"sql\": \"SELECT 2\"}",
        "{\"sql\": \"SELECT 1\",} and {\"sql\": \"SELECT 2\",}",
        "\u{feff}{\"sql\": \"SELECT 1\"}",
    ] {
        check(text, &one);
    }
    check(
        "{\"thought\": \"it's 'so'\", \"sql\": \"SELECT 'a'\n\tFROM t -- it's\"}",
        &json!({"thought": "it's 'so'", "sql": "SELECT 'a'\n\tFROM t -- it's"}),
    );
    check(
        "{'sql': 'SELECT a FROM t WHERE b = ''x''', 'n': None, 'ok': True}",
        &json!({"sql": "SELECT a FROM t WHERE b = 'x'", "n": null, "ok": true}),
    );
    check(
        "{'sql': 'SELECT a FROM t WHERE b = \\'x\\' AND c = 'y'', 'list': [1, 2,]}",
        &json!({"sql": "SELECT a FROM t WHERE b = 'x' AND c = 'y'", "list": [1, 2]}),
    );
    check(
        "{\"sql\": \"SELECT \"name\" FROM \"t\"\", \"rest\": 1}",
        &json!({"sql": "SELECT \"name\" FROM \"t\"", "rest": 1}),
    );
    check(
        "{\"tables\": [{\"name\": \"pet\", \"columns\": [\"id\"",
        &json!({"tables": [{"name": "pet", "columns": ["id"]}]}),
    );
    check("The tables: [\"pet\", \"owner\"].", &json!(["pet", "owner"]));
    check(
        "{sql: SELECT a, b FROM t, n: 1}",
        &json!({"sql": "SELECT a, b FROM t", "n": 1}),
    );
    check(
        "{\"sql\": \"SELECT \"a\", \"b\"::text FROM t\"\n \"n\": 1}",
        &json!({"sql": "SELECT \"a\", \"b\"::text FROM t", "n": 1}),
    );
    check(
        "{\"like\": \"a\\_b\\d \\u00e9\\ud83d\\ude00 \\u12\", 'x': .5,}",
        &json!({"like": "a\\_b\\d é😀 \\u12", "x": ".5"}),
    );
    check(
        "{\"a\": [1, \"x\", {\"b\": [2}], \"c\": ...}",
        &json!({"a": [1, "x", {"b": [2]}], "c": null}),
    );
    check("[]", &json!([]));
    check("3", &json!(3));
}

#[test]
fn what_is_no_json_is_none() {
    for text in [
        "",
        "  ",
        "prose",
        "I cannot answer [1] that {really}.",
        "SELECT 1",
        "```sql\nSELECT 1\n```",
        "{",
        "[[",
        "```",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    for open in [
        "[",
        "{\"a\":",
        "[{",
        "{'a':[",
        "```{",
        ",",
        "\"",
        "{a: , ",
        "{\"a\" \"",
        "{a:'",
        "\n",
        "SELECT ;",
    ] {
        for start in ["", "{a: ", "{\"a\": \""] {
            let text = format!("{start}{}", open.repeat(5_000));
            read(&text);
            sql_in(&text);
        }
    }
    read(&format!("{{\"a\": \"{}", "x".repeat(1 << 20)));
}

#[test]
fn sql_is_found_in_prose() {
    for (text, sql) in [
        ("SELECT 1", "SELECT 1"),
        ("select name from pet", "select name from pet"),
        ("  SELECT 1;\n", "SELECT 1;"),
        ("```sql\nSELECT 1;\n```", "SELECT 1;"),
        ("```\nSELECT 1\n```", "SELECT 1"),
        ("```sqlite SELECT 1```", "SELECT 1"),
        ("```SELECT 1```", "SELECT 1"),
        ("```sql\nSELECT 1", "SELECT 1"),
        (
            "First:\n```sql\nSELECT 1\n```\nBetter:\n```sql\nSELECT 2\n```\nwith\n```sql\nLIMIT 1\n```",
            "SELECT 2",
        ),
        (
            "```sql\n-- all of them\nSELECT 1\n```",
            "-- all of them\nSELECT 1",
        ),
        ("```json\n{\"sql\": \"SELECT 1\"}\n```", "SELECT 1"),
        (
            "{\"reasoning\": \"r\", \"sql\": \"```sql\\nSELECT 1\\n```\"}",
            "SELECT 1",
        ),
        ("{\"query\": \"SELECT 1\",", "SELECT 1"),
        ("SQL: SELECT 1", "SELECT 1"),
        ("**SQL:** `SELECT 1`", "SELECT 1"),
        ("SQLQuery: SELECT 1\nSQLResult: 1", "SELECT 1\nSQLResult: 1"),
        (
            "The query is SELECT a FROM t WHERE b = 'x;y'; it gives all.",
            "SELECT a FROM t WHERE b = 'x;y';",
        ),
        ("You can use `SELECT a FROM t`.", "SELECT a FROM t`."),
        (
            "Sure!\n\nSELECT a\nFROM t\n\nThis lists all of them.",
            "SELECT a\nFROM t",
        ),
        (
            "WITH x AS (SELECT 1)\n\nSELECT * FROM x",
            "WITH x AS (SELECT 1)\n\nSELECT * FROM x",
        ),
        ("SELECT a\n\nFROM t;", "SELECT a\n\nFROM t;"),
        ("(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2)"),
        ("SELECT 1; DROP TABLE t;", "SELECT 1; DROP TABLE t;"),
        ("DROP TABLE pet;", "DROP TABLE pet;"),
        ("DELETE FROM pet", "DELETE FROM pet"),
    ] {
        let found = sql_in(text);
        assert_eq!(found.as_deref(), Some(sql), "{text}");
    }
}

#[test]
fn prose_is_no_sql() {
    for text in [
        "",
        "``````",
        "I cannot answer that with these tables.",
        "Please select a table from the list.",
        "Select the right column first.",
        "With these tables there is no answer",
        "Do you mean the owner's city?",
        "Set theory; nothing else.",
        "```python\nprint(1)\n```",
        "{\"error\": \"no\"}",
        "{}",
    ] {
        assert_eq!(sql_in(text), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_a_model_writes_panics(text in "[\\[\\]{}\"'`“”:,;\\\\/*#a-cſ \n\r\t0-9.eE+-]{0,60}|\\PC{0,60}") {
        read(&text);
        sql_in(&text);
    }

    #[test]
    fn words_of_json_and_sql_never_panic(words in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", "\"", "'", "\"\"\"", "```", "```sql\n", "```json\n", ":", ",", "\\", "\\u", "\\ud83d", "//", "/*", "*/",
        "\n", "SELECT ", " FROM ", "sql", "None", "NaN", "1e", "-", "é", "“", "”", "callback(", ")", ";", "SQL:", "--", "WITH ", "/a/", "+", "...", "\u{0}",
    ]), 0..24)) {
        let text = words.concat();
        read(&text);
        sql_in(&text);
    }

    #[test]
    fn json_is_read_as_it_is(thought in "\\PC{0,40}", sql in "\\PC{0,40}", before in "[a-z .\n]{0,20}", after in "[a-z .\n]{0,20}") {
        let value = json!({"thought": thought, "sql": sql});
        for text in [format!("{before}{value}{after}"), format!("{before}```json\n{value}\n```{after}")] {
            // A fence within a text would end the block.
            prop_assume!(!thought.contains("```") && !sql.contains("```"));
            prop_assert_eq!(read(&text), Some(value.clone()), "{}", text);
        }
    }
}
