//! What each step does to memory that other threads may see, and what is known where it is taken: locks that are held,
//! whether it is in an atomic section, and which threads there may be.

use super::code::{Code, Place, StepId};
use super::points::{Object, Pointers, Points};
use assay_base::{FastMap, FastSet};
use assay_cfa::ThreadOperation;
use assay_cfa::operation::{MemoryCondition, Operation};
use assay_cfa::program::{FunctionId, Storage};
use assay_term::Term;
use std::collections::BTreeSet;

/// One access of a step.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub targets: Pointers,
    /// In bytes, where it is known.
    pub size: Option<u64>,
    pub write: bool,
    /// Whether it counts where races are asked for: not so the life of objects, tests and locks.
    pub plain: bool,
    /// For a condition on the addresses: the first byte, and the number of bytes.
    pub range: Option<(Term, Term)>,
}

/// What is known at a place, on all paths to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// How many atomic sections are open.
    pub depth: u32,
    /// Locks that are held, by object and offset.
    pub locks: BTreeSet<(Object, u64)>,
    /// Functions in which threads may have begun.
    pub started: BTreeSet<FunctionId>,
    /// Functions whose threads have ended.
    pub joined: BTreeSet<FunctionId>,
}

pub(super) struct Accesses {
    pub steps: Vec<Vec<Access>>,
    /// How many atomic sections are open where each step begins.
    pub depths: Vec<u32>,
    /// Of places that are reached.
    pub facts: Vec<Option<Facts>>,
    /// Which other steps an access of a step may meet, without a lock that both hold.
    pub conflicts: FastMap<StepId, Vec<StepId>>,
    /// A place with atomic sections open on one path and not on another.
    pub uneven: Option<Place>,
}

impl Accesses {
    pub(super) fn of(code: &Code, points: &Points) -> Accesses {
        let steps: Vec<Vec<Access>> = (0..code.steps.len()).map(|id| accesses(code, points, id)).collect();
        let mut found =
            Accesses { steps, depths: vec![], facts: vec![None; code.places.len()], conflicts: FastMap::default(), uneven: None };
        let closure = closure(code);
        for thread in 0..code.threads.len() {
            found.flow(code, points, thread, &closure);
        }
        found.meet(code, &closure);
        found.depths = code.steps.iter().map(|step| found.depth(step.source)).collect();
        found
    }

    /// The facts of one thread, forward from its entry.
    fn flow(&mut self, code: &Code, points: &Points, thread: usize, closure: &FastMap<FunctionId, BTreeSet<FunctionId>>) {
        let entry = code.threads[thread].entry;
        self.facts[entry] = Some(Facts::default());
        let mut work = vec![entry];
        while let Some(place) = work.pop() {
            for &id in &code.places[place].outgoing {
                let step = &code.steps[id];
                let Some(mut facts) = self.facts[place].clone() else { continue };
                step_facts(code, points, id, &mut facts, closure);
                let changed = match &mut self.facts[step.target] {
                    Some(known) => {
                        if known.depth != facts.depth {
                            self.uneven = Some(step.target);
                            facts.depth = facts.depth.min(known.depth);
                        }
                        let joined = Facts {
                            depth: facts.depth,
                            locks: known.locks.intersection(&facts.locks).copied().collect(),
                            started: known.started.union(&facts.started).copied().collect(),
                            joined: known.joined.intersection(&facts.joined).copied().collect(),
                        };
                        let changed = joined != *known;
                        *known = joined;
                        changed
                    }
                    empty => {
                        *empty = Some(facts);
                        true
                    }
                };
                if changed {
                    work.push(step.target);
                }
            }
        }
    }

