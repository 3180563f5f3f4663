//! What is read of answers in every provider's format.

use querent::{
    config::ModelApi,
    question::model::{ModelError, Usage},
};
use serde_json::{Value, json};

use super::{
    ALL, ask, free, structured,
    turn::{Piece, Turn},
};

/// The text, whether it is cut, and the tokens; `None` for tokens that are estimated.
type Expected<'a> = (&'a str, bool, Option<(u64, u64)>);

async fn check(api: ModelApi, turn: Turn, (text, cut, tokens): Expected<'_>) {
    let shown = format!("{turn:?}");
    let reply = ask(api, &free(), vec![turn])
        .await
        .unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!((reply.text.as_str(), reply.cut), (text, cut), "{shown}");
    match tokens {
        None => assert!(
            reply.usage.prompt_tokens > 0 && reply.usage.completion_tokens > 0,
            "{shown}"
        ),
        Some((prompt_tokens, completion_tokens)) => {
            let expected = Usage {
                prompt_tokens,
                completion_tokens,
            };
            assert_eq!(reply.usage, expected, "{shown}");
        }
    }
}

async fn fails(api: ModelApi, turn: Turn, expected: &ModelError) {
    let shown = format!("{turn:?}");
    let error = ask(api, &free(), vec![turn]).await.unwrap_err();
    assert_eq!(&error, expected, "{shown}");
}

fn declined(words: &str) -> ModelError {
    ModelError::Declined(words.into())
}

#[tokio::test]
async fn every_provider_answers() {
    let value = json!({"thought": "count — ünïcode", "sql": "SELECT count(*)\nFROM pet"});
    let answer = value.to_string();
    for &api in ALL {
        for request in [free(), structured()] {
            for whole in [false, true] {
                let turn = Turn::answers(&value).took(120, 34);
                let turn = if whole { turn.whole() } else { turn };
                let reply = ask(api, &request, vec![turn]).await.unwrap();
                assert_eq!(reply.text, answer, "{api:?} {whole}");
                assert_eq!(
                    (reply.usage.prompt_tokens, reply.usage.completion_tokens),
                    (120, 34)
                );
                assert!(!reply.cut);
            }
        }
        check(
            api,
            Turn::says("SELECT 1")
                .thinking("first this, then that")
                .took(5, 9),
            ("SELECT 1", false, Some((5, 9))),
        )
        .await;
        check(
            api,
            Turn::says("<think>a\nb</think>\nSELECT 1\n").took(5, 9),
            ("SELECT 1", false, Some((5, 9))),
        )
        .await;
        check(
            api,
            Turn::says("SELECT a, b FR").cut_by_length().took(5, 9),
            ("SELECT a, b FR", true, Some((5, 9))),
        )
        .await;
        check(
            api,
            Turn::says("").cut_by_length().thinking("too long").took(5, 9),
            ("", true, Some((5, 9))),
        )
        .await;
        fails(
            api,
            Turn::says(" \n"),
            &ModelError::Malformed("an empty answer".into()),
        )
        .await;
    }
}

fn chunk(delta: &Value, finish: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

#[tokio::test]
async fn compatible_servers_answer_in_their_own_ways() {
    let said = chunk(&json!({"content": "SELECT 1"}), &Value::Null);
    let stop = chunk(&json!({}), &"stop".into());
    let done = Value::Null;
    let raw = |events: &[&Value]| {
        let events = events.iter().map(|event| match event {
            Value::Null => Piece::event("[DONE]"),
            event => Piece::event(&event.to_string()),
        });
        Turn::pieces(events)
    };
    let one = ("SELECT 1", false, None);
    for turn in [
        // No [DONE], no reason for the end, both in one chunk, and what is not understood.
        raw(&[&said, &stop]),
        raw(&[&said, &done]),
        raw(&[&chunk(&json!({"content": "SELECT 1"}), &"eos".into()), &done]),
        raw(&[&json!({"choices": []}), &json!({"ping": 1}), &said, &stop, &done]),
        // Thoughts under other names.
        raw(&[&chunk(&json!({"reasoning": "x", "content": null}), &Value::Null), &said, &stop, &done]),
        raw(&[
            &chunk(&json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "x"}]}]}), &Value::Null),
            &chunk(&json!({"content": [{"type": "text", "text": "SELECT 1"}]}), &Value::Null),
            &stop,
            &done,
        ]),
        // Comments, other fields and other line ends.
        Turn::pieces([
            Piece::Bytes(b": alive\r\n\r\nevent: x\r\nid: 1\r\n".to_vec()),
            Piece::Bytes(format!("data:{said}\r\n\r\ndata: {stop}\r\n\r\n").into_bytes()),
        ]),
        // A whole answer, with and without a reason for its end.
        Turn::body(json!({"choices": [{"message": {"content": "SELECT 1"}}]}).to_string()),
        Turn::body(json!({"error": null, "choices": [{"message": {"content": "SELECT 1"}, "finish_reason": "stop"}]}).to_string())
            .header("content-type", "text/event-stream"),
    ] {
        check(ModelApi::OpenAi, turn, one).await;
    }
    let usage = json!({"choices": [], "x_groq": {"usage": {"prompt_tokens": 7, "completion_tokens": 3}}});
    check(
        ModelApi::OpenAi,
        raw(&[&said, &stop, &usage, &done]),
        ("SELECT 1", false, Some((7, 3))),
    )
    .await;
    let refusal = chunk(&json!({"refusal": "I cannot help with that."}), &Value::Null);
    fails(
        ModelApi::OpenAi,
        raw(&[&refusal, &stop, &done]),
        &declined("I cannot help with that."),
    )
    .await;
    let filtered = chunk(&json!({"content": "SEL"}), &"content_filter".into());
    fails(
        ModelApi::OpenAi,
        raw(&[&filtered, &done]),
        &declined("its content filter stopped the answer"),
    )
    .await;
    let filtered = json!({"error": {"code": "content_filter", "message": "The prompt was filtered."}});
    fails(
        ModelApi::OpenAi,
        Turn::body(filtered.to_string()).with_status(400),
        &declined("The prompt was filtered."),
    )
    .await;
    let broken = json!({"error": {"message": "the slot is gone", "code": 400}});
    let refused = |status, message: &str| ModelError::Refused {
        status,
        message: message.into(),
    };
    fails(
        ModelApi::OpenAi,
        raw(&[&said, &broken]),
        &refused(400, "the slot is gone"),
    )
    .await;
    let broken = Piece::Bytes(b"error: {\"code\":401,\"message\":\"no\"}\n\n".to_vec());
    fails(ModelApi::OpenAi, Turn::pieces([broken]), &refused(401, "no")).await;
}

