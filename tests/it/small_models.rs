//! Small models: what they are asked, and which of their proposals counts.

use serde_json::json;

use crate::{
    model::{server::ScriptedModel, turn::Turn},
    program::{Place, ran},
};

/// What is answered with.
const ALL: &str = "SELECT name FROM pet ORDER BY name";
const ONE: &str = "SELECT name FROM pet WHERE name = 'Rex'";
const BROKEN: &str = "SELECT qqqq FROM pet";

#[test]
fn a_small_model_is_asked_for_sql_alone_until_most_of_it_agrees() {
    for written in [
        // They agree, so that no others are asked for.
        &[ALL, ALL, ALL][..],
        // What was written first is outvoted, and what does not run has no vote.
        &[ONE, ALL, ALL, ALL],
        &[BROKEN, ALL, ALL, ALL],
    ] {
        let place = Place::new();
        let turns = written.iter().map(|sql| Turn::answers(&json!({"sql": sql})));
        let server = ScriptedModel::start(turns.collect());
        let mut command = place.command(&[
            "ask",
            "sqlite:pets.db",
            "which of the pets are trustworthy?",
            "--format",
            "csv",
            "--model",
            "openai:qwen2.5-coder:1.5b",
        ]);
        command
            .env("OPENAI_BASE_URL", format!("{}/v1", server.url()))
            .env("OPENAI_API_KEY", "k-secret");
        let ran = ran(&command.output().unwrap());
        let all = "name\nKit\nRex\nTom\n";
        assert_eq!((ran.code, ran.out.as_str()), (0, all), "{written:?} {}", ran.err);
        let seen = server.finish();
        for (at, seen) in seen.iter().enumerate() {
            let told = seen.body["messages"].to_string();
            assert!(
                !told.contains("reasoning") && told.contains("SELECT ..."),
                "{told}"
            );
            // Those behind the first are made freely.
            let temperature = seen.body["temperature"].as_f64().unwrap();
            assert_eq!(temperature > 0.0, at > 0, "{temperature}");
        }
    }
}
