//! Words that ask for money, and the measures that are money coming in.

use std::{collections::HashSet, sync::LazyLock};

use super::{
    super::question::Token,
    items::{Linker, Meaning, Sense},
    names::better,
    rewording::said,
};
use crate::question::{
    schema::{Schema, words},
    semantic::{Aggregate, DatasetRole, Formula, Metric, Provenance, Scalar, SemanticModel},
};

/// How much worse money fits that is spent, where it is asked what is earned.
const SPENT: f32 = 0.35;

/// True for a word that asks for money without naming an amount.
pub(super) fn is_money(token: &Token) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        "revenue turnover sales income earnings takings money spend spent spenders proceeds earn raised collected"
            .split(' ')
            .map(words::stem)
            .collect()
    });
    STEMS.contains(&token.stem)
        || matches!(
            token.word.as_str(),
            "paid" | "pay" | "pays" | "billed" | "invoiced" | "charged" | "worth"
        )
}

/// True for a word that something is bought or sold by.
pub(super) fn trades(word: &str) -> bool {
    matches!(
        word,
        "sell"
            | "sells"
            | "sold"
            | "selling"
            | "buy"
            | "buys"
            | "bought"
            | "buying"
            | "order"
            | "ordered"
            | "orders"
            | "purchase"
            | "purchased"
            | "purchases"
    )
}

impl Linker<'_> {
    /// True for a question about a length of time.
    fn asks_how_long(&self) -> bool {
        let length = |word: &str| matches!(word, "days" | "hours" | "weeks" | "minutes");
        let words = self.tokens.windows(3).map(|three| {
            let word = |at: usize| three[at].word.as_str();
            word(0) == "how" && (word(1) == "long" || word(1) == "many" && length(word(2)))
                || length(word(0)) && matches!(word(1), "until" | "from" | "between" | "before")
        });
        words.into_iter().any(|asks| asks)
    }

    /// `shop revenue` is money: no pieces that were sold there, and not how many sales there were.
    pub(super) fn nothing_but_money(&self, content: &[usize], senses: &mut Vec<Sense>) {
        let earned = |at: &usize| {
            matches!(
                self.tokens[*at].word.as_str(),
                "revenue" | "turnover" | "income" | "earnings" | "takings" | "proceeds"
            )
        };
        if !content.iter().any(earned) {
            return;
        }
        let money = |metric: usize| self.money.iter().any(|(at, _)| *at == metric);
        if senses
            .iter()
            .any(|sense| matches!(sense.meaning, Meaning::Metric(at) if money(at)))
        {
            senses.retain(|sense| match sense.meaning {
                Meaning::Metric(at) => money(at),
                Meaning::Dataset(_) => sense.score >= 0.95,
                _ => true,
            });
        }
    }

    /// What a word that asks for money may mean.
    pub(super) fn money_asked(&self, token: usize, senses: &mut Vec<Sense>) {
        // `how long do they take to pay` asks for no money.
        let pays = matches!(self.tokens[token].word.as_str(), "pay" | "pays" | "paid");
        if pays && self.asks_how_long() {
            return;
        }
        // `sales per month` asks for money, `how many sales` for rows.
        let counted = token > 0
            && matches!(
                self.tokens[token - 1].word.as_str(),
                "many" | "of" | "all" | "the"
            );
        if !counted && !self.money.is_empty() {
            senses.retain(|sense| !matches!(sense.meaning, Meaning::Dataset(_)) || sense.score >= 0.95);
            for sense in senses.iter_mut() {
                if matches!(sense.meaning, Meaning::Dataset(_)) {
                    sense.score *= 0.6;
                }
            }
        }
        let verb = self.tokens[token].word.get(..3).unwrap_or_default();
        let spends = |token: &Token| {
            matches!(
                token.stem.as_str(),
                "spend" | "spent" | "pay" | "paid" | "cost" | "buy" | "bought"
            )
        };
        let earns = !self.tokens.iter().any(spends);
        for (at, score) in &self.money {
            // Who has paid is found with the payments.
            let metric = &self.model.metrics[*at];
            // `for how much money` asks what is named beside it comes to, no figure that leaves out a part of that.
            if self.tokens[token].word == "money" && is_part_of_rows(metric) {
                continue;
            }
            let table = &self.snapshot.schema.tables[metric.dataset].name;
            let near = words::identifier_words(table)
                .iter()
                .any(|word| word.starts_with(verb));
            let spent = earns && goes_out(&self.snapshot.schema, metric.dataset);
            let near = if near { 0.15 } else { 0.0 };
            let score = score + near - if spent { SPENT } else { 0.0 };
            better(senses, &Meaning::Metric(*at), score.clamp(0.3, 1.0));
        }
    }
}

