//! Random straight programs with a contradiction: interpolants are valid and minimal, and the refiner proves them.

use crate::interpolation::{assert_valid, search};
use crate::programs::{Make, straight};
use crate::refinement::{outcome_of, run_knowing};
use crate::toy::{ByName, FlatFacts, Says, ToyDomain, ToyFacts};
use assay_base::Verdict;
use assay_base::hash::mix;
use assay_cfa::Program;
use assay_cpa::{CallStacks, PrecisionScope};
use assay_refine::{ForgetOrder, InterpolationOptions, NoScores, Preference, RefineOptions, TraceOptions, UnknownItems};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (mix(self.0) % u64::from(limit)) as u32
    }
}

/// Assignments, havocs, tests and calls over few registers with few values.
fn program(random: &mut Random, length: u32, calls: bool) -> Program {
    let mut m = Make::new();
    let mut registers = vec![m.global("g"), m.global("b")];
    registers.extend(["x", "y", "e", "i"].map(|name| m.local(name)));
    let main = (m.function, m.at);
    let other = m.other("other");
    let (n, result, k) = (m.parameter("n"), m.result(), m.local("k"));
    let (copy, sum) = (m.read(n), m.builder.terms.add(m.read(n), m.read(registers[0])));
    m.assign(k, copy);
    m.assign(registers[1], sum);
    let value = m.plus(k, 1);
    m.assign(result, value);
    m.leave();
    (m.function, m.at) = main;
    for _ in 0..length {
        let mut pick = || registers[random.below(6) as usize];
        let (a, b, c) = (pick(), pick(), pick());
        let number = random.below(3);
        match random.below(10) {
            0 | 1 => m.set(a, number),
            2 => {
                let value = m.read(b);
                m.assign(a, value);
            }
            3 => {
                let value = m.builder.terms.add(m.read(b), m.read(c));
                m.assign(a, value);
            }
            4 => m.havoc(a),
            5 if calls => {
                let argument = m.plus(b, number);
                m.call(other, vec![argument], Some(a));
            }
            6 => m.assume_is(a, number),
            7 => m.assume_is_not(a, number),
            8 => {
                let condition = m.builder.terms.eq(m.read(a), m.read(b));
                m.assume(condition);
            }
            _ => {
                let condition = m.builder.terms.ult(m.read(a), m.plus(b, number));
                m.assume(condition);
            }
        }
    }
    m.error();
    m.finish()
}

#[test]
fn random_paths() {
    let mut contradicting = 0;
    for seed in 0..600 {
        let mut random = Random(seed);
        let length = 4 + random.below(40);
        let program = program(&mut random, length, true);
        let stacks = CallStacks::new(None);
        let mut domain = ToyDomain::new(&program);
        domain.constraints = seed % 2 == 0;
        let path = straight(&program, &stacks);
        let order = [ForgetOrder::ConstraintsFirst, ForgetOrder::ValuesFirst, ForgetOrder::ValuesOnly][random.below(3) as usize];
        let long_path = [0, 1000][random.below(2) as usize];
        let options = InterpolationOptions { order, long_path, ..Default::default() };
        let found = search(&domain, &path, &ToyFacts, options, false).interpolants;
        let blind = search(&domain, &path, &UnknownItems, options, false).interpolants;
        assert_eq!(found.is_some(), blind.is_some());
        let (Some(found), Some(blind)) = (found, blind) else { continue };
        contradicting += 1;
        assert_valid(&domain, &path, &blind, order != ForgetOrder::ValuesOnly && long_path > 0);
        assert_valid(&domain, &path, &found, order != ForgetOrder::ValuesOnly && long_path > 0);
    }
    assert!(contradicting > 200, "{contradicting}");
}

#[test]
fn looking_at_touched_registers_is_enough() {
    for seed in 0..300 {
        let mut random = Random(2_000_000 + seed);
        let length = 4 + random.below(40);
        let program = program(&mut random, length, false);
        let stacks = CallStacks::new(None);
        let domain = ToyDomain::new(&program);
        let path = straight(&program, &stacks);
        let options = InterpolationOptions { long_path: [0, 1000][random.below(2) as usize], ..Default::default() };
        let slow = search(&domain, &path, &ToyFacts, options, false).interpolants;
        let fast = search(&domain, &path, &FlatFacts(&program), options, false).interpolants;
        assert_eq!(slow.map(|found| found.states), fast.map(|found| found.states), "seed {seed}");
    }
}

#[test]
fn random_programs_are_proved() {
    let names = Preference::names();
    let mut safe = 0;
    for seed in 0..300 {
        let mut random = Random(1_000_000 + seed);
        let length = 4 + random.below(30);
        let program = program(&mut random, length, true);
        let mut domain = ToyDomain::new(&program);
        domain.constraints = seed % 2 == 0;
        let stacks = CallStacks::new(None);
        let path = straight(&program, &stacks);
        let contradicts = search(&domain, &path, &ToyFacts, Default::default(), false).interpolants.is_some();
        let scope = [PrecisionScope::Location, PrecisionScope::Function, PrecisionScope::Global][random.below(3) as usize];
        let options = RefineOptions {
            interpolation: InterpolationOptions { scope, long_path: [0, 1000][random.below(2) as usize], ..Default::default() },
            delegate_to_values: random.below(2) == 0,
            track_contradictions: false,
            preference: Preference::parse(&names[random.below(names.len() as u32) as usize]).expect("it is a name"),
            max_prefixes: 5,
            seed,
            trace: None,
        };
        let (outcome, _) = outcome_of(&domain, &ByName(&program), options, Default::default());
        match outcome {
            Verdict::True(_) => assert!(contradicts, "seed {seed}"),
            Verdict::False(_) => assert!(!contradicts, "seed {seed}"),
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}"),
        }
        safe += u32::from(contradicts);
    }
    assert!(safe > 100, "{safe}");
}

/// That trace checkers differ from each other is shown where they are tested; this is about what they make values
/// track.
#[test]
fn testing_and_every_trace_checker_differ_on_a_path() {
    let mut differ = vec![None; TraceOptions::ALL.len()];
    for seed in 0..200 {
        let mut random = Random(3_000_000 + seed);
        let length = 4 + random.below(12);
        let program = program(&mut random, length, false);
        let domain = ToyDomain::new(&program);
        let run = |trace| {
            let options = RefineOptions { trace, ..Default::default() };
            let (run, counters, _) = run_knowing(&domain, &FlatFacts(&program), &NoScores, options, Default::default(), Says::confirmed());
            (run, counters.refuted_by_trace > 0)
        };
        let ((outcome, tested), _) = run(None);
        for (found, &(name, options)) in differ.iter_mut().zip(TraceOptions::ALL).filter(|(found, _)| found.is_none()) {
            let ((other, traced), by_trace) = run(Some(options));
            assert_eq!(matches!(outcome, Verdict::True(_)), matches!(other, Verdict::True(_)), "seed {seed}, {name}");
            if by_trace && tested != traced {
                eprintln!("testing and {name} differ on random path {seed}");
                *found = Some(seed);
            }
        }
    }
    for (found, (name, _)) in differ.iter().zip(TraceOptions::ALL) {
        assert!(found.is_some(), "testing and {name} are the same on every path");
    }
}
