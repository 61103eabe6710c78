//! Sample sessions in the documents are real: every `$ assay …` in an indented block is run, and what follows must be
//! what it prints. `ASSAY_UPDATE=1 cargo test -p assay --test documents` writes the outputs anew. Other commands in the
//! blocks (`$ cc …`) are left as they are.

use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENTS: &[&str] = &["README.md", "docs/how-it-works.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command of the document prints, indented as a block. It runs beside copies of the examples, so that files it
/// writes are in nobody's way.
fn output(folder: &Path, arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    let result = command.args(arguments.split_whitespace()).current_dir(folder).output().expect("the command starts");
    let text = String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr);
    text.lines().map(|line| if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") }).collect()
}

/// The document with the outputs of today.
fn with_outputs(text: &str, folder: &Path) -> String {
    let mut result = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        result.push_str(line);
        result.push('\n');
        let Some(arguments) = line.strip_prefix("    $ assay ") else { continue };
        // The old output goes as far as the block does, or to the next command; empty lines may be part of it.
        let mut blank = 0;
        while let Some(next) = lines.peek() {
            if next.is_empty() {
                blank += 1;
            } else if next.starts_with("    ") && !next.starts_with("    $ ") {
                blank = 0;
            } else {
                break;
            }
            lines.next();
        }
        result.push_str(&output(folder, arguments));
        result.push_str(&"\n".repeat(blank));
    }
    result
}

/// Two walks of somebody new, of two steps each: from README to a page, and from there to the file.
#[test]
fn newcomers_find_their_way() {
    let walks = [
        (
            "where is it decided that a path is infeasible?",
            "docs/how-it-works.md",
            "crates/analyses/src/path_check.rs",
            "Decision::Infeasible",
        ),
        ("where is a refinement applied?", "docs/how-it-works.md", "crates/cpa/src/cegar.rs", "pub fn apply<"),
        ("where is decided what is tried next?", "docs/how-it-works.md", "crates/analyses/src/plan.rs", "pub(crate) fn plan("),
        ("where does a model of `strtok` go?", "docs/extending.md", "crates/c/src/models/table.txt", "strtok"),
        ("where does a domain go?", "docs/extending.md", "crates/analyses/src/domains.rs", "domains! {"),
        ("where does a domain become an analysis?", "docs/extending.md", "crates/analyses/src/menu.rs", "fn explore("),
        ("where does a property go?", "docs/extending.md", "crates/cfa/src/property.rs", "enum Property"),
    ];
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for (question, page, file, symbol) in walks {
        assert!(readme.contains(&format!("({page})")), "{question} README does not lead to {page}");
        assert!(std::fs::read_to_string(root().join(page)).unwrap().contains(file), "{question} {page} does not name {file}");
        let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{question} {page} names {file}: {error}"));
        assert!(text.contains(symbol), "{question} {file} has no `{symbol}`");
    }
}

