//! Questions to the pipeline with a model behind it: each case has the model's turns, all of which must be used, and
//! what the user gets.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use querent::{
    config::{ModelApi, ModelSettings},
    error::ClientError,
    question::{
        ask::{Answer, AskError, AskSettings, ModelRegistry, ask},
        model::{Budget, BudgetLimits, Models, connect},
        prompt::{Agent, Values},
    },
    sample,
    sqlite::engine::{Database, Options},
    statement::Mode,
};
use serde_json::{Value as Json, json};

use super::model::{
    server::{ScriptedModel, Seen},
    turn::Turn,
};

/// A question that the embedded agents are sure of.
const SURE: &str = "How many customers are there?";
/// One that they do not understand.
const BEYOND: &str = "which suppliers are trustworthy?";
const CUSTOMERS: &str = "SELECT COUNT(*) FROM customers";
const SUPPLIERS: &str = "SELECT name FROM suppliers";
/// No repair is known for it.
const BROKEN: &str = "SELECT name FROM suppliers WHERE qqqq > 3";

/// What a user gets.
enum Gets<'a> {
    /// This SQL, from this tier.
    Sql(&'a str, &'a str),
    /// An error with this SQLSTATE, in whose detail these words stand.
    Error(&'a str, &'a str),
}
use Gets::{Error, Sql};

fn statement(sql: &str) -> Turn {
    single(sql, &json!([]))
}

fn single(sql: &str, alternatives: &Json) -> Turn {
    Turn::answers(&json!({"reasoning": "r", "sql": sql, "assumptions": [], "alternatives": alternatives}))
}

fn model(name: &str, server: &ScriptedModel) -> ModelSettings {
    ModelSettings {
        base_urls: vec![server.url()],
        retries: 0,
        ..ModelSettings::new(name, ModelApi::OpenAi, name)
    }
}

fn registry(models: Vec<ModelSettings>) -> ModelRegistry {
    let models = models.into_iter().map(|settings| connect(settings).unwrap());
    ModelRegistry {
        models: Models::of(models.collect()),
        ..ModelRegistry::default()
    }
}

/// Asks over the sample shop.
async fn put(question: &str, settings: &AskSettings) -> Result<Answer, AskError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.db");
    sample::create(Path::new(&file), crate::program::sample_day()).unwrap();
    let database = Database::open(&file, Options::default()).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    ask(&database.connect().unwrap(), question, settings).await
}

fn compare(outcome: Result<Answer, AskError>, gets: &Gets<'_>) -> Option<Answer> {
    match (outcome, gets) {
        (Ok(answer), Sql(sql, tier)) => {
            assert!(
                answer.sql.as_str().eq_ignore_ascii_case(sql),
                "{} instead of {sql}",
                answer.sql.as_str()
            );
            assert_eq!(answer.tier, *tier);
            Some(answer)
        }
        (Err(error), Error(sqlstate, words)) => {
            let told = format!("{error} {:?} {:?}", error.detail(), error.hint());
            assert_eq!(error.sqlstate().as_str(), *sqlstate, "{told}");
            assert!(told.contains(words), "{told}");
            None
        }
        (Ok(answer), Error(sqlstate, _)) => panic!("{} instead of {sqlstate}", answer.sql.as_str()),
        (Err(error), Sql(sql, _)) => panic!("{error} ({:?}) instead of {sql}", error.detail()),
    }
}

