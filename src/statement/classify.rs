//! One statement: plain SQL, a question, or session control.

use super::{
    Asked, Context, Options, Question, QuestionText, Slot, Span, Statement, StatementError, ask_keyword,
    control::{contains, control},
    cursor::position,
    function,
    lexer::{Lexer, Token, TokenKind},
    marker::{Marker, Parts, is_marker, parts},
    model_view,
    outer::{Outer, outer},
    parameters,
};

/// Tells what the one statement `text` is. SQL that asks nothing is told by a glance in most cases, and by
/// one pass over its tokens in the others.
pub fn classify(text: &str, options: &Options) -> Result<Statement, StatementError> {
    let lexer = || Lexer::new(text, options.standard_conforming_strings);
    let first = lexer().find(|token| !token.is_blank() && !token.is_sign(text, ";"));
    if let Some(first) = first {
        if options.ask_keyword && first.is_word(text, ask_keyword::WORD) {
            return ask(text, first.span).map(Statement::Question);
        }
        if ["set", "show", "reset"]
            .iter()
            .any(|word| first.is_word(text, word))
        {
            return Ok(control(text, options)?.map_or(Statement::Sql, Statement::Control));
        }
    }
    let plain = if first.is_some() {
        Statement::Sql
    } else {
        Statement::Empty
    };
    let may_read_views = options.model_views && contains(text, model_view::SCHEMA);
    if !may_read_views && !contains(text, "nl") && !contains(text, &options.function_name) {
        return Ok(plain);
    }
    let may_ask = |token: Token| match token.kind {
        TokenKind::LineComment | TokenKind::BlockComment => is_marker(token, text),
        _ => {
            function::is_name(token, text, &options.function_name)
                || (may_read_views && function::is_name(token, text, model_view::SCHEMA))
        }
    };
    if !lexer().any(may_ask) {
        return Ok(plain);
    }
    let parts = parts(text, options.standard_conforming_strings);
    Ok(question(text, &parts, options)?.map_or(plain, Statement::Question))
}

/// `ASK question;`
fn ask(text: &str, word: Span) -> Result<Question, StatementError> {
    let question = ask_keyword::question(text, word.end);
    if question.is_empty() {
        return Err(StatementError::EmptyQuestion {
            position: position(text, word.start),
        });
    }
    let span = Span {
        start: word.start,
        end: text.len(),
    };
    let asked = Asked {
        action: super::Action::Run,
        parameters: Vec::new(),
        text: QuestionText::Literal(question),
        span,
        slot: Slot {
            span,
            before: String::new(),
            after: String::new(),
        },
    };
    let mut question = Question {
        context: Context::Query,
        asked: vec![asked],
        parameters: 0,
        direct: true,
    };
    parameters::assign(&mut question, text, &[]);
    Ok(question)
}

/// The questions of a statement; `None` if it has none and is the client's own.
fn question(text: &str, parts: &Parts, options: &Options) -> Result<Option<Question>, StatementError> {
    let Parts { tokens, markers, .. } = parts;
    if let [_, second, ..] = markers.as_slice() {
        return Err(StatementError::TwoMarkers {
            position: position(text, second.span.start),
        });
    }
    let Some(outer) = outer(tokens, text) else {
        return Ok(None);
    };
    let mut asked = Vec::new();
    let mut direct = false;
    if let Some(marker) = markers.first() {
        if let Some((body, in_parentheses)) = marked(text, tokens, marker, &outer) {
            direct = outer.context == Context::Query && !in_parentheses && !body.has_limit;
            asked.push(Asked {
                action: marker.action,
                parameters: Vec::new(),
                text: QuestionText::Literal(marker.text.clone()),
                span: marker.span,
                slot: marker_slot(text, tokens, marker, &body, in_parentheses),
            });
        }
    } else if let Some(unknown) = &parts.unknown {
        let alone = outer
            .query
            .is_some_and(|(from, to)| body(text, tokens, from, to).is_some());
        if alone {
            let position = position(text, unknown.span.start);
            return Err(StatementError::UnknownAction {
                name: unknown.name.clone(),
                position,
            });
        }
    }
    for call in function::calls(text, tokens, options)? {
        direct |= outer.context == Context::Query && is_all(text, tokens, &call);
        asked.push(Asked {
            action: call.action,
            parameters: Vec::new(),
            text: call.text,
            span: call.span,
            slot: call.slot,
        });
    }
    if asked.is_empty() {
        return Ok(None);
    }
    asked.sort_by_key(|asked| asked.slot.span.start);
    check(text, &outer, &asked, options)?;
    let mut question = Question {
        context: outer.context,
        asked,
        parameters: 0,
        direct,
    };
    parameters::assign(&mut question, text, tokens);
    Ok(Some(question))
}

/// What a question can be refused for without being understood.
fn check(text: &str, outer: &Outer, asked: &[Asked], options: &Options) -> Result<(), StatementError> {
    let at = |asked: &Asked| position(text, asked.span.start);
    let empty = asked.iter().find(|asked| {
        !asked.action.allows_empty()
            && matches!(&asked.text, QuestionText::Literal(words) if words.is_empty())
    });
    if let Some(asked) = empty {
        return Err(StatementError::EmptyQuestion { position: at(asked) });
    }
    if !outer.to_client {
        return Err(StatementError::Unsupported {
            message: "COPY of a question's rows goes to the client only".to_owned(),
            hint: "Write COPY (…) TO STDOUT.".to_owned(),
            position: at(&asked[0]),
        });
    }
    let question = asked
        .iter()
        .find(|asked| !matches!(asked.text, QuestionText::View(_)));
    if let Some(asked) = question.filter(|_| outer.context == Context::Write && !options.allow_in_writes) {
        return Err(StatementError::InWrite { position: at(asked) });
    }
    Ok(())
}

