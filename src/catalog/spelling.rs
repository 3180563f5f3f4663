//! The spellings of catalogue queries that SQLite's grammar lacks, by tokens: casts, regular expressions, arrays. Only
//! statements that ask the catalogue are read so; `translate` makes this superfluous.

use std::ops::Range;

use super::{
    definitions::find,
    lexical::{Piece, pieces, unquote},
};

/// A statement in pieces, with what is put before, instead of and behind each token.
pub(super) struct Respelling<'s> {
    pub(super) tokens: Vec<(usize, &'s str)>,
    pub(super) before: Vec<String>,
    pub(super) instead: Vec<Option<String>>,
    pub(super) after: Vec<String>,
}

/// Types whose values are numbers of things and shown as names.
const REGISTERED: [&str; 11] = [
    "regclass",
    "regtype",
    "regproc",
    "regprocedure",
    "regnamespace",
    "regrole",
    "regoper",
    "regoperator",
    "regdictionary",
    "regconfig",
    "regcollation",
];
/// Functions in FROM that are never about anything here.
const EMPTY: [&str; 2] = ["pg_partition_tree", "pg_partition_ancestors"];
/// Words that PostgreSQL reads as calls of functions.
const CALLED: [&str; 4] = ["current_user", "session_user", "current_role", "current_catalog"];

/// Respells a statement.
pub(super) fn respell(sql: &str) -> Respelling<'_> {
    let tokens: Vec<(usize, &str)> = pieces(sql)
        .filter_map(|(at, piece)| match piece {
            Piece::Token(token) => Some((at, token)),
            _ => None,
        })
        .collect();
    let count = tokens.len();
    let mut spelled = Respelling {
        tokens,
        before: vec![String::new(); count],
        instead: vec![None; count],
        after: vec![String::new(); count],
    };
    let mut at = 0;
    while at < count {
        at = spelled.step(sql, at);
    }
    spelled
}

/// The text that results.
fn render(sql: &str) -> String {
    let spelled = respell(sql);
    let (mut new, mut from) = (String::new(), 0);
    for (at, (start, token)) in spelled.tokens.iter().enumerate() {
        new.push_str(&sql[from..*start]);
        new.push_str(&spelled.before[at]);
        new.push_str(spelled.instead[at].as_deref().unwrap_or(token));
        new.push_str(&spelled.after[at]);
        from = start + token.len();
    }
    new.push_str(&sql[from..]);
    new
}

