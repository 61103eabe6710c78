//! Random programs, random inputs: the strongest posts along the path of a run must agree with the run, and
//! interpolants of a path that turns off from it must lie between what comes before and what comes after them, as the
//! solver says.

use crate::facts::UnitFacts;
use assay_base::CancelToken;
use assay_cfa::classify::Classification;
use assay_cfa::structure::Structure;
use assay_cfa::{DataModel, Operation, Program, Property};
use assay_cpa::{CallStacks, Domain, Head, StackId, Step, StrongestPost};
use assay_domains::value::{ValueDomain, ValueOptions, ValueSemantics, ValueState};
use assay_refine::cone::Reads;
use assay_refine::interpolate::{Context, interpolate};
use assay_refine::{ForgetOrder, InterpolationOptions, Path};
use assay_semantics::interpreter::{self, ListOracle};
use assay_semantics::state::{Executor, State, StepResult, Value};
use assay_smt::{Budget, Config, Solver};
use assay_term::random::Random;
use assay_term::{Bits, Op, Term, Terms, eval};
use std::sync::Arc;

/// A program without undefined behaviour, calls and uninitialised memory.
struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit
    }
    fn variable(&mut self) -> String {
        format!("v{}", self.below(4))
    }
    fn expression(&mut self, depth: u32) -> String {
        let choice = if depth == 0 { self.below(3) } else { self.below(9) };
        match choice {
            0 => self.variable(),
            1 => format!("{}", self.below(12) as i64 - 4),
            // Places are constant: an unknown one makes symbols that are no inputs.
            2 => format!("a[{}]", self.below(4)),
            3 => format!("({} << {})", self.expression(depth - 1), self.below(5)),
            4 => format!("(unsigned char)({})", self.expression(depth - 1)),
            5 => {
                let (condition, one) = (self.condition(), self.expression(depth - 1));
                format!("({condition} ? {one} : {})", self.expression(depth - 1))
            }
            _ => {
                let operator = ["+", "-", "*", "&", "|", "^"][self.below(6) as usize];
                let left = self.expression(depth - 1);
                format!("({left} {operator} {})", self.expression(depth - 1))
            }
        }
    }
    fn condition(&mut self) -> String {
        let operator = ["<", "<=", "==", "!=", ">"][self.below(5) as usize];
        let left = self.expression(1);
        let right = if self.below(2) == 0 { format!("{}", self.below(9)) } else { self.expression(1) };
        format!("{left} {operator} {right}")
    }
    fn statements(&mut self, depth: u32) {
        for _ in 0..2 + self.below(3) {
            match self.below(if depth == 0 { 3 } else { 6 }) {
                0 | 1 => {
                    let target = self.variable();
                    let value = self.expression(2);
                    self.text += &format!("{target} = {value};\n");
                }
                2 => {
                    let (index, value) = (self.below(4), self.expression(1));
                    self.text += &format!("a[{index}] = {value};\n");
                }
                3 => {
                    let target = self.variable();
                    self.text += &format!("{target} = __VERIFIER_nondet_int();\n");
                }
                4 => {
                    let rounds = 1 + self.below(3);
                    self.text += &format!("for (int i{depth} = 0; i{depth} < {rounds}; i{depth}++) {{\n");
                    self.statements(depth - 1);
                    self.text += "}\n";
                }
                _ => {
                    let condition = self.condition();
                    self.text += &format!("if ({condition}) {{\n");
                    self.statements(depth - 1);
                    self.text += "} else {\n";
                    self.statements(depth - 1);
                    self.text += "}\n";
                }
            }
        }
    }
}

