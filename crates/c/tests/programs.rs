//! Self-checking programs: the interpreter and the compiled machine must run each to its end in both data models, and
//! so must the compiler's executable where there is a compiler, so that no expectation is only ours.

use assay_base::CancelToken;
use assay_c::{Options, compile};
use assay_cfa::{DataModel, Property};
use assay_passes::property::instrument;
use assay_semantics::compiled::{Event, Image, VirtualMachine};
use assay_semantics::interpreter::{ListOracle, Stop, run};
use std::path::{Path, PathBuf};
use std::process::Command;

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = Options::new(model);
        let program = compile(std::slice::from_ref(&path), &options).unwrap_or_else(|error| panic!("{error}"));
        let property = Property::UnreachCall { function: "__VERIFIER_error".to_string() };
        let program = instrument(program, &[property]);
        let defects = assay_cfa::verifier::verify(&program);
        assert!(defects.is_empty(), "{}", defects[0]);
        let mut last = None;
        let result = run(&program, &mut ListOracle::default(), 1_000_000, &CancelToken::new(), &mut |step, _, _| last = Some(step.edge()));
        let edge = match result.stop {
            Stop::Undefined(_, edge) | Stop::Undetermined(edge) | Stop::Unsupported(edge) => Some(edge),
            _ => last,
        };
        let place = edge.map_or(String::new(), |edge| program.sources.describe(program.edges[edge].span));
        assert_eq!(result.stop, Stop::Finished, "{} at {place}", model.name());
        let image = Image::new(&program).expect("the program fits");
        let event = VirtualMachine::new(&image).run(1_000_000);
        // The compiled machine knows no long doubles.
        assert!(matches!(event, Event::Ended | Event::Unsupported), "{} compiled: {event:?}", model.name());
    }
    native(&path);
}

/// Runs the compiler's version of the program.
fn native(path: &Path) {
    let folder: PathBuf = std::env::temp_dir();
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("program");
    let (harness, executable) =
        (folder.join(format!("assay-{stem}-{}.c", std::process::id())), folder.join(format!("assay-{stem}-{}", std::process::id())));
    std::fs::write(&harness, "void abort(void); void __VERIFIER_error(void) { abort(); }\n").unwrap();
    let compiled = Command::new("cc").args(["-w", "-O0", "-o"]).arg(&executable).arg(path).arg(&harness).arg("-lm").status();
    if compiled.is_ok_and(|status| status.success()) {
        let status = Command::new(&executable).output().unwrap().status;
        assert!(status.success(), "the compiler's {} failed: {status}", path.display());
    }
    let _ = std::fs::remove_file(harness);
    let _ = std::fs::remove_file(executable);
}

#[test]
fn integers() {
    check("integers.c");
}

#[test]
fn floats() {
    check("floats.c");
}

#[test]
fn memory() {
    check("memory.c");
}

#[test]
fn control() {
    check("control.c");
}

#[test]
fn strings() {
    check("strings.c");
}

#[test]
fn vectors() {
    check("vectors.c");
}

#[test]
fn complex() {
    check("complex.c");
}

#[test]
fn jumps() {
    check("jumps.c");
}

#[test]
fn nested() {
    check("nested.c");
}
