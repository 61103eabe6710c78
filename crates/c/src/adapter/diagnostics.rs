//! The library's positions and messages as ours.

use super::paste;
use assay_base::{Diagnostic, FileId, SourceMap, Span};
use rucc_diag::Severity;

/// Translates positions. The library counts bytes over all files of a unit; we name file, line and
/// column as they are in the file, whatever line markers say.
pub(super) struct Positions {
    map: rucc_diag::SourceMap,
    /// By the library's file ids.
    files: Vec<Option<FileId>>,
}

impl Positions {
    pub(super) fn new(map: rucc_diag::SourceMap) -> Self {
        Positions { map, files: Vec::new() }
    }

    /// Puts the unit's files into our source map, so that positions can be shown.
    pub(super) fn register(&mut self, sources: &mut SourceMap) {
        if !self.files.is_empty() {
            return;
        }
        for file in self.map.files() {
            // Files between angle brackets are the library's own, with its predefined macros.
            let id = (!file.name.starts_with('<')).then(|| {
                let known = sources.files.iter_ids().find(|(_, old)| old.name == file.name).map(|(id, _)| id);
                known.unwrap_or_else(|| sources.add(file.name.clone(), &paste::unmarked(file.bytes())))
            });
            self.files.push(id);
        }
    }

    pub(super) fn span(&self, span: rucc_diag::Span) -> Span {
        let Some(place) = self.map.lookup(span.lo) else { return Span::NONE };
        match self.files.get(place.file.index()) {
            Some(&Some(file)) => Span { file, line: place.line, column: place.column },
            _ => Span::NONE,
        }
    }

    /// Whether the message is about a definition that [`paste`] has kept from the library.
    fn is_marked(&self, span: rucc_diag::Span) -> bool {
        let Some(place) = self.map.lookup(span.lo) else { return false };
        let file = self.map.file(place.file);
        let at = usize::try_from(span.lo.saturating_sub(file.start)).unwrap_or(usize::MAX);
        paste::is_marked(file.bytes(), at)
    }

    /// The messages that matter, sorted by place; errors first name where the text came from if a
    /// line marker says so.
    pub(super) fn report(&mut self, messages: Vec<rucc_diag::Diagnostic>, sources: &mut SourceMap) -> Vec<Diagnostic> {
        self.register(sources);
        let mut report: Vec<Diagnostic> = Vec::new();
        for message in messages.iter().filter(|m| m.severity.is_fatal()) {
            let mut text = message.message.clone();
            if message.severity == Severity::Ice {
                text = format!("internal failure of the C library: {text}");
            }
            if message.message == "invalid preprocessing directive" && self.is_marked(message.span) {
                text = paste::MESSAGE.to_string();
            }
            if let (Some(real), Some(said)) = (self.map.lookup(message.span.lo), self.map.presumed(message.span.lo)) {
                let name = &self.map.file(real.file).name;
                if said.name != name || said.line != real.line {
                    text.push_str(&format!(" (line {} of {})", said.line, said.name));
                }
            }
            let mut diagnostic = Diagnostic::error(self.span(message.span), text);
            if let Some(child) = message.children.first() {
                // The folder of a file that was named without one is the current one.
                diagnostic = diagnostic.with_help(child.message.replace("searched: ,", "searched: .,"));
            }
            if !report.contains(&diagnostic) {
                report.push(diagnostic);
            }
        }
        report.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.line, diagnostic.span.column));
        report
    }
}

/// Errors that the compiler gives only as warnings, and after which the library's tree is whole.
pub(super) fn demote(messages: &mut [rucc_diag::Diagnostic]) {
    const WHOLE: [&str; 2] =
        ["pointer/integer type mismatch in conditional expression", "SSE instructions aren't allowed in an interrupt service routine"];
    for message in messages {
        if message.severity == Severity::Error && WHOLE.iter().any(|text| message.message.starts_with(text)) {
            message.severity = Severity::Warning;
        }
    }
}
