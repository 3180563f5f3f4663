//! What was bought, by whom and where, and how it was paid.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::{
    calendar::{Day, Timestamp},
    catalogue::{Catalogue, Product},
    customers::Customer,
    insert_all,
    money::Cents,
    random::{Random, Weights},
    staff::Staff,
};

const ORDERS: usize = 15_000;
/// Days from the first order to the last.
pub(super) const HISTORY: i64 = 1460;

/// Share of a year's orders by month: little in summer, most before Christmas.
const SEASON: [i64; 12] = [80, 70, 85, 90, 95, 85, 65, 70, 90, 100, 150, 170];

/// An order; its number is its position plus one.
pub(super) struct Order {
    /// Number of the customer.
    pub(super) customer: i64,
    /// Number of the store and of the employee; none if bought online.
    counter: Option<(i64, i64)>,
    at: Timestamp,
    shipped: Option<Day>,
    /// When it arrived.
    pub(super) delivered: Option<Day>,
    /// As the schema lists them.
    pub(super) status: &'static str,
    /// What is in it.
    pub(super) lines: Vec<Line>,
}

/// One product of an order.
pub(super) struct Line {
    /// Number of the product.
    pub(super) product: i64,
    /// How many.
    pub(super) quantity: i64,
    /// Price of one.
    pub(super) price: Cents,
}

/// A payment for an order, or an attempt.
pub(super) struct Payment {
    order: i64,
    method: &'static str,
    status: &'static str,
    amount: Cents,
    at: Timestamp,
}

pub(super) fn make(
    catalogue: &Catalogue,
    staff: &Staff,
    customers: &[Customer],
    random: &mut Random,
) -> Vec<Order> {
    let zeal: Weights = customers.iter().map(|customer| customer.zeal).collect();
    let appeal: Weights = catalogue.products.iter().map(|product| product.appeal).collect();
    let mut moments: Vec<Timestamp> = (0..ORDERS).map(|_| moment(random)).collect();
    moments.sort_unstable(); // numbers are given in the order of ordering
    moments
        .into_iter()
        .map(|at| {
            let customer = loop {
                let candidate = random.weighted(&zeal);
                if customers[candidate].signed_up <= at.day {
                    break candidate;
                }
            };
            let counter = if random.chance(45) {
                counter(staff, customers[customer].country, at.day, random)
            } else {
                None
            };
            let lines = lines(&catalogue.products, &appeal, at.day, random);
            let (status, shipped, delivered) = progress(counter.is_some(), at.day, random);
            Order {
                customer: customer as i64 + 1,
                counter,
                at,
                shipped,
                delivered,
                status,
                lines,
            }
        })
        .collect()
}

/// More every year, by the season, in the daytime.
fn moment(random: &mut Random) -> Timestamp {
    let first = random.today.plus(-HISTORY);
    let day = loop {
        let day = first.plus(random.between(0, HISTORY));
        let growth = 100 + 120 * day.since(first) / HISTORY;
        let season = SEASON[day.parts().1 as usize - 1];
        if random.between(0, 220 * 170) < growth * season {
            break day;
        }
    };
    // The mean of two draws: the middle of the day is the busiest.
    let second = i64::midpoint(
        random.between(6 * 3600, 23 * 3600),
        random.between(6 * 3600, 23 * 3600),
    );
    Timestamp { day, second }
}

/// A store of the customer's country that is open then, and somebody who works there.
fn counter(staff: &Staff, country: &str, day: Day, random: &mut Random) -> Option<(i64, i64)> {
    if day.is_sunday() {
        return None;
    }
    let open: Vec<i64> = (1..)
        .zip(&staff.stores)
        .filter(|(_, store)| store.country == country && store.opened <= day)
        .map(|(number, _)| number)
        .collect();
    if open.is_empty() {
        return None;
    }
    let store = random.pick(&open);
    let present: Vec<i64> = (1..)
        .zip(&staff.employees)
        .filter(|(_, it)| {
            it.store == Some(store) && it.hired <= day && it.left.is_none_or(|left| left >= day)
        })
        .map(|(number, _)| number)
        .collect();
    (!present.is_empty()).then(|| (store, random.pick(&present)))
}

