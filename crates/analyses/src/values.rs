//! Kinds of option values: each says in words what it takes, and parses it.

use std::time::Duration;

/// What an option takes.
pub(crate) trait Values {
    type Value;
    /// In words, for the reference.
    fn describe(&self) -> String;
    /// # Errors
    /// What was expected instead.
    fn parse(&self, text: &str) -> Result<Self::Value, String>;
}

/// One of a few words.
pub(crate) struct Choices<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy> Values for Choices<T> {
    type Value = T;
    fn describe(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }
    fn parse(&self, text: &str) -> Result<T, String> {
        let found = self.0.iter().find(|(name, _)| *name == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| format!("one of {}", self.describe()))
    }
}

pub(crate) const FLAG: Choices<bool> = Choices(&[("true", true), ("false", false)]);

/// A whole number between two others, of any width.
pub(crate) struct Numbers(pub u64, pub u64);

pub(crate) const NUMBER: Numbers = Numbers(0, u32::MAX as u64);
pub(crate) const LONG: Numbers = Numbers(0, u64::MAX);
pub(crate) const PERCENT: Numbers = Numbers(0, 100);

impl Values for Numbers {
    type Value = u64;
    fn describe(&self) -> String {
        match *self {
            Numbers(0, most) if most >= u64::from(u32::MAX) => "a number".to_string(),
            Numbers(0, most) => format!("a number up to {most}"),
            Numbers(least, most) if most >= u64::from(u32::MAX) => format!("a number of at least {least}"),
            Numbers(least, most) => format!("a number from {least} to {most}"),
        }
    }
    fn parse(&self, text: &str) -> Result<u64, String> {
        text.parse().ok().filter(|number| (self.0..=self.1).contains(number)).ok_or_else(|| self.describe())
    }
}

/// A time span in seconds.
pub(crate) struct Seconds;

impl Values for Seconds {
    type Value = Duration;
    fn describe(&self) -> String {
        "seconds".to_string()
    }
    fn parse(&self, text: &str) -> Result<Duration, String> {
        match text.trim_end_matches('s').parse::<f64>() {
            Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(Duration::from_secs_f64(seconds)),
            _ => Err("a number of seconds".to_string()),
        }
    }
}

/// The name of a file or folder; empty for none.
pub(crate) struct Name(pub &'static str);

impl Values for Name {
    type Value = Option<String>;
    fn describe(&self) -> String {
        self.0.to_string()
    }
    fn parse(&self, text: &str) -> Result<Option<String>, String> {
        Ok((!text.is_empty()).then(|| text.to_string()))
    }
}

/// The words of a list: `a+b`, `a, b`, or an array of TOML.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(['+', ',', '[', ']']).map(|word| word.trim().trim_matches('"')).filter(|word| !word.is_empty())
}

/// Something with a reader of its own: what it takes in words, and how it is parsed (`None` for what is not among
/// them).
pub(crate) struct Read<T>(pub fn() -> String, pub fn(&str) -> Option<T>);

impl<T> Values for Read<T> {
    type Value = T;
    fn describe(&self) -> String {
        (self.0)()
    }
    fn parse(&self, text: &str) -> Result<T, String> {
        (self.1)(text).ok_or_else(|| format!("one of {}", self.describe()))
    }
}

/// Anything else: what it takes in words, and how it is parsed (`None` for what is not among them).
pub(crate) struct Parsed<T>(pub &'static str, pub fn(&str) -> Option<T>);

impl<T> Values for Parsed<T> {
    type Value = T;
    fn describe(&self) -> String {
        self.0.to_string()
    }
    fn parse(&self, text: &str) -> Result<T, String> {
        (self.1)(text).ok_or_else(|| format!("one of {}", self.0))
    }
}
