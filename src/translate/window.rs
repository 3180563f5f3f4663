//! OVER, and the order of rows with NULL where PostgreSQL has it.

use sqlparser::ast::{
    NamedWindowDefinition, NamedWindowExpr, OrderByOptions, OrderBySort, WindowFrame, WindowFrameBound,
    WindowSpec, WindowType,
};

use super::{Result, Stop, Translator, Ty, quoted, scope::Typed};

/// A key of ORDER BY: NULL comes last, or first where the order is descending.
pub(super) fn ordered(value: &Typed, options: &OrderByOptions) -> String {
    let descending = matches!(options.sort, Some(OrderBySort::Desc));
    let direction = if descending { " DESC" } else { "" };
    let first = options.nulls_first.unwrap_or(descending);
    // SQLite's own order needs no saying, and can use an index.
    let nulls = match (value.not_null, first, descending) {
        (true, ..) | (_, true, false) | (_, false, true) => "",
        (_, true, true) => " NULLS FIRST",
        (_, false, false) => " NULLS LAST",
    };
    format!("{}{direction}{nulls}", value.order())
}

impl Translator<'_> {
    pub(super) fn over(&mut self, window: Option<&WindowType>) -> Result<String> {
        match window {
            None => Ok(String::new()),
            Some(WindowType::NamedWindow(name)) => Ok(format!(" OVER {}", quoted(&super::folded(name)))),
            Some(WindowType::WindowSpec(spec)) => Ok(format!(" OVER ({})", self.window(spec)?)),
        }
    }

    fn window(&mut self, spec: &WindowSpec) -> Result<String> {
        let mut parts = vec![];
        if let Some(name) = &spec.window_name {
            parts.push(quoted(&super::folded(name)));
        }
        if !spec.partition_by.is_empty() {
            let mut keys = vec![];
            for key in &spec.partition_by {
                keys.push(self.expression(key)?.key());
            }
            parts.push(format!("PARTITION BY {}", keys.join(", ")));
        }
        if !spec.order_by.is_empty() {
            parts.push(format!(
                "ORDER BY {}",
                self.order_keys(&spec.order_by)?.join(", ")
            ));
        }
        if let Some(frame) = &spec.window_frame {
            parts.push(self.frame(frame)?);
        }
        Ok(parts.join(" "))
    }

    fn frame(&mut self, frame: &WindowFrame) -> Result<String> {
        let start = self.bound(&frame.start_bound)?;
        Ok(match &frame.end_bound {
            Some(end) => format!("{} BETWEEN {start} AND {}", frame.units, self.bound(end)?),
            None => format!("{} {start}", frame.units),
        })
    }

    fn bound(&mut self, bound: &WindowFrameBound) -> Result<String> {
        let (value, word) = match bound {
            WindowFrameBound::CurrentRow => return Ok("CURRENT ROW".into()),
            WindowFrameBound::Preceding(value) => (value, "PRECEDING"),
            WindowFrameBound::Following(value) => (value, "FOLLOWING"),
        };
        match value {
            None => Ok(format!("UNBOUNDED {word}")),
            Some(value) => {
                let value = self.expression(value)?;
                if value.ty == Ty::Interval {
                    return super::unsupported("a window frame of an interval", value.position);
                }
                Ok(format!("{} {word}", value.plain()))
            }
        }
    }

    /// The WINDOW clause.
    pub(super) fn windows(&mut self, windows: &[NamedWindowDefinition]) -> Result<String> {
        let mut parts = vec![];
        for NamedWindowDefinition(name, window) in windows {
            let NamedWindowExpr::WindowSpec(spec) = window else {
                return Err(Stop::AsItStands);
            };
            parts.push(format!(
                "{} AS ({})",
                quoted(&super::folded(name)),
                self.window(spec)?
            ));
        }
        Ok(if parts.is_empty() {
            String::new()
        } else {
            format!(" WINDOW {}", parts.join(", "))
        })
    }
}
