//! Lengths and parts of time.

/// The length of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grain {
    /// `2024-03-31 17:00`.
    Hour,
    /// `2024-03-31`.
    Day,
    /// The Monday that it begins with: `2024-03-25`.
    Week,
    /// `2024-03`.
    Month,
    /// `2024-Q1`.
    Quarter,
    /// `2024`.
    Year,
}

/// A part of a time that comes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// 0 to 23.
    Hour,
    /// 0 for Sunday to 6.
    Weekday,
    /// `Sunday`.
    WeekdayName,
    /// 1 to 31.
    DayOfMonth,
    /// 1 to 12.
    Month,
    /// 1 to 4.
    Quarter,
}

/// What a span of time is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Seconds.
    Second,
    /// Minutes.
    Minute,
    /// Hours.
    Hour,
    /// Days.
    Day,
    /// Weeks.
    Week,
    /// Months of a twelfth of a year.
    Month,
    /// Years of 365.25 days.
    Year,
}

impl Unit {
    /// How many of them are a day.
    pub fn in_a_day(self) -> &'static str {
        match self {
            Self::Second => "86400.0",
            Self::Minute => "1440.0",
            Self::Hour => "24.0",
            Self::Day => "1.0",
            Self::Week => "7.0",
            Self::Month => "30.4375",
            Self::Year => "365.25",
        }
    }
}
