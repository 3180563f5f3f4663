//! What stands behind OVER and in WINDOW.

use super::sql_expr::{SortKey, SqlExpr};

/// `OVER …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Over {
    Named(String),
    Window(Window),
}

/// A window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Window {
    /// The one that it is made of.
    pub(super) base: Option<String>,
    pub(super) partition: Vec<SqlExpr>,
    pub(super) order: Vec<SortKey>,
    pub(super) frame: Option<Frame>,
    /// `EXCLUDE …`.
    pub(super) exclude: Option<String>,
}

/// The rows of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// ROWS, RANGE or GROUPS.
    pub(super) units: String,
    pub(super) start: Bound,
    pub(super) end: Option<Bound>,
}

/// Where they begin or end; the word is PRECEDING or FOLLOWING.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bound {
    CurrentRow,
    Unbounded(&'static str),
    By(SqlExpr, &'static str),
}

impl Over {
    /// `OVER (PARTITION BY … ORDER BY …)`.
    pub(super) fn rows(partition: Vec<SqlExpr>, order: &[SortKey]) -> Self {
        Self::Window(Window {
            partition,
            order: order.to_vec(),
            ..Window::default()
        })
    }

    pub(super) fn each_child<'n>(&'n self, see: &mut dyn FnMut(&'n SqlExpr)) {
        if let Self::Window(window) = self {
            window.each_child(see);
        }
    }

    pub(super) fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        match self {
            Self::Named(name) => Self::Named(name.clone()),
            Self::Window(window) => Self::Window(window.rebuilt(each)),
        }
    }
}

impl Window {
    pub(super) fn each_child<'n>(&'n self, see: &mut dyn FnMut(&'n SqlExpr)) {
        self.partition.iter().for_each(&mut *see);
        self.order.iter().map(|key| &key.key).for_each(&mut *see);
        if let Some(frame) = &self.frame {
            for bound in std::iter::once(&frame.start).chain(&frame.end) {
                if let Bound::By(value, _) = bound {
                    see(value);
                }
            }
        }
    }

    pub(super) fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        Self {
            base: self.base.clone(),
            partition: self.partition.iter().map(&mut *each).collect(),
            order: self.order.iter().map(|key| key.rebuilt(each)).collect(),
            frame: self.frame.as_ref().map(|frame| Frame {
                units: frame.units.clone(),
                start: frame.start.rebuilt(each),
                end: frame.end.as_ref().map(|end| end.rebuilt(each)),
            }),
            exclude: self.exclude.clone(),
        }
    }
}

impl Bound {
    fn rebuilt(&self, each: &mut dyn FnMut(&SqlExpr) -> SqlExpr) -> Self {
        match self {
            Self::By(value, word) => Self::By(each(value), word),
            other => other.clone(),
        }
    }
}
