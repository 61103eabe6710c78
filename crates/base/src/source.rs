//! Source files and positions in them.

use crate::{IdVec, id_type};

id_type! {
    /// A source file of the run.
    pub struct FileId("file");
}

/// A position in a source file; line and column count from 1, and line 0 means "no position".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file; without a meaning where the line is 0.
    pub file: FileId,
    /// From 1; 0 if there is no position.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

impl Span {
    /// No position.
    pub const NONE: Span = Span { file: FileId(0), line: 0, column: 0 };

    /// Whether there is a position.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file.0, self.line, self.column)
    }
}

/// A file with its text, for diagnostics and annotated counterexamples.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user gave it, or a name such as that of a built-in model.
    pub name: String,
    /// The whole text, shared.
    pub text: std::sync::Arc<str>,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Finds the lines of the text.
    pub fn new(name: String, text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        SourceFile { name, line_starts: starts.collect(), text: text.into() }
    }
    /// The text of a line (from 1), without its line break.
    pub fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)? as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize);
        Some(self.text.get(start..end)?.trim_end_matches(['\n', '\r']))
    }
    /// Line and column (both from 1) of a byte offset.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&s| s <= offset);
        (line as u32, offset - self.line_starts[line - 1] + 1)
    }
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// By id.
    pub files: IdVec<FileId, SourceFile>,
}

impl SourceMap {
    /// Takes up a file.
    pub fn add(&mut self, name: impl Into<String>, text: &str) -> FileId {
        self.files.push(SourceFile::new(name.into(), text))
    }
    /// `name:line:column`, or `name` alone where there is no position.
    pub fn describe(&self, span: Span) -> String {
        match self.files.get(span.file) {
            Some(file) if span.is_known() => format!("{}:{}:{}", file.name, span.line, span.column),
            Some(file) => file.name.clone(),
            None => "unknown position".to_string(),
        }
    }
}
