//! What several tests need: the Z3 libraries of this machine, and a line that says when there is none.

use assay_smt::backend::z3::{Library, Z3, candidates};

/// One back end for every Z3 library that is found; says so by the test's name when none is.
pub(crate) fn z3s(test: &str) -> Vec<Z3> {
    let found: Vec<Z3> = candidates().iter().filter_map(|path| Library::open(path).ok()).map(Z3::new).collect();
    if found.is_empty() {
        let required = std::env::var("ASSAY_REQUIRE").is_ok_and(|tools| tools.split(',').any(|tool| tool == "z3"));
        assert!(!required, "{test}: ASSAY_REQUIRE asks for Z3, and no library was found");
        eprintln!("{test}: SKIPPED, no Z3 library was found on this machine (libz3-4 or z3-solver)");
    }
    found
}
