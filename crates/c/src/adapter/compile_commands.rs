//! `compile_commands.json`: which files with which options.

use super::{DataModel, FrontEndError, Input, Options, Standard};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The C files of a compilation database, each with its include folders, macros and word size. A file
/// that is compiled twice is taken once, with the options of its first entry.
pub fn read_compile_commands(path: &Path, model: DataModel) -> Result<Vec<Input>, FrontEndError> {
    let bad = |reason: String| FrontEndError::BadCompileCommands { path: path.to_path_buf(), reason };
    let text =
        std::fs::read_to_string(path).map_err(|error| FrontEndError::Unreadable { path: path.to_path_buf(), reason: error.to_string() })?;
    let value: Value = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let entries = value.as_array().ok_or_else(|| bad("the top level is not an array".to_string()))?;
    let mut inputs: Vec<Input> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let file = text("file").ok_or_else(|| bad(format!("entry {index} has no \"file\"")))?;
        let directory = PathBuf::from(text("directory").unwrap_or("."));
        let directory = if directory.is_relative() { path.parent().unwrap_or(Path::new(".")).join(directory) } else { directory };
        let full = directory.join(file);
        if !matches!(full.extension().and_then(|e| e.to_str()), Some("c" | "i")) {
            continue;
        }
        let arguments: Vec<String> = match (entry.get("arguments").and_then(Value::as_array), text("command")) {
            (Some(list), _) => list.iter().filter_map(|v| v.as_str().map(String::from)).collect(),
            (None, Some(command)) => split_command(command),
            (None, None) => return Err(bad(format!("entry {index} has neither \"arguments\" nor \"command\""))),
        };
        if !inputs.iter().any(|old| old.path == full) {
            inputs.push(Input { path: full, options: options_of(&arguments, &directory, model) });
        }
    }
    Ok(inputs)
}

fn options_of(arguments: &[String], directory: &Path, model: DataModel) -> Options {
    let mut options = Options::new(model);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = |flag: &str| {
            let glued = argument.strip_prefix(flag)?;
            if glued.is_empty() { rest.next().cloned() } else { Some(glued.to_string()) }
        };
        if let Some(dir) = value("-isystem").or_else(|| value("-iquote")).or_else(|| value("-I")) {
            options.include_dirs.push(directory.join(dir));
        } else if let Some(define) = value("-D") {
            options.defines.push(define);
        } else if let Some(name) = value("-U") {
            options.undefines.push(name);
        } else if let Some(standard) = argument.strip_prefix("-std=").and_then(Standard::named) {
            options.standard = standard;
        } else if argument == "-m32" {
            options.model = DataModel::Ilp32;
        } else if argument == "-m64" {
            options.model = DataModel::Lp64;
        }
    }
    options
}

/// Splits a shell command as compilation databases write them: blanks, quotes, backslashes.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => {
                if let Some(next) = characters.next() {
                    word.get_or_insert_default().push(next);
                }
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_does() {
        let words = split_command(r#"cc -DNAME=\"x\" '-I a b' -c f.c"#);
        assert_eq!(words, ["cc", "-DNAME=\"x\"", "-I a b", "-c", "f.c"]);
    }

    #[test]
    fn options_are_taken_from_the_arguments() {
        let words: Vec<String> = split_command("cc -I inc -Dx=1 -Uy -m64 -O2 -std=gnu2x -c f.c");
        let options = options_of(&words, Path::new("/p"), DataModel::Ilp32);
        assert_eq!(options.model, DataModel::Lp64);
        assert_eq!(options.include_dirs, [PathBuf::from("/p/inc")]);
        assert_eq!(options.defines, ["x=1"]);
        assert_eq!(options.undefines, ["y"]);
        assert_eq!(Some(options.standard), Standard::named("c23"));
    }
}
