//! Compiles every file and verifies the automaton: `lower_files --list FILE` with lines `32|64 PATH`, or
//! `lower_files [32|64] FILE` to print one.

use assay_c::{Options, compile};
use assay_cfa::{DataModel, Operation};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next().unwrap_or_default();
    let path = arguments.next().unwrap_or_default();
    let model = |text: &str| if text == "64" { DataModel::Lp64 } else { DataModel::Ilp32 };
    if first != "--list" {
        match compile(&[PathBuf::from(path)], &Options::new(model(&first))) {
            Ok(program) => {
                print!("{}", assay_cfa::text::print(&program));
                for defect in assay_cfa::verifier::verify(&program) {
                    println!("DEFECT {defect}");
                }
            }
            Err(error) => println!("{error}"),
        }
        return;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let start = Instant::now();
    let (mut good, mut files, mut edges) = (0, 0, 0);
    let mut markers: BTreeMap<String, usize> = BTreeMap::new();
    for (bits, path) in text.lines().filter_map(|line| line.split_once(' ')) {
        files += 1;
        match compile(&[PathBuf::from(path)], &Options::new(model(bits))) {
            Ok(program) => {
                edges += program.edges.len();
                if std::env::var_os("VERIFY").is_some() {
                    for defect in assay_cfa::verifier::verify(&program).iter().take(3) {
                        println!("{path}: DEFECT {defect}");
                    }
                }
                let found: Vec<&str> = program
                    .edges
                    .iter()
                    .filter_map(|edge| if let Operation::Unsupported { what } = &edge.operation { Some(what.as_str()) } else { None })
                    .collect();
                for what in &found {
                    *markers.entry((*what).to_string()).or_default() += 1;
                }
                good += 1;
                if !found.is_empty() && std::env::var_os("MARKERS").is_some() {
                    println!("{path}: {}", found[0]);
                }
            }
            Err(error) => println!("{path}\n{error}"),
        }
    }
    println!("{markers:#?}");
    println!("{good} of {files} files, {edges} edges, {:.2} s", start.elapsed().as_secs_f64());
}