/// True for a figure that people have defined over a part of a table's rows.
fn is_part_of_rows(metric: &Metric) -> bool {
    let partly = |of: &Formula| matches!(of, Formula::Rows { conditions, .. } if !conditions.is_empty());
    matches!(metric.source, Provenance::File(..)) && partly(&metric.formula)
}

/// Sums of money that come in, the likeliest first.
pub(super) fn money(schema: &Schema, model: &SemanticModel) -> Vec<(usize, f32)> {
    let mut found = Vec::new();
    for (at, metric) in model.metrics.iter().enumerate() {
        if !matches!(
            &metric.formula,
            Formula::Rows {
                aggregate: Aggregate::Sum(_),
                ..
            }
        ) {
            continue;
        }
        let name = words::identifier_words(&metric.name);
        // What has not come in is asked for by its name.
        let has = |list: &[&str]| name.iter().any(|word| list.contains(&word.as_str()));
        if metric.name.contains("outstanding")
            || has(&[
                "stock",
                "inventory",
                "quantity",
                "qty",
                "units",
                "pieces",
                "number",
                "count",
            ])
        {
            continue;
        }
        if !has(&[
            "revenue", "sales", "turnover", "amount", "amt", "total", "price", "net", "gross", "paid", "fee",
            "eur", "usd", "gbp", "charge", "value", "income",
        ]) {
            continue;
        }
        let mut score: f32 = 0.7;
        if has(&["revenue", "sales", "turnover", "income"]) {
            score += 0.2;
        }
        if has(&["net", "total"]) {
            score += 0.05;
        }
        // Of the whole and a part of it the whole is meant.
        if has(&["total"]) {
            score += 0.01;
        }
        // The insurer's part is not the bill.
        if name.len() > 1 && !has(&["total", "amount", "net", "gross", "price", "eur", "usd", "gbp"]) {
            score -= 0.1;
        }
        if has(&[
            "cost",
            "costs",
            "discount",
            "refund",
            "tax",
            "vat",
            "target",
            "claimed",
            "credit",
            "budget",
            "quantity",
            "stock",
            "odometer",
            "salary",
            "bonus",
            "balance",
            "limit",
            "shipping",
            "freight",
            "tip",
            "deposit",
            "surcharge",
        ]) {
            score -= 0.3;
        }
        let table = words::identifier_words(&schema.tables[metric.dataset].name);
        if table.iter().any(|word| {
            matches!(
                words::stem(word).as_str(),
                "sale"
                    | "order"
                    | "invoic"
                    | "payment"
                    | "bill"
                    | "book"
                    | "shipment"
                    | "rental"
                    | "receipt"
                    | "purchas"
            )
        }) {
            score += 0.1;
        }
        if table.iter().any(|word| {
            matches!(
                words::stem(word).as_str(),
                "return" | "refund" | "target" | "credit" | "claim" | "mainten" | "budget" | "salari"
            )
        }) {
            score -= 0.2;
        }
        found.push((at, score.clamp(0.3, 0.95)));
    }
    found
}

/// True for a table whose amounts are paid and not earned: what is ordered of suppliers, and work that is done in the house.
fn goes_out(schema: &Schema, table: usize) -> bool {
    let name = words::identifier_words(&schema.tables[table].name);
    let ordered = is_order(schema, table);
    let supplies = |table: usize| {
        let name = words::identifier_words(&schema.tables[table].name);
        name.iter()
            .any(|word| matches!(words::stem(word).as_str(), "supplier" | "vendor" | "contractor"))
    };
    let of_supplier = |table: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| key.from[0].table == table && supplies(key.to[0].table))
    };
    let bought = |word: &String| matches!(word.as_str(), "purchase" | "procurement" | "work");
    // Its lines are what an order to a supplier is made of; goods have suppliers, too.
    let mut wholes = schema
        .foreign_keys
        .iter()
        .filter(|key| key.from[0].table == table);
    ordered && name.iter().any(bought)
        || of_supplier(table)
        || ordered && wholes.any(|key| of_supplier(key.to[0].table) && is_order(schema, key.to[0].table))
}

