//! The configuration reference `docs/configuration.md`, made from the option table. A test keeps the file up to date.

use crate::options::{COMMANDS, options};

/// The whole page.
pub(crate) fn page() -> String {
    let mut text = String::from(
        "# Commands and options\n\n\
         This page is made from the option table (`crates/cli/src/options.rs`); do not edit it. To make it anew:\n\
         `ASSAY_UPDATE=1 cargo test -p assay reference`.\n\n## Commands\n\n| command | what it does |\n|---|---|\n",
    );
    for spec in COMMANDS {
        let operands = if spec.operands.is_empty() { String::new() } else { format!(" {}", spec.operands.replace('|', "\\|")) };
        text.push_str(&format!("| `assay {}{operands}` | {} |\n", spec.name, spec.summary));
    }
    text.push_str("\n## Options\n\n| option | value | default | commands | meaning |\n|---|---|---|---|---|\n");
    for option in options() {
        let short = option.short.map_or(String::new(), |s| format!("`-{s}`, "));
        let value = option.value_name().map_or(String::new(), |name| format!("`{}`", name.replace('|', "\\|")));
        let everywhere = option.commands.len() == COMMANDS.len();
        let commands: Vec<&str> = COMMANDS.iter().filter(|c| option.commands.contains(&c.command)).map(|c| c.name).collect();
        let commands = if everywhere { "all".to_string() } else { commands.join(", ") };
        let repeated = if option.repeated { " (may be repeated)" } else { "" };
        text.push_str(&format!(
            "| {short}`--{}` | {value} | {} | {commands} | {}{repeated} |\n",
            option.name,
            option.default,
            option.help.replace('|', "\\|")
        ));
    }
    text.push_str(
        "\n## Configuration keys\n\nThe keys of configuration files (`--config FILE`, flat TOML; `preset = \"name\"` begins with a preset) and \
         of\n`--set KEY=VALUE`.\n",
    );
    let mut group = "";
    for option in assay_analyses::OPTIONS {
        if option.group != group {
            group = option.group;
            text.push_str(&format!("\n### Keys: {group}\n\n| key | default | values | meaning |\n|---|---|---|---|\n"));
        }
        let values = (option.values)().replace('|', "\\|");
        text.push_str(&format!("| `{}` | `{}` | {values} | {} |\n", option.key, option.default, option.help));
    }
    text.push_str("\n## Presets\n\n| name | what it is for |\n|---|---|\n");
    for preset in assay_driver::choice::built_in() {
        text.push_str(&format!("| `{}` | {} |\n", preset.name, preset.description));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_reference_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let page = super::page();
        if std::env::var_os("ASSAY_UPDATE").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let stored = std::fs::read_to_string(path).unwrap_or_default();
        assert!(stored == page, "docs/configuration.md is old: run ASSAY_UPDATE=1 cargo test -p assay reference");
    }
}
