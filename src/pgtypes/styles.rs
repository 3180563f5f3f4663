//! By which of a session's settings values are printed.

use super::{interval_style::IntervalStyle, zone::Zone};

/// How values are printed for a session.
#[derive(Debug, Clone, Default)]
pub struct Styles {
    /// The clocks that moments are shown by.
    pub zone: Zone,
    /// The style of intervals.
    pub intervals: IntervalStyle,
}
