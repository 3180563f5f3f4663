//! What can be measured: how many rows there are, sums of amounts, quantities times prices, and how long something took.

use std::collections::HashMap;

use super::{
    Evidence,
    durations::durations,
    lexicon::{Words, stems, table_stems, words_of},
    owed::outstanding,
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{
        Additivity, Aggregate, Attribute, Dataset, DatasetRole, FieldRole, Formula, Metric, Provenance,
        Scalar, Way, Wording,
    },
};

super::lexicon::words! {
    /// How many of something a line is about.
    QUANTITY: "quantity qty units pieces pcs copies nights seats tickets packs boxes bottles cartons bags kegs pallets"
}
super::lexicon::words! {
    /// How much of something, where a price of one stands beside it.
    MUCH: "count cnt number kg kilos kilograms litres liters hectolitres tons tonnes kwh hours hrs days guests persons licences licenses"
}
super::lexicon::words! {
    /// What is no more than a part of what a line comes to.
    PART: "tip tips tax vat discount deposit shipping freight"
}
super::lexicon::words! {
    /// What one of it costs.
    PRICE: "price rate fare tariff"
}
super::lexicon::words! {
    /// What one of it costs the company itself.
    COST: "cost costs"
}
super::lexicon::words! {
    /// What a thing costs, whoever it is sold to.
    OF_A_THING: "price cost costs"
}
super::lexicon::words! {
    /// How many of something are there.
    STOCK: "stock onhand hand inventory"
}
super::lexicon::words! {
    /// What a line comes to.
    TOTAL: "amount amt total subtotal net gross revenue sales value turnover"
}

/// The metrics of a database: names of different ones differ.
pub(super) fn metrics(of: &Evidence<'_>, datasets: &[Dataset]) -> Vec<Metric> {
    let mut found = Vec::new();
    for (table, dataset) in datasets.iter().enumerate() {
        if matches!(dataset.role, DatasetRole::Entity | DatasetRole::Event) {
            found.push(metric(table_words(of, table), table, Aggregate::Count));
        }
        if matches!(dataset.role, DatasetRole::Event | DatasetRole::Snapshot) {
            let first = found.len();
            found.extend(sums(of, table, dataset));
            let total = find_total(of, table, dataset);
            let name = total.map(|at| words_of(&of.schema.column(at).name));
            if let Some(total) = found[first..]
                .iter_mut()
                .find(|metric| Some(&metric.name) == name.as_ref())
            {
                total.wording.synonyms = of_whole(of, table, datasets);
            }
            found.extend(outstanding(of, table, datasets));
            found.extend(line_total(of, table, datasets));
            found.extend(profit(of, table, datasets));
            found.extend(durations(of, table, dataset));
        } else {
            found.extend(margins(of, table, dataset).into_iter().flatten());
        }
        found.extend(stock_value(of, table, datasets));
    }
    tell_apart(of, &mut found);
    found
}

pub(super) fn metric(name: String, dataset: usize, aggregate: Aggregate) -> Metric {
    Metric {
        name,
        dataset,
        formula: Formula::Rows {
            table: dataset,
            aggregate,
            conditions: Vec::new(),
            time: None,
        },
        wording: Wording::default(),
        source: Provenance::Inferred,
    }
}

pub(super) fn own(at: ColumnRef) -> Scalar {
    Scalar::Column(Attribute::own(at.column))
}

pub(super) fn table_words(of: &Evidence<'_>, table: usize) -> String {
    words::table_words(&of.schema.tables[table].name).join(" ")
}

fn sums<'a>(of: &'a Evidence<'_>, table: usize, dataset: &'a Dataset) -> impl Iterator<Item = Metric> + 'a {
    let summed = |role: FieldRole| matches!(role, FieldRole::Measure(Additivity::Sum));
    let columns = (0..dataset.fields.len()).filter(move |&column| summed(dataset.fields[column].role));
    columns.map(move |column| {
        let at = ColumnRef { table, column };
        let name = words_of(&of.schema.column(at).name);
        metric(name, table, Aggregate::Sum(own(at)))
    })
}

