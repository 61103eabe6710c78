//! What is said of seeded bugs: each program of `explanations/` has one, and the sentence of its violation stands
//! beside it. `ASSAY_UPDATE=1` writes the sentences anew.

use std::path::Path;
use std::process::Command;

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_assay")).current_dir(folder).args(arguments).output().expect("assay runs");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explanations")
}

#[test]
fn seeded_bugs_are_explained_in_one_sentence() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".c"))
        .collect();
    names.sort();
    assert!(names.len() >= 20);
    let (mut wrong, mut whole) = (vec![], 0);
    for name in names {
        let document = json(&folder(), &["verify", "--json", "--time-limit", "20s", "--max-violations", "1", &name]);
        let violation = &document["violations"][0];
        let part = |key: &str| violation[key].as_str().unwrap_or("nothing").to_string();
        let said = format!("{}: {}: {}\n", part("check"), part("place"), part("what"));
        let beside = folder().join(&name).with_extension("txt");
        if std::env::var_os("ASSAY_UPDATE").is_some() {
            std::fs::write(&beside, &said).expect("the sentence is written");
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        whole += usize::from(names_object_size_and_places(&said, &name));
        if said != expected {
            wrong.push(format!("{name}: said {said}expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join(""));
    // The others are about numbers and calls: there is no object.
    assert!(whole >= 20, "{whole} sentences name an object, a size and two places");
}

/// Whether a sentence has a number of bytes, and two places in the file.
fn names_object_size_and_places(said: &str, file: &str) -> bool {
    let sized = said.split_whitespace().zip(said.split_whitespace().skip(1));
    let sized = sized.filter(|(number, unit)| number.parse::<u64>().is_ok() && unit.starts_with("byte")).count();
    let mut places: Vec<&str> = said.split([' ', '(', ')', ',']).filter_map(|word| word.strip_prefix(file)?.strip_prefix(':')).collect();
    places.iter_mut().for_each(|place| *place = place.trim_end_matches(|c: char| !c.is_ascii_digit()));
    places.sort();
    places.dedup();
    sized >= 1 && places.len() >= 2
}

#[test]
fn without_a_property_everything_is_checked_and_every_place_is_listed() {
    let path = std::env::temp_dir().join(format!("assay-all-{}.c", std::process::id()));
    let text = "extern int f(void);\nint main(void) {\n  int a[2] = {1, 2}, x = f();\n  if (x == 7)\n    return a[x];\n  if (x == 9)\n    \
                return 10 / (x - 9);\n  return x + 1;\n}\n";
    std::fs::write(&path, text).expect("a file");
    let file = path.to_string_lossy().into_owned();
    let document = json(&folder(), &["verify", "--json", "--time-limit", "30s", &file]);
    let mut found: Vec<String> =
        document["violations"].as_array().into_iter().flatten().filter_map(|one| one["check"].as_str().map(String::from)).collect();
    found.sort();
    assert_eq!(found, ["no-division-by-zero", "no-overflow", "valid-deref"], "{document:#}");
    assert_eq!(document["checks"]["open"].as_array().map(Vec::len), Some(0), "{document:#}");
    // Two properties, of which one holds.
    let document = json(&folder(), &["verify", "--json", "-p", "no-invalid-shift", "-p", "valid-memsafety", &file]);
    assert_eq!(document["violated"].as_str(), Some("valid-deref"));
    // Nothing to check, and a function that is not there: it may have what to check.
    let document = json(&folder(), &["verify", "--json", "-p", "no-invalid-shift", &file]);
    assert_eq!(document["verdict"].as_str(), Some("unknown"));
    let _ = std::fs::remove_file(&path);
}