impl Respelling<'_> {
    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |(_, token)| token)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.token(at).eq_ignore_ascii_case(word)
    }

    fn end(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(0, |(start, token)| start + token.len())
    }

    /// True where a token follows the one before without a space.
    fn touches(&self, at: usize) -> bool {
        at > 0
            && self
                .tokens
                .get(at)
                .is_some_and(|(start, _)| *start == self.end(at - 1))
    }

    fn put(&mut self, range: Range<usize>, text: &str) {
        for (offset, at) in range.enumerate() {
            if let Some(instead) = self.instead.get_mut(at) {
                *instead = Some(if offset == 0 {
                    text.to_owned()
                } else {
                    String::new()
                });
            }
        }
    }

    fn wrap(&mut self, range: Range<usize>, before: &str, after: &str) {
        self.before[range.start].insert_str(0, before);
        self.after[range.end - 1].push_str(after);
    }

    /// The parenthesis that closes the one at `open`; the last token where none does.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.token(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// Where the operand begins that ends at `last`: a literal, a name, a call or something in parentheses.
    fn operand(&self, last: usize) -> usize {
        let mut at = last;
        if self.token(at).starts_with('[') && at > 0 {
            at -= 1;
        }
        if self.is(at, ")") {
            let mut depth = 0_usize;
            loop {
                match self.token(at) {
                    ")" => depth += 1,
                    "(" => depth -= 1,
                    _ => {}
                }
                if depth == 0 || at == 0 {
                    break;
                }
                at -= 1;
            }
            let called = at > 0 && is_name(self.token(at - 1)) && !is_operator_word(self.token(at - 1));
            at -= usize::from(called);
        }
        while at >= 2 && self.is(at - 1, ".") {
            at -= 2;
        }
        at
    }

    /// Reads what stands at `at`, and returns where to go on.
    fn step(&mut self, sql: &str, at: usize) -> usize {
        let token = self.token(at).to_owned();
        let lower = token.to_ascii_lowercase();
        let previous = if at == 0 {
            String::new()
        } else {
            self.token(at - 1).to_ascii_lowercase()
        };
        match lower.as_str() {
            "pg_catalog" | "\"pg_catalog\"" if self.is(at + 1, ".") => {
                let name = unquote(self.token(at + 2)).to_ascii_lowercase();
                let in_from = matches!(previous.as_str(), "from" | "join" | "," | "lateral");
                let relation = find("pg_catalog", &name).filter(|relation| relation.kind != "f" || in_from);
                if relation.is_none() {
                    self.put(at..at + 2, "");
                    if name == "format" && self.is(at + 3, "(") {
                        self.put(at + 2..at + 3, "pg_format");
                        return at + 3;
                    }
                }
                return at + 2;
            }
            _ if CALLED.contains(&lower.as_str())
                && !self.is(at + 1, "(")
                && !self.is(at + 1, ".")
                && !matches!(previous.as_str(), "." | "as") =>
            {
                self.after[at].push_str("()");
            }
            "operator" if self.is(at + 1, "(") => {
                let close = self.closing(at + 1);
                let mut operator = at + 2;
                while self.is(operator + 1, ".") {
                    operator += 2;
                }
                self.put(at..operator, "");
                self.put(close..close + 1, "");
                return operator;
            }
            "~" => return self.pattern(at),
            "collate" if self.is(at + 2, ".") => {
                self.put(at..at + 4, "");
                return at + 4;
            }
            "collate" if matches!(self.token(at + 1), "\"default\"" | "\"C\"" | "\"POSIX\"") => {
                self.put(at..at + 2, "");
                return at + 2;
            }
            "e" if self.token(at + 1).starts_with('\'') && self.touches(at + 1) => {
                let text = unescaped(self.token(at + 1));
                self.put(at..at + 2, "");
                self.put(at + 1..at + 2, &text);
            }
            "ilike" => self.put(at..at + 1, "LIKE"),
            "lateral" => self.put(at..at + 1, ""),
            "any" | "some" | "all" if self.is(at + 1, "(") => return self.any(at),
            "array" if self.is(at + 1, "(") => {
                let close = self.closing(at + 1);
                self.put(at..at + 1, "(WITH nl_array(v) AS ");
                self.after[close].push_str(" SELECT pg_array_agg(v) FROM nl_array)");
            }
            "array" if self.token(at + 1).starts_with('[') => {
                let list = render(inner(self.token(at + 1)));
                self.put(at..at + 2, &format!("pg_array({list})"));
                return at + 2;
            }
            "cast" if self.is(at + 1, "(") => self.cast(at),
            "json_build_object" => self.put(at..at + 1, "json_object"),
            "substring" if self.is(at + 1, "(") => {
                let mut place = at + 2;
                while place < self.closing(at + 1) {
                    if self.is(place, "(") {
                        place = self.closing(place);
                    } else if self.is(place, "from") || self.is(place, "for") {
                        self.put(place..place + 1, ",");
                    }
                    place += 1;
                }
            }
            "trim" if self.is(at + 1, "(") && self.is(at + 4, "from") => {
                let name = if self.is(at + 2, "leading") {
                    "ltrim"
                } else if self.is(at + 2, "trailing") {
                    "rtrim"
                } else {
                    "btrim"
                };
                let characters = self.token(at + 3).to_owned();
                let close = self.closing(at + 1);
                self.put(at..at + 1, name);
                self.put(at + 2..at + 5, "");
                self.before[close].insert_str(0, &format!(", {characters}"));
            }
            "like" => self.escape(at),
            "unnest" | "generate_series" | "generate_subscripts" | "_pg_expandarray"
                if self.is(at + 1, "(") =>
            {
                return self.series(sql, at);
            }
            // `(keys).x`, of what `_pg_expandarray` gave.
            "x" if previous == "." && at >= 2 && self.is(at - 2, ")") => self.put(at - 1..at + 1, ""),
            name if EMPTY.contains(&name) && self.is(at + 1, "(") => return self.empty(at),
            ":" if self.is(at + 1, ":") => return self.casts(at),
            _ if token.starts_with('[') && at > 0 && is_name(self.token(at - 1)) => {
                let start = self.operand(at - 1);
                let index = render(inner(&token));
                self.put(at..at + 1, "");
                self.wrap(start..at + 1, "pg_array_element(", &format!(", {index})"));
            }
            _ => {}
        }
        at + 1
    }

    /// PostgreSQL's LIKE takes a backslash for an escape.
    fn escape(&mut self, at: usize) {
        let mut last = at + 1;
        if self.is(last, "e") && self.token(last + 1).starts_with('\'') {
            last += 1;
        }
        while self.is(last + 1, ".") {
            last += 2;
        }
        if self.is(last + 1, "(") {
            last = self.closing(last + 1);
        }
        if last < self.tokens.len() && !self.is(last + 1, "escape") {
            self.after[last].push_str(" ESCAPE '\\'");
        }
    }

    /// `~`, `!~`, `~*`, `!~*`, `~~`.
    fn pattern(&mut self, at: usize) -> usize {
        let negated = self.is(at.wrapping_sub(1), "!");
        if negated {
            self.put(at - 1..at, "");
        }
        let not = if negated { " NOT " } else { " " };
        let next = self.touches(at + 1).then(|| self.token(at + 1).to_owned());
        match next.as_deref() {
            Some("~") => {
                self.put(at..at + 2, &format!("{not}LIKE "));
                at + 2
            }
            Some("*") => {
                self.put(at..at + 2, &format!("{not}REGEXP '(?i)' || "));
                at + 2
            }
            _ => {
                self.put(at..at + 1, &format!("{not}REGEXP "));
                at + 1
            }
        }
    }

    /// `= ANY (…)` and `<> ALL (…)`.
    fn any(&mut self, at: usize) -> usize {
        let equal =
            at >= 1 && self.is(at - 1, "=") && !(at >= 2 && matches!(self.token(at - 2), "!" | "<" | ">"));
        let unequal = at >= 2
            && ((self.is(at - 1, ">") && self.is(at - 2, "<"))
                || (self.is(at - 1, "=") && self.is(at - 2, "!")));
        if !equal && !unequal {
            return at + 1;
        }
        let close = self.closing(at + 1);
        if equal {
            self.put(at - 1..at + 1, " IN ");
        } else {
            self.put(at - 2..at + 1, " NOT IN ");
        }
        if self.is(at + 2, "select") || self.is(at + 2, "values") {
            return at + 2;
        }
        if self.is(at + 2, "array") && self.token(at + 3).starts_with('[') {
            let list = render(inner(self.token(at + 3)));
            self.put(at + 2..close, &list);
            return close;
        }
        self.after[at + 1].push_str("SELECT value FROM json_each(pg_array_json(");
        self.before[close].push_str("))");
        at + 2
    }

    /// `unnest(…)` and `generate_series(…)` in FROM.
    fn series(&mut self, sql: &str, at: usize) -> usize {
        let mut before = at;
        if before >= 2 && self.is(before - 1, ".") {
            before -= 2;
        }
        let in_from = before >= 1 && self.in_from(before);
        let close = self.closing(at + 1);
        if close <= at + 1 {
            return at + 1;
        }
        if !in_from {
            return self.selected(sql, before..close);
        }
        let mut next = close + 1;
        let ordinality = self.is(next, "with");
        if ordinality {
            next += 2;
        }
        next += usize::from(self.is(next, "as"));
        let alias = self.token(next).to_owned();
        let mut names = vec![alias.clone(), "ordinality".to_owned()];
        let mut end = next + 1;
        if self.is(end, "(") {
            let list = self.closing(end);
            names = (end + 1..list)
                .map(|at| self.token(at).to_owned())
                .filter(|name| name != ",")
                .collect();
            end = list + 1;
        }
        let arguments = &sql[self.end(at + 1)..self.tokens[close].0];
        let value = names.first().cloned().unwrap_or_default();
        let told = if self.is(at, "unnest") {
            let position = names
                .get(1)
                .filter(|_| ordinality)
                .map(|name| format!(", key + 1 AS {name}"));
            let position = position.unwrap_or_default();
            format!(
                "(SELECT value AS {value}{position} FROM json_each(pg_array_json({}))) AS {alias}",
                render(arguments)
            )
        } else {
            let parts: Vec<String> = split(arguments).into_iter().map(render).collect();
            let [first, last, ..] = &parts[..] else {
                return at + 1;
            };
            format!(
                "(WITH RECURSIVE s(v) AS (SELECT {first} UNION ALL SELECT v + 1 FROM s WHERE v < {last}) \
                 SELECT v AS {value} FROM s WHERE v <= {last}) AS {alias}"
            )
        };
        self.put(at..end, &told);
        end
    }

    /// Whether what stands here is in a FROM clause.
    fn in_from(&self, at: usize) -> bool {
        let mut depth = 0_usize;
        for place in (0..at).rev() {
            match self.token(place).to_ascii_lowercase().as_str() {
                ")" => depth += 1,
                "(" if depth == 0 => return false,
                "(" => depth -= 1,
                "from" if depth == 0 => {
                    return matches!(
                        self.token(at - 1).to_ascii_lowercase().as_str(),
                        "from" | "join" | "," | "lateral"
                    );
                }
                "select" | "where" | "on" | "by" if depth == 0 => return self.is(at - 1, "join"),
                _ => {}
            }
        }
        false
    }

    /// `SELECT …, unnest(…), generate_subscripts(…, 1) … FROM …`: the elements are joined.
    fn selected(&mut self, sql: &str, call: Range<usize>) -> usize {
        let open = (call.start..call.end)
            .find(|&at| self.is(at, "("))
            .unwrap_or(call.start);
        let list = &sql[self.end(open)..self.tokens[call.end].0];
        let Some(array) = split(list).first().map(|array| render(array)) else {
            return open;
        };
        let name = self.token(open - 1).to_ascii_lowercase();
        // Where FROM begins in this query, and where it ends.
        let (mut depth, mut from, mut end) = (0_i64, None, self.tokens.len());
        // `(_pg_expandarray(…)).n` stands in parentheses of its own.
        let field = self.is(call.end + 1, ")") && self.is(call.end + 2, ".");
        let start = if field { call.end + 4 } else { call.end + 1 };
        for at in start..self.tokens.len() {
            match self.token(at).to_ascii_lowercase().as_str() {
                "(" => depth += 1,
                ")" if depth == 0 => {
                    end = at;
                    break;
                }
                ")" => depth -= 1,
                "from" if depth == 0 && from.is_none() => from = Some(at),
                "where" | "group" | "order" | "union" | "limit" | ";" if depth == 0 && from.is_some() => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        if from.is_none() || name == "generate_series" {
            return open;
        }
        let joined = " AS nl_set ";
        if !self.after[end - 1].contains(joined) {
            self.after[end - 1].push_str(&format!(" JOIN json_each(pg_array_json({array})){joined}"));
        }
        let (range, told) = if field {
            let wants_position = self.is(call.end + 3, "n");
            (call.start - 1..call.end + 4, wants_position)
        } else {
            (call.start..call.end + 1, name == "generate_subscripts")
        };
        let next = range.end;
        let text = if told {
            "(nl_set.key + 1)".to_owned()
        } else {
            format!("pg_array_at({array}, nl_set.key)")
        };
        self.put(range, &text);
        next
    }

    /// Functions about partitions, of which there are none.
    fn empty(&mut self, at: usize) -> usize {
        let close = self.closing(at + 1);
        let before = if at >= 2 && self.is(at - 1, ".") {
            at - 2
        } else {
            at
        };
        if before == 0 || !["from", "join", ","].iter().any(|word| self.is(before - 1, word)) {
            return at + 1;
        }
        if self.is(close + 1, "with") {
            let open = (close..self.tokens.len())
                .find(|&at| self.is(at, "("))
                .unwrap_or(close);
            let end = self.closing(open);
            self.put(before..open - 2, "(SELECT NULL AS relid, NULL AS depth WHERE 0) ");
            self.put(open..end + 1, "");
            return end + 1;
        }
        self.put(at + 2..close, "NULL");
        close
    }

    /// `CAST(x AS regclass)` and the like; SQLite knows the others itself.
    fn cast(&mut self, at: usize) {
        let close = self.closing(at + 1);
        let (mut depth, mut found) = (0_usize, None);
        for place in at + 2..close {
            match self.token(place) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                token if depth == 0 && token.eq_ignore_ascii_case("as") => found = Some(place),
                _ => {}
            }
        }
        let Some(word) = found else { return };
        let name = (word + 1..close)
            .map(|at| self.token(at))
            .filter(|token| !matches!(*token, "pg_catalog" | "."))
            .collect::<Vec<_>>();
        let ty = unquote(name.first().copied().unwrap_or_default()).to_ascii_lowercase();
        let is_array = name.len() > 1 && name[1].starts_with('[');
        let call = if REGISTERED.contains(&ty.as_str()) && !is_array {
            let literal = is_literal(self.token(at + 2));
            format!("{ty}{}", if literal { "in" } else { "out" })
        } else if is_array {
            String::new()
        } else if ty == "oid" {
            "oidin".to_owned()
        } else {
            return;
        };
        self.put(at..at + 1, &call);
        self.put(word..close, "");
    }

    /// `x::type::type`.
    fn casts(&mut self, at: usize) -> usize {
        let start = self.operand(at.saturating_sub(1));
        let literal = at == start + 1 && is_literal(self.token(start));
        let mut types = vec![];
        let mut end = at;
        while self.is(end, ":") && self.is(end + 1, ":") {
            let mut name = end + 2;
            while self.is(name + 1, ".") {
                name += 2;
            }
            let mut next = name + 1;
            let ty = unquote(self.token(name)).to_ascii_lowercase();
            while ["precision", "varying", "with", "without", "time", "zone"]
                .iter()
                .any(|word| self.is(next, word))
                && ["double", "character", "timestamp", "time", "bit"].contains(&ty.as_str())
            {
                next += 1;
            }
            if self.is(next, "(") {
                next = self.closing(next) + 1;
            }
            let is_array = self.token(next).starts_with('[') || ty.starts_with('_');
            next += usize::from(self.token(next).starts_with('['));
            types.push(if is_array { String::new() } else { ty });
            end = next;
        }
        self.put(at..end, "");
        let mut names_it = literal;
        for (position, ty) in types.iter().enumerate() {
            let to_number = types
                .get(position + 1)
                .is_some_and(|next| next == "oid" || next.starts_with("int"));
            let (before, after) = match ty.as_str() {
                ty if REGISTERED.contains(&ty) => {
                    let to_text = types
                        .get(position + 1)
                        .is_some_and(|next| matches!(next.as_str(), "text" | "varchar"));
                    if names_it {
                        names_it = false;
                        let out = if to_text {
                            format!("{ty}out(")
                        } else {
                            String::new()
                        };
                        (format!("{out}{ty}in("), if to_text { "))" } else { ")" })
                    } else if to_number {
                        (String::new(), "")
                    } else {
                        (format!("{ty}out("), ")")
                    }
                }
                "oid" => ("oidin(".to_owned(), ")"),
                "text" | "varchar" | "name" | "bpchar" | "character" | "char" | "cstring" => {
                    ("CAST(".to_owned(), " AS TEXT)")
                }
                "int2" | "int4" | "int8" | "int" | "integer" | "bigint" | "smallint" | "regtypeid" => {
                    ("CAST(".to_owned(), " AS INTEGER)")
                }
                "float4" | "float8" | "double" | "real" | "numeric" => ("CAST(".to_owned(), " AS NUMERIC)"),
                "bool" | "boolean" if literal => {
                    let truth = self.token(start).trim_matches('\'').to_ascii_lowercase();
                    let yes = ["t", "true", "on", "1", "yes", "y"].contains(&truth.as_str());
                    self.put(start..start + 1, if yes { "1" } else { "0" });
                    (String::new(), "")
                }
                _ => (String::new(), ""),
            };
            self.wrap(start..at, &before, after);
        }
        end
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '"')) || token == ")"
}

