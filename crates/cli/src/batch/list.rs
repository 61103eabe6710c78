//! Where tasks come from: a table, a folder, a compilation database, or files.

use super::Task;
use crate::arguments::UsageError;
use crate::errors::{Error, Fault};
use assay_cfa::DataModel;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// So deep are folders looked through.
const MOST_LEVELS: usize = 64;

/// All tasks of the operands, in order; every name is there once.
pub(crate) fn read(operands: &[PathBuf], model: DataModel) -> Result<Vec<Task>, Error> {
    if operands.is_empty() {
        return Err(UsageError("no table, folder or compile_commands.json is given".to_string()).into());
    }
    let mut tasks = vec![];
    for operand in operands {
        let name = operand.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match operand.extension().and_then(|extension| extension.to_str()) {
            _ if operand.is_dir() => folder(operand, 0, &mut tasks)?,
            _ if name == "compile_commands.json" => database(operand, model, &mut tasks)?,
            Some("tsv") => table(operand, &mut tasks)?,
            Some("yml") => tasks.extend(definition(operand)?),
            Some("c" | "i" | "cfa") => tasks.push(Task { inputs: vec![operand.clone()], ..named(operand) }),
            _ => {
                let reason = "it is no table (.tsv), folder, compile_commands.json, task definition (.yml) or C file".to_string();
                return Err(Error::Fault(Fault::Unreadable { path: operand.clone(), reason }));
            }
        }
    }
    let mut seen = BTreeSet::new();
    tasks.retain(|task| seen.insert(task.id.clone()));
    if tasks.is_empty() {
        return Err(UsageError("there is no task: no C file, and no line of a table".to_string()).into());
    }
    Ok(tasks)
}

fn named(path: &Path) -> Task {
    Task {
        id: path.display().to_string(),
        category: String::new(),
        property: String::new(),
        expected: String::new(),
        subproperty: String::new(),
        inputs: vec![],
        options: vec![],
        refused: None,
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::Fault(Fault::Unreadable { path: path.to_path_buf(), reason: error.to_string() })
}

/// Every C file below; what a task definition names belongs to it.
fn folder(path: &Path, level: usize, tasks: &mut Vec<Task>) -> Result<(), Error> {
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(|error| unreadable(path, &error))?;
    let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    let mut taken = BTreeSet::new();
    for definition_file in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "yml")) {
        // Other files of the kind are no concern of ours.
        if let Ok(defined) = definition(definition_file) {
            taken.extend(defined.iter().flat_map(|task| task.inputs.clone()));
            tasks.extend(defined);
        }
    }
    for path in paths {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden && !path.is_symlink() && level < MOST_LEVELS {
            folder(&path, level + 1, tasks)?;
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") && !taken.contains(&path) {
            tasks.push(Task { inputs: vec![path.clone()], ..named(&path) });
        }
    }
    Ok(())
}

/// One task for each file of the database, with the options of its compiler.
fn database(path: &Path, model: DataModel, tasks: &mut Vec<Task>) -> Result<(), Error> {
    let malformed =
        |error: assay_c::adapter::FrontEndError| Error::Fault(Fault::Malformed { path: path.to_path_buf(), reason: error.to_string() });
    for unit in assay_c::adapter::read_compile_commands(path, model).map_err(malformed)? {
        let mut options = vec![("data-model".to_string(), unit.options.model.name().to_string())];
        options.push(("std".to_string(), unit.options.standard.name().to_string()));
        options.extend(unit.options.include_dirs.iter().map(|dir| ("include".to_string(), dir.display().to_string())));
        options.extend(unit.options.defines.iter().map(|define| ("define".to_string(), define.clone())));
        let refused =
            (!unit.options.undefines.is_empty()).then(|| "its command takes back macros (-U), which cannot be passed on".to_string());
        tasks.push(Task { inputs: vec![unit.path.clone()], options, refused, ..named(&unit.path) });
    }
    Ok(())
}

