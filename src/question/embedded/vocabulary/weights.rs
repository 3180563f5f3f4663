//! How much each word of a name says about what it names.

/// Words that say little about which table it is.
pub(crate) fn table_weight(word: &str) -> f32 {
    match word {
        "ref" | "tbl" | "table" | "info" | "data" | "detail" | "details" | "record" | "records" | "list"
        | "mst" | "mstr" | "mast" | "master" | "tab" | "tb" | "file" | "rec" | "hdr" | "header" | "dtl"
        | "hst" | "hist" => 0.2,
        "of" | "and" | "the" | "in" | "for" => 0.05,
        _ => 1.0,
    }
}

/// Words that say what sort of thing a column is rather than which.
pub(crate) fn column_weight(word: &str, is_suffix: bool) -> f32 {
    match word {
        "of" | "and" | "the" | "in" | "for" | "is" | "on" | "at" | "by" | "to" | "up" | "from" => 0.05,
        "id" | "code" | "cd" | "key" if is_suffix => 0.7,
        "name" | "no" | "num" | "number" | "text" | "value" | "details" | "description" | "nm" | "nr"
        | "nbr" | "desc"
            if is_suffix =>
        {
            0.45
        }
        "date" | "datetime" | "year" | "dt" if is_suffix => 0.6,
        "tot" if !is_suffix => 0.45,
        _ => 1.0,
    }
}
