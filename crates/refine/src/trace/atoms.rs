//! Assertions chosen by testing from candidate atoms: comparisons of the path itself, equalities with constants,
//! bounds, orders and differences between variables, parities.
//!
//! Forwards, the atoms that hold after each step are found (all at once: a model of the step refutes what it refutes,
//! until the rest is implied). Where the path comes by a place several times, those that hold at every visit are tried
//! first, so that what is said does not speak of one iteration of a loop. If they refute the path, the needed ones are
//! chosen backwards, one query for each step that matters, the weakest kept where several will do. If they do not,
//! others must: the caller falls back to Newton.

use super::{Spans, Trace};
use assay_base::{FastMap, FastSet, WorkTime};
use assay_cfa::{LocationId, Operation, Program, Step};
use assay_formula::Names;
use assay_smt::interpolate::{self, InterpolationError};
use assay_smt::{Answer, Budget, Model, Solver};
use assay_term::{Op, Term, Terms};
use std::time::Duration;

/// So many things of a place, and constants of the path, are combined.
const MAX_NAMES: usize = 7;
const MAX_CONSTANTS: usize = 6;
/// So many atoms of a place are tested.
const MAX_ATOMS: usize = 400;
/// A query is a small one, or it is not worth an atom.
const CONFLICTS: u64 = 2_000;
const TIME: Duration = Duration::from_millis(500);
/// How often the atoms of a place are tested again because a later visit refuted some of them.
const MAX_ROUNDS: usize = 8;

/// An atom over variables and memory, with what it says of the values after a group.
#[derive(Clone, Copy)]
struct Candidate {
    atom: Term,
    here: Term,
}

pub(super) struct Atoms<'t, 's> {
    trace: &'t Trace<'t>,
    solver: &'s mut Solver,
    trial: Budget,
    end: WorkTime,
    /// Where the path is after each group.
    places: Vec<LocationId>,
    names: Vec<Option<Names<'t>>>,
    pools: FastMap<LocationId, Vec<Term>>,
}

impl<'t, 's> Atoms<'t, 's> {
    /// The assertions after each group but the last; `None` where no atoms refute the path in time.
    ///
    /// # Errors
    /// Where the path is feasible, or the solver does not find out.
    pub(super) fn sequence(
        trace: &'t Trace<'t>,
        solver: &'s mut Solver,
        steps: &[Step],
        hints: &[Vec<Term>],
        time: Duration,
    ) -> Result<Option<Vec<Term>>, InterpolationError> {
        let groups = &trace.formula.groups;
        let core = interpolate::core(solver, trace.terms, groups, trace.budget)?;
        let names: Vec<Option<Names<'t>>> = (0..groups.len()).map(|group| trace.names(group)).collect();
        let trial = Budget { conflicts: Some(CONFLICTS), time: Some(TIME), ..trace.budget.clone() };
        let places = places(trace.program, steps, groups.len());
        let mut atoms = Atoms { trace, solver, trial, end: WorkTime::now() + time, places, names, pools: FastMap::default() };
        atoms.collect(&core, hints);
        Ok(atoms.search())
    }

    fn is_late(&self) -> bool {
        self.end.is_over() || self.trace.budget.cancel.is_stopped()
    }

