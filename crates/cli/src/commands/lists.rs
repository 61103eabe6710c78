//! The commands that only print something known: help, completions, presets.

use crate::arguments::{Arguments, UsageError};
use crate::errors::Error;
use crate::options::COMMANDS;
use crate::{completions, help, print};

/// `assay help [COMMAND]`.
pub fn help(arguments: &Arguments) -> Result<i32, Error> {
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
pub fn completions(arguments: &Arguments) -> Result<i32, Error> {
    let shell = operand(arguments)?.unwrap_or_default();
    let script = completions::script(&shell);
    print(&script.ok_or_else(|| UsageError("name a shell: bash, zsh or fish".to_string()))?);
    Ok(0)
}

/// `assay configs [NAME]`.
pub fn configs(arguments: &Arguments) -> Result<i32, Error> {
    operand(arguments)?;
    Ok(0)
}

/// The one operand that these commands take.
fn operand(arguments: &Arguments) -> Result<Option<String>, UsageError> {
    match arguments.operands.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.to_string_lossy().into_owned())),
        [_, second, ..] => Err(UsageError(format!("`{}` is one word too many", second.display()))),
    }
}