    /// Finds the pairs of accesses of different threads that may meet.
    fn meet(&mut self, code: &Code, closure: &FastMap<FunctionId, BTreeSet<FunctionId>>) {
        let beside = Beside::of(code, self, closure);
        let mut by_object: FastMap<Object, Vec<StepId>> = FastMap::default();
        let mut anywhere: Vec<StepId> = vec![];
        for (id, accesses) in self.steps.iter().enumerate() {
            if self.facts[code.steps[id].source].is_none() {
                continue;
            }
            let objects: BTreeSet<Object> = accesses.iter().flat_map(|access| access.targets.iter().map(|&(object, _)| object)).collect();
            for object in objects {
                match object {
                    Object::Any => anywhere.push(id),
                    object => by_object.entry(object).or_default().push(id),
                }
            }
        }
        let mut pairs: BTreeSet<(StepId, StepId)> = BTreeSet::new();
        let mut pair = |found: &Accesses, a: StepId, b: StepId| {
            let (a, b) = (a.min(b), a.max(b));
            let thread = |step: StepId| code.places[code.steps[step].source].thread;
            if thread(a) != thread(b) && beside.may_be(code, found, a, b) && found.overlap(a, b) && !found.locked(code, a, b) {
                pairs.insert((a, b));
            }
        };
        for steps in by_object.values() {
            let writes = |id: StepId| self.steps[id].iter().any(|access| access.write);
            for (index, &a) in steps.iter().enumerate() {
                for &b in &steps[index + 1..] {
                    if writes(a) || writes(b) {
                        pair(self, a, b);
                    }
                }
            }
        }
        for &a in &anywhere {
            for b in 0..self.steps.len() {
                if !self.steps[b].is_empty() && self.facts[code.steps[b].source].is_some() {
                    pair(self, a, b);
                }
            }
        }
        for (a, b) in pairs {
            self.conflicts.entry(a).or_default().push(b);
            self.conflicts.entry(b).or_default().push(a);
        }
    }

    fn overlap(&self, a: StepId, b: StepId) -> bool {
        self.steps[a].iter().any(|x| self.steps[b].iter().any(|y| x.meets(y)))
    }

    /// Whether a lock is held at both.
    fn locked(&self, code: &Code, a: StepId, b: StepId) -> bool {
        let facts = |step: StepId| self.facts[code.steps[step].source].as_ref();
        let (Some(a), Some(b)) = (facts(a), facts(b)) else { return true };
        a.locks.intersection(&b.locks).next().is_some()
    }

    /// Whether two steps that meet race: neither both in atomic sections, nor about locks only.
    pub(super) fn race(&self, a: StepId, b: StepId) -> bool {
        let plain = |x: &Access, y: &Access| x.plain && y.plain && x.meets(y);
        !(self.depths[a] > 0 && self.depths[b] > 0) && self.steps[a].iter().any(|x| self.steps[b].iter().any(|y| plain(x, y)))
    }

    /// Whether any two steps may race, whatever the number of threads.
    pub(super) fn may_race(&self) -> bool {
        self.conflicts.iter().any(|(&a, others)| others.iter().any(|&b| self.race(a, b)))
    }

    pub(super) fn depth(&self, place: Place) -> u32 {
        self.facts.get(place).and_then(Option::as_ref).map_or(0, |facts| facts.depth)
    }
}

impl Access {
    /// Whether two accesses may touch the same byte, and one writes.
    pub(super) fn meets(&self, other: &Access) -> bool {
        if !self.write && !other.write {
            return false;
        }
        self.targets.iter().any(|&(a, at)| {
            other.targets.iter().any(|&(b, bt)| {
                if a == Object::Any || b == Object::Any {
                    return true;
                }
                a == b
                    && match (at, bt) {
                        (Some(at), Some(bt)) => {
                            let before = |x: u64, size: Option<u64>, y: u64| size.is_none_or(|size| x + size > y);
                            if at <= bt { before(at, self.size, bt) } else { before(bt, other.size, at) }
                        }
                        _ => true,
                    }
            })
        })
    }
}