/// One to six different products that were on sale, some at a discount.
fn lines(products: &[Product], appeal: &Weights, day: Day, random: &mut Random) -> Vec<Line> {
    let wanted = random.between(1, 3).max(random.between(1, 6) - 1);
    let mut taken = BTreeSet::new();
    let mut lines = Vec::new();
    while (lines.len() as i64) < wanted {
        let at = random.weighted(appeal);
        let product = &products[at];
        if product.launched > day || !taken.insert(at) {
            continue;
        }
        let discount = if random.chance(80) {
            0
        } else {
            random.between(1, 5) * 5
        };
        let several = product.price < Cents(60_00) && random.chance(35);
        lines.push(Line {
            product: at as i64 + 1,
            quantity: if several { random.between(2, 6) } else { 1 },
            price: product.price.percent(100 - discount),
        });
    }
    lines
}

/// How far an order had come at the end of the shop's history: status, shipped, delivered.
fn progress(at_counter: bool, day: Day, random: &mut Random) -> (&'static str, Option<Day>, Option<Day>) {
    if at_counter {
        return ("delivered", Some(day), Some(day));
    }
    if random.chance(6) {
        return ("cancelled", None, None);
    }
    let shipped = day.plus(
        random.between(0, 4)
            + if random.chance(4) {
                random.between(5, 30)
            } else {
                0
            },
    );
    let delivered = shipped.plus(random.between(1, 9));
    if shipped > random.today {
        ("pending", None, None)
    } else if delivered > random.today {
        ("shipped", Some(shipped), None)
    } else {
        ("delivered", Some(shipped), Some(delivered))
    }
}

/// How the orders were paid: mostly at once and in full, sometimes at the second attempt or in two parts.
pub(super) fn payments(orders: &[Order], random: &mut Random) -> Vec<Payment> {
    let mut payments = Vec::new();
    for (number, order) in (1..).zip(orders) {
        let methods: &[&str] = match order.counter {
            Some(_) => &["card", "card", "cash", "gift card"],
            None => &["card", "card", "paypal", "paypal", "transfer"],
        };
        let total = order.total();
        let mut at = order.at.plus(if order.counter.is_some() {
            0
        } else {
            random.between(20, 900)
        });
        let mut pay = |method, status, amount, at| {
            payments.push(Payment {
                order: number,
                method,
                status,
                amount,
                at,
            });
        };
        let method = random.pick(methods);
        if matches!(order.status, "pending" | "cancelled") && random.chance(50) {
            continue; // never paid
        }
        if method != "cash" && random.chance(4) {
            pay(method, "failed", total, at);
            at = at.plus(random.between(30, 600));
        }
        let status = if order.status == "cancelled" {
            "refunded"
        } else {
            "completed"
        };
        if random.chance(3) && total > Cents(20_00) {
            let part = Cents(random.between(1, total.0 / 10_00) * 5_00);
            pay("gift card", status, part, at);
            pay(method, status, total - part, at);
        } else {
            pay(method, status, total, at);
        }
    }
    payments
}

impl Order {
    fn total(&self) -> Cents {
        self.lines.iter().map(|line| line.price * line.quantity).sum()
    }
}

pub(super) fn insert(
    connection: &Connection,
    orders: &[Order],
    payments: &[Payment],
) -> rusqlite::Result<usize> {
    let numbered = || (1..).zip(orders);
    let mut rows = insert_all(
        connection,
        "orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        numbered().map(|(id, it): (i64, _)| {
            let (store, employee) = it.counter.unzip();
            (
                id,
                it.customer,
                store,
                employee,
                it.at,
                it.shipped,
                it.delivered,
                it.status,
                it.total(),
            )
        }),
    )?;
    rows += insert_all(
        connection,
        "order_lines VALUES (?, ?, ?, ?, ?)",
        numbered().flat_map(|(order, it): (i64, _)| {
            (1..)
                .zip(&it.lines)
                .map(move |(number, it): (i64, _)| (order, number, it.product, it.quantity, it.price))
        }),
    )?;
    rows += insert_all(
        connection,
        "payments VALUES (?, ?, ?, ?, ?, ?)",
        (1..)
            .zip(payments)
            .map(|(id, it): (i64, _)| (id, it.order, it.method, it.status, it.amount, it.at)),
    )?;
    Ok(rows)
}
