//! Acceleration over iterations of a loop that a run would only count: where every iteration takes the same path and
//! adds the same numbers to registers, the state after many iterations is known without running them.
//!
//! *Why acceleration is exact.* The path of one iteration is composed into terms over the registers at its start. A
//! register `x` that becomes `x + d`, with a constant `d`, is `x + k·d` at the start of iteration `k`. Every condition
//! of the path, and that no path before it in the same place is open, is then looked at as a function of `k`: its parts
//! are integers of the form `a + b·k` which stay in the range of their width for all iterations that are passed over
//! (or fewer are passed over), so that their comparisons are decided at the two ends. Only if each condition is true in
//! each iteration are the iterations passed over. What is left of other registers is what the last iteration gives
//! them. Iterations with calls, memory or inputs that are not known to stay the same are not passed over.

use crate::interpreter::Oracle;
use crate::state::{State, Value};
use assay_base::FastMap;
use assay_cfa::operation::{Operation, ValueSourceKind};
use assay_cfa::program::{EdgeId, LocationId, Program, VarId};
use assay_term::{Bits, Op, Term, Terms, eval};

/// A run is looked at after so many steps, and again after so many.
const PAUSE: u64 = 1 << 12;
/// Iterations with more edges are not passed over.
const LONGEST: usize = 300;
/// Shorter acceleration are not worth it.
const FEWEST: u64 = 1 << 10;

/// Watches a run for iterations that can be passed over.
#[derive(Default)]
pub(crate) struct Acceleration {
    /// Where the iteration that is being watched begins.
    begin: Option<LocationId>,
    path: Vec<EdgeId>,
}

impl Acceleration {
    /// A run is at a location after so many steps. `Some` with the number of iterations that were passed over.
    pub(crate) fn arrive(
        &mut self,
        program: &Program,
        terms: &Terms,
        oracle: &dyn Oracle,
        state: &mut State,
        location: LocationId,
        steps: u64,
    ) -> Option<u64> {
        if steps.is_multiple_of(PAUSE) && steps > PAUSE {
            self.path.clear();
            self.begin = Some(location);
            return None;
        }
        if self.begin != Some(location) {
            return None;
        }
        self.begin = None;
        let iteration = Iteration::of(program, terms, oracle, &self.path)?;
        iteration.accelerate(state)
    }

    /// The run leaves a function.
    pub(crate) fn leave(&mut self) {
        self.begin = None;
    }

    /// The run takes an edge.
    pub(crate) fn take(&mut self, program: &Program, edge: EdgeId) {
        if self.begin.is_none() {
            return;
        }
        let plain = matches!(
            program.edges[edge].operation,
            Operation::Skip | Operation::Assign { .. } | Operation::Assume { .. } | Operation::Havoc { .. }
        );
        if plain && self.path.len() < LONGEST {
            self.path.push(edge);
        } else {
            self.begin = None;
        }
    }
}

/// One iteration, over the registers at its start.
struct Iteration<'a> {
    program: &'a Program,
    terms: &'a Terms,
    conditions: Vec<Term>,
    /// What registers hold after it.
    after: FastMap<VarId, Term>,
    /// The registers that a constant is added to.
    steps: FastMap<VarId, i128>,
}

impl<'a> Iteration<'a> {
    /// `None` where some of it is not understood.
    fn of(program: &'a Program, terms: &'a Terms, oracle: &dyn Oracle, path: &[EdgeId]) -> Option<Self> {
        let mut iteration = Iteration { program, terms, conditions: vec![], after: FastMap::default(), steps: FastMap::default() };
        for &id in path {
            let edge = &program.edges[id];
            match edge.operation {
                Operation::Assign { target, value } => {
                    let value = iteration.at_start(value);
                    iteration.after.insert(target, value);
                }
                Operation::Assume { condition } => {
                    // Of several open paths the first is taken.
                    let before = program.locations[edge.source].outgoing.iter().take_while(|&&other| other != id);
                    for &other in before {
                        let Operation::Assume { condition } = program.edges[other].operation else { return None };
                        iteration.conditions.push(terms.not(iteration.at_start(condition)));
                    }
                    iteration.conditions.push(iteration.at_start(condition));
                }
                Operation::Havoc { target, source } => {
                    if program.value_sources[source].kind != ValueSourceKind::Input || !oracle.only_zeros() {
                        return None;
                    }
                    let width = program.variables[target].register_width()?;
                    iteration.after.insert(target, terms.number(width, 0));
                }
                _ => {}
            }
        }
        for (&register, &value) in &iteration.after {
            let before = terms.symbol(register.symbol());
            if let Some(step) = terms.as_constant(terms.sub(value, before)) {
                iteration.steps.insert(register, step.signed());
            }
        }
        Some(iteration)
    }