fn is_order(schema: &Schema, table: usize) -> bool {
    let name = words::identifier_words(&schema.tables[table].name);
    name.iter().any(|word| words::stem(word) == "order")
}

/// True for a table of which each row is some money that moved: of payments the amount adds up, of orders their number.
pub(super) fn is_money_moved(table: &str) -> bool {
    words::identifier_words(table).iter().any(|word| {
        matches!(
            words::stem(word).as_str(),
            "payment" | "sale" | "invoic" | "bill" | "expens" | "refund" | "donat" | "deposit" | "premium"
        )
    })
}

/// `order value` as what the column is called that has it: what an order comes to.
pub(super) fn event_value(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let is_value = |token: &Token| {
        matches!(
            token.word.as_str(),
            "value" | "values" | "amount" | "amounts" | "size" | "sizes" | "worth"
        )
    };
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let amount = written
            .last()
            .filter(|_| is_value(&token))
            .and_then(|event| amount_of(event, &token, schema, model));
        match amount {
            Some(name) => written.extend(name.iter().map(|word| said(word, &token))),
            None => written.push(token),
        }
    }
    written
}

/// The words of the column that says what an event comes to, unless a column is called as the question says.
fn amount_of(event: &Token, value: &Token, schema: &Schema, model: &SemanticModel) -> Option<Vec<String>> {
    let is_called = |table: &str| {
        words::identifier_words(table)
            .last()
            .is_some_and(|last| words::stem(last) == event.stem)
    };
    // What people have defined under this name is meant.
    let is_defined = |name: &str| {
        let stems: Vec<String> = words::identifier_words(name)
            .iter()
            .map(|word| words::stem(word))
            .collect();
        stems == [event.stem.as_str(), value.stem.as_str()]
    };
    let mut computed = model.datasets.iter().flat_map(|dataset| &dataset.computed);
    if computed.any(|field| is_defined(&field.name))
        || model.metrics.iter().any(|metric| is_defined(&metric.name))
    {
        return None;
    }
    let table = (0..schema.tables.len()).find(|table| {
        model.datasets[*table].role == DatasetRole::Event && is_called(&schema.tables[*table].name)
    })?;
    let columns = &schema.tables[table].columns;
    let says_so = |name: &str| {
        words::identifier_words(name)
            .iter()
            .any(|word| words::stem(word) == value.stem)
    };
    let mut said = columns.iter().filter(|column| says_so(&column.name));
    match (said.next(), said.next()) {
        // Of several amounts the whole one is meant.
        (None, _) | (Some(_), Some(_)) => amount_column(table, schema, model),
        (Some(_), None) => None,
    }
}

/// The words of the column that says what a row of a table comes to in money.
pub(super) fn amount_column(table: usize, schema: &Schema, model: &SemanticModel) -> Option<Vec<String>> {
    let mut amounts: Vec<(usize, f32)> = money(schema, model);
    amounts.sort_by(|one, other| other.1.total_cmp(&one.1));
    amounts.iter().find_map(|(metric, _)| {
        let metric = &model.metrics[*metric];
        match &metric.formula {
            Formula::Rows {
                table: of,
                aggregate: Aggregate::Sum(Scalar::Column(amount)),
                conditions,
                ..
            } if *of == table && conditions.is_empty() && amount.way.hops.is_empty() => Some(
                words::identifier_words(&schema.tables[table].columns[amount.column].name),
            ),
            _ => None,
        }
    })
}

/// `average pay` as the salary, where somebody has one.
pub(super) fn pay(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let is_salary = |word: &String| matches!(word.as_str(), "salary" | "wage" | "sal");
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let Some(salary) = columns.find_map(|column| {
        let name = words::identifier_words(&column.name);
        name.into_iter().find(is_salary)
    }) else {
        return tokens;
    };
    let leads = |word: &str| {
        matches!(
            word,
            "average"
                | "avg"
                | "mean"
                | "median"
                | "highest"
                | "lowest"
                | "annual"
                | "yearly"
                | "base"
                | "gross"
                | "basic"
                | "total"
        )
    };
    for at in 1..tokens.len() {
        if tokens[at].word == "pay" && leads(&tokens[at - 1].word) {
            tokens[at] = said(&salary, &tokens[at]);
        }
    }
    tokens
}
