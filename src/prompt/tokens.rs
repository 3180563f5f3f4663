//! How many tokens a text is, guessed from above: every tokenizer counts otherwise, and a budget must hold with all.

/// Tokens of a text, never fewer than the usual tokenizers make of it.
pub fn estimate_tokens(text: &str) -> usize {
    let mut tokens = 0;
    let mut letters = 0_usize;
    let mut previous = ' ';
    for character in text.chars() {
        let lower_to_upper = character.is_ascii_uppercase() && previous.is_ascii_lowercase();
        if !character.is_ascii_alphabetic() || lower_to_upper {
            tokens += letters.div_ceil(4);
            letters = 0;
        }
        match character {
            'a'..='z' | 'A'..='Z' => letters += 1,
            // A space before a word is part of the word's token.
            ' ' if previous != ' ' => {}
            ' ' => {}
            character if character.is_ascii() => tokens += 1,
            character => tokens += character.len_utf8().div_ceil(2),
        }
        previous = character;
    }
    tokens + letters.div_ceil(4)
}
