//! Evidence of one small run, compared with stored output, and witnesses checked against the fields that the formats
//! demand. `ASSAY_UPDATE=1 cargo test -p assay-results` writes the stored output anew; read the difference.

mod fixture;
mod schema;

use assay_base::{CancelToken, Ledger};
use assay_cfa::{DataModel, Property};
use assay_results::witness::{correctness_yaml, violation_graphml, violation_yaml};
use assay_results::{Counterexample, InputFile, Invariant, InvariantKind, Outcome, Producer, Task, harness, page, path, replay, sarif};

fn golden(name: &str, actual: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ASSAY_UPDATE").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, stored, "{name} differs from the stored output");
}

fn task() -> Task {
    Task {
        input_files: vec![InputFile::new("twice.c", fixture::SOURCE.as_bytes())],
        property: Property::UnreachCall { function: "reach_error".into() },
        model: DataModel::Lp64,
    }
}

fn producer() -> Producer {
    Producer { name: "Assay".into(), version: "0.0.0".into(), configuration: "test".into(), time: 1_700_000_000 }
}

fn violation() -> (assay_cfa::Program, Counterexample) {
    let program = fixture::program();
    let inputs = [fixture::input(7)];
    let counterexample = replay(&program, &inputs, 10_000, &CancelToken::new()).expect("7 + 7 is 14");
    (program, counterexample)
}

#[test]
fn an_input_that_misses_the_target_is_no_counterexample() {
    let program = fixture::program();
    let failure = replay(&program, &[fixture::input(8)], 10_000, &CancelToken::new()).unwrap_err();
    assert_eq!(failure.describe(&program), "the run ended without reaching the target");
}

#[test]
fn the_path_is_annotated_and_its_loop_abbreviated() {
    let (program, counterexample) = violation();
    golden("path.txt", &path::render(&program, &counterexample, path::Detail::Folded));
}

#[test]
fn violation_witnesses_have_the_fields_of_their_formats() {
    let (program, counterexample) = violation();
    let yaml = violation_yaml(&program, &task(), &producer(), &counterexample).unwrap();
    golden("violation.yml", &yaml);
    assert_eq!(schema::check_yaml(&yaml), Ok("violation_sequence"));
    let graphml = violation_graphml(&program, &task(), &producer(), &counterexample).unwrap();
    golden("violation.graphml", &graphml);
    assert_eq!(schema::check_graphml(&graphml), Ok(()));
}

#[test]
fn correctness_witnesses_have_the_fields_of_the_format() {
    let program = fixture::program();
    let invariant = Invariant {
        kind: InvariantKind::Loop,
        location: fixture::loop_head(&program),
        expression: "0 <= i && i <= 10 && \"quoted\"".into(),
        span: fixture::at(9, 3),
        weakened: false,
    };
    let yaml = correctness_yaml(&program, &task(), &producer(), &[invariant]);
    golden("correctness.yml", &yaml);
    assert_eq!(schema::check_yaml(&yaml), Ok("invariant_set"));
    assert_eq!(schema::check_yaml(&correctness_yaml(&program, &task(), &producer(), &[])), Ok("invariant_set"));
}

#[test]
fn the_schema_check_rejects_damaged_witnesses() {
    let (program, counterexample) = violation();
    let yaml = violation_yaml(&program, &task(), &producer(), &counterexample).unwrap();
    for (old, new) in [
        ("entry_type: violation_sequence", "entry_type: violation"),
        ("    uuid:", "    id:"),
        ("format_version: \"2.0\"", "format_version: \"9\""),
        ("type: target", "type: branching"),
        ("action: follow", "action: jump"),
        ("line: 7", "line: 0"),
        ("data_model: LP64", "data_model: LP128"),
        ("\"twice.c\": \"", "\"twice.c\": \"zz"),
        ("format: acsl_expression", "format: prose"),
    ] {
        assert!(yaml.contains(old), "the witness no longer has `{old}`");
        assert!(schema::check_yaml(&yaml.replacen(old, new, 1)).is_err(), "`{new}` was accepted");
    }
}

#[test]
fn the_harness_defines_the_inputs() {
    let (program, counterexample) = violation();
    golden("harness.c", &harness::harness(&program, &task().property, &counterexample));
}

#[test]
fn the_harness_leads_the_compiled_program_to_the_error() {
    let (program, counterexample) = violation();
    let folder = std::env::temp_dir().join(format!("assay-harness-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, stub, binary) = (folder.join("twice.c"), folder.join("harness.c"), folder.join("a.out"));
    std::fs::write(&source, fixture::SOURCE).unwrap();
    std::fs::write(&stub, harness::harness(&program, &task().property, &counterexample)).unwrap();
    let compiled = std::process::Command::new("cc").arg("-O0").args([&source, &stub]).arg("-o").arg(&binary).status();
    // Without a compiler there is nothing to compare with.
    if compiled.is_ok_and(|status| status.success()) {
        let output = std::process::Command::new(&binary).output().unwrap();
        assert!(!output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "assay: reach_error was reached\n");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn sarif_names_the_place_and_the_way() {
    let (program, counterexample) = violation();
    let outcome = Outcome::violation(counterexample).sealed(&Ledger::new(), &[]);
    let document = sarif::sarif(&program, &task(), &producer(), &outcome, &[]);
    golden("result.sarif", &format!("{document:#}\n"));
    assert_eq!(document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 14);
}

#[test]
fn the_report_is_one_well_formed_page() {
    let (program, counterexample) = violation();
    let outcome = Outcome::violation(counterexample).sealed(&Ledger::new(), &[]);
    let page = page::page(&program, &task(), &producer(), &outcome);
    golden("report.html", &page);
    // Everything after the document type is XML too, so that a parser can check the nesting.
    let body = page.trim_start_matches("<!DOCTYPE html>");
    roxmltree::Document::parse(body).expect("the page is well formed");
    assert!(!page.contains("http://") || page.contains("www.w3.org/2000/svg"), "the page loads nothing");
}
