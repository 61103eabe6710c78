//! What the lowering marks: targets, checks, inputs, assumptions, constructs it does not model, and several files.

use assay_c::{Options, compile, compile_text};
use assay_cfa::{CheckKind, DataModel, Operation, Origin, Program, Property, Target, ValueSourceKind};
use assay_passes::property::instrument;

fn lowered(text: &str, property: Property) -> Program {
    let program = compile_text("t.c", text, &Options::new(DataModel::Ilp32)).unwrap_or_else(|error| panic!("{error}"));
    let program = instrument(program, &[property]);
    let defects = assay_cfa::verifier::verify(&program);
    assert!(defects.is_empty(), "{}\n{text}", defects[0]);
    program
}

fn calls(function: &str) -> Property {
    Property::UnreachCall { function: function.to_string() }
}

/// How many edges have an operation that `wanted` accepts.
fn count(program: &Program, wanted: impl Fn(&Operation) -> bool) -> usize {
    program.edges.iter().filter(|edge| wanted(&edge.operation)).count()
}

fn unsupported(program: &Program) -> Vec<String> {
    let what = |op: &Operation| if let Operation::Unsupported { what } = op { Some(what.clone()) } else { None };
    program.edges.iter().filter_map(|edge| what(&edge.operation)).collect()
}

#[test]
fn the_error_function_is_the_one_that_the_property_names() {
    let text = "void reach_error(void) {} void f(void); int main(void) { reach_error(); f(); return 0; }";
    assert_eq!(lowered(text, calls("reach_error")).targets().count(), 1);
    assert_eq!(lowered(text, calls("f")).targets().count(), 1);
    assert_eq!(lowered(text, calls("__VERIFIER_error")).targets().count(), 0);
    let label = "int main(void) { int x; if (x) { ERROR: x = 1; } return 0; }";
    let program = lowered(label, Property::UnreachLabel { label: "ERROR".to_string() });
    assert_eq!(program.targets().map(|(_, t)| t).collect::<Vec<_>>(), [Target::UnreachLabel]);
}

#[test]
fn overflow_is_checked_only_when_asked() {
    let text =
        "int main(void) { int a, b; unsigned u; short s; a = a + b; a = -a; a++; u = u + 1; s++; b = a * b - 3; b <<= 1; return a / 2; }";
    let overflow = |op: &Operation| matches!(op, Operation::Check { kind: CheckKind::SignedOverflow, .. });
    assert_eq!(count(&lowered(text, calls("e")), overflow), 0);
    let program = lowered(text, Property::NoOverflow);
    let (target, _) = program.targets().next().expect("there is a target");
    assert_eq!(program.locations[target].incoming.len(), 6);
    // What is evaluated under a condition without being a branch is checked under that condition, and what nobody takes
    // is checked, too.
    let text = "int main(void) { int a, b; a + b; return a > 3 && b - a > 2 ? a + 1 : b; }";
    let program = lowered(text, Property::NoOverflow);
    let (target, _) = program.targets().next().expect("there is a target");
    assert_eq!(program.locations[target].incoming.len(), 3);
    assert_eq!(count(&lowered(text, calls("e")), |op| matches!(op, Operation::Assume { .. })), 0);
}

#[test]
fn undefined_behaviour_is_marked_where_it_is_possible() {
    let text = "int main(void) { int a, b; double d; a = a / b; a = a / 3; a = a << b; a = a << 2; a = (int)d; return a % 7; }";
    let program = lowered(text, calls("e"));
    let of = |kind| count(&program, |op| matches!(op, Operation::Check { kind: k, .. } if *k == kind));
    assert_eq!([CheckKind::DivisionByZero, CheckKind::ShiftRange, CheckKind::FloatToInteger].map(of), [1, 1, 1]);
}

#[test]
fn conditions_without_effects_are_one_term() {
    let program = lowered("int main(void) { int a, b; if (a > 1 && (b == 2 || !a)) a = 1; return a; }", calls("e"));
    assert_eq!(count(&program, |op| matches!(op, Operation::Assume { .. })), 2);
    let program = lowered("int *p; int main(void) { int a; if (p && *p == 2) a = 1; return a; }", calls("e"));
    assert_eq!(count(&program, |op| matches!(op, Operation::Assume { .. })), 4);
}

#[test]
fn inputs_and_unknown_functions_are_told_apart() {
    let text = "int __VERIFIER_nondet_int(void); int ext(int); int main(void) { int a = __VERIFIER_nondet_int(), b; return ext(a) + b; }";
    let program = lowered(text, calls("e"));
    let kinds: Vec<_> = program.value_sources.iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [ValueSourceKind::Input, ValueSourceKind::Uninitialised, ValueSourceKind::External]);
    assert_eq!(program.assumptions.len(), 1);
    assert_eq!(program.assumptions[0].fact.function_without_body(), Some("ext"));
}