/// Words before a parenthesis that do not call anything.
fn is_operator_word(token: &str) -> bool {
    [
        "in", "and", "or", "not", "any", "all", "select", "from", "where", "as", "on", "then", "else",
        "when", "values", "exists",
    ]
    .iter()
    .any(|word| token.eq_ignore_ascii_case(word))
}

fn is_literal(token: &str) -> bool {
    token.starts_with('\'')
        || token.starts_with('$')
        || token.starts_with(|first: char| first.is_ascii_digit())
}

/// What stands between brackets.
fn inner(token: &str) -> &str {
    token.trim_start_matches('[').trim_end_matches(']')
}

/// `a, f(b, c)` at its outer commas.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (vec![], 0, 0_usize);
    for (at, piece) in pieces(list) {
        match piece {
            Piece::Token("(") => depth += 1,
            Piece::Token(")") => depth = depth.saturating_sub(1),
            Piece::Token(",") if depth == 0 => {
                parts.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[from..].trim());
    parts
}

/// `'a\nb'` of `E'a\nb'` with its characters as they are.
fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut characters = literal.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some(other) => text.push(other),
                None => {}
            },
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_catalogue_queries() {
        for (sql, expected) in [
            ("SELECT pg_catalog.version()", "SELECT version()"),
            (
                "SELECT c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c",
                "SELECT regclassout(c.oid) FROM pg_catalog.pg_class c",
            ),
            (
                "SELECT 'a'::pg_catalog.regclass::pg_catalog.oid",
                "SELECT oidin(regclassin('a'))",
            ),
            (
                "WHERE c.relname OPERATOR(pg_catalog.~) '^(a)$' COLLATE pg_catalog.default",
                "WHERE c.relname  REGEXP  '^(a)$' ",
            ),
            ("WHERE n !~ '^pg_'", "WHERE n  NOT REGEXP  '^pg_'"),
            ("n ~* 'x'", "n  REGEXP '(?i)' ||  'x'"),
            (
                "x = any (pol.polroles)",
                "x  IN  (SELECT value FROM json_each(pg_array_json(pol.polroles)))",
            ),
            (
                "x <> ALL (ARRAY['a'::\"char\", 'b'])",
                "x  NOT IN  (CAST('a' AS TEXT), 'b')",
            ),
            (
                "array(select 1)",
                "(WITH nl_array(v) AS (select 1) SELECT pg_array_agg(v) FROM nl_array)",
            ),
            ("E'\\n  '", "'\n  '"),
            ("CAST('a' AS pg_catalog.text)", "CAST('a' AS text)"),
            ("CAST(x AS REGCLASS)", "regclassout(x  )"),
            ("attnum = prattrs[s]", "attnum = pg_array_element(prattrs, s)"),
            ("trim(trailing ';' from f(x, true))", "rtrim(   f(x, true), ';')"),
            (
                "SELECT unnest(c.k) AS a, generate_subscripts(c.k, 1) AS o FROM pg_constraint c WHERE 1",
                "SELECT pg_array_at(c.k, nl_set.key) AS a, (nl_set.key + 1) AS o FROM pg_constraint c \
                 JOIN json_each(pg_array_json(c.k)) AS nl_set WHERE 1",
            ),
            (
                "SELECT (information_schema._pg_expandarray(i.k)).n AS s FROM pg_index i",
                "SELECT (nl_set.key + 1) AS s FROM pg_index i JOIN json_each(pg_array_json(i.k)) AS nl_set",
            ),
            ("a LIKE 'x%'", "a LIKE 'x%' ESCAPE '\\'"),
            (
                "FROM pg_catalog.unnest(a.b) x",
                "FROM (SELECT value AS x FROM json_each(pg_array_json(a.b))) AS x",
            ),
            (
                "FROM pg_catalog.unnest(b) as t(x)",
                "FROM (SELECT value AS x FROM json_each(pg_array_json(b))) AS t",
            ),
        ] {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeezed(&render(sql)), squeezed(expected), "{sql}");
        }
    }

    #[test]
    fn broken_text_is_no_trouble() {
        for sql in [
            "",
            "::",
            "a::",
            "::a",
            "a[",
            "ANY(",
            "= ANY(",
            "ARRAY(",
            "ARRAY",
            "~",
            "!~",
            "CAST(",
            "OPERATOR(",
            "OPERATOR(a.",
            "E'",
            "pg_catalog.",
            "unnest(",
            "FROM unnest(",
            ")::x",
            "from pg_partition_ancestors(a) with",
            "COLLATE a.",
        ] {
            render(sql);
        }
    }
}
