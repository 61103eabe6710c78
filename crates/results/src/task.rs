//! What a witness says about the task that was solved: files with hashes, specification, data model; and about who
//! solved it and when.

use assay_cfa::{DataModel, Property};
use sha2::{Digest, Sha256};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The verification task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// In the order of the command line.
    pub input_files: Vec<InputFile>,
    /// What was asked.
    pub property: Property,
    /// Under which sizes of C's types.
    pub model: DataModel,
}

/// A file as witnesses name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFile {
    /// As given on the command line.
    pub name: String,
    /// SHA-256 in hexadecimal; empty where nothing is written that names it.
    pub hash: String,
}

impl InputFile {
    /// With the hash of its content.
    pub fn new(name: impl Into<String>, content: &[u8]) -> InputFile {
        InputFile { name: name.into(), hash: sha256(content) }
    }
}

/// Who solved the task, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    /// Of the verifier.
    pub name: String,
    /// Of the verifier.
    pub version: String,
    /// The name of the configuration.
    pub configuration: String,
    /// Seconds since 1970.
    pub time: u64,
}

impl Producer {
    /// This program, now. `SOURCE_DATE_EPOCH` fixes the time for reproducible output.
    pub fn now(configuration: impl Into<String>) -> Producer {
        let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
        Producer {
            name: "Assay".to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            configuration: configuration.into(),
            time: fixed.unwrap_or_else(now),
        }
    }
}

impl Task {
    /// The property as a property file writes it.
    pub fn specification(&self) -> String {
        self.property.specification()
    }
}

/// SHA-256 in hexadecimal.
pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A UUID that is made from content (version 8 of RFC 9562): equal content, equal identifier.
pub fn uuid(content: &str) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(content.as_bytes()).iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// ISO 8601 in UTC, from seconds since 1970.
pub fn iso_time(seconds: u64) -> String {
    let (days, rest) = ((seconds / 86400) as i64, seconds % 86400);
    // Days since 0000-03-01, in eras of 400 years (the usual conversion for the proleptic Gregorian calendar).
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_times_and_identifiers_are_right() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(iso_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_time(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(iso_time(1_772_323_200), "2026-03-01T00:00:00Z");
        assert_eq!(uuid("x"), uuid("x"));
        assert_ne!(uuid("x"), uuid("y"));
        assert_eq!(uuid("x").len(), 36);
    }
}
