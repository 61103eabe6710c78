//! What a caller asks to prove: words and property files become properties once the program is known.

use crate::error::Error;
use assay_cfa::{MarkKind, Program, Property};
use std::path::Path;

/// The usual error functions: where none is named, those are asked about that the program calls.
const ERROR_FUNCTIONS: [&str; 3] = ["reach_error", "__VERIFIER_error", "__assert_fail"];

/// One word of what is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// All that can be checked: the error functions that the program calls, and what a run without a property checks.
    All,
    /// The first of the usual error functions that the program calls is never called.
    ErrorCall,
    /// A test is wanted that calls the first of the usual error functions.
    CoverErrorCall,
    /// This property.
    One(Property),
    /// Those of a property file, in the format of competitions.
    File(Vec<Property>),
}

impl Asked {
    /// Reads a word: `all`, the name of a property, or the name of a property file.
    ///
    /// # Errors
    /// There is no such file, or it is not understood.
    pub fn parse(word: &str) -> Result<Asked, Error> {
        let call = |function: &str| Asked::One(Property::UnreachCall { function: function.to_string() });
        Ok(match word {
            "all" => Asked::All,
            "unreach-call" => Asked::ErrorCall,
            "coverage-error-call" => Asked::CoverErrorCall,
            "reach_error" => call("reach_error"),
            "assert" => call("__assert_fail"),
            "unreach-label" => Asked::One(Property::UnreachLabel { label: "ERROR".to_string() }),
            other => match Property::named(other) {
                Some(property) => Asked::One(property),
                None => Asked::File(read_file(Path::new(other))?),
            },
        })
    }

    /// The properties that are asked for, each once. Without a program they are those that can be told without one.
    pub fn properties(asked: &[Asked], program: Option<&Program>) -> Vec<Property> {
        let called = program.map(error_functions).unwrap_or_default();
        let call = |function: &&str| Property::UnreachCall { function: function.to_string() };
        let first = || called.first().copied().unwrap_or(ERROR_FUNCTIONS[0]);
        let mut all: Vec<Property> = vec![];
        for one in if asked.is_empty() { &[Asked::All] } else { asked } {
            let more: Vec<Property> = match one {
                Asked::All => called.iter().map(call).chain(Property::defaults()).collect(),
                Asked::ErrorCall => vec![call(&first())],
                Asked::CoverErrorCall => vec![Property::CoverCall { function: first().to_string() }],
                Asked::One(property) => vec![property.clone()],
                Asked::File(properties) => properties.clone(),
            };
            for property in more {
                if !all.contains(&property) {
                    all.push(property);
                }
            }
        }
        all
    }
}

/// Those of the usual error functions that the program calls: the front end marks calls of functions without a body.
fn error_functions(program: &Program) -> Vec<&'static str> {
    let marked = |name: &str| program.marks.places.iter().any(|mark| mark.kind == MarkKind::Call && mark.name == name);
    let defined = |name: &str| program.functions.iter().any(|function| function.name == name);
    ERROR_FUNCTIONS.into_iter().filter(|name| marked(name) || defined(name)).collect()
}

fn read_file(path: &Path) -> Result<Vec<Property>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let word = path.to_string_lossy();
        let known = Property::names().chain(["all", "unreach-call", "unreach-label", "assert", "coverage-error-call"]);
        if let Some(near) = (!path.exists()).then(|| nearest(&word, known)).flatten() {
            let reason = format!("there is no property or file of this name; did you mean `{near}`?");
            return Error::Unreadable { path: path.to_path_buf(), reason };
        }
        let names: Vec<&str> = Property::names().collect();
        let reason = format!("{error} (a property is a file, or one of all, unreach-call, assert, {})", names.join(", "));
        Error::Unreadable { path: path.to_path_buf(), reason }
    })?;
    Property::parse(&text).map_err(|error| Error::Malformed { path: path.to_path_buf(), reason: error.to_string() })
}

/// The known word that a slip of two letters makes of this one.
fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let distance = |a: &str, b: &str| {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, left) in a.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, right) in b.iter().enumerate() {
                let cost = diagonal + usize::from(left != right);
                diagonal = row[j + 1];
                row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[b.len()]
    };
    known.map(|name| (distance(word, name), name)).filter(|(slips, _)| *slips <= 2).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_a_property_is_understood() {
        let said = Asked::parse("no-overflo").unwrap_err().to_string();
        assert!(said.contains("did you mean `no-overflow`"), "{said}");
        assert!(!Asked::parse("somewhere.prp").unwrap_err().to_string().contains("did you mean"));
    }
}