/// The functions in which threads may begin once one has begun in a function.
fn closure(code: &Code) -> FastMap<FunctionId, BTreeSet<FunctionId>> {
    let mut closure: FastMap<FunctionId, BTreeSet<FunctionId>> = FastMap::default();
    for (function, _) in &code.pools {
        closure.insert(*function, BTreeSet::from([*function]));
    }
    loop {
        let mut changed = false;
        for (&step, functions) in &code.starts {
            let thread = code.places[code.steps[step].source].thread;
            if thread == 0 {
                continue;
            }
            let from = code.threads[thread].function;
            let more: BTreeSet<FunctionId> = functions.iter().filter_map(|function| closure.get(function)).flatten().copied().collect();
            for set in closure.values_mut().filter(|set| set.contains(&from)) {
                let before = set.len();
                set.extend(&more);
                changed |= set.len() != before;
            }
        }
        if !changed {
            return closure;
        }
    }
}

fn step_facts(code: &Code, points: &Points, id: StepId, facts: &mut Facts, closure: &FastMap<FunctionId, BTreeSet<FunctionId>>) {
    let Operation::Thread(operation) = &code.steps[id].operation else { return };
    match operation {
        ThreadOperation::AtomicBegin => facts.depth += 1,
        ThreadOperation::AtomicEnd => facts.depth = facts.depth.saturating_sub(1),
        ThreadOperation::Acquire { lock } => {
            let targets = points.term(code, *lock);
            if let Some(&(object @ Object::Variable(variable), Some(offset))) = targets.first()
                && targets.len() == 1
                && is_one(code, variable)
            {
                facts.locks.insert((object, offset));
            }
        }
        ThreadOperation::Release { lock } => {
            let targets = points.term(code, *lock);
            let may = |lock: &(Object, u64)| {
                targets.is_empty()
                    || targets
                        .iter()
                        .any(|&(object, offset)| object == Object::Any || object == lock.0 && offset.is_none_or(|offset| offset == lock.1))
            };
            facts.locks.retain(|lock| !may(lock));
        }
        ThreadOperation::Spawn { .. } => {
            let functions = code.starts.get(&id).cloned().unwrap_or_default();
            for function in functions {
                let all = closure.get(&function).cloned().unwrap_or_default();
                facts.joined.retain(|joined| !all.contains(joined));
                facts.started.extend(all);
            }
        }
        ThreadOperation::Join { thread, .. } => {
            let targets = points.term(code, *thread);
            if let Some(&(Object::Thread(function), _)) = targets.first()
                && targets.len() == 1
                && code.pool(function).len() == 1
                && !code.open.contains(&function)
                && closure.get(&function).is_some_and(|all| all.len() == 1)
            {
                facts.joined.insert(function);
            }
        }
        _ => {}
    }
}

/// Whether a variable is one object, and no thread of a kind has one of its own in a loop.
fn is_one(code: &Code, variable: assay_cfa::program::VarId) -> bool {
    matches!(code.builder.variables[variable].storage, Storage::Memory { size: Some(_), .. })
}

/// Which threads may run beside each other.
struct Beside {
    pairs: BTreeSet<(FunctionId, FunctionId)>,
    /// Functions in which only `main` starts threads.
    by_main: FastSet<FunctionId>,
}

impl Beside {
    fn of(code: &Code, accesses: &Accesses, closure: &FastMap<FunctionId, BTreeSet<FunctionId>>) -> Beside {
        let mut pairs = BTreeSet::new();
        for (place, facts) in accesses.facts.iter().enumerate() {
            let Some(facts) = facts.as_ref().filter(|_| code.places[place].thread == 0) else { continue };
            let active: Vec<FunctionId> = facts.started.difference(&facts.joined).copied().collect();
            for &a in &active {
                pairs.extend(active.iter().map(|&b| (a, b)));
            }
        }
        let inner: FastSet<FunctionId> = code
            .starts
            .iter()
            .filter(|(step, _)| code.places[code.steps[**step].source].thread != 0)
            .flat_map(|(_, functions)| functions.iter().filter_map(|function| closure.get(function)).flatten().copied())
            .collect();
        let by_main = code.pools.iter().map(|(function, _)| *function).filter(|function| !inner.contains(function)).collect();
        Beside { pairs, by_main }
    }

