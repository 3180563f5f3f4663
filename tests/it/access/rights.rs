//! A question means the same whoever asks: where what it asks for may not be read, it is refused, and answered with
//! nothing else.

use crate::conversation::legs::{Leg, over, over_with_model, says};

const TABLES: &str = "
    CREATE TABLE employee(id INTEGER PRIMARY KEY, name TEXT NOT NULL, salary INTEGER, bonus INTEGER, city TEXT);
    INSERT INTO employee VALUES (1, 'Ann', 5000, 10, 'Oslo'), (2, 'Bob', 7000, 30, 'Rome');
    CREATE TABLE player(id INTEGER PRIMARY KEY, nickname TEXT NOT NULL, pay INTEGER);
    INSERT INTO player VALUES (1, 'Cat', 1), (2, 'Dog', 3);
    CREATE TABLE contract(id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employee(id), wage INTEGER);
    INSERT INTO contract VALUES (1, 1, 90), (2, 2, 80);";
const DENIED: &str = "[[policy.rule]]\ndeny = [\"employee.salary\", \"contract\"]\n";

/// Questions that ask for what is kept back, and words that no answer may say.
const REFUSED: [&str; 6] = [
    "what is the average salary of the employees?",
    "what is the average pay of the employees?",
    "which employee has the highest salary?",
    "list the names of employees with a salary above 6000",
    "how many contracts are there?",
    "how many contracts does each employee have?",
];

#[track_caller]
fn is_refused(leg: &Leg, question: &str, told: &[String], names: bool) {
    let error = &told[0];
    assert!(
        error.starts_with("E ERROR 42501"),
        "{}: {question}: {told:?}",
        leg.name
    );
    let named = ["employee.salary", "read contract", "employee.name"]
        .iter()
        .any(|name| error.contains(name));
    assert_eq!(named, names, "{}: {question}: {error}", leg.name);
}

#[test]
fn what_is_kept_back_is_replaced_by_nothing() {
    over(TABLES, DENIED, |leg| {
        let mut client = leg.client();
        for question in REFUSED {
            is_refused(leg, question, &client.query(&format!("-- nl: {question}")), false);
        }
        // What remains is asked for as ever.
        for (question, row) in [
            ("what is the average bonus of the employees?", "D 20"),
            ("how many employees are there?", "D 2"),
            ("list the names of the employees in Oslo", "D Ann"),
            ("what is the average pay of the players?", "D 2"),
        ] {
            let told = client.query(&format!("-- nl: {question}"));
            assert!(told[1].starts_with(row), "{}: {question}: {told:?}", leg.name);
        }
    });
}

#[test]
fn a_model_is_not_asked_for_it() {
    let mode = format!("mode = \"single\"\n{DENIED}");
    over_with_model(TABLES, &mode, &[], |leg, _| {
        let mut client = leg.client();
        for question in REFUSED {
            is_refused(leg, question, &client.query(&format!("-- nl: {question}")), false);
        }
    });
}

#[test]
fn a_model_that_has_not_heard_of_a_column_answers_with_no_other() {
    let mode = "mode = \"single\"\nlimits.attempts = 0\n[privacy]\nprivate = [\"employee.salary\"]\n";
    let turns = [
        says("SELECT avg(bonus) FROM employee"),
        says("SELECT avg(salary) FROM employee"),
    ];
    over_with_model(TABLES, mode, &turns, |leg, _| {
        let mut client = leg.client();
        let mut ask = || client.query("-- nl: what is the average salary of the employees?");
        let told = ask();
        assert!(
            told[0].starts_with("E ERROR 42501") && told[0].contains("language models"),
            "{}: {told:?}",
            leg.name
        );
        let told = ask();
        assert!(told[1].starts_with("D 6000"), "{}: {told:?}", leg.name);
    });
}

#[test]
fn privileges_of_the_server_refuse_with_the_name() {
    let Some(leg) = Leg::postgres("", TABLES) else {
        return;
    };
    let mut client = leg.client();
    let role = format!("reader_{}", std::process::id());
    let mut sql = |sql: &str| client.query(sql);
    for statement in [
        format!("CREATE ROLE {role}"),
        format!("GRANT SELECT (id, name, bonus, city) ON employee TO {role}"),
        format!("GRANT SELECT ON player TO {role}"),
        format!("SET ROLE {role}"),
    ] {
        let told = sql(&statement);
        assert!(!told[0].starts_with("E "), "{statement}: {told:?}");
    }
    for question in REFUSED {
        is_refused(&leg, question, &sql(&format!("-- nl: {question}")), true);
    }
    let told = sql("-- nl: what is the average bonus of the employees?");
    assert!(told[1].starts_with("D 20"), "{told:?}");
    let told = sql("-- nl: show everything about the employees");
    assert!(told.contains(&"D 1 | Ann | 10 | Oslo".to_owned()), "{told:?}");
    sql("RESET ROLE");
    let told = sql("-- nl: what is the average salary of the employees?");
    assert!(told[1].starts_with("D 6000"), "{told:?}");
    sql(&format!("DROP OWNED BY {role}"));
    sql(&format!("DROP ROLE {role}"));
}

#[test]
fn what_strangers_keep_back_under_common_words_refuses_nothing() {
    let Some(leg) = Leg::postgres("", TABLES) else {
        return;
    };
    let mut client = leg.client();
    let mut sql = |sql: &str| client.query(sql);
    for statement in [
        "CREATE ROLE mallory",
        "CREATE ROLE reader",
        "GRANT CREATE ON SCHEMA public TO mallory",
        "GRANT SELECT ON employee, player TO reader",
        "SET ROLE mallory",
        "CREATE TABLE many(id int, how int); CREATE TABLE names(id int); CREATE TABLE cities(id int); \
         CREATE TABLE clients_all(id int); CREATE TABLE everything(id int); CREATE TABLE wages(id int, amount int)",
        "RESET ROLE",
        "SET ROLE reader",
    ] {
        let told = sql(statement);
        assert!(!told[0].starts_with("E "), "{statement}: {told:?}");
    }
    for (question, row) in [
        ("how many employees are there?", "D 2"),
        ("list the names of the employees", "D Ann"),
        ("how many employees are there in each city?", "D Oslo | 1"),
        ("show all players", "D Cat"),
    ] {
        let told = sql(&format!("-- nl: {question}"));
        assert!(told.contains(&row.to_owned()), "{question}: {told:?}");
    }
    // Nothing else is meant by these.
    for question in [
        "how many wages are there?",
        "what is the average amount of the wages?",
    ] {
        let told = sql(&format!("-- nl: {question}"));
        assert!(told[0].starts_with("E ERROR 42501"), "{question}: {told:?}");
    }
    // A trusted owner's table is what its name says, but no question is about `how many`.
    sql("RESET ROLE");
    sql("CREATE TABLE much(id int, how int)");
    sql("SET ROLE reader");
    let told = sql("-- nl: how many employees are there?");
    assert!(told.contains(&"D 2".to_owned()), "{told:?}");
    sql("RESET ROLE");
    sql("DROP OWNED BY mallory, reader; DROP ROLE mallory, reader");
}