/// A table with a header: `task` (a C file or a task definition, beside the table), and where they are known
/// `property`, `expected_verdict`, `subproperty`, `architecture` (32 or 64) or `data_model`, `category`. Other columns
/// are passed over.
fn table(path: &Path, tasks: &mut Vec<Task>) -> Result<(), Error> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let malformed = |reason: String| Error::Fault(Fault::Malformed { path: path.to_path_buf(), reason });
    let root = path.parent().unwrap_or(Path::new(""));
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> = lines.next().map(|(_, line)| line.split('\t').collect()).unwrap_or_default();
    if !header.contains(&"task") {
        return Err(malformed("the first line names the columns, and `task` is not among them".to_string()));
    }
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let field =
            |name: &str| header.iter().position(|column| *column == name).and_then(|at| fields.get(at)).map_or("", |text| text.trim());
        if field("task").is_empty() {
            return Err(malformed(format!("line {} names no task", number + 1)));
        }
        let file = root.join(field("task"));
        let mut task = Task { id: field("task").to_string(), inputs: vec![file.clone()], ..named(&file) };
        if file.extension().is_some_and(|extension| extension == "yml") {
            task.inputs = inputs_of(&file, &std::fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?);
        }
        task.category = field("category").to_string();
        task.property = field("property").to_string();
        task.subproperty = field("subproperty").to_string();
        task.expected = field("expected_verdict").to_lowercase();
        if !["", "true", "false"].contains(&task.expected.as_str()) {
            return Err(malformed(format!("line {}: the expected verdict is `true` or `false`, not `{}`", number + 1, task.expected)));
        }
        let model = match (field("architecture"), field("data_model")) {
            ("32", _) | ("", "ILP32") => Some("ILP32"),
            ("64", _) | ("", "LP64") => Some("LP64"),
            ("", "") => None,
            (width, model) => return Err(malformed(format!("line {}: there is no data model `{width}{model}`", number + 1))),
        };
        task.options.extend(model.map(|model| ("data-model".to_string(), model.to_string())));
        if !task.property.is_empty() {
            task.id = format!("{}:{}", task.id, task.property);
            let places = [root.join("c/properties"), root.join("properties"), root.to_path_buf()];
            let file = places.iter().map(|place| place.join(format!("{}.prp", task.property))).find(|file| file.is_file());
            let value = file.map_or_else(|| task.property.clone(), |file| file.display().to_string());
            task.options.push(("property".to_string(), value));
        }
        tasks.push(task);
    }
    Ok(())
}

/// The tasks of a BenchExec definition: one for each property that has an expected verdict.
fn definition(path: &Path) -> Result<Vec<Task>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let inputs = inputs_of(path, &text);
    let malformed = |reason: &str| Error::Fault(Fault::Malformed { path: path.to_path_buf(), reason: reason.to_string() });
    if !text.contains("format_version") || inputs.is_empty() {
        return Err(malformed("it is no task definition: there is no format_version or no input_files"));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let value = |line: &str, key: &str| {
        let rest = line.trim().trim_start_matches("- ").strip_prefix(key)?.strip_prefix(':')?;
        Some(rest.trim().trim_matches(|c| c == '\'' || c == '"').to_string())
    };
    let model = text.lines().find_map(|line| value(line, "data_model"));
    let options: Vec<_> = model.iter().map(|model| ("data-model".to_string(), model.clone())).collect();
    let mut tasks: Vec<Task> = vec![];
    for line in text.lines() {
        if let Some(file) = value(line, "property_file") {
            let property = Path::new(&file).file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
            let mut options = options.clone();
            options.push(("property".to_string(), folder.join(&file).display().to_string()));
            tasks.push(Task { id: format!("{}:{property}", path.display()), property, inputs: inputs.clone(), options, ..named(path) });
        } else if let Some(task) = tasks.last_mut() {
            task.expected = value(line, "expected_verdict").unwrap_or(std::mem::take(&mut task.expected)).to_lowercase();
            task.subproperty = value(line, "subproperty").unwrap_or(std::mem::take(&mut task.subproperty));
        }
    }
    // Without a verdict there is nothing that a verifier can be asked (coverage is for test generators).
    tasks.retain(|task| ["true", "false"].contains(&task.expected.as_str()));
    Ok(tasks)
}

/// What `input_files` names: one file, a list in brackets, or a list of lines.
fn inputs_of(path: &Path, text: &str) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let clean = |name: &str| name.trim().trim_matches(|c| c == '\'' || c == '"').to_string();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("input_files:"));
    let first = clean(lines.next().unwrap_or_default().trim_start_matches("input_files:").trim().trim_matches(|c| c == '[' || c == ']'));
    let names: Vec<String> = if first.is_empty() {
        lines.map_while(|line| line.trim().strip_prefix("- ")).map(clean).collect()
    } else {
        first.split(',').map(clean).collect()
    };
    names.iter().filter(|name| !name.is_empty()).map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_files_have_three_forms() {
        for text in ["input_files: 'a.c'\n", "input_files: [\"a.c\"]\nx: y\n", "input_files:\n  - 'a.c'\nproperties:\n"] {
            assert_eq!(inputs_of(Path::new("d/t.yml"), text), [PathBuf::from("d/a.c")], "{text}");
        }
        assert_eq!(inputs_of(Path::new("t.yml"), "input_files: ['a.c', b.c]").len(), 2);
    }
}