    fn may_be(&self, code: &Code, accesses: &Accesses, a: StepId, b: StepId) -> bool {
        let thread = |step: StepId| code.places[code.steps[step].source].thread;
        let (x, y) = (thread(a), thread(b));
        let active = |step: StepId, other: usize| {
            let Some(facts) = &accesses.facts[code.steps[step].source] else { return false };
            let function = code.threads[other].function;
            facts.started.contains(&function) && !facts.joined.contains(&function)
        };
        match (x, y) {
            (0, 0) => false,
            (0, other) => active(a, other),
            (other, 0) => active(b, other),
            (x, y) => {
                let (f, g) = (code.threads[x].function, code.threads[y].function);
                !(self.by_main.contains(&f) && self.by_main.contains(&g)) || self.pairs.contains(&(f, g))
            }
        }
    }
}

/// What a step reads and writes in memory.
fn accesses(code: &Code, points: &Points, id: StepId) -> Vec<Access> {
    let builder = &code.builder;
    let terms = &builder.terms;
    let width = builder.pointer_width();
    let bytes = |bits: u32| terms.number(width, u128::from(bits / 8));
    let at = |address: Term, size: Term, write: bool, plain: bool| {
        let mut targets = points.term(code, address);
        if targets.is_empty() {
            targets.insert((Object::Any, None));
        }
        let known = terms.as_constant(size).map(|size| size.value() as u64);
        Access { targets, size: known, write, plain, range: plain.then_some((address, size)) }
    };
    let whole = |targets: Pointers| Access { targets, size: None, write: true, plain: false, range: None };
    match &code.steps[id].operation {
        Operation::Load { target, address } => {
            vec![at(*address, bytes(builder.variables[*target].register_width().unwrap_or(width)), false, true)]
        }
        Operation::Store { address, value } => vec![at(*address, bytes(terms.width(*value)), true, true)],
        Operation::Copy { destination, source, size } => vec![at(*destination, *size, true, true), at(*source, *size, false, true)],
        Operation::Fill { destination: address, size, .. } | Operation::HavocMemory { address, size, .. } => {
            vec![at(*address, *size, true, true)]
        }
        Operation::Free { address } => {
            let mut access = at(*address, bytes(8), true, true);
            access.targets = access.targets.into_iter().map(|(object, _)| (object, Some(0))).collect();
            access.size = None;
            // As many bytes as the smallest object that it may be.
            let allocated = |&(object, _): &(Object, Option<u64>)| match object {
                Object::Heap(step) => match code.steps[step].operation {
                    Operation::Allocate { size, .. } => terms.as_constant(size).map(|size| size.value()),
                    _ => None,
                },
                _ => None,
            };
            let least = access.targets.iter().map(|target| allocated(target).unwrap_or(1)).min().unwrap_or(1);
            access.range = Some((*address, terms.number(width, least.max(1))));
            vec![access]
        }
        Operation::Declare { object, .. } | Operation::EndLife { object } => {
            vec![whole(BTreeSet::from([(Object::Variable(*object), Some(0))]))]
        }
        Operation::AssumeMemory { condition, .. } => match condition {
            MemoryCondition::Accessible { address, size, .. } | MemoryCondition::Initialised { address, size } => {
                vec![at(*address, *size, false, false)]
            }
            MemoryCondition::Freeable { address } => vec![at(*address, bytes(8), false, false)],
            MemoryCondition::AllReachable | MemoryCondition::NothingAllocated => {
                vec![Access { write: false, ..whole(BTreeSet::from([(Object::Any, None)])) }]
            }
        },
        Operation::Thread(
            ThreadOperation::Acquire { lock } | ThreadOperation::TryAcquire { lock, .. } | ThreadOperation::Release { lock },
        ) => vec![at(*lock, bytes(32), true, false)],
        _ => vec![],
    }
}
