//! What is added to a file of a model without changing anything else that stands in it: neither comments nor how it is
//! written. Where it may go is tried, and only what then reads as the old document with the addition is taken.

use serde_json::{Value, json};

use super::{document::VENDOR, read::read};

/// Something that a model does not say yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// A question with SQL that a person has found right.
    VerifiedQuery {
        /// As somebody asked it.
        question: String,
        /// What answers it.
        sql: String,
    },
    /// A reference from many rows to one.
    Relationship {
        /// What it is called.
        name: String,
        /// The table of many rows, as it is called and as a file names its source.
        from: (String, String),
        /// The table of one row.
        to: (String, String),
        /// The columns that refer.
        from_columns: Vec<String>,
        /// The columns that are referred to.
        to_columns: Vec<String>,
    },
}

/// The text with something more in it; `None` where no place for it is found. `database` says which of several models is meant.
pub fn with(text: &str, database: &str, addition: &Addition) -> Option<String> {
    let document = read(text).ok()?;
    let models = &document.semantic_model;
    let model = match &models[..] {
        [_] => 0,
        several => several
            .iter()
            .position(|model| model.name.eq_ignore_ascii_case(database))?,
    };
    match addition {
        Addition::VerifiedQuery { question, sql } => {
            let query = json!({ "question": question, "sql": sql });
            let expected = verified(of(text)?, model, &query)?;
            let mut places = places_of_queries(text, model, &query)?.into_iter();
            places.find(|changed| of(changed).as_ref() == Some(&expected))
        }
        Addition::Relationship {
            name,
            from,
            to,
            from_columns,
            to_columns,
        } => {
            let mut changed = text.to_owned();
            let mut ends = Vec::new();
            for (table, source) in [from, to] {
                let known = models[model]
                    .datasets
                    .iter()
                    .find(|dataset| same_table(&dataset.source.value, source));
                if known.is_none() && !ends.contains(table) {
                    let dataset = json!({ "name": table, "source": source });
                    changed = listed(&changed, model, "datasets", &dataset)?;
                }
                ends.push(known.map_or_else(|| table.clone(), |dataset| dataset.name.value.clone()));
            }
            let relationship = json!({
                "name": name, "from": ends[0], "to": ends[1], "from_columns": from_columns, "to_columns": to_columns,
            });
            listed(&changed, model, "relationships", &relationship)
        }
    }
}

/// Whether two sources are one table: the later parts of a name may stand alone.
fn same_table(one: &str, other: &str) -> bool {
    let parts = |source: &str| -> Vec<String> {
        let parts = source
            .rsplit('.')
            .map(|part| part.trim_matches('"').to_lowercase());
        parts.collect()
    };
    let (one, other) = (parts(one), parts(other));
    one.iter().zip(&other).all(|(one, other)| one == other)
}

/// A document as it is compared: what is JSON as text in it, and where it stands, make no difference.
fn of(text: &str) -> Option<Value> {
    let mut value = serde_json::to_value(read(text).ok()?).ok()?;
    unwrap(&mut value);
    Some(value)
}

fn unwrap(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(unwrap),
        Value::Object(members) => {
            if members.contains_key("vendor_name")
                && let Some(data) = members.get_mut("data")
                && let Some(parsed) = data.as_str().and_then(|text| serde_json::from_str(text).ok())
            {
                *data = parsed;
            }
            members.values_mut().for_each(unwrap);
        }
        _ => {}
    }
}

/// The document with a first item more in a list of a model.
fn with_item(mut document: Value, model: usize, list: &str, item: &Value) -> Option<Value> {
    let model = document
        .get_mut("semantic_model")?
        .get_mut(model)?
        .as_object_mut()?;
    let items = model.entry(list).or_insert_with(|| json!([]));
    items.as_array_mut()?.insert(0, item.clone());
    Some(document)
}