/// What is left of a query beside a marker: nothing, or a bare `SELECT`, perhaps with `LIMIT` and `OFFSET`.
struct Body {
    /// The token where it starts.
    from: usize,
    select: Option<Span>,
    has_limit: bool,
}

fn body(text: &str, tokens: &[Token], from: usize, to: usize) -> Option<Body> {
    let is = |at: usize, word: &str| at < to && tokens.get(at).is_some_and(|token| token.is_word(text, word));
    let select = is(from, "select").then(|| tokens[from].span);
    let mut at = from + usize::from(select.is_some());
    let (mut limit, mut offset) = (false, false);
    while at < to {
        let seen = match () {
            () if is(at, "limit") => &mut limit,
            () if is(at, "offset") => &mut offset,
            () => return None,
        };
        let counts = at + 1 < to && matches!(tokens[at + 1].kind, TokenKind::Number | TokenKind::Parameter);
        if *seen || !(counts || is(at, "limit") && is(at + 1, "all")) {
            return None;
        }
        *seen = true;
        at += 2 + usize::from(is(at, "offset") && (is(at + 2, "row") || is(at + 2, "rows")));
    }
    Some(Body {
        from,
        select,
        has_limit: limit || offset,
    })
}

/// The query that the marker stands for, and whether it is a subquery in parentheses; `None` if the marker
/// annotates SQL.
fn marked(text: &str, tokens: &[Token], marker: &Marker, outer: &Outer) -> Option<(Body, bool)> {
    if let Some(body) = outer.query.and_then(|(from, to)| body(text, tokens, from, to)) {
        return Some((body, false));
    }
    let mut open = Vec::new();
    for (at, token) in tokens[..marker.at].iter().enumerate() {
        if token.is_sign(text, "(") {
            open.push(at);
        } else if token.is_sign(text, ")") {
            open.pop();
        }
    }
    let open = open.pop()?;
    // A bare query has no parentheses of its own.
    let close = (open + 1..tokens.len()).find(|at| tokens[*at].is_sign(text, ")"))?;
    let opens_query = open == 0 || may_precede_query(tokens[open - 1], text);
    let body = body(text, tokens, open + 1, close)?;
    opens_query.then_some((body, true))
}

/// False where parentheses belong to a call or a list of columns rather than to a subquery.
fn may_precede_query(token: Token, text: &str) -> bool {
    const WORDS: &[&str] = &[
        "from",
        "join",
        "in",
        "exists",
        "any",
        "some",
        "all",
        "array",
        "as",
        "materialized",
        "lateral",
        "select",
        "where",
        "and",
        "or",
        "not",
        "union",
        "intersect",
        "except",
        "on",
        "having",
        "by",
        "when",
        "then",
        "else",
        "case",
        "between",
        "like",
        "ilike",
        "returning",
        "distinct",
        "for",
        "limit",
        "offset",
        "explain",
        "analyze",
        "verbose",
        "unique",
    ];
    match token.kind {
        TokenKind::Word => WORDS.iter().any(|word| token.is_word(text, word)),
        TokenKind::Operator => true,
        TokenKind::Punctuation => matches!(token.span.of(text), "(" | "," | "[" | ":"),
        _ => false,
    }
}

/// Where the SQL of a marker goes: in place of its bare `SELECT`, else behind the marker, which stays.
fn marker_slot(text: &str, tokens: &[Token], marker: &Marker, body: &Body, in_parentheses: bool) -> Slot {
    let wrapped = in_parentheses || body.has_limit;
    let (open, close) = if wrapped {
        ("SELECT * FROM (", ") AS nl")
    } else {
        ("", "")
    };
    if let Some(span) = body.select {
        return Slot {
            span,
            before: open.to_owned(),
            after: close.to_owned(),
        };
    }
    // A marker outside the query that it stands for, in front of EXPLAIN or behind LIMIT.
    let outside = marker.at != body.from;
    let (at, space) = match body.from.checked_sub(1) {
        Some(last) if outside => (tokens[last].span.end, " "),
        _ if outside => (0, ""),
        _ => (marker.span.end, if marker.is_line { "\n" } else { " " }),
    };
    let behind = text[at..].bytes().next();
    let parted = behind.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b')'));
    Slot {
        span: Span { start: at, end: at },
        before: format!("{space}{open}"),
        after: format!("{close}{}", if parted { "" } else { " " }),
    }
}

/// True for `SELECT * FROM nl('…')` and `SELECT nl('…')` with nothing else.
fn is_all(text: &str, tokens: &[Token], call: &function::Call) -> bool {
    let (start, end) = call.tokens;
    let head = &tokens[..start];
    let is_head = match head {
        [select] => call.is_select_item && select.is_word(text, "select"),
        [select, star, from] => {
            select.is_word(text, "select") && star.is_sign(text, "*") && from.is_word(text, "from")
        }
        _ => false,
    };
    is_head && end == tokens.len()
}
