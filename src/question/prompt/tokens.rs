//! How many tokens a text is, guessed from above: every tokenizer counts otherwise, and a budget must hold with all.

/// Words that every tokenizer knows whole, though they are written in capitals.
const KEYWORDS: &[&str] = &[
    "BIGINT",
    "BLOB",
    "BOOLEAN",
    "CHAR",
    "CREATE",
    "DATE",
    "DATETIME",
    "DECIMAL",
    "DOUBLE",
    "FLOAT",
    "FOREIGN",
    "FROM",
    "GROUP",
    "INT",
    "INTEGER",
    "JOIN",
    "KEY",
    "NOT",
    "NULL",
    "NUMBER",
    "NUMERIC",
    "ORDER",
    "PRIMARY",
    "REAL",
    "REFERENCES",
    "SELECT",
    "TABLE",
    "TEXT",
    "TIMESTAMP",
    "VARCHAR",
    "WHERE",
];

/// Tokens of a text, in all likelihood more than any of the usual tokenizers makes of it: only words without vowels,
/// and alphabets that a tokenizer has hardly seen, can take more.
pub fn estimate_tokens(text: &str) -> usize {
    let mut tokens = 0;
    let mut rest = text;
    let mut digit_before = false;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            'a'..='z' | 'A'..='Z' => {
                let length = word_length(rest.as_bytes());
                let among_digits =
                    digit_before || rest.as_bytes().get(length).is_some_and(u8::is_ascii_digit);
                tokens += of_word(&rest[..length], among_digits);
                length
            }
            ' ' => {
                let length = rest.bytes().take_while(|byte| *byte == b' ').count();
                // One space belongs to the word behind it; digits have none.
                let digit = rest.as_bytes().get(length).is_some_and(u8::is_ascii_digit);
                tokens += usize::from(length > 1 || digit);
                length
            }
            other => {
                tokens += of_character(other);
                other.len_utf8()
            }
        };
        digit_before = first.is_ascii_digit();
        rest = &rest[length..];
    }
    tokens
}

/// Letters up to the next word of `camelCase`.
fn word_length(text: &[u8]) -> usize {
    (1..text.len())
        .find(|&at| {
            !text[at].is_ascii_alphabetic()
                || (text[at].is_ascii_uppercase() && text[at - 1].is_ascii_lowercase())
        })
        .unwrap_or(text.len())
}

fn of_word(word: &str, among_digits: bool) -> usize {
    let length = word.len();
    let capitals = length > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    if capitals {
        return if KEYWORDS.binary_search(&word).is_ok() {
            1
        } else {
            length.div_ceil(2)
        };
    }
    let vowels = word.bytes().filter(|byte| b"aeiouyAEIOUY".contains(byte)).count();
    // What cannot be spoken is no word, and comes in pieces; so do the letters of codes.
    if !among_digits && (vowels * 4 >= length || length <= 2) {
        length.div_ceil(4)
    } else {
        length.div_ceil(2)
    }
}

fn of_character(character: char) -> usize {
    match character {
        // ASCII; Greek, Cyrillic.
        '\0'..='\u{7f}' | '\u{250}'..='\u{58f}' => 1,
        // Hangul; what needs two units of UTF-16.
        '\u{ac00}'..='\u{d7ff}' | '\u{10000}'.. => 3,
        // Latin letters with marks break a word in three.
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, most: usize) {
        let estimate = estimate_tokens(text);
        assert!(
            (most..=most * 4).contains(&estimate),
            "{estimate} instead of {most} for {text:?}"
        );
    }

    #[test]
    fn keywords_are_in_order() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn no_text_takes_more() {
        // The higher of the counts of two tokenizers: Qwen2.5's and SmolLM2's.
        let ddl = "CREATE TABLE order_lines (\n  order_id INTEGER,\n  line_no INTEGER,\n  unit_price DECIMAL(10,2), \
            -- e.g. 12.50\n  PRIMARY KEY (order_id, line_no),\n  FOREIGN KEY (order_id) REFERENCES orders (order_id)\n);\n";
        check(ddl, 79);
        check(
            "CREATE TABLE customerAccounts (\n  customerAccountNumber VARCHAR(20) PRIMARY KEY,\n);\n",
            26,
        );
        check(
            "CREATE TABLE KNA1 (\n  KUNNR CHAR(10) PRIMARY KEY,\n  LAND1 CHAR(3), -- 'DE', 'FR', 'US'\n  ORT01 CHAR(35)\n);\n",
            53,
        );
        check(
            "How many customers from Finland ordered more than 3 products since March 2024?",
            19,
        );
        check(
            "d41d8cd98f00b204e9800998ecf8427e, 2024-03-17 12:30:05, +358 40 1234567, 9780306406157",
            82,
        );
        check(
            "Kundenaufträge über Größenänderungen für Straßenbeläge in Öhringen",
            30,
        );
        check("Показать всех клиентов, которые сделали заказ в прошлом году", 43);
        check("显示去年在北京下订单的所有客户的姓名和地址。", 33);
        check("작년에 서울에서 주문한 모든 고객의 이름을 표시합니다.", 64);
        check("عرض جميع العملاء الذين قدموا طلبًا العام الماضي", 44);
        check("😀🚀🧬🇫🇮 €5 – ½ × 3 ≥ 1", 26);
        check("(((a.b)=(c.d))AND((e.f)<>(g.h)))||'--'||\"x\"\n", 31);
    }
}
