//! Texts that become vectors.

use querent::{
    config::{ModelApi, ModelSettings},
    question::model::{ModelError, connect_embedder},
};
use serde_json::{Value, json};

use super::{
    server::{ScriptedModel, Seen},
    settings,
    turn::Turn,
};

const WITH: [ModelApi; 3] = [ModelApi::OpenAi, ModelApi::Ollama, ModelApi::Gemini];

/// The texts of a request, in either format.
fn texts(seen: &Seen) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match seen.body["requests"].as_array() {
        Some(requests) => requests
            .iter()
            .map(|request| text(&request["content"]["parts"][0]["text"]))
            .collect(),
        None => seen.body["input"].as_array().unwrap().iter().map(text).collect(),
    }
}

/// Answers with a vector of the number that each text is.
fn vectors(seen: &Seen) -> Turn {
    let numbers = texts(seen).into_iter().map(|text| text.parse().unwrap_or(-1.0));
    let body = if seen.body["requests"].is_array() {
        let vectors: Vec<_> = numbers
            .map(|number: f64| json!({"values": [number, 0.5]}))
            .collect();
        json!({"embeddings": vectors})
    } else {
        let vectors = numbers
            .enumerate()
            .map(|(index, number)| json!({"index": index, "embedding": [number, 0.5]}));
        // In no order, as the index tells it.
        let mut vectors: Vec<_> = vectors.collect();
        vectors.reverse();
        json!({"data": vectors, "usage": {"prompt_tokens": 9, "total_tokens": 9}})
    };
    Turn::body(body.to_string())
}

#[tokio::test]
async fn texts_become_vectors_in_their_order() {
    for (api, path) in [
        (ModelApi::OpenAi, "/v1/embeddings"),
        (ModelApi::Ollama, "/v1/embeddings"),
        (ModelApi::Gemini, "/v1beta/models/model-1:batchEmbedContents"),
    ] {
        let server = ScriptedModel::answering(vectors);
        let embedder = connect_embedder(settings(api, &[&server])).unwrap();
        assert_eq!(embedder.name(), "tested");
        let mut asked: Vec<_> = (0..930).map(|number| number.to_string()).collect();
        asked[7] = " ".into();
        let found = embedder.embed(&asked).await.unwrap();
        assert_eq!(found.len(), 930);
        for (at, vector) in found.iter().enumerate() {
            let expected = if at == 7 { -1.0 } else { at as f32 };
            assert_eq!(vector, &[expected, 0.5], "{api:?}");
        }
        assert_eq!(embedder.embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
        let seen = server.finish();
        assert_eq!(seen.len(), 10);
        assert_eq!(seen[0].path, path);
        let model = if api == ModelApi::Gemini {
            &seen[0].body["requests"][0]["model"]
        } else {
            &seen[0].body["model"]
        };
        assert_eq!(
            model,
            if api == ModelApi::Gemini {
                "models/model-1"
            } else {
                "model-1"
            }
        );
    }
}

#[tokio::test]
async fn what_are_no_vectors_is_an_error() {
    let asked = ["1".to_owned(), "2".to_owned()];
    for api in WITH {
        for body in [
            "{}",
            "[]",
            "nonsense",
            r#"{"data": [{"index": 0, "embedding": [1]}], "embeddings": [{"values": [1]}]}"#,
            r#"{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}], "embeddings": [{"values": []}, {"values": []}]}"#,
            r#"{"data": [{"index": 0, "embedding": [1]}, {"index": 9, "embedding": [1]}], "embeddings": [{}, {}]}"#,
            r#"{"data": [{"embedding": [1]}, {"embedding": [1, 2]}], "embeddings": [{"values": [1]}, {"values": [1, 2]}]}"#,
            r#"{"data": [{"embedding": ["x"]}, {"embedding": ["y"]}], "embeddings": [{"values": "x"}, {"values": "y"}]}"#,
        ] {
            let server = ScriptedModel::start(vec![Turn::body(body)]);
            let embedder = connect_embedder(settings(api, &[&server])).unwrap();
            let error = embedder.embed(&asked).await.unwrap_err();
            assert!(
                matches!(error, ModelError::Malformed(_)),
                "{api:?} {body}: {error:?}"
            );
            server.finish();
        }
    }
}

#[tokio::test]
async fn vectors_have_the_same_retries() {
    let one = Turn::body(r#"{"data": [{"embedding": [1]}]}"#);
    let server = ScriptedModel::start(vec![Turn::status(503), Turn::resets(), one]);
    let embedder = connect_embedder(settings(ModelApi::OpenAi, &[&server])).unwrap();
    assert_eq!(embedder.embed(&["x".into()]).await.unwrap(), [[1.0]]);
    server.finish();
    let server = ScriptedModel::start(vec![Turn::status(401)]);
    let embedder = connect_embedder(settings(ModelApi::OpenAi, &[&server])).unwrap();
    let error = embedder.embed(&["x".into()]).await.unwrap_err();
    assert!(
        matches!(error, ModelError::Refused { status: 401, .. }),
        "{error:?}"
    );
    server.finish();
}

#[test]
fn anthropic_has_none() {
    let error = connect_embedder(ModelSettings::new("claude", ModelApi::Anthropic, "m")).unwrap_err();
    assert!(error.to_string().contains("no embeddings"), "{error}");
}
