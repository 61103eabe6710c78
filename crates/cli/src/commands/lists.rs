//! The commands that only print something known: help, completions, presets, solvers.

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use crate::options::COMMANDS;
use crate::{completions, help, print};
use assay_analyses::Domains;
use assay_driver::choice::{BuiltIn, DEFAULT_PRESET, built_in};
use serde_json::json;

/// `assay help [COMMAND]`.
pub(crate) fn help(arguments: &Arguments) -> Result<i32, Error> {
    let text = match operand(arguments)? {
        None => help::overview(),
        Some(name) => {
            let spec = COMMANDS.iter().find(|spec| spec.name == name);
            let spec = spec.ok_or_else(|| UsageError(format!("there is no command `{name}`; see `assay help`")))?;
            help::command(spec.command)
        }
    };
    print(&text);
    Ok(0)
}

/// `assay completions SHELL`.
pub(crate) fn completions(arguments: &Arguments) -> Result<i32, Error> {
    let shell = operand(arguments)?.unwrap_or_default();
    let script = completions::script(&shell);
    print(&script.ok_or_else(|| UsageError("name a shell: bash, zsh or fish".to_string()))?);
    Ok(0)
}

/// `assay configs [NAME]`.
pub(crate) fn configs(arguments: &Arguments) -> Result<i32, Error> {
    let text = match operand(arguments)? {
        Some(name) => match built_in().into_iter().find(|entry| entry.name == assay_analyses::current_name(&name)) {
            Some(entry) => entry.text.to_string(),
            None => return Err(UsageError(format!("there is no preset `{name}`; `assay configs` lists them")).into()),
        },
        None if arguments.flag("json") => {
            let list: Vec<_> = built_in().iter().map(|entry| json!({"name": entry.name, "description": entry.description})).collect();
            format!("{:#}\n", json!(list))
        }
        None => {
            let line = |entry: &BuiltIn| {
                let mark = if entry.name == DEFAULT_PRESET { " (default)" } else { "" };
                format!("{:<27} {}{mark}\n", entry.name, entry.description)
            };
            let presets: String = built_in().iter().map(line).collect();
            let products: String = Domains::products().iter().map(|product| format!("  {product}\n")).collect();
            format!("{presets}\nproducts of domains, for the key `domain` of a file, or --set domain=PRODUCT:\n{products}")
        }
    };
    print(&text);
    Ok(0)
}

/// `assay solvers`.
pub(crate) fn solvers(arguments: &Arguments) -> Result<i32, Error> {
    if let Some(word) = operand(arguments)? {
        return Err(UsageError(format!("`{word}` is one word too many")).into());
    }
    if let Some(folder) = arguments.path("replay") {
        return super::replay::run(arguments, &folder);
    }
    let given = [
        ("solver", arguments.text("solver").is_some()),
        ("query-time", arguments.duration("query-time").is_some()),
        ("no-chain", arguments.flag("no-chain")),
    ];
    for (option, given) in given {
        if given {
            return Err(UsageError(format!("--{option} goes with --replay")).into());
        }
    }
    let mut lines = String::new();
    let mut list = Vec::new();
    for solver in assay_smt::list_backends() {
        match &solver.found {
            Ok(description) => {
                let abilities = abilities(description.abilities);
                lines.push_str(&format!("{:<18} {:<10} {}", solver.name, description.version, abilities.join(", ")));
                lines.push_str(&if description.location.is_empty() { "\n".to_string() } else { format!("  ({})\n", description.location) });
                list.push(json!({
                    "name": solver.name, "found": true, "version": description.version, "location": description.location, "abilities": abilities,
                }));
            }
            Err(help) => {
                lines.push_str(&format!("{:<18} not found: {help}\n", solver.name));
                list.push(json!({"name": solver.name, "found": false, "help": help}));
            }
        }
    }
    print(&if arguments.flag("json") { format!("{:#}\n", json!(list)) } else { lines });
    Ok(0)
}

fn abilities(abilities: assay_smt::Abilities) -> Vec<&'static str> {
    let all = [
        (abilities.floats, "floats"),
        (abilities.arrays, "arrays"),
        (abilities.functions, "functions"),
        (abilities.integers, "integers"),
        (abilities.incremental, "incremental"),
        (abilities.cores, "cores"),
        (abilities.interpolants, "interpolants"),
    ];
    all.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect()
}

/// The one operand that these commands take.
fn operand(arguments: &Arguments) -> Result<Option<String>, UsageError> {
    match arguments.operands.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.to_string_lossy().into_owned())),
        [_, second, ..] => Err(UsageError(format!("`{}` is one word too many", second.display()))),
    }
}
