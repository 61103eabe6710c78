//! Many combinations at once: a block's formula as a decision diagram over its comparisons, from which all that are no
//! predicates at its end are taken out.
//!
//! Comparisons that share no symbol are independent. Those that do are few together, and their combinations are found
//! by the solver, once for each set of comparisons; everything else is propositional. So the result is exact, and where
//! something is too large, or the solver does not know, there is none.

use super::abstraction::Open;
use super::domain::{PredicateDomain, PredicateWorker};
use super::equalities::equalities;
use assay_base::{FastMap, FastSet};
use assay_smt::Budget;
use assay_term::{Op, Term, Terms};
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet, op_function};

/// With more comparisons, or more parts of formulas, combinations are looked for one by one.
const MOST_ATOMS: usize = 400;
const MOST_PARTS: usize = 20_000;
/// Comparisons that share symbols have at most so many combinations.
const MOST_TOGETHER: usize = 1_000;
/// So often a truth value is taken out of a comparison.
const MOST_CASES: usize = 3_000;
/// No diagram has more nodes, and all together not more than these.
const MOST_NODES: usize = 300_000;
const MOST_WORK: usize = 10_000_000;
/// Parts of formulas with larger diagrams get a variable that says what they say. Those of tests are small.
const LARGE: usize = if cfg!(test) { 4 } else { 400 };
/// Such variables between one comparison and the next.
const BETWEEN: u16 = 2;

/// The combinations of comparisons that share symbols.
#[derive(Default)]
pub(super) struct Together {
    known: FastMap<Vec<Term>, Vec<Vec<bool>>>,
    /// These have too many, and so have more of them.
    failed: Vec<FastSet<Term>>,
}

/// What is to be said by a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Goal {
    Holds(Term),
    Compare(Op, Term, Term),
}

/// What a goal is made of; parts come before the whole.
#[derive(Clone, Copy)]
enum Shape {
    Constant(bool),
    Atom(usize),
    Same(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Xor(usize, usize),
    Ite(usize, usize, usize),
}

/// The propositional structure of formulas.
struct Skeleton<'t> {
    terms: &'t Terms,
    done: FastMap<Goal, usize>,
    shapes: Vec<Shape>,
    atoms: Vec<Term>,
    places: FastMap<Term, usize>,
    cases: std::cell::Cell<usize>,
}