#[test]
fn what_is_not_modelled_is_marked() {
    let cases = [
        ("int pthread_cancel(unsigned long); int main(void) { return pthread_cancel(1); }", "threads (pthread_cancel)"),
        ("_Complex int a, b; int main(void) { a = a / b; return 0; }", "a division of complex integers"),
    ];
    for (text, what) in cases {
        let found = unsupported(&lowered(text, calls("e")));
        assert!(found.iter().any(|w| w == what), "{text}: {found:?}");
    }
    assert_eq!(lowered("int main(void) { int x; __asm__(\"mov %0, 1\" : \"=r\"(x)); return x; }", calls("e")).assumptions.len(), 1);
}

#[test]
fn pointers_to_functions_lead_to_those_of_their_type() {
    let text = "int a(int x) { return x; } int b(int x) { return -x; } void c(void) {} int d(int x) { return 2; }
        int (*t[])(int) = { a, b }; void (*u)(void) = c; int main(void) { return t[1](d(3)); }";
    let program = lowered(text, calls("e"));
    let callees: Vec<String> = program
        .edges
        .iter()
        .filter_map(
            |edge| if let Operation::Call { callee, .. } = edge.operation { Some(program.functions[callee].name.clone()) } else { None },
        )
        .collect();
    let mut indirect: Vec<&str> = callees.iter().map(String::as_str).filter(|n| ["a", "b", "c", "d"].contains(n)).collect();
    indirect.sort_unstable();
    assert_eq!(indirect, ["a", "b", "d"]);
}

#[test]
fn edges_know_their_place() {
    let text = "int f(int);\nint main(void) {\n  int x = 1;\n  while (x < 3)\n    x = f(x);\n  return x;\n}\nint f(int y) { return y; }\n";
    let program = lowered(text, calls("e"));
    let main = program.function("main").unwrap();
    let mut seen = Vec::new();
    for edge in program.edges.iter().filter(|e| program.locations[e.source].function == main) {
        seen.push(match edge.origin {
            Origin::Statement => format!("{}:{} statement", edge.span.line, edge.span.column),
            Origin::Branch { taken, keyword, looping } => format!("{}:{} branch {taken} {looping}", keyword.line, keyword.column),
            Origin::Call { close } => format!("{}:{} call", close.line, close.column),
            origin => format!("{origin:?}"),
        });
    }
    assert_eq!(seen, ["3:3 statement", "4:3 branch true true", "5:12 call", "4:3 branch false true", "6:3 statement"]);
}

#[test]
fn several_files_are_linked() {
    let folder = std::env::temp_dir().join(format!("assay-link-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = [
        (
            "a.c",
            "extern int shared; int helper(int); static int own(void) { return 1; } int main(void) { shared = 2; return helper(own()); }",
        ),
        ("b.c", "int shared = 5; static int own(void) { return 7; } int helper(int x) { return x + shared + own(); }"),
    ];
    let paths: Vec<_> = files
        .iter()
        .map(|(name, text)| {
            std::fs::write(folder.join(name), text).unwrap();
            folder.join(name)
        })
        .collect();
    let program = compile(&paths, &Options::new(DataModel::Lp64)).unwrap();
    assert_eq!(program.variables.iter().filter(|v| v.source_name == "shared").count(), 1);
    assert_eq!(program.functions.iter().filter(|f| f.name.starts_with("own")).count(), 2);
    assert!(program.assumptions.is_empty());
    let missing = compile(&paths[1..], &Options::new(DataModel::Lp64)).unwrap_err();
    assert!(missing.to_string().contains("no function `main`"), "{missing}");
    std::fs::write(&paths[0], "int shared = 5; inline int helper(int x) { return x; } int main(void) { return helper(1); }").unwrap();
    let clash = compile(&paths, &Options::new(DataModel::Lp64)).unwrap_err().to_string();
    assert!(clash.contains("`shared` is defined in two files") && !clash.contains("`helper`"), "{clash}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_printed_automaton_is_read_back() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/verdicts");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|e| e == "c"));
    names.sort();
    assert!(names.len() > 100);
    for path in names {
        let options = Options::new(DataModel::Lp64);
        let Ok(program) = compile(std::slice::from_ref(&path), &options) else { continue };
        let program = instrument(program, &[Property::MemorySafety]);
        let text = assay_cfa::text::print(&program);
        let again = assay_cfa::text::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(assay_cfa::verifier::verify(&again).is_empty(), "{}", path.display());
        assert_eq!(assay_cfa::text::print(&again), text, "{}", path.display());
    }
}
