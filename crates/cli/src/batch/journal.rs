//! What is finished, kept on disk line by line, so that a batch that was stopped goes on where it was.

use super::Finished;
use crate::errors::{Error, Fault};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal of a folder and reads what is in it: results by the key of their task.
    pub(crate) fn open(folder: &Path) -> Result<(Journal, BTreeMap<String, Finished>), Error> {
        let path = folder.join("journal.jsonl");
        let unwritable = |error: std::io::Error| Error::Fault(Fault::Unwritable { path: path.clone(), reason: error.to_string() });
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        let text = std::fs::read(&path).unwrap_or_default();
        let mut finished = BTreeMap::new();
        // The last line may be torn; anything that cannot be read is run again.
        for line in text.split(|&byte| byte == b'\n') {
            let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
            if let (Some(key), Some(result)) = (value["key"].as_str(), Finished::from_json(&value["result"])) {
                finished.insert(key.to_string(), result);
            }
        }
        let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(unwritable)?;
        if text.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(unwritable)?;
        }
        Ok((Journal { file, path }, finished))
    }

    /// Adds a line, with one call of the system.
    pub(crate) fn add(&mut self, key: &str, result: &Finished) -> Result<(), Error> {
        let line = format!("{}\n", json!({"key": key, "result": result.to_json()}));
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| Error::Fault(Fault::Unwritable { path: self.path.clone(), reason: error.to_string() }))
    }
}
