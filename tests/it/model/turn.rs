//! What a scripted model does with one request: answers in the request's own format, or fails in some way.

use std::time::Duration;

use serde_json::{Value, json};

use super::server::Seen;

/// One turn of the script.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(super) act: Act,
    /// How long it takes to begin.
    pub(super) after: Duration,
    /// True where it begins once it is released.
    pub(super) held: bool,
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// A text that the request must hold for this turn to be its answer.
    pub(super) when: Option<String>,
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Act {
    /// An answer in the format of the request, streamed if that is asked for.
    Says(Said),
    /// This body.
    Body(String),
    /// These pieces of a stream.
    Pieces(Vec<Piece>),
    /// The same piece again and again.
    Endless(String),
    /// Nothing, and the connection stays open.
    Hangs,
    /// The connection is reset.
    Resets,
}

/// A piece of a stream.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// Nothing for a while.
    Pause(Duration),
    /// The connection breaks here.
    Cut,
    /// Nothing more, and the connection stays open.
    Hang,
}

/// A good answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    text: String,
    thought: Option<String>,
    cut: bool,
    whole: bool,
    usage: Option<(u64, u64)>,
}

impl Turn {
    fn new(act: Act) -> Self {
        Self {
            act,
            after: Duration::ZERO,
            held: false,
            status: 200,
            headers: vec![],
            when: None,
        }
    }

    /// This text, whatever format is asked for.
    pub(crate) fn says(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(Act::Says(Said {
            text,
            ..Said::default()
        }))
    }

    /// This JSON as the answer's text.
    pub(crate) fn answers(value: &Value) -> Self {
        Self::says(value.to_string())
    }

    /// An HTTP status, with an error as OpenAI words it.
    pub(crate) fn status(status: u16) -> Self {
        let body = json!({"error": {"message": format!("scripted {status}"), "type": "scripted"}});
        Self::body(body.to_string()).with_status(status)
    }

    /// This body as JSON.
    pub(crate) fn body(body: impl Into<String>) -> Self {
        Self::new(Act::Body(body.into())).header("content-type", "application/json")
    }

    /// Server-sent events with these data.
    pub(crate) fn events<T: ToString>(events: impl IntoIterator<Item = T>) -> Self {
        Self::pieces(events.into_iter().map(|event| Piece::event(&event.to_string())))
    }

    /// These pieces of a stream.
    pub(crate) fn pieces(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self::new(Act::Pieces(pieces.into_iter().collect())).header("content-type", "text/event-stream")
    }

    /// The same piece for ever, unpaced.
    pub(crate) fn endless(piece: impl Into<String>) -> Self {
        Self::new(Act::Endless(piece.into())).header("content-type", "text/event-stream")
    }

    /// No answer, and no end.
    pub(crate) fn hangs() -> Self {
        Self::new(Act::Hangs)
    }

    /// A reset connection.
    pub(crate) fn resets() -> Self {
        Self::new(Act::Resets)
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// A status with another body.
    pub(crate) fn with_body(mut self, body: impl Into<String>) -> Self {
        self.act = Act::Body(body.into());
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.header("retry-after", &seconds.to_string())
    }

    /// It begins so much later.
    pub(crate) fn after(mut self, pause: Duration) -> Self {
        self.after = pause;
        self
    }

    /// It begins once the server releases it.
    pub(crate) fn held(mut self) -> Self {
        self.held = true;
        self
    }

    /// It answers only requests that hold this text somewhere in their body; among several, the first that fits.
    pub(crate) fn when(mut self, text: &str) -> Self {
        self.when = Some(text.to_owned());
        self
    }

    /// A good answer as if the limit of tokens had cut it.
    pub(crate) fn cut_by_length(self) -> Self {
        self.said(|said| said.cut = true)
    }

    /// A good answer in one piece, though a stream was asked for.
    pub(crate) fn whole(self) -> Self {
        self.said(|said| said.whole = true)
    }

    /// A good answer with thoughts in the field that the format has for them.
    pub(crate) fn thinking(self, thought: &str) -> Self {
        self.said(|said| said.thought = Some(thought.to_owned()))
    }

    /// A good answer that took so many tokens.
    pub(crate) fn took(self, prompt: u64, completion: u64) -> Self {
        self.said(|said| said.usage = Some((prompt, completion)))
    }

    fn said(mut self, change: impl FnOnce(&mut Said)) -> Self {
        match &mut self.act {
            Act::Says(said) => change(said),
            other => panic!("{other:?} says nothing"),
        }
        self
    }
}

impl Piece {
    /// A server-sent event with this data.
    pub(crate) fn event(data: &str) -> Self {
        Self::Bytes(format!("data: {data}\n\n").into_bytes())
    }
}

impl Said {
    /// The content type and the body, or the pieces of a stream.
    pub(super) fn render(&self, request: &Seen) -> (&'static str, Vec<Piece>) {
        let (prompt, completion) = self.usage.unwrap_or((request.tokens(), tokens(&self.text)));
        let path = request.path.split('?').next().unwrap_or_default();
        let streams = !self.whole && (request.body["stream"] == true || path.contains(":stream"));
        let events = if path.ends_with("/messages") {
            self.anthropic(request, (prompt, completion), streams)
        } else if path.contains("enerateContent") {
            self.gemini((prompt, completion), streams)
        } else {
            self.openai((prompt, completion), streams)
        };
        if streams {
            return ("text/event-stream", events);
        }
        ("application/json", events)
    }

