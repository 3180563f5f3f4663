//! Where the shop has stores and who works there.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::{
    calendar::Day,
    insert_all,
    money::Cents,
    random::Random,
    words::{Words, mail_name},
};

/// Countries with stores, and how many.
const STORES: [(&str, usize); 8] = [
    ("Germany", 4),
    ("France", 3),
    ("United Kingdom", 3),
    ("Spain", 2),
    ("Italy", 2),
    ("Netherlands", 2),
    ("Austria", 1),
    ("Sweden", 1),
];

/// Stores and employees.
pub(super) struct Staff {
    /// In the order of their number, from 1.
    pub(super) stores: Vec<Store>,
    /// In the order of their number, from 1.
    pub(super) employees: Vec<Employee>,
}

/// A store; its number is its position plus one.
pub(super) struct Store {
    name: String,
    city: &'static str,
    /// English name of the country.
    pub(super) country: &'static str,
    /// First day open.
    pub(super) opened: Day,
    floor_area: i64,
}

/// An employee; the number is the position plus one.
pub(super) struct Employee {
    given: &'static str,
    family: &'static str,
    email: String,
    job: &'static str,
    /// Number of the store; none in the head office.
    pub(super) store: Option<i64>,
    manager: Option<i64>,
    /// First day of work.
    pub(super) hired: Day,
    /// Last day of work.
    pub(super) left: Option<Day>,
    salary: Cents,
}

pub(super) fn make(words: &Words, random: &mut Random) -> Staff {
    let stores = stores(words, random);
    let mut hiring = Hiring {
        words,
        random,
        employees: Vec::new(),
        emails: BTreeSet::new(),
    };
    let founded = hiring.random.today.plus(-2831);
    let director = hiring.hire("Germany", "Managing Director", None, None, founded);
    for job in ["Head of Purchasing", "Head of Finance", "Head of Online Sales"] {
        let head = hiring.hire("Germany", job, None, Some(director), founded);
        for _ in 0..hiring.random.between(2, 4) {
            hiring.hire("Germany", "Office Clerk", None, Some(head), founded);
        }
    }
    let mut regional: Option<(i64, &str)> = None;
    for (number, store) in (1..).zip(&stores) {
        let region = match regional {
            Some((region, country)) if country == store.country => region,
            _ => hiring.hire(
                store.country,
                "Regional Manager",
                None,
                Some(director),
                store.opened,
            ),
        };
        regional = Some((region, store.country));
        let manager = hiring.hire(
            store.country,
            "Store Manager",
            Some(number),
            Some(region),
            store.opened,
        );
        for _ in 0..hiring.random.between(4, 9) {
            let job = hiring.random.pick(&[
                "Sales Assistant",
                "Sales Assistant",
                "Sales Assistant",
                "Cashier",
                "Stock Clerk",
            ]);
            hiring.hire(store.country, job, Some(number), Some(manager), store.opened);
        }
    }
    let employees = hiring.employees;
    Staff { stores, employees }
}

fn stores(words: &Words, random: &mut Random) -> Vec<Store> {
    let districts = words.list("districts");
    let places = STORES.iter().flat_map(|&(country, count)| {
        let country = words.country(country);
        country
            .cities
            .iter()
            .take(count)
            .map(|city| (country.name, *city))
    });
    places
        .map(|(country, city)| Store {
            name: format!("{city} {}", random.pick(districts)),
            city,
            country,
            opened: random.today.plus(-2800).plus(random.between(0, 1900)),
            floor_area: random.between(18, 140) * 10,
        })
        .collect()
}

struct Hiring<'a> {
    words: &'a Words,
    random: &'a mut Random,
    employees: Vec<Employee>,
    emails: BTreeSet<String>,
}

impl Hiring<'_> {
    /// Hires somebody some time after `from` and returns the number.
    fn hire(
        &mut self,
        country: &str,
        job: &'static str,
        store: Option<i64>,
        manager: Option<i64>,
        from: Day,
    ) -> i64 {
        let names = self.words.names(self.words.country(country).language);
        let (given, family, email) = loop {
            let (given, family) = (self.random.pick(&names.given), self.random.pick(&names.family));
            let email = format!("{}@shop.example", mail_name(given, family));
            if self.emails.insert(email.clone()) {
                break (given, family, email);
            }
        };
        // Managers are there from the start and stay; the others come and go.
        let leads = job.contains("Manag") || job.contains("Head");
        let hired = if leads {
            from
        } else {
            from.plus(self.random.between(0, self.random.today.since(from) - 30))
        };
        let left = (!leads && self.random.chance(18))
            .then(|| hired.plus(self.random.between(20, self.random.today.since(hired))));
        let (low, high) = match job {
            "Managing Director" => (128_000, 128_000),
            "Regional Manager" => (61_000, 74_000),
            "Store Manager" => (46_000, 58_000),
            _ if leads => (72_000, 86_000),
            "Office Clerk" => (34_000, 44_000),
            _ => (26_000, 35_000),
        };
        let salary = Cents(self.random.between(low / 50, high / 50) * 50 * 100);
        self.employees.push(Employee {
            given,
            family,
            email,
            job,
            store,
            manager,
            hired,
            left,
            salary,
        });
        self.employees.len() as i64
    }
}

impl Staff {
    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<usize> {
        let stores = insert_all(
            connection,
            "stores VALUES (?, ?, ?, ?, ?, ?)",
            (1..)
                .zip(&self.stores)
                .map(|(id, it): (i64, _)| (id, &it.name, it.city, it.country, it.opened, it.floor_area)),
        )?;
        let employees = insert_all(
            connection,
            "employees VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (1..).zip(&self.employees).map(|(id, it): (i64, _)| {
                (
                    id, it.given, it.family, &it.email, it.job, it.store, it.manager, it.hired, it.left,
                    it.salary,
                )
            }),
        )?;
        Ok(stores + employees)
    }
}
