//! Queries: generated ones of the kinds that analyses ask, from fixed seeds, and those of a log.

use assay_smt::log::read_log;
use assay_smt::{Budget, Config, Solver};
use assay_term::random::Random;
use assay_term::{Op, Sort, Term, Terms};
use std::path::Path;
use std::time::Duration;

pub(crate) struct Workload {
    pub name: String,
    pub terms: Terms,
    pub queries: Vec<Vec<Term>>,
    /// A new solver for every query.
    pub fresh: bool,
    pub limit: Option<Duration>,
}

/// The queries of a log that `assay verify --dump-queries` wrote: those of its largest session, at most so many.
pub(crate) fn recorded(folder: &Path, limit: usize) -> Option<Workload> {
    let sessions = match read_log(folder) {
        Ok(sessions) => sessions,
        Err(error) => {
            eprintln!("{error}");
            return None;
        }
    };
    let session = sessions.into_iter().max_by_key(|session| session.queries.len())?;
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let queries = session.queries.into_iter().map(|query| query.constraints).take(limit).collect();
    let limit = Some(Duration::from_secs(2));
    Some(Workload { name: format!("recorded: {name}"), terms: session.terms, queries, fresh: false, limit })
}

/// Conditions as programs have them: comparisons of small arithmetic over a few 32-bit inputs.
struct Conditions<'a> {
    terms: &'a Terms,
    random: Random,
    inputs: Vec<Term>,
}

impl<'a> Conditions<'a> {
    fn new(terms: &'a Terms, inputs: usize, seed: u64) -> Self {
        let inputs = (0..inputs).map(|i| terms.named(&format!("x{i}"), Sort::bv(32))).collect();
        Conditions { terms, random: Random::new(seed), inputs }
    }

    fn value(&mut self, depth: usize) -> Term {
        let t = self.terms;
        let input = self.random.pick(&self.inputs);
        if depth == 0 {
            return input;
        }
        let small = t.number(32, 1 + self.random.below(100) as u128);
        match self.random.below(8) {
            0 | 1 => t.add(self.value(depth - 1), small),
            2 => t.add(self.value(depth - 1), self.value(depth - 1)),
            3 => t.sub(self.value(depth - 1), input),
            4 => t.and(self.value(depth - 1), t.number(32, self.random.pick(&[1, 3, 7, 255, 0xFFFF]))),
            5 => t.mul(self.value(depth - 1), t.number(32, self.random.pick(&[2, 3, 5, 10]))),
            6 => t.binary(Op::ShiftLeft, self.value(depth - 1), t.number(32, 1 + self.random.below(4) as u128)),
            _ => input,
        }
    }

    fn condition(&mut self) -> Term {
        let t = self.terms;
        let a = self.value(2);
        let b = if self.random.chance(60) { t.number(32, self.random.below(1000) as u128) } else { self.value(1) };
        let condition = match self.random.below(4) {
            0 => t.eq(a, b),
            1 => t.ult(a, b),
            _ => t.slt(a, b),
        };
        if self.random.chance(50) { t.not(condition) } else { condition }
    }

    /// A path of so many conditions that is satisfiable.
    fn path(&mut self, length: usize) -> Vec<Term> {
        let mut solver = Solver::new(Config::default());
        let mut path = Vec::new();
        while path.len() < length {
            let condition = self.condition();
            if self.terms.as_constant(condition).is_some() || path.contains(&condition) {
                continue;
            }
            path.push(condition);
            if !solver.check(self.terms, &path, &Budget::default()).is_sat() {
                path.pop();
                // What contradicts the path is the other branch's condition.
                path.push(self.terms.not(condition));
                if !solver.check(self.terms, &path, &Budget::default()).is_sat() {
                    path.pop();
                }
            }
        }
        path
    }
}

/// Both branches of every condition along short paths.
pub(crate) fn tiny(count: usize) -> Workload {
    let terms = Terms::new();
    let mut queries = Vec::new();
    let mut seed = 100;
    while queries.len() < count {
        let mut conditions = Conditions::new(&terms, 3, seed);
        seed += 1;
        let path = conditions.path(5);
        for length in 1..=path.len() {
            let mut query = path[..length].to_vec();
            queries.push(query.clone());
            query[length - 1] = terms.not(path[length - 1]);
            queries.push(query);
        }
    }
    queries.truncate(count);
    Workload { name: "tiny incremental".into(), terms, queries, fresh: false, limit: None }
}

/// New conditions, both branches, below a long path.
pub(crate) fn prefix(count: usize, length: usize) -> Workload {
    let terms = Terms::new();
    let mut queries = Vec::new();
    let mut seed = 500;
    while queries.len() < count {
        let mut conditions = Conditions::new(&terms, 6, seed);
        seed += 1;
        let path = conditions.path(length);
        for _ in 0..20 {
            let condition = conditions.condition();
            if terms.as_constant(condition).is_some() {
                continue;
            }
            for branch in [condition, terms.not(condition)] {
                let mut query = path.clone();
                query.push(branch);
                queries.push(query);
            }
        }
    }
    queries.truncate(count);
    Workload { name: "below a 20-constraint prefix".into(), terms, queries, fresh: false, limit: None }
}