    fn openai(&self, (prompt, completion): (u64, u64), streams: bool) -> Vec<Piece> {
        let finish = if self.cut { "length" } else { "stop" };
        let usage = json!({
            "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
        });
        if !streams {
            let message = json!({
                "role": "assistant", "content": self.text, "reasoning_content": self.thought, "refusal": null,
            });
            let choice = json!({"index": 0, "message": message, "finish_reason": finish});
            let body = json!({"object": "chat.completion", "choices": [choice], "usage": usage});
            return vec![Piece::Bytes(body.to_string().into_bytes())];
        }
        let chunk = |delta: Value, finish: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            json!({"object": "chat.completion.chunk", "choices": [choice]}).to_string()
        };
        let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
        if let Some(thought) = &self.thought {
            let thoughts = in_pieces(thought).map(|piece| json!({"reasoning_content": piece}));
            events.extend(thoughts.map(|delta| chunk(delta, Value::Null)));
        }
        let text = in_pieces(&self.text).map(|piece| json!({"content": piece}));
        events.extend(text.map(|delta| chunk(delta, Value::Null)));
        events.push(chunk(json!({}), finish.into()));
        events.push(json!({"object": "chat.completion.chunk", "choices": [], "usage": usage}).to_string());
        events.push("[DONE]".to_owned());
        events.iter().map(|event| Piece::event(event)).collect()
    }

    fn anthropic(&self, request: &Seen, (prompt, completion): (u64, u64), streams: bool) -> Vec<Piece> {
        let tool = &request.body["tool_choice"]["name"];
        let finish = match (self.cut, tool.is_string()) {
            (true, _) => "max_tokens",
            (false, true) => "tool_use",
            (false, false) => "end_turn",
        };
        if !streams {
            let content = match tool {
                Value::Null => json!({"type": "text", "text": self.text}),
                // A server that does not heed the tool says something else.
                name => match serde_json::from_str::<Value>(&self.text) {
                    Ok(input) => json!({"type": "tool_use", "id": "toolu_1", "name": name, "input": input}),
                    Err(_) => json!({"type": "text", "text": self.text}),
                },
            };
            let body = json!({
                "type": "message", "role": "assistant", "content": [content], "stop_reason": finish,
                "usage": {"input_tokens": prompt, "output_tokens": completion},
            });
            return vec![Piece::Bytes(body.to_string().into_bytes())];
        }
        let delta = |kind: &str, name: &str, text: String| json!({"type": "content_block_delta", "index": 0, "delta": {"type": kind, name: text}});
        let start = |block: Value| json!({"type": "content_block_start", "index": 0, "content_block": block});
        let stop = json!({"type": "content_block_stop", "index": 0});
        let usage = json!({"input_tokens": prompt, "output_tokens": 1});
        let mut events =
            vec![json!({"type": "message_start", "message": {"role": "assistant", "usage": usage}})];
        events.push(json!({"type": "ping"}));
        if let Some(thought) = &self.thought {
            events.push(start(json!({"type": "thinking", "thinking": ""})));
            events.extend(in_pieces(thought).map(|piece| delta("thinking_delta", "thinking", piece)));
            events.push(stop.clone());
        }
        if tool.is_string() {
            events.push(start(
                json!({"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}),
            ));
            let pieces = in_pieces(&self.text);
            events.extend(pieces.map(|piece| delta("input_json_delta", "partial_json", piece)));
        } else {
            events.push(start(json!({"type": "text", "text": ""})));
            events.extend(in_pieces(&self.text).map(|piece| delta("text_delta", "text", piece)));
        }
        events.push(stop);
        events.push(json!({
            "type": "message_delta", "delta": {"stop_reason": finish}, "usage": {"output_tokens": completion},
        }));
        events.push(json!({"type": "message_stop"}));
        let named = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
        events
            .iter()
            .map(|event| Piece::Bytes(named(event).into_bytes()))
            .collect()
    }

    fn gemini(&self, (prompt, completion): (u64, u64), streams: bool) -> Vec<Piece> {
        let finish = if self.cut { "MAX_TOKENS" } else { "STOP" };
        let usage = json!({"promptTokenCount": prompt, "candidatesTokenCount": completion});
        let event = |part: Value, finish: Value| {
            let candidate = json!({"content": {"role": "model", "parts": [part]}, "finishReason": finish});
            json!({"candidates": [candidate], "usageMetadata": usage}).to_string()
        };
        if !streams {
            let body = event(json!({"text": self.text}), finish.into());
            return vec![Piece::Bytes(body.into_bytes())];
        }
        let mut events = vec![];
        if let Some(thought) = &self.thought {
            events.push(event(json!({"text": thought, "thought": true}), Value::Null));
        }
        events.extend(in_pieces(&self.text).map(|piece| event(json!({"text": piece}), Value::Null)));
        events.push(event(json!({"text": ""}), finish.into()));
        events.iter().map(|event| Piece::event(event)).collect()
    }
}

/// A text as a model writes it, a few characters at a time.
fn in_pieces(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<_> = text.chars().collect();
    let pieces: Vec<_> = characters.chunks(5).map(String::from_iter).collect();
    pieces.into_iter()
}

/// Tokens of a text, about.
pub(super) fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}
