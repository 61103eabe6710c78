//! Diagnostics as data, rendered with the source line and a caret.

use crate::{SourceMap, Span};

/// How bad it is; the greater, the worse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// Explains another diagnostic.
    Note,
    /// The run goes on.
    Warning,
    /// The input cannot be used.
    Error,
}

/// One message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Whether the run can go on.
    pub severity: Severity,
    /// Where in the sources, or [`Span::NONE`].
    pub span: Span,
    /// One sentence, without a full stop.
    pub message: String,
    /// The exit, where there is one.
    pub help: Option<String>,
}

impl Diagnostic {
    /// What keeps the input from being used.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, span, message: message.into(), help: None }
    }
    /// What the user should know although the run goes on.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, span, message: message.into(), help: None }
    }
    /// Adds what the user can do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
    /// The message as compilers print it: place, text, source line, caret.
    pub fn render(&self, sources: &SourceMap) -> String {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let mut text = format!("{}: {severity}: {}", sources.describe(self.span), self.message);
        if let Some(line) = sources.files.get(self.span.file).and_then(|f| f.line(self.span.line)) {
            // Very long lines (generated programs) are cut around the place of the message.
            let column = (self.span.column.max(1) - 1) as usize;
            let characters: Vec<char> = line.chars().collect();
            let first = column.saturating_sub(60).min(characters.len());
            let shown: String = characters[first..].iter().take(120).map(|&c| if c == '\t' { ' ' } else { c }).collect();
            text.push_str(&format!("\n{:>5} | {shown}\n      | {}^", self.span.line, " ".repeat(column - first.min(column))));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("\n  help: {help}"));
        }
        text
    }
}
