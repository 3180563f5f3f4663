//! Who buys: people in many countries, more every year.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::{
    calendar::Day,
    catalogue::phone,
    insert_all,
    random::{Random, Weights},
    words::{Words, mail_name},
};

/// Days from the first registration to the end of the history.
const SIGN_UPS: i64 = 1674;
const CUSTOMERS: usize = 5200;

/// A customer; the number is the position plus one.
pub(super) struct Customer {
    given: &'static str,
    family: &'static str,
    email: String,
    phone: Option<String>,
    born: Option<Day>,
    city: &'static str,
    /// English name of the country.
    pub(super) country: &'static str,
    /// First day as a customer.
    pub(super) signed_up: Day,
    newsletter: bool,
    points: i64,
    /// How often they buy; 0 for those that never did.
    pub(super) zeal: i64,
}

pub(super) fn make(words: &Words, random: &mut Random) -> Vec<Customer> {
    let shares: Weights = words.countries.iter().map(|country| country.share).collect();
    let mut days: Vec<Day> = (0..CUSTOMERS).map(|_| sign_up_day(random)).collect();
    days.sort_unstable(); // numbers are given in the order of signing up
    let mut namesakes: BTreeMap<String, i64> = BTreeMap::new();
    days.into_iter()
        .map(|signed_up| {
            let country = &words.countries[random.weighted(&shares)];
            let names = words.names(country.language);
            let (given, family) = (random.pick(&names.given), random.pick(&names.family));
            let name = mail_name(given, family);
            let namesake = namesakes.entry(name.clone()).or_default();
            *namesake += 1;
            let number = if *namesake > 1 {
                namesake.to_string()
            } else {
                String::new()
            };
            // The square of a draw: most live in the first, largest cities.
            let cities = country.cities.len() as i64;
            let draw = random.between(0, 999);
            Customer {
                given,
                family,
                email: format!("{name}{number}@{}", random.pick(words.list("mail"))),
                phone: random.chance(62).then(|| phone(country.prefix, random)),
                born: random
                    .chance(80)
                    .then(|| Day::new(1946, 1, 1).plus(random.between(0, 21_900))),
                city: country.cities[(draw * draw * cities / 1_000_000) as usize],
                country: country.name,
                signed_up,
                newsletter: random.chance(37),
                points: if random.chance(55) {
                    random.between(1, 90) * 10
                } else {
                    0
                },
                zeal: if random.chance(9) {
                    0
                } else {
                    random.between(1, 6) * random.between(1, 6)
                },
            }
        })
        .collect()
}

/// The larger of two draws, half of the time, so that there are more every year.
fn sign_up_day(random: &mut Random) -> Day {
    let last = SIGN_UPS;
    let first = random.today.plus(-last);
    let mut days = random.between(0, last);
    if random.chance(50) {
        days = days.max(random.between(0, last));
    }
    first.plus(days)
}

pub(super) fn insert(connection: &Connection, customers: &[Customer]) -> rusqlite::Result<usize> {
    insert_all(
        connection,
        "customers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (1..).zip(customers).map(|(id, it): (i64, _)| {
            (
                id,
                it.given,
                it.family,
                &it.email,
                &it.phone,
                it.born,
                it.city,
                it.country,
                it.signed_up,
                it.newsletter,
                it.points,
            )
        }),
    )
}
