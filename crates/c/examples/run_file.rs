//! Compiles and runs a file with inputs of zero: `run_file [32|64] [-Idir] FILE`. Prints how the run ended.

use assay_base::CancelToken;
use assay_c::{Options, compile};
use assay_cfa::DataModel;
use assay_semantics::interpreter::{ListOracle, Stop, run};
use std::path::PathBuf;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let model = if arguments.next().as_deref() == Some("64") { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut options = Options::new(model);
    let mut files = Vec::new();
    for argument in arguments {
        match argument.strip_prefix("-I") {
            Some(dir) => options.include_dirs.push(PathBuf::from(dir)),
            None => files.push(PathBuf::from(argument)),
        }
    }
    let program = match compile(&files, &options) {
        Ok(program) => program,
        Err(error) => return println!("rejected\n{error}"),
    };
    let mut last = None;
    let result = run(&program, &mut ListOracle::default(), 20_000_000, &CancelToken::new(), &mut |step, _, _| last = Some(step.edge()));
    let edge = match result.stop {
        Stop::Undefined(_, edge) | Stop::Undetermined(edge) | Stop::Unsupported(edge) => Some(edge),
        _ => last,
    };
    let place = edge.map_or(String::new(), |edge| program.sources.describe(program.edges[edge].span));
    println!("{:?} after {} steps at {place}", result.stop, result.steps);
    if let (Some(edge), true) = (edge, std::env::var_os("EDGE").is_some()) {
        let terms = assay_term::Terms::overlay(program.terms.clone());
        println!("{}", assay_cfa::text::print_operation(&program, &terms, &program.edges[edge].operation));
    }
}
