//! Makes the list of presets from the files in `presets/`, so that a new preset is one new file.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("presets");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("there are presets");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        writeln!(list, "    Preset {{ name: {name:?}, text: include_str!({:?}) }},", file.display().to_string()).expect("text grows");
    }
    list.push(']');
    let out = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("presets.rs");
    std::fs::write(out, list).expect("the build folder can be written");
}