fn random_program(seed: u64) -> Program {
    let mut writer = Writer { random: Random::new(seed), text: String::new() };
    writer.text += "extern int __VERIFIER_nondet_int(void);\nint main(void) {\nint a[4] = {0, 1, 2, 3};\n";
    for variable in 0..4 {
        let value = if variable < 3 { "__VERIFIER_nondet_int()".to_string() } else { format!("{}", writer.below(5)) };
        writer.text += &format!("int v{variable} = {value};\n");
    }
    writer.statements(2);
    writer.text += "return v0 + v1 + v2 + v3;\n}\n";
    let folder = std::env::temp_dir().join(format!("assay-paths-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("program.c");
    std::fs::write(&file, &writer.text).unwrap();
    let property = Property::UnreachCall { function: "reach_error".to_string() };
    let compiled = assay_c::compile(std::slice::from_ref(&file), &assay_c::Options::new(DataModel::Lp64));
    std::fs::remove_dir_all(&folder).unwrap();
    let program = compiled.unwrap_or_else(|error| panic!("{:?}\n{}", error.diagnostics, writer.text));
    assay_passes::property::instrument(program, &[property])
}

/// A run: the inputs it took, its moves and the states after them.
struct Concrete {
    inputs: Vec<Bits>,
    moves: Vec<Step>,
    states: Vec<State>,
}

fn run(program: &Program, random: &mut Random) -> Concrete {
    let inputs: Vec<Bits> = (0..64)
        .map(|_| {
            let value = random.next_u64();
            Bits::new(32, u128::from(if value.is_multiple_of(3) { value >> 8 } else { (value >> 8) % 12 }))
        })
        .collect();
    let mut oracle = ListOracle { values: inputs.iter().copied().collect(), ..Default::default() };
    let (mut moves, mut states) = (vec![], vec![]);
    let finished = interpreter::run(program, &mut oracle, 10_000, &CancelToken::new(), &mut |step, state, _| {
        moves.push(step);
        states.push(state.clone());
    });
    assert!(matches!(finished.stop, interpreter::Stop::Finished), "{:?}", finished.stop);
    Concrete { inputs, moves, states }
}

fn path_of<'p>(program: &'p Program, stacks: &CallStacks, moves: &[Step]) -> Path<'p> {
    let mut head = Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY };
    let (mut heads, mut steps) = (vec![head], vec![]);
    for step in moves {
        let edge = &program.edges[step.edge()];
        head = match &edge.operation {
            _ if step.is_return() => Head { location: edge.target, stack: stacks.pop(head.stack).unwrap().1 },
            Operation::Call { callee, .. } => {
                Head { location: program.functions[*callee].entry, stack: stacks.push(head.stack, step.edge()).unwrap() }
            }
            _ => Head { location: edge.target, stack: head.stack },
        };
        steps.push(*step);
        heads.push(head);
    }
    Path::new(program, heads, steps).unwrap()
}

/// The value of a term where the n-th symbol of the path is the n-th input.
fn value_of(terms: &Terms, inputs: &[Bits], term: Term) -> Option<Bits> {
    eval::evaluate(terms, term, &mut |node| {
        if node.op != Op::Symbol {
            return None;
        }
        let number: usize = terms.symbol_name(node.symbol()).strip_prefix("in!")?.split('!').next()?.parse().ok()?;
        inputs.get(number).map(|bits| Bits::new(node.width(), bits.value()))
    })
}

/// Pairs of what a symbolic state says about a register and what it holds in a concrete one.
fn registers(program: &Program, symbolic: &State, concrete: &State) -> Vec<(Value, Bits)> {
    let mut pairs = Vec::new();
    symbolic.for_each_register(|function, depth, slot, value| {
        concrete.for_each_register(|other, other_depth, other_slot, held| {
            if (function, depth, slot) == (other, other_depth, other_slot)
                && let Some(bits) = held.as_bits()
                && matches!(value, Value::Known { .. } | Value::Term(_))
            {
                pairs.push((value, bits));
            }
        });
    });
    let _ = program;
    pairs
}

fn domain<'p>(program: &'p Program, options: ValueOptions) -> ValueDomain<'p> {
    let terms = Arc::new(Terms::overlay(program.terms.clone()));
    ValueDomain::new(program, terms, options, &CancelToken::new())
}

