//! `sum` of `bigint` and `numeric`: all digits, whatever they come to.

use std::collections::{BTreeMap, btree_map::Entry};

use rusqlite::{
    Result,
    functions::{Aggregate, Context, WindowAggregate},
};

use super::{V, allowance, decimal::Decimal, numeric_special::Count};

/// A sum in a window, of which rows go as others come.
pub(super) struct Sum;

/// What has been added up. Whole numbers are added by themselves: an `i128` has room for as many as a file can have.
#[derive(Default)]
pub(super) struct Total {
    whole: i128,
    others: Option<Decimal>,
    endless: Count,
    /// How many of the others have so many digits behind the point: a sum has as many as the longest that is left.
    scales: BTreeMap<u32, usize>,
    count: usize,
}

impl Total {
    fn take(&mut self, value: &V) -> Result<()> {
        match value {
            V::Null => return Ok(()),
            V::Int(number) => self.whole += i128::from(*number),
            other if self.endless.takes(other, true) => {}
            other => {
                let other = Decimal::of(other)?;
                *self.scales.entry(other.scale).or_default() += 1;
                self.others = Some(match self.others.take() {
                    Some(total) => total.plus(&other),
                    None => other,
                });
            }
        }
        self.count += 1;
        Ok(())
    }

    fn give_back(&mut self, value: &V) -> Result<()> {
        match value {
            V::Null => return Ok(()),
            V::Int(number) => self.whole -= i128::from(*number),
            other if self.endless.takes(other, false) => {}
            other => {
                let other = Decimal::of(other)?;
                if let Entry::Occupied(mut count) = self.scales.entry(other.scale) {
                    *count.get_mut() -= 1;
                    if *count.get() == 0 {
                        count.remove();
                    }
                }
                self.others = self.others.take().map(|total| total.minus(&other));
            }
        }
        self.count -= 1;
        Ok(())
    }

    fn value(&self) -> Result<V> {
        if self.count == 0 {
            return Ok(V::Null);
        }
        if let Some(sum) = self.endless.sum() {
            return Ok(sum.into());
        }
        let whole = Decimal {
            digits: self.whole.into(),
            scale: 0,
        };
        Ok(match &self.others {
            Some(others) => {
                // In a window each row has one.
                allowance::over(others.length())?;
                let scale = self.scales.keys().next_back().copied().unwrap_or_default();
                let sum = others.plus(&whole);
                // What is cut off are zeros.
                sum.trunc(scale.into()).bounded()?.into()
            }
            None => whole.into(),
        })
    }
}

impl Aggregate<Total, V> for Sum {
    fn init(&self, _: &mut Context<'_>) -> Result<Total> {
        Ok(Total::default())
    }

    fn step(&self, context: &mut Context<'_>, total: &mut Total) -> Result<()> {
        total.take(&V::of(context.get_raw(0)))
    }

    fn finalize(&self, _: &mut Context<'_>, total: Option<Total>) -> Result<V> {
        total.unwrap_or_default().value()
    }
}

impl WindowAggregate<Total, V> for Sum {
    fn value(&self, total: Option<&mut Total>) -> Result<V> {
        total.map_or(Ok(V::Null), |total| total.value())
    }

    fn inverse(&self, context: &mut Context<'_>, total: &mut Total) -> Result<()> {
        total.give_back(&V::of(context.get_raw(0)))
    }
}
