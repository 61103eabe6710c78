//! The table of the library in `docs/c-semantics.md`, made from `table.txt`: for each header the functions of each
//! meaning.

use super::table::TABLE;

const START: &str = "<!-- The table below is made from crates/c/src/models/table.txt: ASSAY_UPDATE=1 cargo test -p assay-c documents -->";

fn class(meaning: &str) -> &'static str {
    match meaning.split([' ', ':']).next().unwrap_or_default() {
        "exact" | "float" => "exact",
        "partly" => "exact in part, enclosed elsewhere",
        "unknown" => "unknown effects",
        "op" if meaning.starts_with("op:thread") && !meaning.contains("threaded:") || meaning.starts_with("op:jump") => "unsupported",
        "op" => "exact",
        _ => "contract",
    }
}

fn documentation() -> String {
    let mut sections: Vec<(String, Vec<(&str, Vec<&str>)>)> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            sections.push((header.trim_end_matches(']').replace(['<', '>'], "`"), vec![]));
            continue;
        }
        let (name, rest) = line.split_once(' ').expect("a line has a name");
        let meaning = rest.trim_start().split_once(' ').map_or("", |(_, meaning)| meaning.trim());
        let rows = &mut sections.last_mut().expect("a line is below a header").1;
        match rows.iter_mut().find(|row| row.0 == meaning) {
            Some(row) => row.1.push(name),
            None => rows.push((meaning, vec![name])),
        }
    }
    let mut text = format!("{START}\n");
    for (header, rows) in sections {
        text.push_str(&format!("\n### {header}\n\n| functions | class | meaning |\n|---|---|---|\n"));
        for (meaning, names) in rows {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            text.push_str(&format!("| {} | {} | `{meaning}` |\n", names.join(" "), class(meaning)));
        }
    }
    text
}

#[test]
fn documents_have_the_table() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c-semantics.md");
    let text = std::fs::read_to_string(&path).expect("docs/c-semantics.md is there");
    let before = text.split(START).next().unwrap_or_default();
    let wanted = format!("{before}{}", documentation());
    if std::env::var_os("ASSAY_UPDATE").is_some() {
        std::fs::write(&path, &wanted).expect("docs/c-semantics.md can be written");
    }
    assert!(text == wanted || std::env::var_os("ASSAY_UPDATE").is_some(), "docs/c-semantics.md is out of date: run with ASSAY_UPDATE=1");
}
