//! Arrays as sets, and functions that return rows: in FROM they become subqueries, in a SELECT list they are joined.

use std::ops::Range;

use super::{Respelling, inner, render, split};

impl Respelling<'_> {
    /// `= ANY (…)` and `<> ALL (…)`.
    pub(super) fn any(&mut self, at: usize) -> usize {
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
        self.after[at + 1].push_str("SELECT value FROM json_each(catalogue_array_json(");
        self.before[close].push_str("))");
        at + 2
    }

    /// `unnest(…)` and `generate_series(…)` in FROM.
    pub(super) fn series(&mut self, sql: &str, at: usize) -> usize {
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
        let parts = split(arguments);
        if self.is(at, "unnest") && parts.len() > 1 && self.beside(before, (&alias, &names), &parts) {
            let first = render(parts[0]);
            self.put(
                at..end,
                &format!("json_each(catalogue_array_json({first})) AS {alias}"),
            );
            return end;
        }
        let lateral = self
            .is(at, "unnest")
            .then(|| self.lateral(before, arguments, (&alias, &names), ordinality));
        if let Some(lateral) = lateral.flatten() {
            // What is joined on something is no longer one of a list.
            let mut place = before - 1;
            place -= usize::from(self.is(place, "lateral"));
            if self.is(place, ",") {
                self.put(place..place + 1, " JOIN ");
            } else if place > 0 && self.is(place - 1, "cross") {
                self.put(place - 1..place, "");
            }
            if self.is(end, "on") {
                self.put(at..end, &lateral.told);
                let after = &mut self.after[end];
                for part in [" ", &lateral.condition, " AND "] {
                    after.push_str(part);
                }
            } else {
                let told = format!("{} ON {}", lateral.told, lateral.condition);
                self.put(at..end, &told);
            }
            return end;
        }
        let value = names.first().cloned().unwrap_or_default();
        let told = if self.is(at, "unnest") {
            let position = names
                .get(1)
                .filter(|_| ordinality)
                .map(|name| format!(", key + 1 AS {name}"));
            let position = position.unwrap_or_default();
            format!(
                "(SELECT value AS {value}{position} FROM json_each(catalogue_array_json({}))) AS {alias}",
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

    /// `SELECT * FROM relation r, unnest(r.a, r.b) WITH ORDINALITY u(a, b, n)`: the star becomes what it stands for.
    fn beside(&mut self, comma: usize, (alias, names): (&str, &[String]), arrays: &[&str]) -> bool {
        let Some(from) = (0..comma).rev().find(|&at| self.is(at, "from")) else {
            return false;
        };
        let alone = from >= 2 && self.is(from - 1, "*") && self.is(from - 2, "select");
        if !alone || !self.is(comma - 1, ",") || (from + 1..comma - 1).any(|at| self.is(at, ",")) {
            return false;
        }
        let mut columns = vec![
            format!("{}.*", self.token(comma - 2)),
            format!("{alias}.value AS {}", names[0]),
        ];
        for (array, name) in arrays.iter().zip(names).skip(1) {
            columns.push(format!(
                "catalogue_array_at({}, {alias}.key) AS {name}",
                render(array)
            ));
        }
        if let Some(name) = names.get(arrays.len()) {
            columns.push(format!("{alias}.key + 1 AS {name}"));
        }
        self.put(from - 1..from, &columns.join(", "));
        true
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
    pub(super) fn selected(&mut self, sql: &str, call: Range<usize>) -> usize {
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
        let field = call.start > 0 && self.is(call.end + 1, ")") && self.is(call.end + 2, ".");
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
            let join = format!(" JOIN json_each(catalogue_array_json({array})){joined}");
            self.after[end - 1].push_str(&join);
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
            format!("catalogue_array_at({array}, nl_set.key)")
        };
        self.put(range, &text);
        next
    }

    /// Functions about partitions, of which there are none.
    pub(super) fn empty(&mut self, at: usize) -> usize {
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
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn arrays_side_by_side() {
        let asked =
            "SELECT * FROM pg_index i, unnest(i.indkey, i.indoption) WITH ORDINALITY koi(key, option, n)";
        let squeezed: Vec<String> = render(asked).split_whitespace().map(str::to_owned).collect();
        assert_eq!(
            squeezed.join(" "),
            "SELECT i.*, koi.value AS key, catalogue_array_at(i.indoption, koi.key) AS option, koi.key + 1 AS n \
             FROM pg_index i, json_each(catalogue_array_json(i.indkey)) AS koi"
        );
    }
}