#[test]
fn strongest_posts_agree_with_runs() {
    let mut compared = 0;
    for seed in 0..60 {
        let program = random_program(seed);
        // Every other one with all that may simplify switched on.
        let more = seed % 2 == 1;
        let definite = if more { assay_domains::value::DefiniteAssignments::Model } else { Default::default() };
        let options = ValueOptions { symbolic: true, simplify_constraints: more, definite, ..Default::default() };
        let domain = domain(&program, options);
        let stacks = CallStacks::new(None);
        let mut random = Random::new(seed ^ 77);
        for _ in 0..4 {
            let concrete = run(&program, &mut random);
            let path = path_of(&program, &stacks, &concrete.moves);
            let mut worker = domain.worker();
            let mut state = domain.initial(&mut worker);
            for index in 0..path.len() {
                let movement = path.movement(index);
                state = domain.post(&mut worker, &state, &movement).unwrap_or_else(|| panic!("seed {seed}: step {index} was taken"));
                for constraint in state.constraints.iter() {
                    let truth = value_of(&domain.terms, &concrete.inputs, constraint.term);
                    assert_eq!(truth, Some(Bits::TRUE), "seed {seed}: {}", domain.terms.display(constraint.term));
                }
                // Definite assignments may replace a symbol by its only value; the others are the inputs.
                for (value, bits) in registers(&program, &state.values, &concrete.states[index]) {
                    let computed = match value {
                        Value::Term(term) => value_of(&domain.terms, &concrete.inputs, term),
                        _ => value.as_bits(),
                    };
                    assert_eq!(computed, Some(bits), "seed {seed}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "only {compared} values were compared");
}

/// Whether the solver, without the chain that may share its mistakes, finds the constraints satisfiable.
fn is_satisfiable(terms: &Terms, constraints: &[Term]) -> bool {
    let mut solver = Solver::new(Config { chain: false, ..Config::default() });
    let answer = solver.check(terms, constraints, &Budget::default());
    assert!(!answer.is_unknown(), "{answer:?}");
    answer.is_sat()
}

/// Whether the concrete state is one of those that the symbolic state stands for, as far as registers tell.
fn contains(program: &Program, terms: &Terms, symbolic: &ValueState, concrete: &State) -> bool {
    let mut claims: Vec<Term> = symbolic.constraints.iter().map(|c| c.term).collect();
    for (value, bits) in registers(program, &symbolic.values, concrete) {
        match value {
            Value::Term(term) => claims.push(terms.eq(term, terms.constant(bits))),
            _ if value.as_bits() != Some(bits) => return false,
            _ => {}
        }
    }
    is_satisfiable(terms, &claims)
}

/// Whether no concrete state of the symbolic one can follow the rest of the path.
fn contradicts_rest(program: &Program, terms: &Terms, symbolic: &ValueState, path: &Path<'_>, from: usize) -> bool {
    let machine = Executor::new(program, terms);
    let mut semantics = ValueSemantics { symbolic: true, log: None };
    let mut values = symbolic.values.clone();
    let mut claims: Vec<Term> = symbolic.constraints.iter().map(|c| c.term).collect();
    for index in from..path.len() {
        let result = match path.step(index) {
            Step::Edge(edge) => machine.step(&mut semantics, &mut values, edge),
            Step::Return(edge) => machine.leave(&mut semantics, &mut values, edge),
        };
        match result {
            StepResult::Infeasible => return true,
            StepResult::ContinueIf(condition) => claims.push(condition),
            StepResult::Continue | StepResult::Unsupported => {}
        }
    }
    !is_satisfiable(terms, &claims)
}

#[test]
fn interpolants_lie_between_prefix_and_suffix() {
    let mut checked = 0;
    for seed in 100..160 {
        let program = random_program(seed);
        let domain = domain(&program, ValueOptions { symbolic: true, ..Default::default() });
        let stacks = CallStacks::new(None);
        let mut random = Random::new(seed);
        let concrete = run(&program, &mut random);
        let cancel = CancelToken::new();
        let facts = UnitFacts { program: &program, terms: &domain.terms };
        let structure = Structure::new(&program);
        let classes = Classification::of(&structure);
        let order = [ForgetOrder::ConstraintsFirst, ForgetOrder::ValuesFirst, ForgetOrder::ValuesOnly][(seed % 3) as usize];
        for (turn, step) in concrete.moves.iter().enumerate() {
            let outgoing = &program.locations[program.edges[step.edge()].source].outgoing;
            let Some(&other) = outgoing.iter().find(|&&edge| edge != step.edge()).filter(|_| !step.is_return()) else { continue };
            let mut moves = concrete.moves[..turn].to_vec();
            moves.push(Step::Edge(other));
            let path = path_of(&program, &stacks, &moves);
            let mut worker = domain.worker();
            let options = InterpolationOptions { order, ..Default::default() };
            let context = Context { domain: &domain, facts: &facts, scores: &classes, options, values_alone: false, cancel: &cancel };
            // Most turns are feasible: the run could have gone there with other inputs.
            let Some(found) = interpolate(&context, &mut worker, &path, &mut Reads::new(&program)).unwrap() else { continue };
            for (position, state) in found.states.iter().enumerate().skip(1) {
                let what = format!("seed {seed}, turn {turn}, position {position}");
                assert!(contains(&program, &domain.terms, state, &concrete.states[position - 1]), "{what}: not implied by the prefix");
                if !found.items[position].is_empty() {
                    assert!(contradicts_rest(&program, &domain.terms, state, &path, position), "{what}: the suffix can be followed");
                    checked += 1;
                }
            }
            break;
        }
    }
    assert!(checked > 100, "only {checked} interpolants were checked");
}
