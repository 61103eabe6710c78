//! The files that a task is made of, found by reading `#include` lines: what the key of a result depends on, and what a
//! worker elsewhere needs.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Component, Path, PathBuf};

/// So many files belong to a program at most; one that has more is not worth the search.
const MOST_FILES: usize = 10_000;
/// Headers of the system: they stay where they are, and are only compared.
const SYSTEM: [&str; 5] = [
    "/usr/local/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include/aarch64-linux-gnu",
    "/usr/include/i386-linux-gnu",
    "/usr/include",
];

/// Content by absolute path, without `.` and `..`.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The files and all that they may include, whatever `#if` says: more than needed, never less, but for names that
/// macros make.
pub(crate) fn closure(inputs: &[PathBuf], include: &[PathBuf]) -> std::io::Result<Files> {
    let mut files = Files::new();
    let mut open: VecDeque<PathBuf> = VecDeque::new();
    for input in inputs {
        open.push_back(absolute(input)?);
    }
    let include: Vec<PathBuf> = include.iter().map(|dir| absolute(dir)).collect::<Result<_, _>>()?;
    let required = open.len();
    let mut count = 0;
    while let Some(path) = open.pop_front() {
        count += 1;
        if files.contains_key(&path) || files.len() >= MOST_FILES {
            continue;
        }
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if count <= required => return Err(std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
            Err(_) => continue,
        };
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        for name in included(&text) {
            let system = SYSTEM.iter().map(PathBuf::from);
            let places = std::iter::once(folder.clone()).chain(include.iter().cloned()).chain(system);
            // All that have the name: which of them is meant depends on the form of the line.
            for place in places.filter(|place| place.join(name).is_file()) {
                open.push_back(normal(&place.join(name)));
            }
        }
        files.insert(path, text);
    }
    Ok(files)
}

/// Whether a file belongs to the system, and not to the program.
pub(crate) fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// The C files in a folder.
pub(crate) fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.sort();
    files
}

/// The path from the root of the file system, without `.` and `..`.
pub(crate) fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    Ok(normal(&std::path::absolute(path)?))
}

fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// The names in `#include "name"`, `#include <name>` and `#include_next`.
fn included(text: &[u8]) -> Vec<&str> {
    let mut names = vec![];
    for line in text.split(|&byte| byte == b'\n') {
        let Some(line) = line.trim_ascii_start().strip_prefix(b"#") else { continue };
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"include") else { continue };
        let rest = rest.strip_prefix(b"_next").unwrap_or(rest).trim_ascii_start();
        let Some((&open, rest)) = rest.split_first() else { continue };
        let close = match open {
            b'"' => b'"',
            b'<' => b'>',
            _ => continue,
        };
        let name = rest.split(|&byte| byte == close).next().and_then(|name| std::str::from_utf8(name).ok());
        names.extend(name.filter(|name| !name.is_empty() && name.len() < 4096));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_found_in_all_forms() {
        let text = b"#include \"a.h\"\n  # include <b/c.h> /* x */\n#include_next <d.h>\n#include MACRO\n// #include\nint x;\n#include";
        assert_eq!(included(text), ["a.h", "b/c.h", "d.h"]);
        assert_eq!(normal(Path::new("/a/./b/../c.h")), PathBuf::from("/a/c.h"));
    }
}
