//! What the lexicon says of words that questions and schemas have.

use proptest::prelude::*;

use super::*;

/// The candidates of each line begin with what should be nearest.
#[test]
fn the_nearest_of_some_words() {
    for (word, candidates) in [
        ("vocalist", "singer concert stadium song"),
        ("aerodrome", "airport city country runway"),
        ("staff", "employee building salary company"),
        ("clients", "customers orders products cities"),
        ("wage", "salary name age department"),
        ("heavy", "weight height price name"),
        ("tall", "height weight age name"),
        ("old", "age weight price name"),
        ("expensive", "price weight age name"),
        ("physicians", "doctors patients clinics drugs"),
        ("earnings", "income address phone gender"),
        ("rented", "rental film actor language"),
        ("Automobile", "car road owner colour"),
    ] {
        let candidates: Vec<&str> = candidates.split(' ').collect();
        let (at, nearness) = nearest(word, &candidates).expect("all are known");
        assert_eq!(candidates[at], candidates[0], "{word}: {nearness}");
    }
}

#[test]
fn forms_have_lemmas() {
    for (form, lemma) in [
        ("spent", "spend"),
        ("sold", "sell"),
        ("children", "child"),
        ("companies", "company"),
        ("Rented", "rent"),
        ("planes", "plane"),
        ("boxes", "box"),
        ("bought", "buy"),
        ("heaviest", "heavy"),
        ("running", "run"),
        ("shipments", "shipment"),
        ("headcount", "headcount"),
        ("skus", "sku"),
    ] {
        assert_eq!(lemmas(form).next(), Some(lemma), "{form}: {:?}", readings(form));
    }
    assert_eq!(lemmas("xqzzt").next(), None);
    assert_eq!(lemmas("left").collect::<Vec<_>>(), ["leave", "left"]);
}

#[test]
fn words_are_parts_of_speech() {
    for word in ["customer", "invoice", "staff", "children", "building", "revenue"] {
        assert!(is_noun(word), "{word}: {:?}", readings(word));
    }
    for word in ["spent", "sold", "rented", "building", "buy"] {
        assert!(is_verb(word), "{word}: {:?}", readings(word));
    }
    for word in ["old", "expensive", "heaviest"] {
        assert!(is_adjective(word), "{word}: {:?}", readings(word));
    }
    for word in ["customer", "old", "xqzzt", ""] {
        assert!(!is_verb(word), "{word}: {:?}", readings(word));
    }
    assert!(!is_noun("expensive"));
    let shares =
        [Part::Noun, Part::Verb, Part::Adjective, Part::Adverb].map(|part| readings("left").share(part));
    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
}

#[test]
fn words_lead_to_words() {
    type Relation = fn(&str) -> Vec<&'static str>;
    let (d, s): (Relation, Relation) = (|word| derived(word).collect(), |word| synonyms(word).collect());
    let (n, t): (Relation, Relation) = (|word| antonyms(word).collect(), |word| attributes(word).collect());
    for (relation, word, expected) in [
        (d, "spent", "spending"),
        (d, "spend", "spender"),
        (d, "sold", "seller"),
        (d, "rented", "rental"),
        (d, "employees", "employ"),
        (d, "monthly", "month"),
        (d, "French", "france"),
        (s, "vocalist", "singer"),
        (s, "forename", "given_name"),
        (s, "surname", "last_name"),
        (s, "enrolment", "enrollment"),
        (s, "physicians", "doctor"),
        (n, "high", "low"),
        (n, "old", "young"),
        (n, "costly", "cheap"),
        (n, "sold", "buy"),
        (t, "heavy", "weight"),
        (t, "heaviest", "weight"),
        (t, "old", "age"),
        (t, "tall", "height"),
    ] {
        let found = relation(word);
        assert!(found.contains(&expected), "{word}: {found:?} without {expected}");
    }
    assert_eq!(derived("xqzzt").next(), None);
}

#[test]
fn sale_and_sell_are_near() {
    assert!(similarity("sold", "sale") > Some(0.5));
    assert!(similarity("rented", "rental") > Some(0.7));
    assert!(similarity("price", "patient") < Some(0.4));
    assert_eq!(similarity("price", "xqzzt"), None);
    assert!(similarity("Price", "price") > Some(0.999));
}

#[test]
fn phrases_are_near() {
    let near = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|text| text.split(' ').collect::<Vec<_>>());
        phrase_similarity(&a, &b)
    };
    assert!(near("forename", "first name") > near("forename", "last order"));
    assert!(near("zip code", "postal code") > near("zip code", "country code"));
    assert!(near("xqzzt salary", "salary") > Some(0.99));
    assert_eq!(near("xqzzt", "salary"), None);
    assert_eq!(phrase_similarity(&[], &["salary"]), None);
    assert_eq!(nearest("salary", &[]), None);
}

/// All files are in order, so that a search finds each line, and they fit together.
#[test]
fn every_word_is_found() {
    /// Not all lines are looked up, as that takes long without optimisation.
    const STEP: usize = 7;
    let words = include_str!("../../../lexicon/words.txt");
    assert!(words.lines().count() > 30_000);
    assert!(words.lines().is_sorted_by_key(|line| line.split(' ').next()));
    for line in words.lines().step_by(STEP) {
        let word = line.split(' ').next().unwrap();
        assert!(
            readings(word).iter().any(|reading| reading.lemma == word),
            "{word}"
        );
        assert!(similarity(word, word) > Some(0.999), "{word}");
    }
    for (text, table) in [
        (include_str!("../../../lexicon/derived.txt"), DERIVED),
        (include_str!("../../../lexicon/synonyms.txt"), SYNONYMS),
        (include_str!("../../../lexicon/antonyms.txt"), ANTONYMS),
        (include_str!("../../../lexicon/attributes.txt"), ATTRIBUTES),
    ] {
        assert!(text.lines().is_sorted_by_key(|line| line.split(' ').next()));
        for line in text.lines().step_by(STEP) {
            let (word, rest) = line.split_once(' ').expect(line);
            assert_eq!(table.find(word), Some(rest));
            let mut others = rest.split([' ', '_']);
            assert!(
                others.all(|other| lemmas(other).any(|lemma| lemma == other)),
                "{line}"
            );
        }
    }
    for line in include_str!("../../../lexicon/irregular.txt")
        .lines()
        .step_by(STEP)
    {
        let (form, rest) = line.split_once(' ').expect(line);
        let lemma = rest.split([' ', ':']).nth(1).expect(line);
        assert!(lemmas(form).any(|known| known == lemma), "{line}");
    }
}

proptest! {
    #[test]
    fn any_text_is_looked_up(word in "\\PC*|[a-zA-Z]{0,12}(s|es|ed|ing|er|ies|est|men)?", other in any::<String>()) {
        let all = [derived(&word).count(), synonyms(&word).count(), antonyms(&word).count(), attributes(&word).count()];
        prop_assert!(lemmas(&word).count() > 0 || all == [0; 4]);
        for reading in readings(&word).iter() {
            prop_assert!(readings(reading.lemma).iter().any(|known| known.lemma == reading.lemma));
        }
        for near in [similarity(&word, &other), phrase_similarity(&[&word, "price"], &[&other, "cost"]), similarity(&word, "price")] {
            prop_assert!(near.is_none_or(|near| (-1.0..=1.0).contains(&near)));
        }
        prop_assert!(nearest(&word, &[&other]).is_none_or(|(at, _)| at == 0));
        let _ = (is_noun(&word), is_verb(&word), is_adjective(&word));
    }
}