/// The document with a first verified query more.
fn verified(mut document: Value, model: usize, query: &Value) -> Option<Value> {
    let place = document
        .get_mut("semantic_model")?
        .get_mut(model)?
        .as_object_mut()?;
    let extensions = place.entry("custom_extensions").or_insert_with(|| json!([]));
    let extensions = extensions.as_array_mut()?;
    let ours = extensions.iter().position(|one| one["vendor_name"] == VENDOR);
    let Some(ours) = ours else {
        let extension = json!({ "vendor_name": VENDOR, "data": { "verified_queries": [query] } });
        extensions.insert(0, extension);
        return Some(document);
    };
    let data = extensions[ours].get_mut("data")?.as_object_mut()?;
    let queries = data.entry("verified_queries").or_insert_with(|| json!([]));
    queries.as_array_mut()?.insert(0, query.clone());
    Some(document)
}

/// The text with a first item more in a list of a model.
fn listed(text: &str, model: usize, list: &str, item: &Value) -> Option<String> {
    let expected = with_item(of(text)?, model, list, item)?;
    let block = Block::of_model(text, model)?;
    let mut places = block.in_list(list, item).into_iter();
    places.find(|changed| of(changed).as_ref() == Some(&expected))
}

/// The text with the query in each place where it might go.
fn places_of_queries(text: &str, model: usize, query: &Value) -> Option<Vec<String>> {
    let block = Block::of_model(text, model)?;
    let Some(extensions) = block.key("custom_extensions") else {
        return Some(block.in_list("custom_extensions", &extension(query)));
    };
    let mut places = Vec::new();
    let in_list = format!("[{}]", flow(query));
    let json = query.to_string();
    // As text of JSON: in quotes of either kind, or as it stands.
    let quoted = serde_json::to_string(&json).unwrap_or_default();
    let inner = quoted.trim_start_matches('"');
    let inner = inner.strip_suffix('"').unwrap_or(inner).to_owned();
    for at in extensions..block.next_key(extensions) {
        let line = block.lines[at];
        for (key, item) in [
            ("verified_queries: [", flow(query)),
            ("\"verified_queries\":[", json.replace('\'', "''")),
            ("\"verified_queries\":[", json.clone()),
            ("\"verified_queries\": [", json.replace('\'', "''")),
            ("\\\"verified_queries\\\":[", inner.clone()),
        ] {
            if let Some(found) = line.find(key) {
                let (before, after) = line.split_at(found + key.len());
                let comma = if after.trim_start().starts_with(']') {
                    ""
                } else {
                    ", "
                };
                places.push(block.with_line(at, &format!("{before}{item}{comma}{after}")));
            }
        }
        if let Some(indent) = key_of(line, "verified_queries") {
            places.push(block.with_items(at, indent, query));
        }
        if let Some(indent) = key_of(line, "data") {
            let more = format!(
                "{line}\n{0}verified_queries:\n{1}",
                " ".repeat(indent + 2),
                lines_of(query, indent + 2)
            );
            places.push(block.with_line(at, &more));
        }
        if let Some(found) = line.find("data: {") {
            let (before, after) = line.split_at(found + "data: {".len());
            let comma = if after.trim_start().starts_with('}') {
                ""
            } else {
                ", "
            };
            places.push(block.with_line(at, &format!("{before}verified_queries: {in_list}{comma}{after}")));
        }
        for (key, item) in [
            (
                "data: '{",
                format!("\"verified_queries\":[{}]", json.replace('\'', "''")),
            ),
            ("data: \"{", format!("\\\"verified_queries\\\":[{inner}]")),
        ] {
            if let Some(found) = line.find(key) {
                let (before, after) = line.split_at(found + key.len());
                let comma = if after.starts_with('}') { "" } else { "," };
                places.push(block.with_line(at, &format!("{before}{item}{comma}{after}")));
            }
        }
    }
    places.extend(block.in_list("custom_extensions", &extension(query)));
    Some(places)
}

fn extension(query: &Value) -> Value {
    json!({ "vendor_name": VENDOR, "data": { "verified_queries": [query] } })
}

/// The lines of one model in a text.
struct Block<'t> {
    lines: Vec<&'t str>,
    /// Its first line, and the one behind its last.
    first: usize,
    end: usize,
    /// How far its keys are from the left.
    indent: usize,
}

