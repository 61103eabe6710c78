//! Shell completion scripts, made from the option table.

use crate::options::{COMMANDS, CommandSpec, Kind, OptionSpec, options_of};

/// The script for a shell, or `None` if the shell is not known.
pub(crate) fn script(shell: &str) -> Option<String> {
    match shell {
        "bash" => Some(bash()),
        "zsh" => Some(zsh()),
        "fish" => Some(fish()),
        _ => None,
    }
}

fn words_of(spec: &CommandSpec) -> Vec<String> {
    options_of(spec.command).flat_map(|o| o.short.map(|s| format!("-{s}")).into_iter().chain([format!("--{}", o.name)])).collect()
}

fn bash() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|c| c.name).collect();
    let mut text = String::from("# Completion of assay for bash: source this file.\n_assay() {\n");
    text.push_str("  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n");
    text.push_str(&format!(
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '{}' -- \"$word\")); return; fi\n",
        names.join(" ")
    ));
    text.push_str("  case $previous in\n");
    for option in crate::options::options() {
        let pattern = option.short.map_or(format!("--{}", option.name), |s| format!("-{s}|--{}", option.name));
        match option.kind {
            Kind::Choice(words) => {
                text.push_str(&format!("    {pattern}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return;;\n", words.join(" ")));
            }
            Kind::Directory => text.push_str(&format!("    {pattern}) COMPREPLY=($(compgen -d -- \"$word\")); return;;\n")),
            Kind::Flag => {}
            _ => text.push_str(&format!("    {pattern}) COMPREPLY=($(compgen -f -- \"$word\")); return;;\n")),
        }
    }
    text.push_str("  esac\n  case $word in\n    -*)\n      case $command in\n");
    for spec in COMMANDS {
        text.push_str(&format!("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return;;\n", spec.name, words_of(spec).join(" ")));
    }
    text.push_str("      esac;;\n  esac\n");
    text.push_str("  if [ \"$command\" = completions ]; then COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")); return; fi\n");
    text.push_str(&format!(
        "  if [ \"$command\" = help ]; then COMPREPLY=($(compgen -W '{}' -- \"$word\")); return; fi\n",
        names.join(" ")
    ));
    text.push_str("  COMPREPLY=($(compgen -f -- \"$word\"))\n}\ncomplete -o filenames -F _assay assay\n");
    text
}

/// Text inside single quotes, for zsh and fish.
fn quoted(text: &str) -> String {
    text.replace('\'', "'\\''")
}

fn zsh() -> String {
    let mut text = String::from("#compdef assay\n# Completion of assay for zsh: put it into a folder of $fpath as _assay.\n_assay() {\n");
    text.push_str("  local -a commands\n  commands=(\n");
    for spec in COMMANDS {
        text.push_str(&format!("    '{}:{}'\n", spec.name, quoted(spec.summary)));
    }
    text.push_str("  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  case $words[2] in\n");
    for spec in COMMANDS {
        text.push_str(&format!("    {})\n      _arguments", spec.name));
        for option in options_of(spec.command) {
            text.push_str(&format!(" \\\n        {}", zsh_option(option)));
        }
        let operands = match spec.name {
            "completions" => "'2:shell:(bash zsh fish)'".to_string(),
            "help" => format!("'2:command:({})'", COMMANDS.iter().map(|c| c.name).collect::<Vec<_>>().join(" ")),
            _ => "'*:file:_files'".to_string(),
        };
        text.push_str(&format!(" \\\n        {operands};;\n"));
    }
    text.push_str("  esac\n}\n_assay \"$@\"\n");
    text
}

fn zsh_option(option: &OptionSpec) -> String {
    let help: String = quoted(option.help).replace('[', "(").replace(']', ")").replace(':', " -");
    let value = match option.kind {
        Kind::Flag => String::new(),
        Kind::Choice(words) => format!(":value:({})", words.join(" ")),
        Kind::Directory => ":folder:_files -/".to_string(),
        Kind::File | Kind::Text(_) => ":value:_files".to_string(),
        _ => ":value:".to_string(),
    };
    let star = if option.repeated { "*" } else { "" };
    format!("'{star}--{}[{help}]{value}'", option.name)
}

fn fish() -> String {
    let mut text = String::from("# Completion of assay for fish: put it into ~/.config/fish/completions/assay.fish.\n");
    for spec in COMMANDS {
        text.push_str(&format!("complete -c assay -n __fish_use_subcommand -f -a {} -d '{}'\n", spec.name, quoted(spec.summary)));
    }
    text.push_str("complete -c assay -n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'\n");
    for option in crate::options::options() {
        let commands: Vec<&str> = COMMANDS.iter().filter(|c| option.commands.contains(&c.command)).map(|c| c.name).collect();
        let short = option.short.map_or(String::new(), |s| format!(" -s {s}"));
        let value = match option.kind {
            Kind::Flag => String::new(),
            Kind::Choice(words) => format!(" -x -a '{}'", words.join(" ")),
            _ => " -r".to_string(),
        };
        text.push_str(&format!(
            "complete -c assay -n '__fish_seen_subcommand_from {}'{short} -l {}{value} -d '{}'\n",
            commands.join(" "),
            option.name,
            quoted(option.help)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_completed_in_every_shell() {
        for shell in ["bash", "zsh", "fish"] {
            let script = script(shell).unwrap();
            for option in crate::options::options() {
                assert!(script.contains(option.name), "{shell} lacks {}", option.name);
            }
        }
        assert_eq!(script("csh"), None);
    }
}