/// Asks with one model, `m`, that takes these turns.
async fn check(mode: Mode, question: &str, turns: Vec<Turn>, gets: Gets<'_>) -> (Option<Answer>, Vec<Seen>) {
    let server = ScriptedModel::start(turns);
    let settings = AskSettings {
        registry: Arc::new(registry(vec![model("m", &server)])),
        mode,
        ..AskSettings::default()
    };
    let outcome = put(question, &settings).await;
    let answer = compare(outcome, &gets);
    (answer, server.finish())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_only_when_it_is_needed() {
    let (answer, _) = check(Mode::Adaptive, SURE, vec![], Sql(CUSTOMERS, "embedded")).await;
    assert_eq!(answer.unwrap().model_calls, 0);
    let turns = vec![statement(SUPPLIERS)];
    let (answer, seen) = check(Mode::Adaptive, BEYOND, turns, Sql(SUPPLIERS, "m")).await;
    let answer = answer.unwrap();
    assert_eq!(answer.model_calls, 1);
    assert!(answer.steps.iter().any(|(step, _)| step == "reasoning"));
    let run = answer.trace.iter().find(|run| run.agent == "single").unwrap();
    assert!(run.prompt_tokens > 0 && run.completion_tokens > 0 && run.prompt.contains("CREATE TABLE"));
    // What the embedded agents think is not shown, so that agreement says something.
    assert!(seen[0].body.to_string().contains(BEYOND));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_sql_is_corrected_and_right_sql_left_alone() {
    // A misspelt column is repaired without another call.
    let turns = vec![statement("SELECT nmae FROM suppliers")];
    check(Mode::Adaptive, BEYOND, turns, Sql(SUPPLIERS, "m")).await;
    let turns = vec![
        statement(BROKEN),
        Turn::says(format!("```sql\n{SUPPLIERS};\n```")),
    ];
    let (_, seen) = check(Mode::Adaptive, BEYOND, turns, Sql(SUPPLIERS, "m")).await;
    let told = seen[1].body.to_string();
    assert!(told.contains("col_missing") && told.contains("qqqq"), "{told}");
    // An empty result alone is no reason to doubt.
    let nothing = "SELECT name FROM suppliers WHERE name = ''";
    check(
        Mode::Adaptive,
        BEYOND,
        vec![statement(nothing)],
        Sql(nothing, "m"),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_come_to_an_end() {
    let again = || Turn::says("SELECT name FROM suppliers WHERE rrrr > 4");
    let turns = vec![statement(BROKEN), again()];
    // The same SQL again ends it early.
    let turns = turns.into_iter().chain([again()]).collect();
    check(Mode::Adaptive, BEYOND, turns, Error("NL005", "col_missing")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_agents_work_in_their_order() {
    let linked = json!({"tables": [{"name": "suppliers", "columns": ["name", "no_such"]}, {"name": "zz", "columns": []}]});
    let clauses = json!({"subproblems": [{"clause": "SELECT", "expression": "suppliers.name"}]});
    let draft = |sql: &str| {
        vec![
            Turn::answers(&linked),
            Turn::answers(&clauses),
            Turn::says("1. Read suppliers.\n2. Show name."),
            Turn::says(sql),
        ]
    };
    let (answer, seen) = check(Mode::Sot, BEYOND, draft(SUPPLIERS), Sql(SUPPLIERS, "m")).await;
    let agents: Vec<&str> = answer.unwrap().trace.iter().map(|run| run.agent).collect();
    assert_eq!(
        agents,
        ["schema_linking", "subproblems", "query_plan", "sql", "validation"]
    );
    assert!(seen[3].body.to_string().contains("2. Show name."));
    let mut turns = draft(BROKEN);
    turns.extend([Turn::says("Drop the condition."), Turn::says(SUPPLIERS)]);
    let (answer, seen) = check(Mode::Sot, BEYOND, turns, Sql(SUPPLIERS, "m")).await;
    assert_eq!(answer.unwrap().model_calls, 6);
    assert!(
        seen[4].body.to_string().contains("having_vs_where"),
        "the taxonomy"
    );
    assert!(seen[5].body.to_string().contains("Drop the condition."));
    // What has not the form that was asked for is left out.
    let mut turns = draft(SUPPLIERS);
    turns[0] = Turn::says("I would look at suppliers.");
    turns[1] = Turn::says("{]");
    check(Mode::Sot, BEYOND, turns, Sql(SUPPLIERS, "m")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_of_a_model_does_harm() {
    let write = "DELETE FROM customers";
    for (turns, gets) in [
        (vec![statement(write), Turn::says(write)], Error("42501", "")),
        (
            vec![statement("SELECT 1; DROP TABLE customers"), Turn::says(SUPPLIERS)],
            Sql(SUPPLIERS, "m"),
        ),
        (
            vec![Turn::says("I am sorry, I cannot do that.")],
            Error("NL004", "m: not understood"),
        ),
        (vec![Turn::says("")], Error("NL004", "m: ")),
        (vec![statement("")], Error("NL001", "")),
        (
            vec![Turn::status(401)],
            Error("NL004", "m: refused with HTTP 401"),
        ),
        (vec![Turn::status(500)], Error("NL004", "m: ")),
        // Another dialect: the model says the same once more.
        (
            vec![
                statement("SELECT TOP 3 name FROM suppliers"),
                Turn::says("SELECT name FROM suppliers LIMIT 3"),
            ],
            Sql("SELECT name FROM suppliers LIMIT 3", "m"),
        ),
    ] {
        check(Mode::Adaptive, BEYOND, turns, gets).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_model_is_missing_the_embedded_agents_may_do() {
    // They have an answer, but are not sure of it.
    let question = "top 5 customers by revenue";
    let alone = put(question, &AskSettings::default()).await.unwrap();
    assert!(alone.confidence < 0.9, "{}", alone.confidence);
    let turns = vec![Turn::status(500)];
    let (answer, _) = check(
        Mode::Adaptive,
        question,
        turns,
        Sql(alone.sql.as_str(), "embedded"),
    )
    .await;
    let answer = answer.unwrap();
    assert!(answer.degraded);
    assert!(
        answer
            .steps
            .iter()
            .any(|(step, detail)| step == "no answer" && detail.starts_with("m: "))
    );
    // Both give the same rows: that is worth more than either alone.
    let turns = vec![statement(alone.sql.as_str())];
    let (of_model, _) = check(Mode::Single, question, turns, Sql(alone.sql.as_str(), "m")).await;
    let of_model = of_model.unwrap();
    let turns = vec![statement(alone.sql.as_str())];
    let (answer, _) = check(Mode::Adaptive, question, turns, Sql(alone.sql.as_str(), "m")).await;
    let answer = answer.unwrap();
    assert!(
        answer.confidence > of_model.confidence && answer.confidence > alone.confidence,
        "{} {} {}",
        answer.confidence,
        of_model.confidence,
        alone.confidence
    );
    let (_, parts) = answer
        .steps
        .iter()
        .find(|(step, _)| step == "confidence")
        .unwrap();
    assert!(parts.contains("gives the same rows"), "{parts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_readings_are_told_only_if_somebody_supports_them() {
    let other = json!([{"reading": "all customers", "sql": CUSTOMERS}]);
    let turns = vec![single("SELECT count(city) FROM customers", &other)];
    let (answer, _) = check(
        Mode::Single,
        SURE,
        turns,
        Sql("SELECT count(city) FROM customers", "m"),
    )
    .await;
    let steps = answer.unwrap().steps;
    assert!(steps.iter().any(|(step, _)| step == "other reading"), "{steps:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tiers_and_agents_choose_the_model() {
    let small = ScriptedModel::start(vec![Turn::status(500)]);
    let large = ScriptedModel::start(vec![statement(SUPPLIERS)]);
    let both = vec![model("small", &small), model("large", &large)];
    let settings = AskSettings {
        registry: Arc::new(registry(both)),
        mode: Mode::Adaptive,
        ..AskSettings::default()
    };
    let answer = compare(put(BEYOND, &settings).await, &Sql(SUPPLIERS, "large")).unwrap();
    // It would be the same if the small one had answered, but nobody knows.
    assert!(answer.degraded);
    small.finish();
    large.finish();

    let small = ScriptedModel::start(vec![]);
    let large = ScriptedModel::start(vec![statement(SUPPLIERS), Turn::status(500)]);
    let both = || registry(vec![model("small", &small), model("large", &large)]);
    let own = AskSettings {
        registry: Arc::new(ModelRegistry {
            agents: BTreeMap::from([(Agent::Single, "large".to_owned())]),
            ..both()
        }),
        mode: Mode::Single,
        ..AskSettings::default()
    };
    compare(put(BEYOND, &own).await, &Sql(SUPPLIERS, "large"));
    // It is asked once, however many tiers there are.
    let adaptive = AskSettings {
        mode: Mode::Adaptive,
        ..own
    };
    compare(put(BEYOND, &adaptive).await, &Error("NL004", "large: "));
    let none = AskSettings {
        registry: Arc::new(both()),
        mode: Mode::Adaptive,
        tiers: vec!["embedded".to_owned()],
        ..AskSettings::default()
    };
    compare(put(BEYOND, &none).await, &Error("NL001", "trustworthy"));
    small.finish();
    large.finish();
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold() {
    let server = ScriptedModel::start(vec![statement(BROKEN)]);
    let limits = BudgetLimits {
        calls: Some(1),
        ..BudgetLimits::default()
    };
    let settings = AskSettings {
        registry: Arc::new(registry(vec![model("m", &server)])),
        mode: Mode::Adaptive,
        budget: Arc::new(Budget::new(&limits, Arc::default(), Arc::default())),
        ..AskSettings::default()
    };
    compare(put(BEYOND, &settings).await, &Error("NL005", "col_missing"));
    server.finish();

    let server = ScriptedModel::start(vec![Turn::hangs()]);
    let settings = AskSettings {
        registry: Arc::new(registry(vec![model("m", &server)])),
        mode: Mode::Adaptive,
        question_timeout: Duration::from_secs(2),
        ..AskSettings::default()
    };
    compare(put(BEYOND, &settings).await, &Error("57014", ""));
    server.wait_for_leaving(1);
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_values_stay_here_if_they_must() {
    let question = "which suppliers in Germany are trustworthy?";
    for (values, seen_there) in [(Values::Send, true), (Values::Withhold, false)] {
        let server = ScriptedModel::start(vec![statement(SUPPLIERS)]);
        let settings = AskSettings {
            registry: Arc::new(ModelRegistry {
                values,
                ..registry(vec![model("m", &server)])
            }),
            mode: Mode::Single,
            ..AskSettings::default()
        };
        compare(put(question, &settings).await, &Sql(SUPPLIERS, "m"));
        let body = server.finish()[0].body.to_string();
        assert_eq!(body.contains("'Germany'"), seen_there, "{body}");
    }
}