#[tokio::test]
async fn anthropic_calls_its_tool_and_declines() {
    let start = json!({"type": "message_start", "message": {"usage": {
        "input_tokens": 3, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 100, "output_tokens": 1,
    }}});
    let block = |block: Value| json!({"type": "content_block_start", "index": 0, "content_block": block});
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
    let end = |reason: &str| json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}});
    let stop = json!({"type": "message_stop"});
    let turn = Turn::events([
        &start,
        &block(json!({"type": "text", "text": ""})),
        &delta(json!({"type": "text_delta", "text": "Let me answer."})),
        &block(json!({"type": "tool_use", "id": "t", "name": "answer", "input": {}})),
        &delta(json!({"type": "input_json_delta", "partial_json": ""})),
        &delta(json!({"type": "input_json_delta", "partial_json": "{\"sql\": "})),
        &delta(json!({"type": "input_json_delta", "partial_json": "\"SELECT 1\"}"})),
        &end("tool_use"),
        &stop,
    ]);
    check(
        ModelApi::Anthropic,
        turn,
        ("{\"sql\": \"SELECT 1\"}", false, Some((123, 9))),
    )
    .await;
    let whole = json!({
        "type": "message",
        "content": [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "a "}, {"type": "text", "text": "b"}],
        "stop_reason": "model_context_window_exceeded",
        "usage": {"input_tokens": 1, "output_tokens": 2},
    });
    check(
        ModelApi::Anthropic,
        Turn::body(whole.to_string()),
        ("a b", true, Some((1, 2))),
    )
    .await;
    let whole = json!({
        "type": "message",
        "content": [{"type": "text", "text": "a"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": u64::MAX, "cache_read_input_tokens": 3, "output_tokens": u64::MAX},
    });
    let most = (u64::MAX, u64::MAX);
    check(
        ModelApi::Anthropic,
        Turn::body(whole.to_string()),
        ("a", false, Some(most)),
    )
    .await;
    let turn = Turn::events([&start, &end("refusal"), &stop]);
    fails(
        ModelApi::Anthropic,
        turn,
        &declined("its safety classifiers stopped the answer"),
    )
    .await;
    let error =
        json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}});
    let refused = ModelError::Refused {
        status: 401,
        message: "invalid x-api-key".into(),
    };
    fails(ModelApi::Anthropic, Turn::events([&start, &error]), &refused).await;
    fails(
        ModelApi::Anthropic,
        Turn::body(error.to_string()).with_status(401),
        &refused,
    )
    .await;
}

#[tokio::test]
async fn gemini_thinks_blocks_and_stops() {
    let event = |parts: Value, finish: Value| json!({"candidates": [{"content": {"parts": parts}, "finishReason": finish}]});
    let usage = json!({"usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 2, "thoughtsTokenCount": 30}});
    let said = [
        event(json!([{"text": "hm", "thought": true}]), Value::Null),
        event(json!([{"text": "SELECT"}, {"text": " 1"}]), Value::Null),
        event(json!([]), "STOP".into()),
        usage,
    ];
    let one = ("SELECT 1", false, Some((11, 32)));
    check(ModelApi::Gemini, Turn::events(&said), one).await;
    // As without alt=sse.
    check(ModelApi::Gemini, Turn::body(json!(said).to_string()), one).await;
    for reason in ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"] {
        let turn = Turn::events([event(json!([{"text": "SEL"}]), reason.into())]);
        fails(
            ModelApi::Gemini,
            turn,
            &declined(&format!("the answer was stopped ({reason})")),
        )
        .await;
    }
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}});
    fails(
        ModelApi::Gemini,
        Turn::events([blocked]),
        &declined("the prompt was blocked (PROHIBITED_CONTENT)"),
    )
    .await;
    let error =
        json!([{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}]);
    let refused = ModelError::Refused {
        status: 400,
        message: "API key not valid.".into(),
    };
    fails(
        ModelApi::Gemini,
        Turn::body(error.to_string()).with_status(400),
        &refused,
    )
    .await;
}