/// One small query for a solver that was made for it.
pub(crate) fn fresh(count: usize) -> Workload {
    let terms = Terms::new();
    let mut conditions = Conditions::new(&terms, 2, 900);
    let mut queries = Vec::new();
    while queries.len() < count {
        let condition = conditions.condition();
        if terms.as_constant(condition).is_none() {
            queries.push(vec![condition]);
        }
    }
    Workload { name: "fresh instance".into(), terms, queries, fresh: true, limit: None }
}

/// Conjunctions as event-condition-action programs make them: inputs and states against constants, some arithmetic.
pub(crate) fn eca(count: usize, length: usize) -> Workload {
    let terms = Terms::new();
    let t = &terms;
    let mut random = Random::new(77);
    let mut queries = Vec::new();
    for number in 0..count {
        let mut query = Vec::new();
        for step in 0..length {
            let input = t.named(&format!("i{}_{step}", number % 8), Sort::bv(32));
            let state = t.named(&format!("s{}_{}", number % 8, step / 4), Sort::bv(32));
            let constant = t.number(32, random.below(40) as u128);
            let part = match random.below(6) {
                0 => t.ne(input, constant),
                1 => t.slt(t.number(32, 100u128 + random.below(50) as u128), state),
                2 => t.sle(state, t.number(32, 300u128 + random.below(100) as u128)),
                3 => {
                    let modulus = t.binary(Op::SignedRem, state, t.number(32, 71));
                    t.slt(modulus, t.number(32, 20 + random.below(60) as u128))
                }
                4 => t.or(t.eq(input, constant), t.slt(state, t.add(input, t.number(32, 150)))),
                _ => t.slt(t.number(32, 0), t.add(state, t.neg(input))),
            };
            if t.as_constant(part).is_none() {
                query.push(part);
            }
        }
        queries.push(query);
    }
    Workload { name: "ECA-like conjunctions of 40".into(), terms, queries, fresh: false, limit: Some(Duration::from_secs(5)) }
}

/// Multiplication, division and identities of words: hard for bit-blasting.
pub(crate) fn hard(limit: Duration) -> Workload {
    let terms = Terms::new();
    let t = &terms;
    let mut queries = Vec::new();
    let named = |name: &str, width: u32| t.named(name, Sort::bv(width));
    for width in [8, 12, 16, 20, 24, 32] {
        let (x, y, z) = (named(&format!("x{width}"), width), named(&format!("y{width}"), width), named(&format!("z{width}"), width));
        let number = |value: u128| t.number(width, value);
        // Factoring, distributivity, squares, and quotients put together again.
        let wide = |a: Term| t.zero_extend(a, 2 * width);
        let product = [0x8F * 0xFB, 4093 * 4091, 65521 * 65519, 1048573 * 1048571, 16777213 * 16777199, 4294967291 * 4294967279u128]
            [[8, 12, 16, 20, 24, 32].iter().position(|&w| w == width).unwrap_or(0)];
        queries.push(vec![t.eq(t.mul(wide(x), wide(y)), t.number(2 * width, product)), t.ult(number(1), x), t.ult(number(1), y)]);
        queries.push(vec![t.ne(t.mul(x, t.add(y, z)), t.add(t.mul(x, y), t.mul(x, z)))]);
        queries.push(vec![t.ne(t.mul(x, y), t.mul(y, x))]);
        queries.push(vec![t.eq(t.and(t.mul(x, x), number(3)), number(2))]);
        let quotient = t.binary(Op::UnsignedDiv, x, y);
        let rest = t.binary(Op::UnsignedRem, x, y);
        queries.push(vec![t.ne(y, number(0)), t.ne(t.add(t.mul(quotient, y), rest), x)]);
        queries.push(vec![t.ne(y, number(0)), t.ule(y, rest)]);
        queries.push(vec![
            t.eq(t.binary(Op::UnsignedDiv, x, number(7)), number(13)),
            t.eq(t.binary(Op::UnsignedRem, x, number(5)), number(3)),
        ]);
        queries.push(vec![t.ne(t.add(t.xor(x, y), t.add(t.and(x, y), t.and(x, y))), t.add(x, y))]);
        queries.push(vec![t.ne(t.binary(Op::SignedRem, t.neg(x), number(10)), t.neg(t.binary(Op::SignedRem, x, number(10))))]);
        queries.push(vec![t.eq(t.mul(t.mul(x, x), x), t.add(t.mul(y, y), number(3))), t.ult(number(2), x)]);
    }
    Workload { name: "multiplication, division, identities".into(), terms, queries, fresh: true, limit: Some(limit) }
}