impl Skeleton<'_> {
    /// Truth values that decide something inside of a comparison: it is one thing where they hold and another where
    /// not.
    fn by_cases(&self, term: Term) -> (Vec<Goal>, fn(&[usize]) -> Shape) {
        let terms = self.terms;
        let node = terms.node(term);
        let mut seen: FastSet<Term> = FastSet::default();
        let mut work: Vec<Term> = terms.operands_of(&node).collect();
        while let Some(inner) = work.pop() {
            if terms.as_constant(inner).is_some() || !seen.insert(inner) {
                continue;
            }
            if !terms.sort(inner).is_array() && terms.width(inner) == 1 {
                let case = |value: bool| {
                    let value = if value { terms.true_() } else { terms.false_() };
                    let mut known = FastMap::from_iter([(inner, value)]);
                    Goal::Holds(terms.substitute_with(term, &mut |_| None, &mut known))
                };
                self.cases.set(self.cases.get() + 1);
                return (vec![Goal::Holds(inner), case(true), case(false)], |parts| Shape::Ite(parts[0], parts[1], parts[2]));
            }
            work.extend(terms.operands_of(&terms.node(inner)));
        }
        (vec![], |_| Shape::Constant(false))
    }

    /// The parts of a goal, and how they make it.
    fn parts(&self, goal: Goal) -> (Vec<Goal>, fn(&[usize]) -> Shape) {
        let terms = self.terms;
        let (op, a, b) = match goal {
            Goal::Compare(op, a, b) => (op, a, b),
            Goal::Holds(term) => {
                let node = terms.node(term);
                let holds = |place: usize| Goal::Holds(node.operand(place));
                match node.op {
                    Op::Not => return (vec![holds(0)], |parts| Shape::Not(parts[0])),
                    Op::And => return (vec![holds(0), holds(1)], |parts| Shape::And(parts[0], parts[1])),
                    Op::Or => return (vec![holds(0), holds(1)], |parts| Shape::Or(parts[0], parts[1])),
                    Op::Xor => return (vec![holds(0), holds(1)], |parts| Shape::Xor(parts[0], parts[1])),
                    Op::Ite => return (vec![holds(0), holds(1), holds(2)], |parts| Shape::Ite(parts[0], parts[1], parts[2])),
                    Op::Eq | Op::UnsignedLess | Op::SignedLess => (node.op, node.operand(0), node.operand(1)),
                    _ => return self.by_cases(term),
                }
            }
        };
        if op == Op::Eq && !terms.sort(a).is_array() && terms.width(a) == 1 {
            return (vec![Goal::Holds(a), Goal::Holds(terms.not(b))], |parts| Shape::Xor(parts[0], parts[1]));
        }
        for (side, first) in [(a, true), (b, false)] {
            let node = terms.node(side);
            if node.op == Op::Ite && !terms.sort(side).is_array() {
                let with = |value: Term| if first { Goal::Compare(op, value, b) } else { Goal::Compare(op, a, value) };
                let parts = vec![Goal::Holds(node.operand(0)), with(node.operand(1)), with(node.operand(2))];
                return (parts, |parts| Shape::Ite(parts[0], parts[1], parts[2]));
            }
        }
        match goal {
            Goal::Holds(term) => self.by_cases(term),
            Goal::Compare(..) => (vec![Goal::Holds(terms.compare(op, a, b))], |parts| Shape::Same(parts[0])),
        }
    }

    /// The place of a formula's shape; `None` where there are too many.
    fn add(&mut self, formula: Term) -> Option<usize> {
        let mut stack = vec![Goal::Holds(formula)];
        while let Some(&goal) = stack.last() {
            if self.done.contains_key(&goal) {
                stack.pop();
                continue;
            }
            let constant = match goal {
                Goal::Holds(term) => self.terms.as_constant(term).map(|bits| Shape::Constant(bits.is_true())),
                Goal::Compare(..) => None,
            };
            let shape = match constant {
                Some(shape) => shape,
                None => {
                    let (parts, make) = self.parts(goal);
                    if parts.is_empty() {
                        // Only what is a truth value as it stands has no parts.
                        let Goal::Holds(atom) = goal else { return None };
                        self.atom(atom)
                    } else {
                        let open: Vec<Goal> = parts.iter().rev().copied().filter(|part| !self.done.contains_key(part)).collect();
                        if !open.is_empty() {
                            stack.extend(open);
                            continue;
                        }
                        let places: Vec<usize> = parts.iter().map(|part| self.done[part]).collect();
                        make(&places)
                    }
                }
            };
            if self.shapes.len() >= MOST_PARTS || self.atoms.len() > MOST_ATOMS || self.cases.get() > MOST_CASES {
                return None;
            }
            self.done.insert(goal, self.shapes.len());
            self.shapes.push(shape);
            stack.pop();
        }
        self.done.get(&Goal::Holds(formula)).copied()
    }

    fn atom(&mut self, term: Term) -> Shape {
        let next = self.atoms.len();
        let place = *self.places.entry(term).or_insert(next);
        if place == next {
            self.atoms.push(term);
        }
        Shape::Atom(place)
    }
}

/// Diagrams of one computation, with what they may still cost.
struct Work<'c> {
    left: usize,
    is_stopped: &'c dyn Fn() -> bool,
}

type Operator = fn(Option<bool>, Option<bool>) -> Option<bool>;

