//! What the shop sells: categories, suppliers, products and their tags.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::{
    calendar::Day,
    insert_all,
    money::Cents,
    random::{Random, Weights},
    words::{ProductKind, Shelf, Words, mail_name},
};

const PRODUCTS_PER_SHELF: usize = 14;
const SUPPLIERS: usize = 48;
/// Days from the first launch to the end of the history.
const LAUNCHES: i64 = 1766;
/// Who was launched so many days ago may be discontinued.
const GROWN_OLD: i64 = 730;

/// Everything on sale.
pub(super) struct Catalogue {
    categories: Vec<Category>,
    suppliers: Vec<Supplier>,
    tags: Vec<&'static str>,
    /// In the order of their number, from 1.
    pub(super) products: Vec<Product>,
}

struct Category {
    name: &'static str,
    parent: Option<usize>,
}

struct Supplier {
    name: String,
    contact: Option<String>,
    email: String,
    phone: Option<String>,
    city: &'static str,
    country: &'static str,
}

/// A product; its number is its position plus one.
pub(super) struct Product {
    name: String,
    category: usize,
    supplier: i64,
    /// List price.
    pub(super) price: Cents,
    cost: Cents,
    grams: Option<i64>,
    stock: i64,
    discontinued: bool,
    /// First day on sale.
    pub(super) launched: Day,
    tags: BTreeSet<i64>,
    /// How well it sells; 0 for those that nobody ever bought.
    pub(super) appeal: i64,
    /// What reviewers tend to give, in tenths of a star.
    pub(super) quality: i64,
}

pub(super) fn make(words: &Words, random: &mut Random) -> Catalogue {
    let (categories, positions) = categories(words);
    let tags = words.list("tags").to_vec();
    let mut products = Vec::new();
    for shelf in &words.shelves {
        let category = positions[shelf.name];
        for (name, kind) in names(shelf, words, random) {
            products.push(product(name, kind, category, tags.len() as i64, random));
        }
    }
    Catalogue {
        categories,
        suppliers: suppliers(words, random),
        tags,
        products,
    }
}

/// The top categories first, then those below them; and where each is.
fn categories(words: &Words) -> (Vec<Category>, BTreeMap<&'static str, usize>) {
    let mut categories: Vec<Category> = Vec::new();
    let mut positions = BTreeMap::new();
    let tops = words.shelves.iter().map(|shelf| (shelf.top, None));
    let below = words.shelves.iter().map(|shelf| (shelf.name, Some(shelf.top)));
    for (name, top) in tops.chain(below) {
        if !positions.contains_key(name) {
            positions.insert(name, categories.len());
            categories.push(Category {
                name,
                parent: top.map(|top| positions[top]),
            });
        }
    }
    (categories, positions)
}

fn suppliers(words: &Words, random: &mut Random) -> Vec<Supplier> {
    let shares: Weights = words.countries.iter().map(|country| country.share).collect();
    let mut taken = BTreeSet::new();
    let mut suppliers = Vec::new();
    while suppliers.len() < SUPPLIERS {
        let country = &words.countries[random.weighted(&shares)];
        let names = words.names(country.language);
        let name = format!(
            "{} {}",
            random.pick(&names.family),
            random.pick(words.list("company"))
        );
        if !taken.insert(name.clone()) {
            continue;
        }
        let (given, family) = (random.pick(&names.given), random.pick(&names.family));
        suppliers.push(Supplier {
            email: format!("orders@{}.example", mail_name("", &name).trim_start_matches('.')),
            name,
            contact: random.chance(80).then(|| format!("{given} {family}")),
            phone: random.chance(70).then(|| phone(country.prefix, random)),
            city: random.pick(&country.cities),
            country: country.name,
        });
    }
    suppliers
}

/// A telephone number that is made up.
pub(super) fn phone(prefix: &str, random: &mut Random) -> String {
    format!(
        "{prefix} {} {:07}",
        random.between(20, 99),
        random.between(0, 9_999_999)
    )
}

/// Different names for the products of one shelf, with their kinds.
fn names(shelf: &Shelf, words: &Words, random: &mut Random) -> BTreeMap<String, ProductKind> {
    let mut names = BTreeMap::new();
    while names.len() < PRODUCTS_PER_SHELF {
        let kind = random.pick(&shelf.kinds);
        names.insert(
            format!("{} {}", random.pick(words.list("series")), kind.name),
            kind,
        );
    }
    names
}

fn product(name: String, kind: ProductKind, category: usize, tags: i64, random: &mut Random) -> Product {
    // The mean of two draws: most cost about what is usual, a few much less or more.
    let euros = kind.euros * i64::midpoint(random.between(50, 190), random.between(50, 190)) / 100;
    let price = Cents(euros * 100 - random.pick(&[1, 5, 10, 50, 0]));
    let first = random.today.plus(-LAUNCHES);
    let launched = first.plus(random.between(0, LAUNCHES - 60));
    let discontinued = launched < random.today.plus(-GROWN_OLD) && random.chance(12);
    let unsold = random.chance(4);
    Product {
        name,
        category,
        supplier: random.between(1, SUPPLIERS as i64),
        price,
        cost: price.percent(random.between(38, 72)),
        grams: random
            .chance(94)
            .then(|| kind.grams * random.between(80, 125) / 1000 * 10),
        stock: if discontinued {
            0
        } else {
            random.between(0, 60) * random.between(0, 8)
        },
        discontinued,
        launched,
        tags: (0..random.between(0, 6))
            .map(|_| random.between(1, tags))
            .collect(),
        // Cheap things sell more often than dear ones.
        appeal: if unsold {
            0
        } else {
            random.between(2, 30) * 1000 / (euros + 40) + 1
        },
        quality: random.between(22, 49),
    }
}

impl Catalogue {
    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<usize> {
        let mut rows = insert_all(
            connection,
            "categories VALUES (?, ?, ?)",
            (1..)
                .zip(&self.categories)
                .map(|(id, it): (i64, _)| (id, it.name, it.parent.map(|at| at as i64 + 1))),
        )?;
        rows += insert_all(
            connection,
            "suppliers VALUES (?, ?, ?, ?, ?, ?, ?)",
            (1..).zip(&self.suppliers).map(|(id, it): (i64, _)| {
                (
                    id,
                    &it.name,
                    &it.contact,
                    &it.email,
                    &it.phone,
                    it.city,
                    it.country,
                )
            }),
        )?;
        rows += insert_all(
            connection,
            "products VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (1..).zip(&self.products).map(|(id, it): (i64, _)| {
                let category = it.category as i64 + 1;
                (
                    id,
                    &it.name,
                    category,
                    it.supplier,
                    it.price,
                    it.cost,
                    it.grams,
                    it.stock,
                    it.discontinued,
                    it.launched,
                )
            }),
        )?;
        rows += insert_all(
            connection,
            "tags VALUES (?, ?)",
            (1..).zip(&self.tags).map(|(id, name): (i64, _)| (id, name)),
        )?;
        rows += insert_all(
            connection,
            "product_tags VALUES (?, ?)",
            (1..)
                .zip(&self.products)
                .flat_map(|(id, it): (i64, _)| it.tags.iter().map(move |tag| (id, tag))),
        )?;
        Ok(rows)
    }
}