    fn at_start(&self, term: Term) -> Term {
        self.terms.substitute(term, &mut |node| match node.op {
            Op::Symbol => self.program.variable_of(node.symbol()).and_then(|variable| self.after.get(&variable).copied()),
            _ => None,
        })
    }

    /// Passes over as many iterations as it can; says how many.
    fn accelerate(&self, state: &mut State) -> Option<u64> {
        let possible = |iterations: u64| {
            let look = Look { iteration: self, state, last: i128::from(iterations) - 1 };
            self.conditions.iter().all(|&condition| look.truth(condition) == Some(true))
        };
        if !possible(FEWEST) {
            return None;
        }
        let (mut iterations, mut too_many) = (FEWEST, FEWEST);
        while possible(too_many) {
            iterations = too_many;
            too_many = too_many.checked_mul(2).filter(|&iterations| iterations < 1 << 62)?;
        }
        while too_many - iterations > 1 {
            let middle = iterations + (too_many - iterations) / 2;
            if possible(middle) {
                iterations = middle;
            } else {
                too_many = middle;
            }
        }
        // The last of these iterations gives registers their values.
        let look = Look { iteration: self, state, last: i128::from(iterations) - 1 };
        let values: Option<Vec<(VarId, Bits)>> =
            self.after.iter().map(|(&register, &value)| Some((register, look.value_in_last(value)?))).collect();
        for (register, bits) in values? {
            state.set(self.program, register, Value::known(bits));
        }
        Some(iterations)
    }
}

/// An integer that is `start` in the first iteration and grows by `step` in each.
#[derive(Clone, Copy, PartialEq)]
struct Line {
    start: i128,
    step: i128,
}

impl Line {
    fn constant(start: i128) -> Self {
        Line { start, step: 0 }
    }

    fn at(self, iteration: i128) -> Option<i128> {
        self.start.checked_add(self.step.checked_mul(iteration)?)
    }
}

/// Looks at terms in all iterations from the first to the last that are passed over.
struct Look<'r, 'a> {
    iteration: &'r Iteration<'a>,
    state: &'r State,
    last: i128,
}

impl Look<'_, '_> {
    /// What a register holds where the first of them begins.
    fn first(&self, register: VarId) -> Option<Bits> {
        self.state.get(self.iteration.program, register).as_bits()
    }

    /// The value of a term in the last iteration.
    fn value_in_last(&self, term: Term) -> Option<Bits> {
        eval::evaluate(self.iteration.terms, term, &mut |node| {
            if node.op != Op::Symbol {
                return None;
            }
            let register = self.iteration.program.variable_of(node.symbol())?;
            let first = self.first(register)?;
            match self.iteration.steps.get(&register) {
                Some(&step) => Some(Bits::new(first.width(), (first.signed().wrapping_add(step.wrapping_mul(self.last))) as u128)),
                None if self.iteration.after.contains_key(&register) => None,
                None => Some(first),
            }
        })
    }

