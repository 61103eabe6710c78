//! Many combinations at once: a block's formula as a decision diagram over its comparisons, from which all that are no
//! predicates at its end are taken out.
//!
//! Comparisons that share no symbol are independent. Those that do are few together, and their combinations are found
//! by the solver, once for each set of comparisons; everything else is propositional. So the result is exact, and where
//! something is too large, or the solver does not know, there is none.

use super::abstraction::Open;
use super::domain::{PredicateDomain, PredicateWorker};
use super::equalities::equalities;
use super::predicates::PredicateId;
use assay_base::{FastMap, FastSet};
use assay_smt::Budget;
use assay_term::{Op, Term, Terms};
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet, op_function};
use std::sync::atomic::{AtomicBool, Ordering};

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
/// A block that takes more is better cut.
const MUCH_WORK: usize = 3_000_000;
/// Variables of smaller diagrams are taken out all at once.
const MOST_IN_ONE_PASS: usize = 20_000;
/// Parts of formulas with larger diagrams get a variable that says what they say. Those of tests are small.
const LARGE: usize = if cfg!(test) { 4 } else { 400 };
/// Larger regions decide the order of variables. Those of tests are small.
const LARGE_REGION: usize = if cfg!(test) { 3 } else { 60 };
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

/// A region that facts begin with, and how many of them it is.
pub(super) type FromRegion<'r> = Option<(&'r Bdd, usize)>;

/// What has a variable: a comparison, or an open predicate at the end.
#[derive(Clone, Copy)]
enum Slot {
    Atom(usize),
    New(usize),
}

/// A diagram of so many variables with other names for them; `None` where that changes their order.
fn renamed(diagram: &Bdd, count: u16, to: &dyn Fn(BddVariable) -> Option<BddVariable>) -> Option<Bdd> {
    let mut nodes = diagram.clone().to_nodes();
    for (place, node) in nodes.iter_mut().enumerate() {
        node.var = if place < 2 { BddVariable::from_index(usize::from(count)) } else { to(node.var)? };
    }
    Bdd::from_nodes(&nodes).ok()
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
    /// Set where a limit is exceeded or nearly so.
    too_large: &'c AtomicBool,
    is_stopped: &'c dyn Fn() -> bool,
}

type Operator = fn(Option<bool>, Option<bool>) -> Option<bool>;

impl Work<'_> {
    fn apply(&mut self, operator: Operator, a: &Bdd, b: &Bdd) -> Option<Bdd> {
        let result = Bdd::binary_op_with_limit(MOST_NODES, a, b, operator);
        self.paid(result)
    }

    /// What holds for some value of a variable: as it is, or with the variable turned round, in one pass.
    fn forget(&mut self, diagram: &Bdd, variable: BddVariable) -> Option<Bdd> {
        let turned = (diagram, Some(variable));
        let result = Bdd::fused_binary_flip_op_with_limit(MOST_NODES, (diagram, None), turned, None, op_function::or);
        self.paid(result)
    }

    /// A diagram that was made within the limit for one, if it is within that for all.
    fn paid(&mut self, result: Option<Bdd>) -> Option<Bdd> {
        let result = result.filter(|result| result.size() <= self.left);
        self.left -= result.as_ref().map_or(0, Bdd::size);
        if result.is_none() || self.left < MOST_WORK - MUCH_WORK {
            self.too_large.store(true, Ordering::Relaxed);
        }
        result.filter(|_| !(self.is_stopped)())
    }

    fn choose(&mut self, condition: &Bdd, a: &Bdd, b: &Bdd) -> Option<Bdd> {
        let yes = self.apply(op_function::and, condition, a)?;
        let no = self.apply(op_function::and_not, b, condition)?;
        self.apply(op_function::or, &yes, &no)
    }

    /// What holds for both diagrams and some value of each variable.
    fn both_without(&mut self, a: &Bdd, b: &Bdd, away: &[BddVariable]) -> Option<Bdd> {
        // In one pass, which has no limit of its own.
        if a.size() + b.size() < MOST_IN_ONE_PASS {
            let result = Bdd::binary_op_with_exists(a, b, op_function::and, away);
            return self.paid(Some(result));
        }
        let mut result = self.apply(op_function::and, a, b)?;
        for &variable in away {
            result = self.forget(&result, variable)?;
        }
        Some(result)
    }

    /// What holds for some value of each variable.
    fn without(&mut self, list: Vec<Bdd>, variables: &[BddVariable]) -> Option<Vec<Bdd>> {
        let mut left: FastSet<BddVariable> = variables.iter().copied().collect();
        let with_support = |diagram: Bdd| {
            let support: FastSet<BddVariable> = diagram.support_set().into_iter().collect();
            (diagram, support)
        };
        let mut all: Vec<(Bdd, FastSet<BddVariable>)> = list.into_iter().map(with_support).collect();
        while !left.is_empty() {
            // The one that the least depends on.
            let mut costs: FastMap<BddVariable, usize> = FastMap::default();
            for (diagram, support) in &all {
                for variable in support {
                    *costs.entry(*variable).or_default() += diagram.size();
                }
            }
            let cheapest = left.iter().copied().min_by_key(|variable| (costs.get(variable).copied().unwrap_or(0), variable.to_index()))?;
            let (mut mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, support)| support.contains(&cheapest));
            all = others;
            // With it go all on which nothing else depends.
            let depends = |variable: &BddVariable| all.iter().any(|(_, support)| support.contains(variable));
            let mut away: Vec<BddVariable> = left.iter().copied().filter(|variable| !depends(variable)).collect();
            away.sort_unstable();
            left.retain(|variable| away.binary_search(variable).is_err());
            mine.sort_by_key(|(diagram, _)| diagram.size());
            let Some((last, _)) = mine.pop() else { continue };
            let mut together: Option<Bdd> = None;
            for (diagram, _) in mine {
                together = Some(match together {
                    None => diagram,
                    Some(before) => self.apply(op_function::and, &before, &diagram)?,
                });
            }
            let together = together.unwrap_or_else(|| last.clone());
            all.push(with_support(self.both_without(&together, &last, &away)?));
        }
        Some(all.into_iter().map(|(diagram, _)| diagram).collect())
    }
}

