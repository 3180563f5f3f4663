//! Names that run their words together: `CUSTNM`, `TOTAMT`, `acctno`. They are parted before short forms that end no
//! English word, so that `request`, `standard` and `command` stay whole.

/// Short forms that end no English word but those of [`WHOLE`].
const ENDINGS: [&str; 62] = [
    "lin", "acct", "addr", "adr", "amnt", "amt", "beg", "ccy", "cd", "chg", "cnt", "cod", "cst", "dat",
    "desc", "dsc", "dt", "dtl", "flg", "grp", "hdr", "hgt", "hrs", "lmt", "lvl", "mast", "mgr", "mst",
    "mstr", "mtd", "mth", "mths", "mtr", "nam", "nbr", "nm", "nr", "num", "pct", "pmt", "prc", "pymt", "qty",
    "rdg", "rsn", "seq", "siz", "stat", "sts", "svc", "tb", "tbl", "tot", "trn", "txn", "txt", "typ", "wgt",
    "yr", "no", "st", "bal",
];
/// Short forms that end English words, and nothing where no vowel stands before them: `RDGVAL`, `MTRST`.
const ENDINGS_OF_CONSONANTS: [&str; 6] = ["ad", "cat", "id", "key", "ref", "val"];
/// How English words begin with three consonants.
const ONSETS: [&str; 10] = [
    "chr", "phr", "sch", "scr", "shr", "sph", "spl", "spr", "str", "thr",
];
/// Words and short forms that happen to end so.
const WHOLE: [&str; 22] = [
    "abcd",
    "accnt",
    "audt",
    "baccy",
    "concordat",
    "crdt",
    "discnt",
    "dreamt",
    "equipmt",
    "exchg",
    "forecst",
    "foremast",
    "mainmast",
    "maudlin",
    "chitlin",
    "martyr",
    "recd",
    "satyr",
    "shipmt",
    "topmast",
    "warmth",
    "zephyr",
];

/// The words of one word of a name, lower case; `capitals` where the whole name is written in capitals.
pub(super) fn parted(word: String, capitals: bool) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = word;
    while let Some(at) = parting(&rest, capitals) {
        parts.push(rest.split_off(at));
    }
    parts.push(rest);
    parts.reverse();
    parts
}

/// Where the last short form of a word begins.
fn parting(word: &str, capitals: bool) -> Option<usize> {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) || WHOLE.contains(&word) {
        return None;
    }
    let before = |ending: &'static str| Some((word.strip_suffix(ending)?, ending));
    let sure = ENDINGS
        .iter()
        .filter_map(|ending| before(ending))
        .filter(|(before, ending)| {
            // Of two letters nothing is sure that people write in lower case.
            let least = if capitals && !matches!(*ending, "nr" | "tb" | "no" | "st") {
                2
            } else {
                3
            };
            before.len() >= least && ends_no_word(before, ending)
        });
    let of_consonants = ENDINGS_OF_CONSONANTS
        .iter()
        .filter_map(|ending| before(ending))
        .filter(|(before, _)| is_no_beginning(before));
    sure.chain(of_consonants).map(|(before, _)| before.len()).min()
}

/// True where no English word ends in a short form that stands behind this.
fn ends_no_word(before: &str, ending: &str) -> bool {
    let last = before.as_bytes().last().copied().unwrap_or_default();
    is_no_beginning(before)
        || match ending {
            // `requests`, `firsts`.
            "sts" => !is_vowel(last) && !matches!(last, b'r' | b'n' | b'g'),
            // `piano`, `inferno`, `techno`.
            "no" => !is_vowel(last) && !matches!(last, b'r' | b'h' | b'n' | b'g'),
            // `aluminum`, `magnum`.
            "num" => !is_vowel(last) && !matches!(last, b'r' | b'g'),
            // `violin`, `penicillin`.
            "lin" => before.ends_with("ll") || matches!(last, b'd' | b'v' | b't'),
            // `thermostat`.
            "stat" => last != b'o',
            "st" => last == b't',
            // `verbal`, `global`.
            "bal" => !is_vowel(last) && !matches!(last, b'r' | b'o' | b'm'),
            _ => true,
        }
}

/// True for three consonants and more, with which no word begins.
fn is_no_beginning(letters: &str) -> bool {
    letters.len() >= 3 && !letters.bytes().any(is_vowel) && !ONSETS.contains(&letters)
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: &str) {
        let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
        assert_eq!(
            parted(word.to_lowercase(), capitals).join(" "),
            expected,
            "{word}"
        );
    }

    #[test]
    fn words_that_run_together_are_parted() {
        for (word, expected) in [
            ("CUSTNM", "cust nm"),
            ("custnm", "cust nm"),
            ("TOTAMT", "tot amt"),
            ("BILSTS", "bil sts"),
            ("ZONECD", "zone cd"),
            ("BILLHDR", "bill hdr"),
            ("MTRRDG", "mtr rdg"),
            ("CUSTMAST", "cust mast"),
            ("CUSTST", "cust st"),
            ("RDGVAL", "rdg val"),
            ("OPDT", "op dt"),
            ("ACCTTYPCD", "acct typ cd"),
            ("empno", "emp no"),
            ("useracct", "user acct"),
            ("BILLLIN", "bill lin"),
            ("orderdtl", "order dtl"),
        ] {
            check(word, expected);
        }
    }

    #[test]
    fn english_words_and_short_forms_stay_whole() {
        let words = "request requests address standard command demand kingdom tests costs guests firsts piano casino inferno \
            techno domino aluminum magnum thermostat verbal global herbal command almost forecast contrast first burst \
            violin penicillin maudlin javelin interval arrival festival valid hybrid stride grid product district strict context account discount \
            warmth martyr dreamt total topmast candidate period opdt qty amt hdr acct accnt exchg";
        for word in words.split_whitespace() {
            check(word, word);
            check(&word.to_uppercase(), if word == "opdt" { "op dt" } else { word });
        }
    }
}