impl<'t> Block<'t> {
    /// The model of this number, where models are items that stand below each other.
    fn of_model(text: &'t str, model: usize) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let head = lines
            .iter()
            .position(|line| key_of(line, "semantic_model") == Some(0))?;
        let mut items = Vec::new();
        let mut dash = None;
        let mut end = lines.len();
        for (at, line) in lines.iter().enumerate().skip(head + 1) {
            let indent = indent_of(line);
            if is_silent(line) || dash.is_some_and(|dash| indent > dash) {
                continue;
            }
            if line.trim_start().starts_with("- ") && dash.is_none_or(|dash| dash == indent) {
                dash = Some(indent);
                items.push(at);
            } else {
                end = at;
                break;
            }
        }
        let first = *items.get(model)?;
        let mut end = items.get(model + 1).copied().unwrap_or(end);
        while end > first + 1 && is_silent(lines[end - 1]) {
            end -= 1;
        }
        let behind_dash = &lines[first][dash? + 1..];
        let indent = dash? + 1 + indent_of(behind_dash);
        Some(Self {
            lines,
            first,
            end,
            indent,
        })
    }

    /// The line of one of its keys.
    fn key(&self, name: &str) -> Option<usize> {
        let begins = format!("{name}:");
        let is_key = |at: &usize| {
            let line = self.lines[*at].get(self.indent..).unwrap_or_default();
            (*at == self.first || indent_of(self.lines[*at]) == self.indent) && line.starts_with(&begins)
        };
        (self.first..self.end).find(is_key)
    }

    /// The line of the key behind that of this line.
    fn next_key(&self, line: usize) -> usize {
        let is_next = |at: &usize| {
            let text = self.lines[*at];
            // Items of a list may stand as far left as its key.
            indent_of(text) <= self.indent && !is_silent(text) && !text.trim_start().starts_with("- ")
        };
        (line + 1..self.end).find(is_next).unwrap_or(self.end)
    }

    /// The text with an item more in one of its lists, in each way in which it could be.
    fn in_list(&self, name: &str, item: &Value) -> Vec<String> {
        let Some(at) = self.key(name) else {
            let key = format!(
                "{}{name}:\n{}",
                " ".repeat(self.indent),
                lines_of(item, self.indent)
            );
            let last = self.lines[self.end - 1];
            return vec![self.with_line(self.end - 1, &format!("{last}\n{key}"))];
        };
        let line = self.lines[at];
        if let Some(found) = line.find(&format!("{name}: [")) {
            let (before, after) = line.split_at(found + name.len() + 3);
            let comma = if after.trim_start().starts_with(']') {
                ""
            } else {
                ", "
            };
            return vec![self.with_line(at, &format!("{before}{}{comma}{after}", flow(item)))];
        }
        vec![self.with_items(at, self.indent, item)]
    }

    /// The text with a first item below a key, as far from the left as those that follow.
    fn with_items(&self, at: usize, indent: usize, item: &Value) -> String {
        let mut following = self.lines[at + 1..].iter().filter(|line| !is_silent(line));
        let indent = following
            .next()
            .filter(|line| line.trim_start().starts_with("- "))
            .map_or(indent, |line| indent_of(line));
        self.with_line(at, &format!("{}\n{}", self.lines[at], lines_of(item, indent)))
    }

    /// The text with something in the place of a line.
    fn with_line(&self, at: usize, line: &str) -> String {
        let mut lines = self.lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    }
}