impl PredicateDomain<'_> {
    /// All combinations of the predicates that the facts allow, and how many they are; `None` where they must be looked
    /// for in another path. The first facts may be those of a region.
    pub(super) fn image(&self, worker: &mut PredicateWorker, facts: &[Term], region: FromRegion<'_>, open: &[&Open]) -> Option<(Bdd, f64)> {
        let terms = &*self.terms;
        let mut skeleton = Skeleton {
            terms,
            done: FastMap::default(),
            shapes: vec![],
            atoms: vec![],
            places: FastMap::default(),
            cases: Default::default(),
        };
        let region = region.filter(|(diagram, _)| diagram.size() > LARGE_REGION);
        let said = region.map_or(0, |(_, count)| count);
        let mut demands = Vec::new();
        // What the block does comes before the region at its beginning: variables in the order of the program.
        for &fact in facts[said..].iter().rev() {
            demands.push(skeleton.add(fact)?);
        }
        let mut spoken: Vec<PredicateId> = Vec::new();
        for variable in region.into_iter().flat_map(|(diagram, _)| diagram.support_set()) {
            let id = PredicateId::of(variable);
            let place = skeleton.add(self.predicate(id))?;
            if !matches!(skeleton.shapes[place], Shape::Atom(_)) {
                return self.image(worker, facts, None, open);
            }
            spoken.push(id);
        }
        let mut results = Vec::new();
        for (term, _) in open {
            results.push(skeleton.add(*term)?);
        }
        // A comparison that is a predicate at the end as it stands stays; the others have a variable of their own.
        let stays = |index: usize| match skeleton.shapes[results[index]] {
            Shape::Atom(place) => Some(place),
            _ => None,
        };
        let own = |id: PredicateId| skeleton.places.get(&self.predicate(id)).copied();
        // Which predicate an open one is for the order of variables: of equal ones that which the comparison is.
        let main = |index: usize| {
            let is_own = |&&(id, same): &&(PredicateId, bool)| same && own(id).is_some() && own(id) == stays(index);
            open[index].1.iter().find(is_own).or_else(|| open[index].1.first()).copied()
        };
        let mains: Vec<(PredicateId, bool)> = (0..open.len()).map(main).collect::<Option<_>>()?;
        let stays = |index: usize| stays(index).filter(|_| mains[index].1);
        let mut numbers = vec![0u16; skeleton.atoms.len()];
        let mut new = vec![0u16; open.len()];
        let mut next = 0;
        // Variables for large parts: behind all that they are made of, as near as possible.
        let mut spare: Vec<u16> = Vec::new();
        for slot in self.slots(&skeleton, &spoken, &mains, &stays, region.is_some()) {
            match slot {
                Slot::Atom(place) => {
                    numbers[place] = next;
                    spare.extend(next + 1..=next + BETWEEN);
                    next += 1 + BETWEEN;
                }
                Slot::New(index) => {
                    new[index] = next;
                    next += 1;
                }
            }
        }
        for (index, number) in new.iter_mut().enumerate() {
            if let Some(place) = stays(index) {
                *number = numbers[place];
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
        if let Some((diagram, _)) = region {
            let to = |old: BddVariable| own(PredicateId::of(old)).map(|place| variable(numbers[place]));
            list.push(renamed(diagram, next, &to)?);
        }
        let mut away: Vec<BddVariable> = numbers.iter().filter(|number| !new.contains(number)).map(|&number| variable(number)).collect();
        let is_stopped = || self.cancel.is_stopped();
        let mut work = Work { left: MOST_WORK, too_large: &self.too_large, is_stopped: &is_stopped };
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
        for (index, &number) in new.iter().enumerate().filter(|(index, _)| stays(*index).is_none()) {
            let same = if mains[index].1 { op_function::iff } else { op_function::xor };
            list.push(work.apply(same, &made[results[index]], &set.mk_var(variable(number)))?);
        }
        drop(made);
        let mut whole = set.mk_true();
        for part in work.without(list, &away)? {
            whole = work.apply(op_function::and, &whole, &part)?;
        }
        // From the variables of this computation to those of the run.
        let diagrams = &self.predicates.diagrams;
        let mut names: FastMap<BddVariable, BddVariable> = FastMap::default();
        let mut equal = diagrams.mk_true();
        for (((_, ids), &main), &number) in open.iter().zip(&mains).zip(&new) {
            let first = diagrams.mk_var(main.0.variable());
            for &(id, same) in ids.iter().filter(|&&(id, _)| id != main.0) {
                equal = equal.and(&first.iff(&diagrams.mk_literal(id.variable(), same == main.1)));
            }
            names.insert(variable(number), main.0.variable());
        }
        let moved = match renamed(&whole, diagrams.num_vars(), &|old| names.get(&old).copied()) {
            Some(moved) => moved,
            None => self.in_their_order(&mut work, &whole, &names)?,
        };
        worker.stats.add("predicate: combinations by diagrams", 1);
        let count = whole.cardinality() / 2f64.powi(i32::from(next) - open.len() as i32);
        Some((moved.and(&equal), count))
    }

    /// The order of variables. It is that of the program, with each predicate at the end behind what it was at the
    /// beginning or the last comparison that it is made of; from a large region it is the region's, with what the block
    /// compares between its predicates, so that regions need not be made anew.
    fn slots(
        &self,
        skeleton: &Skeleton<'_>,
        spoken: &[PredicateId],
        mains: &[(PredicateId, bool)],
        stays: &dyn Fn(usize) -> Option<usize>,
        by_region: bool,
    ) -> Vec<Slot> {
        let own = |id: PredicateId| skeleton.places.get(&self.predicate(id)).copied();
        let mut slots = Vec::new();
        let news: Vec<usize> = (0..mains.len()).filter(|&index| stays(index).is_none()).collect();
        if !by_region {
            let mut behind: Vec<(usize, usize)> =
                news.into_iter().map(|index| (own(mains[index].0).unwrap_or(skeleton.atoms.len()), index)).collect();
            behind.sort_unstable();
            let mut waiting = behind.into_iter().peekable();
            for place in 0..=skeleton.atoms.len() {
                if place < skeleton.atoms.len() {
                    slots.push(Slot::Atom(place));
                }
                while let Some((_, index)) = waiting.next_if(|&(after, _)| after <= place) {
                    slots.push(Slot::New(index));
                }
            }
            return slots;
        }
        let mut ids: Vec<PredicateId> = spoken.iter().copied().chain(mains.iter().map(|main| main.0)).collect();
        ids.sort_unstable();
        ids.dedup();
        let places: FastMap<usize, PredicateId> = ids.iter().filter_map(|&id| Some((own(id)?, id))).collect();
        let mut after: FastMap<Option<PredicateId>, Vec<usize>> = FastMap::default();
        let mut last = None;
        for place in 0..skeleton.atoms.len() {
            match places.get(&place) {
                Some(&id) => last = Some(id),
                None => after.entry(last).or_default().push(place),
            }
        }
        for id in std::iter::once(None).chain(ids.into_iter().map(Some)) {
            if let Some(id) = id {
                slots.extend(own(id).map(Slot::Atom));
                slots.extend(news.iter().filter(|&&index| mains[index].0 == id).map(|&index| Slot::New(index)));
            }
            slots.extend(after.remove(&id).into_iter().flatten().map(Slot::Atom));
        }
        slots
    }

    /// A diagram over the variables of the run, which has them in another order.
    fn in_their_order(&self, work: &mut Work<'_>, diagram: &Bdd, names: &FastMap<BddVariable, BddVariable>) -> Option<Bdd> {
        let diagrams = &self.predicates.diagrams;
        let mut moved: Vec<Bdd> = Vec::with_capacity(diagram.size());
        for pointer in diagram.pointers() {
            moved.push(if pointer.is_zero() {
                diagrams.mk_false()
            } else if pointer.is_one() {
                diagrams.mk_true()
            } else {
                let [low, high] = [diagram.low_link_of(pointer), diagram.high_link_of(pointer)].map(|p| &moved[p.to_index()]);
                work.choose(&diagrams.mk_var(*names.get(&diagram.var_of(pointer))?), high, low)?
            });
        }
        moved.pop()
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
