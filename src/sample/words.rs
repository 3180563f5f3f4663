//! The word lists that names are made of: text tables beside this file, one line an entry, `|` between fields.

use std::collections::HashMap;

/// All word lists.
pub(super) struct Words {
    pub(super) countries: Vec<Country>,
    pub(super) shelves: Vec<Shelf>,
    names: HashMap<&'static str, Names>,
    lists: HashMap<&'static str, Vec<&'static str>>,
}

/// Where customers, suppliers and stores are.
pub(super) struct Country {
    pub(super) name: &'static str,
    pub(super) share: i64,
    pub(super) language: &'static str,
    pub(super) prefix: &'static str,
    pub(super) cities: Vec<&'static str>,
}

/// A category of products and what stands in it.
pub(super) struct Shelf {
    pub(super) top: &'static str,
    pub(super) name: &'static str,
    pub(super) kinds: Vec<ProductKind>,
}

/// A kind of product.
#[derive(Clone, Copy)]
pub(super) struct ProductKind {
    pub(super) name: &'static str,
    /// The usual price.
    pub(super) euros: i64,
    /// The usual weight.
    pub(super) grams: i64,
}

/// Given and family names of one language.
pub(super) struct Names {
    pub(super) given: Vec<&'static str>,
    pub(super) family: Vec<&'static str>,
}

const WELL_FORMED: &str = "the word lists are part of the program";

impl Words {
    pub(super) fn load() -> Self {
        let countries =
            lines(include_str!("words/countries.txt")).map(|[name, share, language, prefix, cities]| {
                Country {
                    name,
                    share: share.parse().expect(WELL_FORMED),
                    language,
                    prefix,
                    cities: list(cities),
                }
            });
        let shelves = lines(include_str!("words/products.txt")).map(|[path, kinds]| {
            let (top, name) = path.split_once(" / ").expect(WELL_FORMED);
            Shelf {
                top,
                name,
                kinds: list(kinds).into_iter().map(kind).collect(),
            }
        });
        let names = lines(include_str!("words/names.txt")).map(|[language, given, family]| {
            (
                language,
                Names {
                    given: list(given),
                    family: list(family),
                },
            )
        });
        let lists = lines(include_str!("words/lists.txt")).map(|[name, words]| (name, list(words)));
        Self {
            countries: countries.collect(),
            shelves: shelves.collect(),
            names: names.collect(),
            lists: lists.collect(),
        }
    }

    /// The names of a language of `countries.txt`.
    pub(super) fn names(&self, language: &str) -> &Names {
        self.names.get(language).expect(WELL_FORMED)
    }

    /// A list of `lists.txt`.
    pub(super) fn list(&self, name: &str) -> &[&'static str] {
        self.lists.get(name).expect(WELL_FORMED)
    }

    /// The country of that name.
    pub(super) fn country(&self, name: &str) -> &Country {
        self.countries
            .iter()
            .find(|country| country.name == name)
            .expect(WELL_FORMED)
    }
}

/// The local part of an address: plain ASCII letters, the two names with a dot between.
pub(super) fn mail_name(given: &str, family: &str) -> String {
    let mut name = String::new();
    for character in given
        .chars()
        .chain(['.'])
        .chain(family.chars())
        .flat_map(char::to_lowercase)
    {
        match character {
            'a'..='z' | '.' => name.push(character),
            'ä' | 'æ' => name.push_str("ae"),
            'ö' | 'ø' => name.push_str("oe"),
            'ü' => name.push_str("ue"),
            'ß' => name.push_str("ss"),
            'ð' => name.push('d'),
            'á' | 'à' | 'â' | 'ã' | 'å' | 'ą' => name.push('a'),
            'ç' | 'ć' => name.push('c'),
            'é' | 'è' | 'ê' | 'ë' | 'ę' => name.push('e'),
            'ğ' => name.push('g'),
            'í' | 'î' | 'ï' | 'ı' => name.push('i'),
            'ł' => name.push('l'),
            'ñ' | 'ń' => name.push('n'),
            'ó' | 'ò' | 'ô' | 'õ' => name.push('o'),
            'ś' | 'ş' => name.push('s'),
            'ú' | 'ù' | 'û' => name.push('u'),
            'ź' | 'ż' => name.push('z'),
            _ => {} // spaces and apostrophes
        }
    }
    name
}

fn lines<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        fields.try_into().expect(WELL_FORMED)
    })
}

fn list(words: &'static str) -> Vec<&'static str> {
    words.split(", ").collect()
}

fn kind(text: &'static str) -> ProductKind {
    let (name, numbers) = text.rsplit_once(' ').expect(WELL_FORMED);
    let (euros, grams) = numbers.split_once('/').expect(WELL_FORMED);
    ProductKind {
        name,
        euros: euros.parse().expect(WELL_FORMED),
        grams: grams.parse().expect(WELL_FORMED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_has_names_and_every_name_an_address() {
        let words = Words::load();
        for country in &words.countries {
            let names = words.names(country.language);
            for name in names.given.iter().chain(&names.family) {
                let letters = name.chars().filter(|c| c.is_alphabetic()).count();
                assert!(mail_name(name, "").len() > letters, "{name} lost a letter");
            }
        }
    }

    #[test]
    fn addresses_are_plain() {
        assert_eq!(mail_name("Małgorzata", "Dąbrowski"), "malgorzata.dabrowski");
        assert_eq!(mail_name("Aoife", "O'Sullivan"), "aoife.osullivan");
    }
}