impl Work<'_> {
    fn apply(&mut self, operator: Operator, a: &Bdd, b: &Bdd) -> Option<Bdd> {
        let result = Bdd::binary_op_with_limit(MOST_NODES, a, b, operator)?;
        self.paid(result)
    }

    /// What holds for some value of a variable: as it is, or with the variable turned round, in one pass.
    fn forget(&mut self, diagram: &Bdd, variable: BddVariable) -> Option<Bdd> {
        let turned = (diagram, Some(variable));
        let result = Bdd::fused_binary_flip_op_with_limit(MOST_NODES, (diagram, None), turned, None, op_function::or)?;
        self.paid(result)
    }

    fn paid(&mut self, result: Bdd) -> Option<Bdd> {
        self.left = self.left.checked_sub(result.size())?;
        if (self.is_stopped)() { None } else { Some(result) }
    }

    fn choose(&mut self, condition: &Bdd, a: &Bdd, b: &Bdd) -> Option<Bdd> {
        let yes = self.apply(op_function::and, condition, a)?;
        let no = self.apply(op_function::and_not, b, condition)?;
        self.apply(op_function::or, &yes, &no)
    }

    /// What holds for some value of each variable.
    fn without(&mut self, mut list: Vec<Bdd>, variables: &[BddVariable]) -> Option<Vec<Bdd>> {
        let mut left: FastSet<BddVariable> = variables.iter().copied().collect();
        let mut all: Vec<(Bdd, FastSet<BddVariable>)> = list
            .drain(..)
            .map(|diagram| (diagram.support_set().into_iter().collect(), diagram))
            .map(|(set, diagram)| (diagram, set))
            .collect();
        while !left.is_empty() {
            // The one that the least depends on.
            let mut costs: FastMap<BddVariable, usize> = FastMap::default();
            for (diagram, support) in &all {
                for variable in support {
                    *costs.entry(*variable).or_default() += diagram.size();
                }
            }
            let cheapest = left.iter().copied().min_by_key(|variable| (costs.get(variable).copied().unwrap_or(0), variable.to_index()))?;
            left.remove(&cheapest);
            let (mut mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, support)| support.contains(&cheapest));
            all = others;
            mine.sort_by_key(|(diagram, _)| diagram.size());
            let mut together: Option<Bdd> = None;
            for (diagram, _) in &mine {
                together = Some(match together {
                    None => diagram.clone(),
                    Some(before) => self.apply(op_function::and, &before, diagram)?,
                });
            }
            if let Some(together) = together {
                let result = self.forget(&together, cheapest)?;
                let support = result.support_set().into_iter().collect();
                all.push((result, support));
            }
        }
        Some(all.into_iter().map(|(diagram, _)| diagram).collect())
    }
}

