//! Test suites in the exchange format of Test-Comp: a metadata file and a file for each test case, in a folder or a zip
//! archive. The n-th input of a test case is what the n-th call of a nondeterministic function returns.

use crate::value::float;
use crate::{Producer, Task, task, zip};
use assay_cfa::{CType, DataModel, Program, SourceId};
use assay_term::Bits;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// One test: the values of the inputs in the order in which the program asks for them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestCase {
    /// Each with the type that the program asks for.
    pub inputs: Vec<(CType, Bits)>,
    /// Whether it calls the error function.
    pub covers_error: bool,
}

impl TestCase {
    /// A test from what a run was given.
    pub fn new(program: &Program, inputs: &[(SourceId, Bits)], covers_error: bool) -> TestCase {
        let types = crate::harness::source_types(program);
        Self::with_types(&types, inputs, covers_error)
    }

    fn with_types(types: &BTreeMap<SourceId, CType>, inputs: &[(SourceId, Bits)], covers_error: bool) -> TestCase {
        let signed = |width| CType::Integer { width, signed: true, name: "long long" };
        let typed = |&(source, bits): &(SourceId, Bits)| (types.get(&source).cloned().unwrap_or_else(|| signed(bits.width())), bits);
        TestCase { inputs: inputs.iter().map(typed).collect(), covers_error }
    }

    /// The text of the file.
    pub fn to_xml(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format \
             testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n",
        );
        text.push_str(if self.covers_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
        for (ctype, bits) in &self.inputs {
            let _ = match name(ctype) {
                Some(name) => writeln!(text, "  <input type=\"{name}\">{}</input>", value(ctype, *bits)),
                None => writeln!(text, "  <input>{}</input>", value(ctype, *bits)),
            };
        }
        text.push_str("</testcase>\n");
        text
    }
}

fn name(ctype: &CType) -> Option<&'static str> {
    match ctype {
        CType::Bool => Some("_Bool"),
        CType::Integer { name, .. } => Some(name),
        CType::Float { width: 32 } => Some("float"),
        CType::Float { width: 64 } => Some("double"),
        CType::Float { .. } => Some("long double"),
        _ => None,
    }
}

/// Numbers that C's input functions read back: decimal, floats with as many digits as they need.
fn value(ctype: &CType, bits: Bits) -> String {
    match ctype {
        CType::Integer { signed: true, .. } => bits.signed().to_string(),
        CType::Float { width: 32 } => format!("{:?}", f32::from_bits(bits.value() as u32)),
        CType::Float { .. } => float(bits).map_or("0".to_string(), |value| format!("{value:?}")),
        _ => bits.value().to_string(),
    }
}

/// The text of the metadata file.
pub fn metadata_xml(subject: &Task, producer: &Producer, entry: &str) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (file, hash) = subject.input_files.first().map_or((String::new(), String::new()), |f| (f.name.clone(), f.hash.clone()));
    let bits = if subject.model == DataModel::Ilp32 { 32 } else { 64 };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format \
         test-metadata 1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n  \
         <sourcecodelang>C</sourcecodelang>\n  <producer>{} {}</producer>\n  <specification>{}</specification>\n  \
         <programfile>{}</programfile>\n  <programhash>{hash}</programhash>\n  <entryfunction>{}</entryfunction>\n  \
         <architecture>{bits}bit</architecture>\n  <creationtime>{}</creationtime>\n</test-metadata>\n",
        escape(&producer.name),
        escape(&producer.version),
        escape(&subject.specification()),
        escape(&file),
        escape(entry),
        task::iso_time(producer.time),
    )
}

/// Writes test cases as they are found, so that a run that is cut short leaves what it has. An archive is written at
/// the end and whenever it is worth the work.
#[derive(Debug)]
pub struct SuiteWriter {
    place: PathBuf,
    /// The files so far, where an archive is written.
    archive: Option<Vec<(String, Vec<u8>)>>,
    count: usize,
}

impl SuiteWriter {
    /// Makes the folder (or the archive, if the name ends in `.zip`) with the metadata. Test cases of an earlier run
    /// are removed.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn create(place: &Path, metadata: &str) -> Result<SuiteWriter, Error> {
        let zipped = place.extension().is_some_and(|extension| extension == "zip");
        let mut writer = SuiteWriter { place: place.to_path_buf(), archive: zipped.then(Vec::new), count: 0 };
        if !zipped {
            std::fs::create_dir_all(place)?;
            for entry in std::fs::read_dir(place)?.flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with("testcase-") && name.ends_with(".xml") {
                    std::fs::remove_file(entry.path())?;
                }
            }
        }
        writer.put("metadata.xml", metadata)?;
        writer.flush()?;
        Ok(writer)
    }

    /// Adds a test case; gives its name.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn add(&mut self, case: &TestCase) -> Result<String, Error> {
        self.count += 1;
        let name = format!("testcase-{:04}.xml", self.count);
        self.put(&name, &case.to_xml())?;
        // The work of rewriting an archive doubles; so does the number of cases between.
        if self.count.is_power_of_two() {
            self.flush()?;
        }
        Ok(name)
    }

    /// How many tests were written.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Whether no test was written.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn put(&mut self, name: &str, text: &str) -> Result<(), Error> {
        match &mut self.archive {
            Some(files) => {
                files.push((name.to_string(), text.as_bytes().to_vec()));
                Ok(())
            }
            None => std::fs::write(self.place.join(name), text),
        }
    }

    /// Brings an archive up to date.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn flush(&self) -> Result<(), Error> {
        let Some(files) = &self.archive else { return Ok(()) };
        let bytes = zip::stored(files).ok_or_else(|| Error::new(ErrorKind::FileTooLarge, "too much for one archive"))?;
        std::fs::write(&self.place, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_numbers_of_their_type() {
        let int = |width, signed, name| CType::Integer { width, signed, name };
        let case = TestCase {
            inputs: vec![
                (int(32, true, "int"), Bits::new(32, u128::from(u32::MAX))),
                (int(8, false, "unsigned char"), Bits::new(8, 254)),
                (CType::Bool, Bits::new(8, 1)),
                (CType::Float { width: 32 }, Bits::new(32, u128::from(0.1f32.to_bits()))),
                (CType::Float { width: 64 }, Bits::new(64, u128::from(f64::NEG_INFINITY.to_bits()))),
                (CType::Pointer, Bits::new(64, 0)),
            ],
            covers_error: true,
        };
        let text = case.to_xml();
        let document = roxmltree::Document::parse_with_options(&text, roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() });
        let document = document.unwrap();
        assert_eq!(document.root_element().attribute("coversError"), Some("true"));
        let values: Vec<_> = document.descendants().filter(|n| n.has_tag_name("input")).map(|n| n.text().unwrap_or("")).collect();
        assert_eq!(values, ["-1", "254", "1", "0.1", "-inf", "0"]);
        let types: Vec<_> = document.descendants().filter(|n| n.has_tag_name("input")).map(|n| n.attribute("type")).collect();
        assert_eq!(types, [Some("int"), Some("unsigned char"), Some("_Bool"), Some("float"), Some("double"), None]);
    }
}
