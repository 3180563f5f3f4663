//! Parameters that a provider refuses are left out or asked for in another way, and that is remembered.

use querent::{
    config::{ModelApi, ModelSettings, StructuredOutput},
    question::model::{ModelError, Request},
};
use serde_json::{Value, json};

use super::{ALL, free, model, server::ScriptedModel, settings, structured, turn::Turn};

fn refuses(words: &str, parameter: impl Into<Value>) -> Turn {
    let parameter: Value = parameter.into();
    let error = json!({"error": {"message": words, "type": "invalid_request_error", "param": parameter}});
    Turn::body(error.to_string()).with_status(400)
}

fn everything(api: ModelApi, server: &ScriptedModel) -> ModelSettings {
    ModelSettings {
        reasoning_effort: Some("low".into()),
        max_tokens: Some(500),
        ..settings(api, &[server])
    }
}

/// One call meets the refusal and goes on; the next one knows. Tells what changed: the request before, and the last.
async fn check(api: ModelApi, refusal: Turn, good: impl Fn(&Value, &Value) -> bool) {
    let shown = format!("{refusal:?}");
    let server = ScriptedModel::start(vec![refusal, Turn::says("{}"), Turn::says("{}")]);
    let model = model(everything(api, &server));
    for _ in 0..2 {
        model
            .complete(&structured())
            .await
            .unwrap_or_else(|error| panic!("{error}: {shown}"));
    }
    let seen = server.finish();
    assert!(good(&seen[0].body, &seen[1].body), "{shown}: {:#}", seen[1].body);
    assert_eq!(seen[1].body, seen[2].body, "{shown}");
    assert_eq!(seen[1].path, seen[2].path, "{shown}");
}

/// Whether the second has all that the first has but this, which is now that.
fn differ(one: &Value, other: &Value, name: &str, now: &Value) -> bool {
    let without = |body: &Value| {
        let mut body = body.clone();
        body.as_object_mut().unwrap().remove(name);
        body
    };
    !one[name].is_null() && &other[name] == now && without(one) == without(other)
}

#[tokio::test]
async fn openai_refuses_one_parameter() {
    for (refusal, name, now) in [
        (
            refuses("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "temperature"),
            "temperature",
            Value::Null,
        ),
        (refuses("unknown field reasoning_effort", Value::Null), "reasoning_effort", Value::Null),
        (refuses("Unrecognized request argument supplied: stream_options", Value::Null), "stream_options", Value::Null),
        (refuses("max_tokens is too large: 500", "max_tokens"), "max_tokens", Value::Null),
        (
            Turn::body(json!({"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs are not permitted"}]}).to_string())
                .with_status(422),
            "temperature",
            Value::Null,
        ),
    ] {
        check(ModelApi::OpenAi, refusal, |one, other| differ(one, other, name, &now)).await;
    }
    let renamed = refuses(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "max_tokens",
    );
    check(ModelApi::OpenAi, renamed, |one, other| {
        one["max_tokens"] == 500 && other["max_tokens"].is_null() && other["max_completion_tokens"] == 500
    })
    .await;
    let whole = refuses(
        "Your organization must be verified to stream this model.",
        "stream",
    );
    check(ModelApi::OpenAi, whole, |one, other| {
        one["stream"] == true && other["stream"].is_null() && other["stream_options"].is_null()
    })
    .await;
}

#[tokio::test]
async fn json_is_asked_for_with_less() {
    for refusal in [
        refuses(
            "'response_format.type' must be 'text' or 'json_object'",
            "response_format",
        ),
        refuses("This model does not support json_schema.", Value::Null),
        Turn::status(500).with_body(json!({"error": {"message": "failed to parse grammar"}}).to_string()),
        // Nothing is named, but JSON is what servers differ in most.
        refuses("bad request", Value::Null),
        Turn::status(422).with_body(json!({}).to_string()),
    ] {
        check(ModelApi::OpenAi, refusal, |one, other| {
            let words = other["messages"][0]["content"].as_str().unwrap();
            one["response_format"]["type"] == "json_schema"
                && other["response_format"] == json!({"type": "json_object"})
                && words.contains("JSON schema:\n{\"type\":\"object\"")
        })
        .await;
    }
    check(
        ModelApi::Anthropic,
        refuses("tool_choice: this model cannot be forced", Value::Null),
        |one, other| {
            !one["tools"].is_null()
                && other["tools"].is_null()
                && other["output_config"]["format"]["type"] == "json_schema"
        },
    )
    .await;
    let effort = refuses(
        "output_config.effort: Extra inputs are not permitted",
        Value::Null,
    );
    check(ModelApi::Anthropic, effort, |one, other| {
        differ(one, other, "output_config", &Value::Null)
    })
    .await;
    let unknown = refuses(
        "Invalid JSON payload received. Unknown name \"responseSchema\"",
        Value::Null,
    );
    check(ModelApi::Gemini, unknown, |one, other| {
        let (one, other) = (&one["generationConfig"], &other["generationConfig"]);
        !one["responseSchema"].is_null()
            && other["responseSchema"].is_null()
            && !other["responseMimeType"].is_null()
    })
    .await;
    let thinking = refuses("Thinking level is not supported for this model.", Value::Null);
    check(ModelApi::Gemini, thinking, |one, other| {
        let (one, other) = (&one["generationConfig"], &other["generationConfig"]);
        !one["thinkingConfig"].is_null()
            && other["thinkingConfig"].is_null()
            && !other["responseSchema"].is_null()
    })
    .await;
}