    /// Makes the candidates of every place.
    fn collect(&mut self, core: &[Vec<Term>], hints: &[Vec<Term>]) {
        let t = self.trace.terms;
        let spans = Spans::of(t, core);
        let mut constants: Vec<Term> = Vec::new();
        t.post_order(core.iter().flatten().copied(), |term, node| {
            if node.op == Op::Const && (8..=64).contains(&node.width()) && !constants.contains(&term) {
                constants.push(term);
            }
        });
        // What is said somewhere on the path may be worth saying everywhere.
        let mut said: Vec<Term> = Vec::new();
        let mut seen: FastSet<Term> = FastSet::default();
        for (group, constraints) in core.iter().enumerate() {
            let before = group.saturating_sub(1);
            for atom in comparisons(t, constraints) {
                for at in [before, group] {
                    if let Some(atom) = self.names[at].as_ref().and_then(|names| names.say(atom))
                        && seen.insert(atom)
                    {
                        said.push(atom);
                    }
                }
            }
        }
        for part in hints.iter().flat_map(|parts| comparisons(t, parts)) {
            if seen.insert(part) {
                said.push(part);
            }
        }
        said.truncate(MAX_ATOMS / 4);
        let sample = self.sample();
        let mut things: FastMap<LocationId, Vec<Term>> = FastMap::default();
        for group in 0..core.len() {
            let Some(names) = &self.names[group] else { continue };
            let list = things.entry(self.places[group]).or_default();
            for (name, value) in names.all() {
                let node = t.node(value);
                if node.op == Op::Symbol && !node.sort.is_array() && spans.crosses(node.symbol(), group) && !list.contains(&name) {
                    list.push(name);
                }
            }
        }
        for group in 0..core.len() {
            let place = self.places[group];
            if self.pools.contains_key(&place) {
                continue;
            }
            let mut pool = Pool { terms: t, list: Vec::new(), seen: FastSet::default() };
            for &atom in &said {
                pool.add(atom);
                pool.add(t.not(atom));
            }
            let mut list = things.get(&place).cloned().unwrap_or_default();
            list.truncate(MAX_NAMES);
            pool.about(&list, &constants);
            // The first visit tells constant differences.
            let value = |name: Term| {
                let value = self.names[group].as_ref()?.value(name)?;
                sample.as_ref()?.eval(t, value)
            };
            for (i, &x) in list.iter().enumerate() {
                let Some(here) = value(x) else { continue };
                pool.add(t.eq(x, t.constant(here)));
                for &y in list[..i].iter().filter(|&&y| t.width(y) == t.width(x)) {
                    if let Some(there) = value(y) {
                        let [a, b] = [t.constant(here), t.constant(there)];
                        pool.add(t.eq(t.sub(x, y), t.sub(a, b)));
                        pool.add(t.eq(t.add(x, y), t.add(a, b)));
                    }
                }
            }
            pool.list.truncate(MAX_ATOMS);
            self.pools.insert(place, pool.list);
        }
    }

    /// A model of the longest prefix that has one, if it is easily found.
    fn sample(&mut self) -> Option<Model> {
        let groups = &self.trace.formula.groups;
        let mut count = groups.len() - 1;
        while count > 0 {
            let prefix: Vec<Term> = groups[..count].iter().flatten().copied().collect();
            match self.solver.check(self.trace.terms, &prefix, &self.trial) {
                Answer::Sat(model) => return Some(model),
                Answer::Unsat(_) => count /= 2,
                Answer::Unknown(_) => return None,
            }
        }
        None
    }

    fn search(&mut self) -> Option<Vec<Term>> {
        let mut free = self.forwards()?;
        if !self.contradicts(&free)? {
            return None;
        }
        // What holds at every visit of a place, and follows from what holds at every visit.
        let mut visits: FastMap<LocationId, u32> = FastMap::default();
        self.places.iter().for_each(|&place| *visits.entry(place).or_default() += 1);
        if visits.values().any(|&count| count > 1) {
            for _ in 0..MAX_ROUNDS {
                let before: usize = self.pools.values().map(Vec::len).sum();
                let cuts = free.len();
                for (group, held) in free.iter().enumerate().take(cuts) {
                    let place = self.places[group];
                    if visits[&place] > 1 {
                        let held: FastSet<Term> = held.iter().map(|candidate| candidate.atom).collect();
                        if let Some(pool) = self.pools.get_mut(&place) {
                            pool.retain(|atom| held.contains(atom));
                        }
                    }
                }
                if self.pools.values().map(Vec::len).sum::<usize>() == before {
                    break;
                }
                let next = self.forwards()?;
                if !self.contradicts(&next)? {
                    break;
                }
                free = next;
            }
        }
        self.backwards(&free)
    }

    /// What of the candidates holds after each group but the last.
    fn forwards(&mut self) -> Option<Vec<Vec<Candidate>>> {
        let t = self.trace.terms;
        let groups = &self.trace.formula.groups;
        let mut result: Vec<Vec<Candidate>> = Vec::with_capacity(groups.len());
        for (group, constraints) in groups[..groups.len() - 1].iter().enumerate() {
            if self.is_late() {
                return None;
            }
            let empty = Vec::new();
            let before = result.last().unwrap_or(&empty);
            let known: FastSet<Term> = before.iter().map(|candidate| candidate.here).collect();
            let pool = self.pools.get(&self.places[group]).map_or(&[][..], Vec::as_slice);
            let names = self.names[group].as_ref()?;
            let (mut held, mut open) = (Vec::new(), Vec::new());
            for &atom in pool {
                let Some(here) = names.value(atom) else { continue };
                let candidate = Candidate { atom, here };
                if t.is_true(here) || known.contains(&here) {
                    held.push(candidate);
                } else if !t.is_false(here) {
                    open.push(candidate);
                }
            }
            if !constraints.is_empty() {
                let mut facts: Vec<Term> = before.iter().map(|candidate| candidate.here).collect();
                facts.extend_from_slice(constraints);
                held.extend(self.implied(&facts, open));
            }
            result.push(held);
        }
        Some(result)
    }

