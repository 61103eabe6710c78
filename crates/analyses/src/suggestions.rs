//! Findings as candidates for invariants: predicates that refuted paths at the head of a loop are offered to others,
//! and inductions take what others found as candidates, which they prove before they use them.

use assay_base::Stats;
use assay_cfa::{CType, LocationId, Program, Scope};
use assay_domains::induction::Suggestions;
use assay_results::Findings;
use assay_term::{Op, Term, Terms};

/// Says what may hold at a place, if it speaks of registers that are visible there.
pub(crate) fn offer(findings: &Findings, program: &Program, at: LocationId, by: &str, terms: &Terms, assertion: Term) {
    if is_about_registers(program, at, terms, assertion) {
        findings.offer(at, by, terms.display(assertion).to_string());
    }
}

/// What others found, as terms of this run.
pub(crate) fn of(findings: &Findings, program: &Program, terms: &Terms, stats: &mut Stats) -> Suggestions {
    let mut result = Suggestions::default();
    let mut count = 0;
    for (at, finding) in findings.all() {
        // Whatever cannot be read here is of another program.
        let Ok(assertion) = terms.parse_term(&finding.assertion) else { continue };
        if program.locations.get(at).is_some() && is_about_registers(program, at, terms, assertion) {
            result.entry(at).or_default().push(assertion);
            count += 1;
        }
    }
    stats.max("findings of others taken as candidates", count);
    result
}

/// Registers that hold numbers: that two objects are apart holds as long as both are alive, and not for the pointers
/// that are left when one is gone (`realloc` makes the new object before it ends the old one, and may have them in one
/// place).
fn is_about_registers(program: &Program, at: LocationId, terms: &Terms, assertion: Term) -> bool {
    if terms.sort(assertion).is_array() || terms.width(assertion) != 1 || terms.as_constant(assertion).is_some() {
        return false;
    }
    let function = program.locations[at].function;
    let mut fits = true;
    terms.post_order([assertion], |_, node| match node.op {
        Op::Symbol => {
            fits &= program.variable_of(node.symbol()).is_some_and(|variable| {
                let info = &program.variables[variable];
                let number = info.ctype != CType::Pointer;
                number && info.register_width().is_some() && (info.scope == Scope::Global || info.scope == Scope::Local(function))
            });
        }
        Op::Address | Op::Apply | Op::Select | Op::Store => fits = false,
        _ => {}
    });
    fits
}

#[cfg(test)]
mod tests {
    use crate::{build, preset};
    use assay_base::{CancelToken, Ledger, Limits};
    use assay_results::{Findings, NoProgress, Outcome, RunContext};

    /// `x = 1; while (nondet) x = 8 - x; if (x != 1 && x != 7) error`: no number of rounds is enough for an induction
    /// that does not know both values.
    const TEXT: &str = r#"program ILP32 main
file "example.c"
source n0 input "n0" 0:1:1
function main entry L0 exit L5
  local main::x (register 32) (int 32 signed "int") source "x"
  local main::c (register 1) bool source "c"
  target L6 unreach-call
  L0 -> L1 assign main::x 1:32
  L1 -> L2 havoc main::c n0
  L2 -> L3 assume main::c
  L3 -> L1 assign main::x (+ 8:32 (neg main::x))
  L2 -> L4 assume (~ main::c)
  L4 -> L5 assume (or (== main::x 1:32) (== main::x 7:32))
  L4 -> L6 assume (~ (or (== main::x 1:32) (== main::x 7:32)))
end
"#;

    fn run(name: &str, settings: &[(&str, &str)], findings: &Findings) -> Outcome {
        let program = assay_cfa::text::read(TEXT).expect("readable");
        let mut config = preset(name).expect("a preset");
        for (key, value) in settings {
            config.set(key, value).expect("a setting");
        }
        let (cancel, ledger) = (CancelToken::new(), Ledger::new());
        let limits = Limits { cpu_time: None, memory_bytes: None };
        let context = RunContext { cancel: &cancel, limits, threads: 1, ledger: &ledger, progress: &NoProgress, last: false, findings };
        build(config).expect("a configuration").run(&program, &context)
    }

    #[test]
    fn inductions_prove_what_predicates_suggest() {
        let paths = ("k-induction-paths", &[("max-rounds", "3")][..]);
        let formulas = ("k-induction-formulas", &[("max-bound", "8")][..]);
        let nothing = Findings::default();
        for (name, settings) in [paths, formulas] {
            assert!(run(name, settings, &nothing).verdict.is_unknown(), "{name} needs no help");
        }
        let findings = Findings::default();
        assert!(run("predicate", &[], &findings).verdict.is_true());
        let found = findings.all();
        assert!(!found.is_empty() && found.iter().all(|(_, finding)| finding.by == "predicate"), "{found:?}");
        // What does not hold does no harm, and neither does what cannot be read.
        for (at, _) in found {
            findings.offer(at, "nobody", "(== main::x 1:32)".to_string());
            findings.offer(at, "nobody", "(== main::y 1:32)".to_string());
        }
        for (name, settings) in [paths, formulas] {
            assert!(run(name, settings, &findings).verdict.is_true(), "{name}");
        }
    }
}