/// Quantity x price, less a discount, of lines that do not say themselves what they come to.
fn line_total(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Option<Metric> {
    let dataset = &datasets[table];
    let find = |wanted, way| measured(of, (table, dataset), wanted, &[way]);
    let total = find_total(of, table, dataset);
    if total.is_some_and(|at| dataset.fields[at.column].role == FieldRole::Measure(Additivity::Sum)) {
        return None;
    }
    // Who buys pays what it costs.
    let of_one = find(&PRICE, Additivity::Average).or_else(|| find(&COST, Additivity::Average));
    let beside_price = || of_one.and_then(|_| find(&MUCH, Additivity::Sum));
    let quantity = find(&QUANTITY, Additivity::Sum).or_else(beside_price)?;
    let price = of_one.map(own).or_else(|| of_thing(of, table, datasets))?;
    let times = |one, other| Scalar::Times(Box::new(one), Box::new(other));
    let mut total = times(own(quantity), price);
    if let Some(factor) = what_is_left(of, table, dataset) {
        total = times(total, factor);
    }
    let name = format!("{} total", table_words(of, table));
    let mut metric = metric(name, table, Aggregate::Sum(total));
    metric.wording.synonyms = of_whole(of, table, datasets);
    Some(metric)
}

/// What the lines of an order come to is what the order comes to: names for that.
fn of_whole(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Vec<String> {
    let keys = of.schema.foreign_keys.iter();
    let wholes =
        keys.filter(|key| key.from[0].table == table && datasets[key.to[0].table].role == DatasetRole::Event);
    let [whole] = wholes.collect::<Vec<_>>()[..] else {
        return Vec::new();
    };
    // What says itself what it comes to needs none.
    let whole = whole.to[0].table;
    if sums(of, whole, &datasets[whole]).any(|metric| TOTAL.any(&stems(&metric.name))) {
        return Vec::new();
    }
    let words = table_words(of, whole);
    let words = words.strip_suffix('s').unwrap_or(&words);
    ["value", "total", "amount", "revenue"]
        .map(|what| format!("{words} {what}"))
        .to_vec()
}

/// The first measure of a table whose name says this, and that adds up in one of these ways.
fn measured(
    of: &Evidence<'_>,
    (table, dataset): (usize, &Dataset),
    wanted: &Words,
    ways: &[Additivity],
) -> Option<ColumnRef> {
    (0..dataset.fields.len())
        .map(|column| ColumnRef { table, column })
        .find(|&at| {
            matches!(dataset.fields[at.column].role, FieldRole::Measure(way) if ways.contains(&way))
                && wanted.any(&stems(&of.schema.column(at).name))
        })
}

/// What one thing costs may look like an amount that adds up.
const OF_ONE: [Additivity; 2] = [Additivity::Average, Additivity::Sum];

/// What something sells for, less what it costs: as an amount, and in percent of the price.
fn margins(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Option<[Metric; 2]> {
    let price = measured(of, (table, dataset), &PRICE, &[Additivity::Average])?;
    let cost = measured(of, (table, dataset), &COST, &OF_ONE).filter(|cost| *cost != price)?;
    let margin = Scalar::Minus(Box::new(own(price)), Box::new(own(cost)));
    let hundredfold = Scalar::Times(
        Box::new(Scalar::Number("100.0".to_owned())),
        Box::new(margin.clone()),
    );
    let percent = Scalar::Over(Box::new(hundredfold), Box::new(own(price)));
    let named = |name: &str, average: Scalar, synonyms: &[&str]| {
        let mut metric = metric(name.to_owned(), table, Aggregate::Average(average));
        metric.wording.synonyms = synonyms.iter().map(|&name| name.to_owned()).collect();
        metric
    };
    Some([
        named("margin", margin, &["profit margin", "markup", "unit margin"]),
        named(
            "margin percent",
            percent,
            &[
                "margin in percent",
                "margin percentage",
                "margin rate",
                "percentage margin",
            ],
        ),
    ])
}

/// What all that is there has cost, or sells for where no cost is known.
fn stock_value(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Option<Metric> {
    let dataset = &datasets[table];
    let levels = [Additivity::Last, Additivity::Sum];
    let kept = || {
        // In a table of what is in stock, the quantity is how much that is.
        let is_stock = STOCK.any(&table_stems(&of.schema.tables[table].name));
        let quantity = measured(of, (table, dataset), &QUANTITY, &levels)?;
        is_stock.then(|| whole(of, (table, dataset), quantity))
    };
    let stock = measured(of, (table, dataset), &STOCK, &levels).or_else(kept)?;
    if find_total(of, table, dataset).is_some() {
        return None;
    }
    let of_one = |wanted| measured(of, (table, dataset), wanted, &OF_ONE);
    let worth = of_one(&COST)
        .or_else(|| of_one(&PRICE))
        .filter(|worth| *worth != stock)
        .map(own)
        .or_else(|| of_thing(of, table, datasets))?;
    let value = Scalar::Times(Box::new(own(stock)), Box::new(worth));
    let mut metric = metric("stock value".to_owned(), table, Aggregate::Sum(value));
    metric.wording.synonyms = ["inventory value", "stock worth", "warehouse value"]
        .map(str::to_owned)
        .to_vec();
    Some(metric)
}

/// The quantity with the shortest name: the others are parts of it.
fn whole(of: &Evidence<'_>, (table, dataset): (usize, &Dataset), quantity: ColumnRef) -> ColumnRef {
    let columns = (0..dataset.fields.len()).map(|column| ColumnRef { table, column });
    columns
        .filter(|at| {
            dataset.fields[at.column].role == dataset.fields[quantity.column].role
                && QUANTITY.any(&stems(&of.schema.column(*at).name))
        })
        .min_by_key(|at| of.schema.column(*at).name.len())
        .unwrap_or(quantity)
}

/// What rows of a table say themselves that they come to.
pub(super) fn find_total(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Option<ColumnRef> {
    columns_of(table, dataset).find(|&at| {
        let name = stems(&of.schema.column(at).name);
        let adds_up = [Additivity::Sum, Additivity::Last]
            .map(FieldRole::Measure)
            .contains(&dataset.fields[at.column].role);
        adds_up && TOTAL.any(&name) && !PART.any(&name)
    })
}

fn columns_of(table: usize, dataset: &Dataset) -> impl Iterator<Item = ColumnRef> {
    (0..dataset.fields.len()).map(move |column| ColumnRef { table, column })
}

/// What one of the things costs that rows of a table are about.
fn of_thing(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Option<Scalar> {
    let keys = of.schema.foreign_keys.iter().enumerate();
    let of_table = keys.filter(|(_, key)| key.from[0].table == table && key.to[0].table != table);
    let mut found = of_table.filter_map(|(key, to)| {
        let thing = to.to[0].table;
        let columns = (0..datasets[thing].fields.len()).map(|column| ColumnRef { table: thing, column });
        let mut costs = columns.filter(|at| {
            let stems = stems(&of.schema.column(*at).name);
            datasets[thing].fields[at.column].role == FieldRole::Measure(Additivity::Average)
                && OF_A_THING.any(&stems)
                && !stems.iter().any(|word| word == "rate" || word == "hour")
        });
        Some(Scalar::Column(Attribute {
            way: Way::up(key),
            column: costs.next()?.column,
        }))
    });
    found.next()
}

/// What lines bring in beyond what the things sold in them have cost.
fn profit(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Option<Metric> {
    let dataset = &datasets[table];
    let quantity = measured(of, (table, dataset), &QUANTITY, &[Additivity::Sum])?;
    let price = measured(of, (table, dataset), &PRICE, &[Additivity::Average])?;
    // What a line costs altogether is not the cost of one.
    let cost = measured(of, (table, dataset), &COST, &[Additivity::Average])
        .map(own)
        .or_else(|| {
            let keys = of.schema.foreign_keys.iter().enumerate();
            let mut sold = keys.filter(|(_, key)| key.from[0].table == table);
            sold.find_map(|(key, to)| {
                let thing = to.to[0].table;
                let cost = measured(of, (thing, &datasets[thing]), &COST, &OF_ONE)?;
                Some(Scalar::Column(Attribute {
                    way: Way::up(key),
                    column: cost.column,
                }))
            })
        })?;
    let brought = match what_is_left(of, table, dataset) {
        Some(factor) => Scalar::Times(Box::new(own(price)), Box::new(factor)),
        None => own(price),
    };
    let left = Scalar::Minus(Box::new(brought), Box::new(cost));
    let profit = Scalar::Times(Box::new(own(quantity)), Box::new(left));
    let mut metric = metric("profit".to_owned(), table, Aggregate::Sum(profit));
    metric.wording.synonyms = ["gross profit", "margin", "gross margin"]
        .map(str::to_owned)
        .to_vec();
    Some(metric)
}

/// What a discount leaves of the price, where it is a share of it; one that is an amount of money is no factor.
fn what_is_left(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Option<Scalar> {
    let discount = words::stem("discount");
    let at = (0..dataset.fields.len())
        .map(|column| ColumnRef { table, column })
        .find(|&at| {
            let is_share = dataset.fields[at.column].role == FieldRole::Measure(Additivity::Average);
            is_share && stems(&of.schema.column(at).name).contains(&discount)
        })?;
    let number = |number: &str| Box::new(Scalar::Number(number.to_owned()));
    let share = match of.column(at)?.highest? {
        highest if highest <= 1.0 => own(at),
        highest if highest <= 100.0 => Scalar::Over(Box::new(own(at)), number("100.0")),
        _ => return None,
    };
    // What has no discount has none taken off.
    let share = Scalar::Or(Box::new(share), number("0"));
    Some(Scalar::Minus(number("1"), Box::new(share)))
}

/// Metrics of different tables that have one name get their table's words before it.
fn tell_apart(of: &Evidence<'_>, metrics: &mut [Metric]) {
    let mut names: HashMap<String, usize> = HashMap::new();
    for metric in metrics.iter() {
        *names.entry(metric.name.clone()).or_default() += 1;
    }
    for metric in metrics {
        let shared = names.get(&metric.name).is_some_and(|count| *count > 1);
        if shared && !counts(&metric.formula) {
            let table = table_stems(&of.schema.tables[metric.dataset].name);
            let said = stems(&metric.name);
            if !table.iter().all(|word| said.contains(word)) {
                metric.name = format!("{} {}", table_words(of, metric.dataset), metric.name);
            }
        }
    }
}

fn counts(formula: &Formula) -> bool {
    matches!(
        formula,
        Formula::Rows {
            aggregate: Aggregate::Count,
            ..
        }
    )
}