    /// Those of the candidates that follow from the facts.
    fn implied(&mut self, facts: &[Term], mut open: Vec<Candidate>) -> Vec<Candidate> {
        let t = self.trace.terms;
        while !open.is_empty() {
            let mut query = facts.to_vec();
            query.push(t.not(t.and_all(open.iter().map(|candidate| candidate.here))));
            match self.solver.check(t, &query, &self.trial) {
                Answer::Unsat(_) => break,
                Answer::Sat(model) => {
                    let before = open.len();
                    open.retain(|candidate| model.holds(t, candidate.here) == Some(true));
                    if open.len() == before {
                        open.clear();
                    }
                }
                Answer::Unknown(_) => open.clear(),
            }
        }
        open
    }

    fn contradicts(&mut self, held: &[Vec<Candidate>]) -> Option<bool> {
        let groups = &self.trace.formula.groups;
        let mut query = groups[groups.len() - 1].clone();
        query.extend(held.last()?.iter().map(|candidate| candidate.here));
        match self.solver.check(self.trace.terms, &query, &self.trial) {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// What is needed of it, from the end.
    fn backwards(&mut self, held: &[Vec<Candidate>]) -> Option<Vec<Term>> {
        let t = self.trace.terms;
        let groups = &self.trace.formula.groups;
        let mut result = vec![t.true_(); held.len()];
        let mut chosen: FastMap<LocationId, FastSet<Term>> = FastMap::default();
        // What must follow after the group.
        let mut goal: Vec<Term> = vec![t.false_()];
        for group in (0..groups.len()).rev() {
            let Some(cut) = group.checked_sub(1) else { break };
            let available = &held[cut];
            let known: FastSet<Term> = available.iter().map(|candidate| candidate.here).collect();
            let place = self.places[cut];
            let carried = goal.iter().all(|term| known.contains(term));
            if !carried {
                let mut facts = groups[group].clone();
                facts.push(t.not(t.and_all(goal.iter().copied())));
                let again = chosen.get(&place).cloned().unwrap_or_default();
                let preferred: Vec<Candidate> = available.iter().copied().filter(|candidate| again.contains(&candidate.atom)).collect();
                let found = if preferred.is_empty() { None } else { self.needed(&facts, &preferred) };
                let found = match found {
                    Some(found) => found,
                    None => self.needed(&facts, available)?,
                };
                chosen.entry(place).or_default().extend(found.iter().map(|candidate| candidate.atom));
                goal = found.iter().map(|candidate| candidate.here).collect();
            }
            result[cut] = t.and_all(goal.iter().copied());
        }
        Some(result)
    }

    /// Few of the candidates that contradict the facts, the weaker ones where there is a choice.
    fn needed(&mut self, facts: &[Term], available: &[Candidate]) -> Option<Vec<Candidate>> {
        const TRIES: usize = 16;
        let t = self.trace.terms;
        let mut core = self.core(facts, available)?;
        // What is strong goes first.
        core.sort_by_key(|candidate| std::cmp::Reverse(strength(t, candidate.atom)));
        let (mut index, mut tries) = (0, 0);
        while index < core.len() && core.len() > 1 && tries < TRIES {
            tries += 1;
            let mut rest = core.clone();
            rest.remove(index);
            // Something weaker may stand for it, if it is there.
            match self.core(facts, &rest) {
                Some(mut smaller) => {
                    smaller.sort_by_key(|candidate| std::cmp::Reverse(strength(t, candidate.atom)));
                    core = smaller;
                    index = 0;
                }
                None => index += 1,
            }
        }
        let strong: Vec<usize> = (0..core.len()).filter(|&i| strength(t, core[i].atom) >= EQUATION).collect();
        for index in strong.into_iter().take(3) {
            let weaker = available.iter().filter(|c| strength(t, c.atom) < EQUATION && shares(t, c.atom, core[index].atom));
            let mut rest: Vec<Candidate> = weaker.copied().collect();
            rest.extend(core.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, candidate)| *candidate));
            if let Some(smaller) = self.core(facts, &rest).filter(|smaller| smaller.len() <= core.len() + 1) {
                core = smaller;
                break;
            }
        }
        Some(core)
    }