    /// Whether a condition is the same in all iterations, and what it is.
    fn truth(&self, condition: Term) -> Option<bool> {
        let terms = self.iteration.terms;
        let node = terms.node(condition);
        let (a, b) = (|| node.operand(0), || node.operand(1));
        match node.op {
            Op::Not => self.truth(a()).map(|truth| !truth),
            Op::And if node.width() == 1 => match (self.truth(a()), self.truth(b())) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
            Op::Or if node.width() == 1 => match (self.truth(a()), self.truth(b())) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => Some(a? || b?),
            },
            Op::Eq if terms.width(a()) == 1 => Some(self.truth(a())? == self.truth(b())?),
            Op::Eq => {
                let difference = self.difference(self.line(a())?, self.line(b())?)?;
                if difference == Line::constant(0) {
                    return Some(true);
                }
                let (first, last) = (difference.at(0)?, difference.at(self.last)?);
                let passes_over = difference.step != 0 && first % difference.step != 0;
                ((first < 0 && last < 0) || (first > 0 && last > 0) || passes_over).then_some(false)
            }
            Op::SignedLess => self.below(self.line(a())?, self.line(b())?),
            Op::UnsignedLess => {
                let width = terms.width(a());
                self.below(self.unsigned(self.line(a())?, width)?, self.unsigned(self.line(b())?, width)?)
            }
            _ if node.width() == 1 => self.constant(condition).map(|value| value != 0),
            _ => None,
        }
    }

    fn difference(&self, a: Line, b: Line) -> Option<Line> {
        Some(Line { start: a.start.checked_sub(b.start)?, step: a.step.checked_sub(b.step)? })
    }

    fn below(&self, a: Line, b: Line) -> Option<bool> {
        let difference = self.difference(a, b)?;
        match (difference.at(0)? < 0, difference.at(self.last)? < 0) {
            (first, last) if first == last => Some(first),
            _ => None,
        }
    }

    /// A term that no register of the iteration changes.
    fn constant(&self, term: Term) -> Option<i128> {
        let program = self.iteration.program;
        let value = eval::evaluate(self.iteration.terms, term, &mut |node| {
            let register = (node.op == Op::Symbol).then(|| program.variable_of(node.symbol())).flatten()?;
            if self.iteration.after.contains_key(&register) { None } else { self.first(register) }
        });
        value.map(Bits::signed)
    }

    /// A term as a signed integer of its width, the same line in all iterations.
    fn line(&self, term: Term) -> Option<Line> {
        let terms = self.iteration.terms;
        let node = terms.node(term);
        let width = node.width();
        if !(2..=100).contains(&width) || node.sort.is_array() || node.sort.is_integer() {
            return None;
        }
        let line = match node.op {
            Op::Symbol => {
                let register = self.iteration.program.variable_of(node.symbol())?;
                match self.iteration.steps.get(&register) {
                    Some(&step) => Line { start: self.first(register)?.signed(), step },
                    None => Line::constant(self.constant(term)?),
                }
            }
            Op::Add => {
                let (a, b) = (self.line(node.operand(0))?, self.line(node.operand(1))?);
                Line { start: a.start.checked_add(b.start)?, step: a.step.checked_add(b.step)? }
            }
            Op::Neg => {
                let a = self.line(node.operand(0))?;
                Line { start: a.start.checked_neg()?, step: a.step.checked_neg()? }
            }
            Op::Mul => {
                let (a, b) = (self.line(node.operand(0))?, self.line(node.operand(1))?);
                let (factor, line) = if a.step == 0 { (a.start, b) } else { (b.start, a) };
                if a.step != 0 && b.step != 0 {
                    return None;
                }
                Line { start: line.start.checked_mul(factor)?, step: line.step.checked_mul(factor)? }
            }
            Op::SignExtend => self.line(node.operand(0))?,
            Op::ZeroExtend => self.unsigned(self.line(node.operand(0))?, terms.width(node.operand(0)))?,
            Op::Ite => self.line(node.operand(if self.truth(node.operand(0))? { 1 } else { 2 }))?,
            _ => Line::constant(self.constant(term)?),
        };
        // What leaves the range of its width wraps, and is no line.
        let limit = 1i128 << (width - 1);
        let inside = |value: i128| (-limit..limit).contains(&value);
        (inside(line.at(0)?) && inside(line.at(self.last)?)).then_some(line)
    }

    /// The same bits as an unsigned integer.
    fn unsigned(&self, line: Line, width: u32) -> Option<Line> {
        match (line.at(0)? < 0, line.at(self.last)? < 0) {
            (false, false) => Some(line),
            (true, true) => Some(Line { start: line.start.checked_add(1i128 << width)?, step: line.step }),
            _ => None,
        }
    }
}