impl PredicateDomain<'_> {
    /// All combinations of the predicates that the facts allow, and how many they are; `None` where they must be looked
    /// for in another way.
    pub(super) fn image(&self, worker: &mut PredicateWorker, facts: &[Term], open: &[&Open]) -> Option<(Bdd, f64)> {
        let terms = &*self.terms;
        let mut skeleton = Skeleton {
            terms,
            done: FastMap::default(),
            shapes: vec![],
            atoms: vec![],
            places: FastMap::default(),
            cases: Default::default(),
        };
        let mut demands = Vec::new();
        // What the block does comes before the region at its beginning: variables in the order of the program.
        for &fact in facts.iter().rev() {
            demands.push(skeleton.add(fact)?);
        }
        let mut results = Vec::new();
        // Predicates, each behind a comparison: what it was at the beginning, or the last that it is made of.
        let mut behind = Vec::new();
        for (index, (term, ids)) in open.iter().enumerate() {
            results.push(skeleton.add(*term)?);
            let own = ids.iter().find_map(|&(id, _)| skeleton.places.get(&self.predicate(id)).copied());
            behind.push((own.unwrap_or(skeleton.atoms.len()), index));
        }
        let mut numbers = vec![0u16; skeleton.atoms.len()];
        let mut new = vec![0u16; open.len()];
        behind.sort_unstable();
        let mut next = 0;
        let mut waiting = behind.into_iter().peekable();
        // Variables for large parts: behind all that they are made of, as near as possible.
        let mut spare: Vec<u16> = Vec::new();
        for place in 0..=skeleton.atoms.len() {
            if let Some(number) = numbers.get_mut(place) {
                *number = next;
                spare.extend(next + 1..=next + BETWEEN);
                next += 1 + BETWEEN;
            }
            while let Some((_, index)) = waiting.next_if(|&(after, _)| after <= place) {
                new[index] = next;
                next += 1;
            }
        }
        let variable = |number: u16| BddVariable::from_index(usize::from(number));
        let set = BddVariableSet::new_anonymous(next);
        let mut list = Vec::new();
        for group in worker.enumerator.independent(terms, &[], &skeleton.atoms) {
            let atoms: Vec<Term> = group.iter().map(|&place| skeleton.atoms[place]).collect();
            let combinations = self.together(worker, atoms)?;
            if combinations.len() < 1 << group.len().min(20) {
                let cube = |combination: &Vec<bool>| {
                    let mut cube = BddPartialValuation::empty();
                    for (&place, &value) in group.iter().zip(combination) {
                        cube.set_value(variable(numbers[place]), value);
                    }
                    cube
                };
                list.push(set.mk_dnf(&combinations.iter().map(cube).collect::<Vec<_>>()));
            }
        }
        let mut away: Vec<BddVariable> = numbers.iter().map(|&number| variable(number)).collect();
        let is_stopped = || self.cancel.is_stopped();
        let mut work = Work { left: MOST_WORK, is_stopped: &is_stopped };
        let mut made: Vec<Bdd> = Vec::with_capacity(skeleton.shapes.len());
        for shape in &skeleton.shapes {
            let diagram = match *shape {
                Shape::Constant(true) => set.mk_true(),
                Shape::Constant(false) => set.mk_false(),
                Shape::Atom(place) => set.mk_var(variable(numbers[place])),
                Shape::Same(a) => made[a].clone(),
                Shape::Not(a) => made[a].not(),
                Shape::And(a, b) => work.apply(op_function::and, &made[a], &made[b])?,
                Shape::Or(a, b) => work.apply(op_function::or, &made[a], &made[b])?,
                Shape::Xor(a, b) => work.apply(op_function::xor, &made[a], &made[b])?,
                Shape::Ite(a, b, c) => work.choose(&made[a], &made[b], &made[c])?,
            };
            let last = if diagram.size() > LARGE { diagram.support_set().into_iter().max() } else { None };
            let place = last.and_then(|last| spare.iter().position(|&number| variable(number) > last));
            made.push(match place {
                Some(place) => {
                    let stands = variable(spare.remove(place));
                    away.push(stands);
                    list.push(work.apply(op_function::iff, &diagram, &set.mk_var(stands))?);
                    set.mk_var(stands)
                }
                None => diagram,
            });
        }
        list.extend(demands.iter().map(|&place| made[place].clone()));
        for (&place, &number) in results.iter().zip(&new) {
            list.push(work.apply(op_function::iff, &made[place], &set.mk_var(variable(number)))?);
        }
        drop(made);
        let mut whole = set.mk_true();
        for part in work.without(list, &away)? {
            whole = work.apply(op_function::and, &whole, &part)?;
        }
        // From the variables of this computation to those of the run.
        let diagrams = &self.predicates.diagrams;
        let mut literals: FastMap<usize, Bdd> = FastMap::default();
        let mut equal = diagrams.mk_true();
        for ((_, ids), &number) in open.iter().zip(&new) {
            let mut same = ids.iter().map(|&(id, same)| diagrams.mk_literal(id.variable(), same));
            let first = same.next()?;
            for other in same {
                equal = equal.and(&first.iff(&other));
            }
            literals.insert(usize::from(number), first);
        }
        let mut moved: Vec<Bdd> = Vec::with_capacity(whole.size());
        for pointer in whole.pointers() {
            moved.push(if pointer.is_zero() {
                diagrams.mk_false()
            } else if pointer.is_one() {
                diagrams.mk_true()
            } else {
                let [low, high] = [whole.low_link_of(pointer), whole.high_link_of(pointer)].map(|p| &moved[p.to_index()]);
                work.choose(literals.get(&whole.var_of(pointer).to_index())?, high, low)?
            });
        }
        worker.stats.add("predicate: combinations by diagrams", 1);
        let count = whole.cardinality() / 2f64.powi(i32::from(next) - open.len() as i32);
        Some((moved.last()?.and(&equal), count))
    }

    /// Which comparisons that share symbols go together.
    fn together(&self, worker: &mut PredicateWorker, atoms: Vec<Term>) -> Option<Vec<Vec<bool>>> {
        // One truth value of its own, or one symbol with more than one value.
        if let [atom] = atoms[..] {
            let node = self.terms.node(atom);
            let is_free = |place: usize| self.terms.node(node.operand(place)).op == Op::Symbol;
            let is_number = |place: usize| self.terms.as_constant(node.operand(place)).is_some();
            if node.op == Op::Symbol || node.op == Op::Eq && (is_free(0) && is_number(1) || is_free(1) && is_number(0)) {
                return Some(vec![vec![false], vec![true]]);
            }
        }
        if let Some(known) = worker.together.known.get(&atoms) {
            return Some(known.clone());
        }
        if let Some(found) = equalities(&self.terms, &atoms) {
            worker.together.known.insert(atoms, found.clone());
            return Some(found);
        }
        let all: FastSet<Term> = atoms.iter().copied().collect();
        if worker.together.failed.iter().any(|failed| failed.is_subset(&all)) {
            return None;
        }
        let budget = Budget::with_time(&self.cancel, self.options.solver_time);
        worker.stats.add("predicate: queries", 1);
        let found = worker.enumerator.combinations(&self.terms, &[], &atoms, MOST_TOGETHER, &budget);
        worker.stats.add("predicate: combinations of comparisons", found.list.len() as u64);
        if !found.complete {
            worker.together.failed.push(all);
            return None;
        }
        worker.together.known.insert(atoms, found.list.clone());
        Some(found.list)
    }
}
