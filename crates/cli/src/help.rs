//! Help texts, made from the option table.

use crate::options::{COMMANDS, Command, options_of, spec_of};

const WIDTH: usize = 100;

/// The text of `assay help`.
pub(crate) fn overview() -> String {
    let mut text = format!("assay {}: a configurable verifier for C programs\n\n", env!("CARGO_PKG_VERSION"));
    text.push_str("usage: assay COMMAND [OPTION]... [FILE]...\n\ncommands:\n");
    for spec in COMMANDS {
        text.push_str(&format!("  {:<13}{}\n", spec.name, spec.summary));
    }
    text.push_str("\n`assay help COMMAND` describes a command and its options.\n");
    text.push_str(
        "Exit status: 0 true (or success), 10 false, 20 unknown; 2 bad command line, 3 bad input, 4 output not written, 5 defect, 6 no cluster.\n",
    );
    text
}

/// The text of `assay help COMMAND`.
pub(crate) fn command(command: Command) -> String {
    let spec = spec_of(command);
    let mut text = format!("assay {}: {}\n\nusage: assay {} [OPTION]... {}\n", spec.name, spec.summary, spec.name, spec.operands);
    if !spec.details.is_empty() {
        text.push('\n');
        for line in wrap(spec.details, WIDTH) {
            text.push_str(&format!("{line}\n"));
        }
    }
    text.push_str("\noptions:\n");
    for option in options_of(command) {
        let short = option.short.map_or("    ".to_string(), |s| format!("-{s}, "));
        let value = option.value_name().map_or(String::new(), |name| format!(" {name}"));
        text.push_str(&format!("  {short}--{}{value}\n", option.name));
        let mut help = option.help.to_string();
        if option.repeated {
            help.push_str(" (may be repeated)");
        }
        if !option.default.is_empty() {
            help.push_str(&format!(" [default: {}]", option.default));
        }
        for line in wrap(&help, WIDTH - 10) {
            text.push_str(&format!("          {line}\n"));
        }
    }
    text
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}
