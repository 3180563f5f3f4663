//! Names in a question that are written as a database writes them: `pay_eu` is one name, and where nothing is called so, it is not
//! the words `pay` and `eu`.

use crate::question::{
    schema::{Snapshot, words},
    semantic::SemanticModel,
};

/// The first such name in a question that stands for nothing that is known: no table, column, metric, label or stored value.
pub(crate) fn unknown_name(question: &str, snapshot: &Snapshot, model: &SemanticModel) -> Option<String> {
    let unknown = |name: &&str| {
        let is_value = || !snapshot.values.find(&words::text_words(name)).is_empty();
        !is_known(name, snapshot, model) && !is_value()
    };
    names(question).find(unknown).map(str::to_owned)
}

/// The names with an underscore in a question, outside of quotes, and of addresses and paths.
fn names(question: &str) -> impl Iterator<Item = &str> {
    let words =
        question.split(|character: char| character.is_whitespace() || ",;:!?()[]".contains(character));
    let bare =
        words.map(move |word| word.trim_matches(|character: char| character == '.' || character == '-'));
    // An apostrophe behind a name is a possessive.
    let bare = bare.map(|word| word.split_once("'s").map_or(word, |(word, _)| word));
    bare.flat_map(|word| {
        let plain = word
            .chars()
            .all(|character| character.is_alphanumeric() || "_.".contains(character));
        word.split('.').filter(move |_| plain)
    })
    .filter(|name| {
        let inner = name.trim_matches('_');
        inner.contains('_') && inner.chars().any(char::is_alphabetic)
    })
}

fn is_known(name: &str, snapshot: &Snapshot, model: &SemanticModel) -> bool {
    let stems = |name: &str| -> Vec<String> {
        let words = words::identifier_words(name);
        words.iter().map(|word| words::stem(word)).collect()
    };
    let wanted = stems(name);
    let is = |known: &str| stems(known) == wanted;
    let says = |wording: &[String]| wording.iter().any(|synonym| is(synonym));
    let of_tables = snapshot.schema.tables.iter().any(|table| {
        let own = stems(&table.name);
        let namespace = table.schema.as_deref().is_some_and(is);
        namespace
            || own == wanted
            || table.columns.iter().any(|column| {
                let column = stems(&column.name);
                // `customer_name` is the name of a customer.
                column == wanted || wanted.strip_prefix(own.as_slice()) == Some(&column)
            })
    });
    let of_datasets = || {
        model.datasets.iter().any(|dataset| {
            let fields = dataset.fields.iter().any(|field| {
                says(&field.wording.synonyms)
                    || field.labels.iter().any(|(value, label)| is(value) || is(label))
            });
            let mut computed = dataset.computed.iter();
            says(&dataset.wording.synonyms)
                || fields
                || computed.any(|field| is(&field.name) || says(&field.field.wording.synonyms))
        })
    };
    let of_metrics = || {
        let mut metrics = model.metrics.iter();
        metrics.any(|metric| is(&metric.name) || says(&metric.wording.synonyms))
    };
    let of_filters = || {
        let mut filters = model.filters.iter();
        filters.any(|filter| is(&filter.name) || says(&filter.wording.synonyms))
    };
    of_tables || of_datasets() || of_metrics() || of_filters()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_other_words() {
        let check = |question: &str, expected: &[&str]| {
            assert_eq!(names(question).collect::<Vec<_>>(), expected, "{question}");
        };
        check("how many pay_eu are there?", &["pay_eu"]);
        check(
            "rows of archive.pay_eu, by pay_us's region",
            &["pay_eu", "pay_us"],
        );
        check("orders of 'pay_eu' by a_b@example.com in /srv/x_y", &[]);
        check("orders _, __ and 1_000", &[]);
    }
}
