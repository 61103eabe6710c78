//! Reads every file named on the command line and says which are rejected and why, with the time taken:
//! `read_files [32|64] FILE…`. `read_files --list FILE` reads lines `32|64 PATH` from a file.

use assay_base::SourceMap;
use assay_c::adapter::{DataModel, FrontEndError, Input, Options, on_large_stack, read_unit};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next().unwrap_or_default();
    let model = |text: &str| if text == "64" { DataModel::Lp64 } else { DataModel::Ilp32 };
    let files: Vec<(DataModel, PathBuf)> = if first == "--list" {
        let text = std::fs::read_to_string(arguments.next().unwrap_or_default()).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.map(|(bits, path)| (model(bits), PathBuf::from(path))).collect()
    } else {
        arguments.map(|path| (model(&first), PathBuf::from(path))).collect()
    };
    let start = Instant::now();
    let (mut good, mut bytes) = (0usize, 0u64);
    for (model, path) in &files {
        bytes += std::fs::metadata(path).map_or(0, |m| m.len());
        let mut sources = SourceMap::default();
        let input = Input { path: path.clone(), options: Options::new(*model) };
        match on_large_stack(|| read_unit(&input, &mut sources)).and_then(|r| r) {
            Ok(_) => good += 1,
            Err(FrontEndError::Rejected(messages)) => {
                for message in messages.iter().take(3) {
                    println!("{}", message.render(&sources));
                }
            }
            Err(error) => println!("{}: {error}", path.display()),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{good} of {} files, {:.1} MB, {seconds:.2} s", files.len(), bytes as f64 / 1e6);
}
