//! Which values are others under other settings of the session, such as its time zone or how it writes dates: nothing that is kept
//! may be one. Types and functions tell it, and it is noted while an expression is translated.

use super::{Result, Translator, Ty};

impl Ty {
    /// True for what a text is read as by the settings.
    fn is_read_by_settings(self) -> bool {
        match self {
            Self::Array(of) => of.is_read_by_settings(),
            Self::Time | Self::Timetz => true,
            _ => self.is_written_by_settings(),
        }
    }

    /// True for what is written as a text by the settings.
    fn is_written_by_settings(self) -> bool {
        match self {
            Self::Array(of) => of.is_written_by_settings(),
            _ => matches!(
                self,
                Self::Date | Self::Timestamp | Self::Timestamptz | Self::Interval
            ),
        }
    }

    /// True where a value of this type as one of that type is another under other settings. A literal is read when it is
    /// written, and is no such value.
    pub(super) fn becomes_by_settings(self, to: Self) -> bool {
        match (self, to) {
            (Self::Array(from), Self::Array(to)) => from.becomes_by_settings(*to),
            (from, to) if to.is_string() => from.is_written_by_settings(),
            (from, to) if from.is_string() => to.is_read_by_settings(),
            // A moment has a day and a clock in a zone alone.
            (Self::Timestamptz, to) => {
                matches!(to, Self::Timestamp | Self::Date | Self::Time | Self::Timetz)
            }
            (Self::Time, Self::Timetz) => true,
            (from, Self::Timestamptz) => matches!(from, Self::Timestamp | Self::Date),
            _ => false,
        }
    }
}

impl Translator<'_> {
    /// Notes that a value of this type is written as a text.
    pub(super) fn note_written(&mut self, ty: Ty) {
        self.is_by_settings |= ty.is_written_by_settings();
    }

    /// What is translated, and whether its value is another under other settings.
    pub(super) fn noting_settings<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, bool)> {
        let outside = std::mem::take(&mut self.is_by_settings);
        let translated = translate(self)?;
        let is_by_settings = std::mem::replace(&mut self.is_by_settings, outside);
        self.is_by_settings |= is_by_settings;
        Ok((translated, is_by_settings))
    }
}