/// How far a line's text is from the left.
fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Nothing but a remark.
fn is_silent(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// How far from the left a key is whose value stands below it.
fn key_of(line: &str, name: &str) -> Option<usize> {
    let behind_dash = line
        .trim_start_matches(' ')
        .trim_start_matches("- ")
        .trim_start_matches(' ');
    let rest = behind_dash.strip_prefix(name)?.strip_prefix(':')?;
    is_silent(rest).then(|| line.len() - behind_dash.len())
}

/// An item of a list, its members on lines of their own.
fn lines_of(item: &Value, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let members = item.as_object().into_iter().flatten();
    let lines = members.enumerate().map(|(at, (name, value))| {
        let dash = if at == 0 { "- " } else { "  " };
        format!("{margin}{dash}{name}: {}", flow(value))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A value in one line of YAML.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{name}: {}", flow(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        // Text in YAML's double quotes is written as in JSON.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Addition, of, with};

    fn query() -> Addition {
        Addition::VerifiedQuery {
            question: "who's \"new\": #1?".to_owned(),
            sql: "SELECT name\nFROM pet WHERE kind = 'it''s'".to_owned(),
        }
    }

    fn reference() -> Addition {
        Addition::Relationship {
            name: "visit_pet_id".to_owned(),
            from: ("visit".to_owned(), "visit".to_owned()),
            to: ("pet".to_owned(), "pet".to_owned()),
            from_columns: vec!["pet_id".to_owned()],
            to_columns: vec!["id".to_owned()],
        }
    }

    const HEAD: &str = "# Ours.\nversion: 0.2.0.dev0\nsemantic_model:\n- name: pets # all of them\n  datasets:\n  - name: animals\n    source: pet\n";

    #[test]
    fn a_query_goes_where_others_are_and_nothing_else_changes() {
        for tail in [
            "",
            "  # The end.\n",
            "\nother: 1\n",
            "  custom_extensions: []\n",
            "  custom_extensions:\n  - vendor_name: OTHERS\n    data: '{\"x\": 1}'\n",
            "  custom_extensions:\n  - vendor_name: QUERENT\n    data: {not: {metrics: [heft]}}\n  metrics: []\n",
            "  custom_extensions:\n  - vendor_name: QUERENT\n    data: {verified_queries: [{question: a, sql: SELECT 1}]}\n",
            "  custom_extensions:\n    - vendor_name: QUERENT\n      data:\n        not: {metrics: [heft]}\n",
            "  custom_extensions:\n  - vendor_name: QUERENT\n    data:\n      verified_queries:\n      # The first.\n      - question: a\n        sql: SELECT 1\n",
            "  custom_extensions:\n  - vendor_name: QUERENT\n    data: '{\"verified_queries\":[{\"question\":\"it''s\",\"sql\":\"SELECT 1\"}]}'\n",
            "  custom_extensions:\n  - vendor_name: QUERENT\n    data: \"{\\\"not\\\":{\\\"metrics\\\":[\\\"heft\\\"]}}\"\n",
            "  custom_extensions:\n  - vendor_name: QUERENT\n    data: '{\"not\":{\"metrics\":[\"heft\"]}}'\n",
        ] {
            let text = format!("{HEAD}{tail}");
            let changed = with(&text, "pets", &query()).unwrap_or_else(|| panic!("no place in\n{text}"));
            assert!(
                changed.contains("# Ours.") && changed.contains("# all of them"),
                "{changed}"
            );
            assert!(
                of(&changed).is_some_and(|now| now.to_string().contains("who's")),
                "{changed}"
            );
            let again = with(&changed, "pets", &query()).unwrap_or_else(|| panic!("no place in\n{changed}"));
            assert_eq!(again.matches("FROM pet WHERE").count(), 2, "{again}");
        }
    }

    #[test]
    fn a_reference_goes_with_the_tables_that_it_needs() {
        for tail in [
            "",
            "  metrics: []\n",
            "  relationships: []\n",
            "  relationships:\n  - {name: a, from: animals, to: animals, from_columns: [id], to_columns: [id]}\n",
        ] {
            let text = format!("{HEAD}{tail}");
            let changed = with(&text, "pets", &reference()).unwrap_or_else(|| panic!("no place in\n{text}"));
            assert!(
                changed.contains("to: \"animals\"") && changed.contains("source: \"visit\""),
                "{changed}"
            );
        }
    }

    #[test]
    fn of_several_models_the_databases_own_is_added_to() {
        let text = format!("{HEAD}- name: shop\n  datasets: []\n");
        let changed = with(&text, "pets", &query()).unwrap_or_default();
        assert!(changed.find("who's") < changed.find("name: shop"), "{changed}");
        let changed = with(&text, "Shop", &query()).unwrap_or_default();
        assert!(changed.find("who's") > changed.find("name: shop"), "{changed}");
        assert_eq!(with(&text, "neither", &query()), None);
        assert_eq!(with("semantic_model: [{name: pets}]", "pets", &query()), None);
    }
}
