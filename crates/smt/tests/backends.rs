//! Back ends that die, hang or talk nonsense give an unknown answer with a clear line, and nothing worse.

mod common;

use assay_base::{CancelToken, StopReason};
use assay_smt::backend::process::Process;
use assay_smt::backend::{Backend, list_backends};
use assay_smt::interpolate::{self, Method};
use assay_smt::{Answer, Budget, Config, NoAnswer, Solver};
use assay_term::{Sort, Term, Terms};
use std::time::{Duration, Instant};

fn query(terms: &Terms) -> Vec<Term> {
    let x = terms.named("x y|z", Sort::bv(32));
    vec![terms.ult(terms.number(32, 5), x), terms.ult(x, terms.number(32, 7))]
}

/// A solver that is a shell script.
fn fake(script: &str) -> Process {
    Process::new("/bin/sh", &["-c", script])
}

fn unknown(script: &str, expected: &str) {
    let terms = Terms::new();
    let budget = Budget { time: Some(Duration::from_millis(500)), ..Budget::default() };
    let mut solver = fake(script);
    for _ in 0..2 {
        match solver.check(&terms, &query(&terms), &budget) {
            Answer::Unknown(reason) => {
                let line = reason.to_string();
                assert!(line.contains(expected), "{line:?} does not say {expected:?}");
                assert!(!line.contains('\n'));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_back_end_that_dies_is_unknown() {
    unknown("exit 3", "died");
    unknown("read line; exit 0", "died");
}

#[test]
fn a_back_end_that_hangs_is_unknown() {
    let start = Instant::now();
    unknown("sleep 100", "time limit");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_back_end_that_talks_nonsense_is_unknown() {
    unknown("echo maybe; cat > /dev/null", "answered");
    unknown("echo '(error \"no\")'; cat > /dev/null", "answered");
    unknown("echo sat; cat > /dev/null", "time limit");
    unknown("echo sat; echo nonsense; cat > /dev/null", "no value");
}

#[test]
fn a_wrong_model_is_found_out() {
    unknown("echo sat; echo '((assay_0_32 #x00000001))'; cat > /dev/null", "failed its check");
}

#[test]
fn a_right_model_is_taken() {
    let terms = Terms::new();
    let mut solver = fake("echo sat; echo '((assay_0_32 (_ bv6 32)))'; cat > /dev/null");
    let answer = solver.check(&terms, &query(&terms), &Budget::default());
    assert!(answer.is_sat(), "{answer:?}");
}

#[test]
fn a_program_that_does_not_exist_is_unknown() {
    let terms = Terms::new();
    let answer = Process::new("/nowhere/solver", &[]).check(&terms, &query(&terms), &Budget::default());
    assert!(matches!(answer, Answer::Unknown(NoAnswer::Backend(_))), "{answer:?}");
}

#[test]
fn a_stopped_token_ends_a_hanging_back_end() {
    let terms = Terms::new();
    let cancel = CancelToken::new();
    let budget = Budget::unlimited(&cancel);
    let mut solver = fake("sleep 100");
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancel.stop(StopReason::Interrupt);
        });
        solver.check(&terms, &query(&terms), &budget)
    });
    assert!(matches!(answer, Answer::Unknown(NoAnswer::Stopped(StopReason::Interrupt))), "{answer:?}");
}

#[test]
fn the_list_names_the_embedded_engine_and_helps_with_the_others() {
    let list = list_backends();
    assert!(list.iter().any(|l| l.name == "embedded" && l.found.is_ok()));
    assert!(list.iter().all(|l| l.found.as_ref().map_or_else(|help| !help.is_empty(), |d| !d.name.is_empty())));
}

#[test]
fn z3_is_interrupted() {
    for mut z3 in common::z3s("z3_is_interrupted") {
        let terms = Terms::new();
        let (p, q) = (terms.named("p", Sort::bv(64)), terms.named("q", Sort::bv(64)));
        let wide = |t| terms.zero_extend(t, 128);
        let product = terms.mul(wide(p), wide(q));
        let one = terms.number(64, 1);
        let query =
            [terms.eq(product, terms.number(128, 18446744073709551557u128 * 18446744073709551533u128)), terms.ult(one, p), terms.ult(p, q)];
        let cancel = CancelToken::new();
        let start = Instant::now();
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(600));
                cancel.stop(StopReason::Interrupt);
            });
            z3.check(&terms, &query, &Budget::unlimited(&cancel))
        });
        assert!(start.elapsed() < Duration::from_secs(30));
        assert!(!answer.is_unsat(), "{answer:?}");
    }
}

/// A solver with interpolants, told as Bitwuzla tells them; it knows only that two assertions contradict each other.
fn interpolating(answer: &str) -> Solver {
    let script = r#"
        count=0
        while read -r line; do
            case "$line" in
                "(reset)") count=0 ;;
                "(assert"*) count=$((count + 1)) ;;
                "(check-sat)") if [ $count -gt 1 ]; then echo unsat; else echo unknown; fi ;;
                "(get-interpolants"*) echo "(ANSWER)" ;;
            esac
        done"#;
    let mut process = fake(&script.replace("ANSWER", answer));
    process.claim_interpolants();
    Solver::with_backend(Config::default(), Box::new(process))
}

#[test]
fn interpolants_of_a_back_end_are_taken_if_they_are_some() {
    let terms = Terms::new();
    let x = terms.named("x", Sort::bv(8));
    let groups = [vec![terms.ult(x, terms.number(8, 5))], vec![terms.ult(terms.number(8, 7), x)]];
    let budget = Budget { time: Some(Duration::from_secs(5)), ..Budget::default() };
    let right = terms.not(terms.ult(terms.number(8, 6), x));
    let cases = [
        ("(not (bvult #b00000110 assay_0_8))", Some(right)),
        // Not implied, nonsense, too many, or none: our own proof serves then.
        ("(bvult assay_0_8 #x03)", None),
        ("(bvfoo assay_0_8)", None),
        ("true true", None),
        ("", None),
    ];
    for (answer, expected) in cases {
        let mut solver = interpolating(answer);
        let list = interpolate::sequence(&mut solver, &terms, &groups, Method::Backend, &budget).unwrap();
        assert_eq!(interpolate::check(&terms, &groups, &list, &budget), None, "{answer}");
        if let Some(expected) = expected {
            assert_eq!(list, [expected], "{answer}");
        }
    }
}

#[test]
fn a_program_with_interpolants_is_asked_where_there_is_one() {
    let listed = list_backends().into_iter().find(|l| l.found.as_ref().is_ok_and(|d| d.abilities.interpolants && !d.location.is_empty()));
    let Some(listed) = listed else {
        eprintln!("a_program_with_interpolants_is_asked_where_there_is_one: SKIPPED, no bitwuzla was found");
        return;
    };
    let terms = Terms::new();
    let (x, y) = (terms.named("x 1", Sort::bv(8)), terms.named("y", Sort::bv(8)));
    let groups = [
        vec![terms.ult(x, terms.number(8, 5))],
        vec![terms.eq(y, terms.add(x, terms.number(8, 1)))],
        vec![terms.ult(terms.number(8, 7), y)],
    ];
    let budget = Budget { time: Some(Duration::from_secs(20)), ..Budget::default() };
    let mut backend = listed.open().unwrap();
    let list = backend.interpolants(&terms, &groups, &budget).unwrap();
    assert_eq!(interpolate::check(&terms, &groups, &list, &budget), None);
}