    fn core(&mut self, facts: &[Term], available: &[Candidate]) -> Option<Vec<Candidate>> {
        let mut query: Vec<Term> = available.iter().map(|candidate| candidate.here).collect();
        query.extend_from_slice(facts);
        let Answer::Unsat(core) = self.solver.check(self.trace.terms, &query, &self.trial) else { return None };
        Some(core.iter().filter(|&&i| i < available.len()).map(|&i| available[i]).collect())
    }
}

const EQUATION: u32 = 3;

/// How much an atom says, roughly: an equation with a constant is true of one value only.
fn strength(terms: &Terms, atom: Term) -> u32 {
    let node = terms.node(atom);
    match node.op {
        Op::Eq if terms.width(node.operand(0)) == 1 => 1,
        Op::Eq if [0, 1].iter().any(|&i| terms.as_constant(node.operand(i)).is_some()) => EQUATION,
        Op::Eq => 2,
        Op::Not if terms.node(node.operand(0)).op == Op::Eq => 0,
        _ => 1,
    }
}

fn shares(terms: &Terms, a: Term, b: Term) -> bool {
    let symbols = terms.free_symbols(a);
    terms.free_symbols(b).iter().any(|symbol| symbols.contains(symbol))
}

/// The comparisons that formulas are made of; single bits, which proofs are full of, are none.
fn comparisons(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut atoms = Vec::new();
    terms.post_order(formulas.iter().copied(), |term, node| {
        let comparison = match node.op {
            Op::Eq => !terms.sort(node.operand(0)).is_array() && terms.width(node.operand(0)) > 1,
            Op::UnsignedLess | Op::SignedLess | Op::FEq | Op::FLess | Op::FLessEq => true,
            _ => false,
        };
        if comparison {
            atoms.push(term);
        }
    });
    atoms
}

/// The candidates of a place.
struct Pool<'t> {
    terms: &'t Terms,
    list: Vec<Term>,
    seen: FastSet<Term>,
}

impl Pool<'_> {
    fn add(&mut self, atom: Term) {
        if self.terms.as_constant(atom).is_none() && self.seen.insert(atom) {
            self.list.push(atom);
        }
    }

    fn about(&mut self, names: &[Term], constants: &[Term]) {
        let t = self.terms;
        for (i, &x) in names.iter().enumerate() {
            let width = t.width(x);
            if !(8..=64).contains(&width) {
                if width == 1 {
                    self.add(x);
                    self.add(t.not(x));
                }
                continue;
            }
            let mut near: Vec<Term> = vec![t.number(width, 0), t.number(width, 1)];
            near.extend(constants.iter().copied().filter(|&c| t.width(c) == width).take(MAX_CONSTANTS));
            for &c in &near {
                for atom in [t.sle(x, c), t.sle(c, x), t.ule(x, c), t.ule(c, x), t.ne(x, c), t.eq(x, c)] {
                    self.add(atom);
                }
            }
            for &y in names[..i].iter().filter(|&&y| t.width(y) == width) {
                for atom in [t.sle(x, y), t.sle(y, x), t.ule(x, y), t.ule(y, x), t.ne(x, y), t.eq(x, y)] {
                    self.add(atom);
                }
            }
            let odd = t.extract(x, 0, 0);
            self.add(odd);
            self.add(t.not(odd));
        }
    }
}

/// Where a path is after each group; the first group is the start of the program.
fn places(program: &Program, steps: &[Step], count: usize) -> Vec<LocationId> {
    let mut places = vec![program.functions[program.entry].entry];
    for step in steps {
        places.push(match *step {
            Step::Edge(edge) => match &program.edges[edge].operation {
                Operation::Call { callee, .. } => program.functions[*callee].entry,
                _ => program.edges[edge].target,
            },
            Step::Return(edge) => program.edges[edge].target,
        });
    }
    places.truncate(count);
    places
}
