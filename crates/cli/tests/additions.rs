//! How many places an addition touches. Toys are added to a copy of the tree, and the files that change are counted:
//! the floors here are those of the table in `docs/extending.md`. An ignored test builds the copy and uses every toy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An edit of the tree.
enum Edit {
    /// A new file with this content.
    Create(&'static str, &'static str),
    /// Text before the one place in a file that reads so.
    Before(&'static str, &'static str, &'static str),
}

/// What is added, how the table of the guide calls it, and how many files it may touch.
struct Addition {
    what: &'static str,
    places: usize,
    edits: &'static [Edit],
}

const ADDITIONS: &[Addition] = &[
    Addition {
        what: "a preset",
        places: 1,
        edits: &[Edit::Create("crates/analyses/presets/toy.toml", "description = \"a toy\"\npreset = \"value-cegar\"\n")],
    },
    Addition {
        what: "an option or configuration key",
        places: 1,
        edits: &[Edit::Before(
            "crates/analyses/src/options.rs",
            "        \"solver-time\" solver_time: Duration",
            "        \"toy\" toy: bool = \"false\", FLAG,\n            \"a toy\";\n",
        )],
    },
    Addition {
        what: "a property",
        places: 2,
        edits: &[
            Edit::Before("crates/cfa/src/property.rs", "    /// Every run ends.\n    Termination,", "    /// A toy.\n    NoToy,\n"),
            Edit::Before(
                "crates/cfa/src/property.rs",
                "    row(Property::Termination, ",
                "    row(Property::NoToy, \"no-toy\", &[\"G ! toy\"], &[Target::UnreachCall]),\n",
            ),
            Edit::Before(
                "crates/passes/src/property.rs",
                "            Property::UnreachLabel { label } => end_in_marks(",
                "            Property::NoToy => end_in_calls(&mut strip, &marks.places, \"toy\"),\n",
            ),
        ],
    },
    Addition {
        what: "a format of evidence",
        places: 2,
        edits: &[
            Edit::Before(
                "crates/results/src/formats.rs",
                "    Format { name: \"report\",",
                "    Format { name: \"toy\", short: None, help: \"write a toy\", render: toy::toy },\n",
            ),
            Edit::Before("crates/results/src/formats.rs", "use crate::{", "#[path = \"toy.rs\"]\nmod toy;\n\n"),
            Edit::Create(
                "crates/results/src/toy.rs",
                "//! A toy.\n\nuse crate::Report;\nuse std::path::Path;\n\npub(crate) fn toy(report: &Report, _: &Path) -> Option<String> {\n    \
                 Some(format!(\"toy {}\\n\", report.outcome.verdict))\n}\n",
            ),
        ],
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files that an addition changes, with their new content.
fn apply(addition: &Addition) -> BTreeMap<&'static str, String> {
    let mut changed: BTreeMap<&'static str, String> = BTreeMap::new();
    for edit in addition.edits {
        match *edit {
            Edit::Create(path, content) => {
                assert!(!root().join(path).exists(), "{path} is there already");
                changed.insert(path, content.to_string());
            }
            Edit::Before(path, anchor, text) => {
                let before = changed.remove(path).unwrap_or_else(|| std::fs::read_to_string(root().join(path)).unwrap());
                assert_eq!(before.matches(anchor).count(), 1, "{path}: {anchor}");
                changed.insert(path, before.replace(anchor, &format!("{text}{anchor}")));
            }
        }
    }
    changed
}

#[test]
fn additions_touch_as_many_places_as_the_guide_says() {
    let guide = std::fs::read_to_string(root().join("docs/extending.md")).unwrap();
    for addition in ADDITIONS {
        let touched = apply(addition).len();
        assert!(touched <= addition.places, "{} touches {touched} places", addition.what);
        let row = format!("| {} | {touched} |", addition.what);
        assert!(guide.contains(&row), "docs/extending.md has no row `{row}`");
    }
}

/// The tree without what is built, in a folder of its own.
fn copy_of_tree() -> PathBuf {
    let copy = std::env::temp_dir().join(format!("assay-additions-{}", std::process::id()));
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git runs");
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (root().join(name), copy.join(name));
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
    }
    copy
}

/// Builds everything anew, which takes minutes.
#[test]
#[ignore]
fn toys_work_in_a_copy_of_the_tree() {
    let copy = copy_of_tree();
    for addition in ADDITIONS {
        for (path, content) in apply(addition) {
            std::fs::write(copy.join(path), content).unwrap();
        }
    }
    let built = Command::new("cargo").args(["build", "-p", "assay"]).current_dir(&copy).status().expect("cargo runs");
    assert!(built.success());
    let program = copy.join("toy.c");
    std::fs::write(&program, "void toy(void); int main(int c, char **v) { if (c > 3) toy(); return 0; }\n").unwrap();
    let assay = |words: &[&str]| {
        let run = Command::new(copy.join("target/debug/assay")).args(words).current_dir(&copy).output().expect("assay runs");
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    let verified = assay(&["verify", "--property", "no-toy", "--config", "toy", "--set", "toy=true", "--toy", "toy.txt", "toy.c"]);
    assert!(verified.contains("toy: toy.txt") && verified.ends_with("verdict: false(unreach-call)\n"), "{verified}");
    assert_eq!(std::fs::read_to_string(copy.join("toy.txt")).unwrap(), "toy false(unreach-call)\n");
    std::fs::remove_dir_all(copy).unwrap();
}
