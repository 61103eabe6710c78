//! The checks before a commit: format, the subject of the message, lines of documents and comments.

use std::path::Path;
use std::process::Command;

/// How long the subject of a commit may be.
const SUBJECT: usize = 72;
/// How long a line of a document or comment may be.
const LINE: usize = 120;

const SCRIPT: &str = "#!/bin/sh\n# Installed by `cargo xtask hook`.\nexec cargo xtask commit-check \"$1\"\n";

/// Puts the hook into this clone.
pub(crate) fn install() -> bool {
    let said = Command::new("git").args(["rev-parse", "--git-path", "hooks"]).current_dir(crate::root()).output();
    let Some(folder) = said.ok().filter(|said| said.status.success()).and_then(|said| String::from_utf8(said.stdout).ok()) else {
        eprintln!("this is no git clone");
        return false;
    };
    let file = crate::root().join(folder.trim()).join("commit-msg");
    let written = std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).and_then(|()| std::fs::write(&file, SCRIPT));
    if let Err(error) = written {
        eprintln!("{}: {error}", file.display());
        return false;
    }
    println!("installed: {}", file.display());
    crate::run("chmod", &["+x", &file.display().to_string()], &[])
}

/// What is wrong with a message.
fn complaints_about_message(message: &str) -> Vec<String> {
    let mut lines = message.lines().filter(|line| !line.starts_with('#'));
    let subject = lines.next().unwrap_or_default();
    let mut found = vec![];
    if subject.is_empty() {
        found.push("the message has no subject".to_string());
    }
    if subject.chars().count() > SUBJECT {
        found.push(format!("the subject has {} columns, at most {SUBJECT} are shown everywhere", subject.chars().count()));
    }
    if lines.next().is_some_and(|line| !line.is_empty()) {
        found.push("an empty line is missing below the subject".to_string());
    }
    found
}

/// The lines that are too long, of what counts in a file: all of a document, the comments of code.
fn long_lines(name: &str, text: &str) -> Vec<String> {
    let document = name.ends_with(".md");
    let is_prose = |line: &str| match line.trim_start() {
        line if document => !line.starts_with('|') && !line.contains("](") && !line.contains("http"),
        line => line.starts_with("//") && !line.trim_start_matches(['/', '!', ' ']).starts_with('|'),
    };
    let long = text.lines().enumerate().filter(|(_, line)| is_prose(line) && line.chars().count() > LINE);
    long.map(|(number, line)| format!("{name}:{}: {} columns, at most {LINE}", number + 1, line.chars().count())).collect()
}

/// Checks what is about to be committed.
pub(crate) fn check(message: &Path) -> bool {
    let mut complaints = match std::fs::read_to_string(message) {
        Ok(text) => complaints_about_message(&text),
        Err(error) => vec![format!("{}: {error}", message.display())],
    };
    let staged = Command::new("git").args(["diff", "--cached", "--name-only", "--diff-filter=d"]).current_dir(crate::root()).output();
    let staged = staged.map(|said| String::from_utf8_lossy(&said.stdout).to_string()).unwrap_or_default();
    for name in staged.lines().filter(|name| name.ends_with(".rs") || name.ends_with(".md")) {
        if let Ok(text) = std::fs::read_to_string(crate::root().join(name)) {
            complaints.extend(long_lines(name, &text));
        }
    }
    complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    let formatted = crate::run("cargo", &["fmt", "--all", "--check"], &[]);
    if !formatted {
        eprintln!("the code is not formatted: cargo fmt --all");
    }
    complaints.is_empty() && formatted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_a_short_subject_and_an_empty_line() {
        assert!(complaints_about_message("A short one\n\nThe reason.\n").is_empty());
        assert_eq!(complaints_about_message(&format!("{}\n", "x".repeat(73))).len(), 1);
        assert_eq!(complaints_about_message("One\ntwo\n").len(), 1);
        assert_eq!(complaints_about_message("").len(), 1);
    }

    #[test]
    fn long_lines_count_in_prose_only() {
        let long = "y".repeat(121);
        assert_eq!(long_lines("a.md", &long).len(), 1);
        assert_eq!(long_lines("a.rs", &format!("// {long}")).len(), 1);
        assert!(long_lines("a.rs", &format!("let x = \"{long}\";")).is_empty());
        assert!(long_lines("a.md", &format!("| {long} |")).is_empty());
    }
}