#[tokio::test]
async fn several_refusals_are_met_in_one_call() {
    let server = ScriptedModel::start(vec![
        refuses("no temperature", "temperature"),
        refuses("Use 'max_completion_tokens', not 'max_tokens'", "max_tokens"),
        refuses("no response_format of this type", "response_format"),
        refuses("no response_format at all", "response_format"),
        Turn::says("{}"),
        Turn::says("{}"),
    ]);
    let model = model(everything(ModelApi::OpenAi, &server));
    for _ in 0..2 {
        model.complete(&structured()).await.unwrap();
    }
    let seen = server.finish();
    let names: Vec<_> = seen[5].body.as_object().unwrap().keys().collect();
    let left = [
        "model",
        "messages",
        "max_completion_tokens",
        "reasoning_effort",
        "stream",
        "stream_options",
    ];
    assert_eq!(names, left);
}

/// What is refused for another reason is not asked again, and nothing is learned from it.
#[tokio::test]
async fn other_refusals_stand() {
    async fn stands(request: &Request, form: StructuredOutput, refusals: Vec<Turn>) {
        let count = refusals.len();
        let shown = format!("{refusals:?}");
        let mut turns = refusals;
        turns.push(Turn::says("{}"));
        let server = ScriptedModel::start(turns);
        let model = model(ModelSettings {
            structured_output: form,
            ..everything(ModelApi::OpenAi, &server)
        });
        let error = model.complete(request).await.unwrap_err();
        assert!(
            matches!(error, ModelError::Refused { status: 400, .. }),
            "{error:?} {shown}"
        );
        assert_eq!(server.requests().len(), count, "{shown}");
        model.complete(request).await.unwrap();
        let seen = server.finish();
        assert_eq!(seen[0].body, seen[count].body, "{shown}");
    }
    let long = "'max_tokens' is too large: 500. This model's maximum context length is 4096 tokens.";
    stands(
        &structured(),
        StructuredOutput::Auto,
        vec![refuses(long, "max_tokens")],
    )
    .await;
    stands(
        &structured(),
        StructuredOutput::Auto,
        vec![refuses("Invalid API key", Value::Null)],
    )
    .await;
    stands(
        &structured(),
        StructuredOutput::Schema,
        vec![refuses("no json_schema", Value::Null)],
    )
    .await;
    stands(
        &structured(),
        StructuredOutput::Auto,
        vec![refuses("no", Value::Null); 3],
    )
    .await;
    stands(&free(), StructuredOutput::Auto, vec![refuses("no", Value::Null)]).await;
    stands(
        &free(),
        StructuredOutput::Auto,
        vec![refuses("no response_format", "response_format")],
    )
    .await;
}

/// A server may take a schema and not heed it: then the next prompt says what to answer. One slip of a server that
/// did heed it changes nothing.
#[tokio::test]
async fn a_schema_that_is_not_heeded_goes_into_the_prompt() {
    for &api in ALL {
        let form = |seen: &super::server::Seen| seen.body.to_string().contains("Answer with one JSON object");
        let prose = || Turn::says("It is SELECT 1.").whole();
        for (turns, told) in [
            (
                vec![prose(), Turn::says("{\"sql\": 1}"), Turn::says("{}")],
                [false, true, true],
            ),
            (
                vec![Turn::says("{\"sql\": 1}"), prose(), Turn::says("{}")],
                [false; 3],
            ),
            (
                vec![
                    Turn::says("{\"sq").cut_by_length(),
                    Turn::says("{\"sql\": 1}"),
                    prose(),
                ],
                [false; 3],
            ),
        ] {
            let server = ScriptedModel::start(turns);
            let model = model(settings(api, &[&server]));
            for _ in 0..3 {
                model.complete(&structured()).await.unwrap();
            }
            let seen: Vec<_> = server.finish().iter().map(form).collect();
            assert_eq!(seen, told, "{api:?}");
        }
    }
}

/// Each endpoint has its own memory: one may be older than the other.
#[tokio::test]
async fn endpoints_differ() {
    let older = ScriptedModel::start(vec![
        refuses("no json_schema", "response_format"),
        Turn::says("{}"),
        Turn::says("{}"),
    ]);
    let newer = ScriptedModel::start(vec![Turn::says("{}"), Turn::says("{}")]);
    let model = model(settings(ModelApi::OpenAi, &[&older, &newer]));
    for _ in 0..4 {
        model.complete(&structured()).await.unwrap();
    }
    let form = |seen: super::server::Seen| seen.body["response_format"]["type"].clone();
    let forms = |server: ScriptedModel| server.finish().into_iter().map(form).collect::<Vec<_>>();
    assert_eq!(forms(older), ["json_schema", "json_object", "json_object"]);
    assert_eq!(forms(newer), ["json_schema", "json_schema"]);
}
