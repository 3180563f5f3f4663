//! What came after the sale: returns and reviews.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::{
    calendar::Day, catalogue::Catalogue, insert_all, money::Cents, orders::Order, random::Random,
    words::Words,
};

/// Goods that came back.
pub(super) struct Return {
    /// Number of the order.
    order: i64,
    /// Number of the line in it, from 1.
    line: i64,
    quantity: i64,
    reason: Option<&'static str>,
    refund: Cents,
    on: Day,
}

/// What a customer thinks of a product.
pub(super) struct Review {
    product: i64,
    customer: i64,
    rating: i64,
    title: &'static str,
    body: Option<&'static str>,
    on: Day,
}

/// Returns of delivered goods, within a month. An order of which everything came back gets the status.
pub(super) fn returns(words: &Words, orders: &mut [Order], random: &mut Random) -> Vec<Return> {
    let mut returns = Vec::new();
    for (number, order) in (1..).zip(orders) {
        let Some(delivered) = order.delivered else {
            continue;
        };
        let on = delivered.plus(random.between(1, 30));
        if !random.chance(8) || on > random.today {
            continue;
        }
        let everything = order.lines.len() == 1 || random.chance(25);
        let chosen = random.index(order.lines.len());
        let mut whole = true;
        for (at, line) in order.lines.iter().enumerate() {
            if !everything && at != chosen {
                whole = false;
                continue;
            }
            let quantity = if everything {
                line.quantity
            } else {
                random.between(1, line.quantity)
            };
            whole &= quantity == line.quantity;
            returns.push(Return {
                order: number,
                line: at as i64 + 1,
                quantity,
                reason: random.chance(85).then(|| random.pick(words.list("reasons"))),
                refund: line.price * quantity,
                on,
            });
        }
        if whole {
            order.status = "returned";
        }
    }
    returns
}

/// Reviews by customers of what they bought; at most one each of a product.
pub(super) fn reviews(
    words: &Words,
    catalogue: &Catalogue,
    orders: &[Order],
    random: &mut Random,
) -> Vec<Review> {
    let mut written = BTreeSet::new();
    let mut reviews = Vec::new();
    for order in orders {
        let Some(delivered) = order.delivered else {
            continue;
        };
        for line in &order.lines {
            let on = delivered.plus(random.between(1, 60));
            if !random.chance(14) || on > random.today || !written.insert((line.product, order.customer)) {
                continue;
            }
            let quality = catalogue.products[line.product as usize - 1].quality;
            let rating = ((quality + random.between(-19, 19) + 5) / 10).clamp(1, 5);
            let (titles, bodies) = match rating {
                4.. => ("praise", "praise_body"),
                3 => ("lukewarm", "lukewarm_body"),
                _ => ("complaint", "complaint_body"),
            };
            reviews.push(Review {
                product: line.product,
                customer: order.customer,
                rating,
                title: random.pick(words.list(titles)),
                body: random.chance(60).then(|| random.pick(words.list(bodies))),
                on,
            });
        }
    }
    reviews.sort_by_key(|review| review.on); // numbers are given in the order of writing
    reviews
}

pub(super) fn insert(
    connection: &Connection,
    returns: &[Return],
    reviews: &[Review],
) -> rusqlite::Result<usize> {
    let mut rows = insert_all(
        connection,
        "returns VALUES (?, ?, ?, ?, ?, ?, ?)",
        (1..)
            .zip(returns)
            .map(|(id, it): (i64, _)| (id, it.order, it.line, it.quantity, it.reason, it.refund, it.on)),
    )?;
    rows += insert_all(
        connection,
        "reviews VALUES (?, ?, ?, ?, ?, ?, ?)",
        (1..)
            .zip(reviews)
            .map(|(id, it): (i64, _)| (id, it.product, it.customer, it.rating, it.title, it.body, it.on)),
    )?;
    Ok(rows)
}