/// The walks of the guide: each step names a file and what is in it, and no walk has more than five.
#[test]
fn walks_through_the_code_are_true() {
    let page = std::fs::read_to_string(root().join("docs/how-it-works.md")).unwrap();
    let walks = page.split("## Three walks through the code").nth(1).expect("the section");
    let mut steps = 0;
    for line in walks.lines() {
        let Some((number, rest)) = line.split_once(". `crates/") else { continue };
        assert!(number.trim().parse::<usize>().is_ok_and(|number| (1..=5).contains(&number)), "{line}");
        let mut quoted = rest.split('`');
        let file = format!("crates/{}", quoted.next().unwrap_or_default());
        let symbol = quoted.nth(1).unwrap_or_default();
        let text = std::fs::read_to_string(root().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(!symbol.is_empty() && text.contains(symbol), "{file} has no `{symbol}`");
        steps += 1;
    }
    assert_eq!((walks.matches("\n**").count(), steps), (3, 13));
}

/// Tables, code and generated pages aside.
#[test]
fn lines_have_at_most_120_columns() {
    let mut pages: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|page| root().join(page)).to_vec();
    pages.extend(std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let mut long = Vec::new();
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let mut fenced = false;
        for (number, line) in std::fs::read_to_string(page).unwrap().lines().enumerate() {
            fenced ^= line.trim_start().starts_with("```");
            let is_text = !fenced && !line.starts_with('|') && !line.starts_with("    ");
            if is_text && line.chars().count() > 120 {
                long.push(format!("{}:{}", page.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "lines of more than 120 columns: {}", long.join(", "));
}

/// Lines of comments in Rust, tables aside.
#[test]
fn comments_have_at_most_120_columns() {
    let mut long = Vec::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
                    let comment = line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!']).trim_start());
                    if comment.is_some_and(|text| !text.starts_with('|')) && line.chars().count() > 120 {
                        long.push(format!("{}:{}", path.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(long.is_empty(), "comments of more than 120 columns: {}", long.join(", "));
}

/// Whether a name fits a pattern with at most one star.
fn fits(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, after)) => name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after),
        None => name == pattern,
    }
}

/// Rows and pictures that no page speaks of would only grow old.
#[test]
fn every_measurement_is_named_by_a_page() {
    let results = root().join("benches/results");
    let files: Vec<PathBuf> = std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let pages: Vec<PathBuf> = files.iter().filter(|path| is_page(path)).cloned().chain([root().join("docs/portfolios.md")]).collect();
    let text: String = pages.iter().map(|page| std::fs::read_to_string(page).unwrap()).collect();
    let named: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || "`()[],;".contains(c)).map(|word| word.trim_end_matches('.')).collect();
    let named: Vec<&str> = named.into_iter().map(|word| word.rsplit('/').next().unwrap_or(word)).collect();
    let unnamed: Vec<String> = files
        .iter()
        .filter(|path| !is_page(path))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| !named.iter().any(|pattern| pattern.len() > 12 && fits(name, pattern)))
        .collect();
    assert!(unnamed.is_empty(), "no page in benches/results names {}", unnamed.join(", "));
}

#[test]
fn sample_outputs_are_what_the_commands_print() {
    let folder = std::env::temp_dir().join(format!("assay-documents-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("examples")).unwrap();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.join("examples").join(path.file_name().unwrap())).unwrap();
    }
    let mut old = Vec::new();
    for document in DOCUMENTS {
        let path = root().join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let today = with_outputs(&text, &folder);
        if std::env::var_os("ASSAY_UPDATE").is_some() {
            std::fs::write(&path, &today).unwrap();
        } else if let Some((number, (was, is))) = text.lines().zip(today.lines()).enumerate().find(|(_, (was, is))| was != is) {
            old.push(format!("{document}:{}: `{was}` is now `{is}`", number + 1));
        } else if text != today {
            old.push(format!("{document}: an output has another length"));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(old.is_empty(), "run ASSAY_UPDATE=1 cargo test -p assay --test documents:\n{}", old.join("\n"));
}

/// The page of checks has a row for each check, and says whether a run without a property makes it.
#[test]
fn the_page_of_checks_has_them_all() {
    let page = std::fs::read_to_string(root().join("docs/checks.md")).unwrap();
    let defaults: Vec<assay_cfa::Property> = assay_cfa::Property::defaults().collect();
    for target in assay_cfa::Target::ALL {
        let name = target.name();
        let Some(row) = page.lines().find(|line| line.starts_with("| `") && line.contains(&format!("`{name}`"))) else {
            assert!(["unreach-label", "termination", "no-data-race"].contains(&name), "docs/checks.md has no row for {name}");
            continue;
        };
        let Some(check) = assay_cfa::checks::Check::of(target) else { continue };
        let asked = if defaults.contains(&assay_cfa::Property::Never(target)) { "all" } else { "on request" };
        assert!(row.contains(&format!("| {asked} | {} | {} | {}", check.what, check.paragraph, check.sanitizer)), "not so: {row}");
    }
}
