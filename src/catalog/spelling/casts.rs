//! Casts: `x::regclass::text`, `CAST(x AS regclass)`.

use super::{REGISTERED, Respelling, is_literal};
use crate::catalog::lexical::unquote;

impl Respelling<'_> {
    /// `CAST(x AS regclass)` and the like; SQLite knows the others itself.
    pub(super) fn cast(&mut self, at: usize) {
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
    pub(super) fn casts(&mut self, at: usize) -> usize {
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
