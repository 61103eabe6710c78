//! The schedule: where threads may give way to others, and what happens when they do.

use super::access::Accesses;
use super::code::{Code, CodeStep, Place, StepId};
use super::points::{Object, Points};
use assay_base::{FastMap, FastSet, Span};
use assay_cfa::operation::{Operation, ValueSource, ValueSourceKind};
use assay_cfa::program::{FunctionId, Origin, Role, Scope, SourceId, Storage, VarId};
use assay_cfa::property::Target;
use assay_cfa::{CType, ThreadOperation};
use assay_term::{Op, Term};
use std::collections::BTreeSet;

/// What the register of a thread holds where it is no place: not begun, ended, running; then comes its begin.
const IDLE: u128 = 0;
const ENDED: u128 = 1;
const RUNNING: u128 = 2;
const BEGIN: u128 = 3;
const FIRST: u128 = 4;

const COUNTER: u32 = 16;

/// Where a thread may give way.
#[derive(Clone, Debug)]
struct Yield {
    thread: usize,
    /// A thread that is here may give way; from `go` on it takes the step.
    place: Place,
    go: Place,
    span: Span,
    /// What the register of the thread holds while it waits here.
    number: u128,
    /// Whatever the others do; elsewhere only where they may meet the step.
    always: bool,
}

struct Scheduler<'a> {
    code: &'a mut Code,
    points: &'a Points,
    accesses: &'a Accesses,
    races: bool,
    counters: Vec<VarId>,
    results: Vec<VarId>,
    choice: VarId,
    /// Of the choice.
    width: u32,
    source: SourceId,
    dispatch: Place,
    yields: Vec<Yield>,
    /// Where the first thread begins.
    first: Place,
    /// Where each thread has ended.
    finals: Vec<Place>,
    /// Whether some thread waits for the end of another.
    joins: bool,
    /// Registers of each thread that are read after it gave way.
    kept: Vec<BTreeSet<VarId>>,
    /// Those that are read from a place on.
    live: FastMap<Place, BTreeSet<VarId>>,
}

/// Puts the schedule into the code and expands the operations of threads.
pub(super) fn schedule(code: &mut Code, points: &Points, accesses: &Accesses, races: bool) {
    let pointer = code.builder.pointer_width();
    let number = |width| CType::Integer { width, signed: false, name: "unsigned int" };
    let scope = Scope::Local(code.entry);
    let register =
        |code: &mut Code, width| code.builder.variable("", scope, Role::Temporary, Storage::Register { width }, number(width), Span::NONE);
    let counters = (0..code.threads.len()).map(|_| register(code, COUNTER)).collect();
    let results = (0..code.threads.len()).map(|_| register(code, pointer)).collect();
    // As narrow as it can be, so that values that are chosen by chance name a thread.
    let width = (usize::BITS - (code.threads.len() - 1).leading_zeros()).max(1);
    let choice = register(code, width);
    let name = "next thread".to_string();
    let source = code.builder.value_source(ValueSource { kind: ValueSourceKind::System, name, span: Span::NONE });
    let dispatch = code.place(0);
    let (yields, kept, live) = (vec![], vec![], FastMap::default());
    let is_join = |step: &CodeStep| matches!(step.operation, Operation::Thread(ThreadOperation::Join { .. }));
    let joins = code.steps.iter().any(is_join);
    let mut finals = vec![code.last];
    for thread in 1..code.threads.len() {
        let end = code.then(code.threads[thread].exit, Operation::Skip, Span::NONE);
        finals.push(end);
    }
    let mut scheduler = Scheduler {
        code,
        points,
        accesses,
        races,
        counters,
        results,
        choice,
        width,
        source,
        dispatch,
        yields,
        first: dispatch,
        finals,
        joins,
        kept,
        live,
    };
    scheduler.run();
}

impl Scheduler<'_> {
    fn run(&mut self) {
        let steps = self.accesses.steps.len();
        let places = self.choose_places();
        self.liveness(places.iter().map(|&(place, _)| place));
        let mut numbers: FastMap<usize, u128> = FastMap::default();
        for (place, always) in places {
            let thread = self.code.places[place].thread;
            let number = numbers.entry(thread).or_insert(FIRST);
            let go = self.code.place(thread);
            self.code.move_outgoing(place, go);
            let span = self.code.places[go].outgoing.first().map_or(Span::NONE, |&step| self.code.steps[step].span);
            self.yields.push(Yield { thread, place, go, span, number: *number, always });
            *number += 1;
        }
        let guards = self.guards();
        if self.races {
            self.race_checks(steps);
        }
        for id in 0..steps {
            self.expand(id);
        }
        for (index, guard) in guards.into_iter().enumerate().take(self.yields.len()) {
            self.give_way(index, guard);
        }
        self.begin();
        self.ends();
        self.dispatcher();
    }

    fn read(&self, variable: VarId) -> Term {
        self.code.builder.read(variable)
    }
    fn number(&self, width: u32, value: u128) -> Term {
        self.code.builder.terms.number(width, value)
    }
    fn counter_is(&self, thread: usize, value: u128) -> Term {
        self.code.builder.terms.eq(self.read(self.counters[thread]), self.number(COUNTER, value))
    }
    fn set_counter(&mut self, at: Place, thread: usize, value: u128) -> Place {
        let operation = Operation::Assign { target: self.counters[thread], value: self.number(COUNTER, value) };
        self.code.then(at, operation, Span::NONE)
    }
    fn assume(&mut self, at: Place, condition: Term) -> Place {
        self.code.then(at, Operation::Assume { condition }, Span::NONE)
    }
    /// Two successors: where the condition holds, and where it does not.
    fn branch(&mut self, at: Place, condition: Term) -> (Place, Place) {
        let not = self.code.builder.terms.not(condition);
        (self.assume(at, condition), self.assume(at, not))
    }
    fn skip(&mut self, from: Place, to: Place) {
        self.code.step(from, to, Operation::Skip, Span::NONE, Origin::Internal);
    }

    /// Whether others may see when the step is taken.
    fn is_visible(&self, id: StepId) -> bool {
        self.accesses.conflicts.contains_key(&id)
    }

    /// The conflicts of a step that matter for its order: giving a lock back can always be done before what others do,
    /// unless they look without waiting.
    fn is_no_mover(&self, id: StepId) -> bool {
        let Some(others) = self.accesses.conflicts.get(&id) else { return false };
        let takes = |step: &StepId| matches!(self.code.steps[*step].operation, Operation::Thread(ThreadOperation::Acquire { .. }));
        let gives = |step: &StepId| matches!(self.code.steps[*step].operation, Operation::Thread(ThreadOperation::Release { .. }));
        match self.code.steps[id].operation {
            Operation::Thread(ThreadOperation::Release { .. }) => others.iter().any(|other| !takes(other) && !gives(other)),
            Operation::Thread(ThreadOperation::Acquire { .. }) => others.iter().any(|other| !gives(other)),
            _ => true,
        }
    }

    /// The steps of the atomic section that begins with this one.
    fn section(&self, begin: StepId) -> Vec<StepId> {
        let mut found = vec![];
        let mut seen: FastSet<Place> = FastSet::default();
        let mut work = vec![self.code.steps[begin].target];
        while let Some(place) = work.pop() {
            if !seen.insert(place) || self.accesses.depth(place) == 0 {
                continue;
            }
            for &step in &self.code.places[place].outgoing {
                found.push(step);
                work.push(self.code.steps[step].target);
            }
        }
        found
    }

    /// The steps that are taken as one from a place where a thread may give way.
    fn taken_from(&self, place: Place) -> Vec<StepId> {
        let mut found = self.code.places[place].outgoing.clone();
        for &step in &self.code.places[place].outgoing {
            if matches!(self.code.steps[step].operation, Operation::Thread(ThreadOperation::AtomicBegin)) {
                found.extend(self.section(step));
            }
        }
        found
    }

    /// Where threads may give way, in an order that is much that of the code, with whether they may in any case.
    fn choose_places(&mut self) -> Vec<(Place, bool)> {
        let mut chosen: FastMap<Place, bool> = FastMap::default();
        // Of each thread: before steps that are no movers.
        for (id, step) in self.code.steps.iter().enumerate() {
            if self.accesses.facts[step.source].is_none() || self.accesses.depth(step.source) > 0 {
                continue;
            }
            let gives_way = match &step.operation {
                // Waiting gives way in any case.
                Operation::Thread(ThreadOperation::Join { .. }) => {
                    chosen.insert(step.source, true);
                    false
                }
                Operation::Thread(ThreadOperation::AtomicBegin) => self.section(id).into_iter().any(|inner| self.is_visible(inner)),
                _ => self.is_no_mover(id),
            };
            if gives_way {
                chosen.entry(step.source).or_insert(false);
            }
        }
        self.cycles(&mut chosen);
        self.stops(&mut chosen);
        let order = self.order();
        let mut places: Vec<(Place, bool)> = chosen.into_iter().collect();
        places.sort_by_key(|&(place, _)| (order.get(&place).copied().unwrap_or(usize::MAX), place));
        places
    }

    /// The places of all threads in reverse postorder.
    fn order(&self) -> FastMap<Place, usize> {
        let mut post = vec![];
        let mut seen: FastSet<Place> = FastSet::default();
        for thread in (0..self.code.threads.len()).rev() {
            let entry = self.code.threads[thread].entry;
            seen.insert(entry);
            let mut stack = vec![(entry, 0)];
            while let Some((place, next)) = stack.pop() {
                match self.code.places[place].outgoing.get(next) {
                    Some(&step) => {
                        stack.push((place, next + 1));
                        let target = self.code.steps[step].target;
                        if seen.insert(target) {
                            stack.push((target, 0));
                        }
                    }
                    None => post.push(place),
                }
            }
        }
        post.into_iter().rev().enumerate().map(|(index, place)| (place, index)).collect()
    }

    /// Components with cycles of the code without some places.
    fn components(&self, without: &dyn Fn(Place) -> bool) -> Vec<Vec<Place>> {
        // Tarjan's algorithm with a stack of its own.
        let count = self.code.places.len();
        let (mut index, mut low, mut on) = (vec![usize::MAX; count], vec![0; count], vec![false; count]);
        let (mut next, mut stack, mut found) = (0, vec![], vec![]);
        for root in 0..count {
            if index[root] != usize::MAX || without(root) || self.accesses.facts.get(root).is_none_or(Option::is_none) {
                continue;
            }
            let mut work = vec![(root, 0)];
            while let Some((place, at)) = work.pop() {
                if at == 0 {
                    (index[place], low[place]) = (next, next);
                    next += 1;
                    stack.push(place);
                    on[place] = true;
                }
                match self.code.places[place].outgoing.get(at) {
                    Some(&step) => {
                        work.push((place, at + 1));
                        let target = self.code.steps[step].target;
                        if without(target) {
                            continue;
                        }
                        if index[target] == usize::MAX {
                            work.push((target, 0));
                        } else if on[target] {
                            low[place] = low[place].min(index[target]);
                        }
                    }
                    None => {
                        if let Some(&(parent, _)) = work.last() {
                            low[parent] = low[parent].min(low[place]);
                        }
                        if low[place] == index[place] {
                            let mut component = vec![];
                            while let Some(member) = stack.pop() {
                                on[member] = false;
                                component.push(member);
                                if member == place {
                                    break;
                                }
                            }
                            let is_loop =
                                |place: Place| self.code.places[place].outgoing.iter().any(|&s| self.code.steps[s].target == place);
                            if component.len() > 1 || is_loop(component[0]) {
                                found.push(component);
                            }
                        }
                    }
                }
            }
        }
        found
    }

    /// On each cycle one place is chosen in any case; where there is none that is chosen at all, and nothing is done
    /// that others can see, it is enough to give way before the cycle.
    fn cycles(&mut self, chosen: &mut FastMap<Place, bool>) {
        let order = self.order();
        loop {
            let always = |place: Place| chosen.get(&place) == Some(&true);
            let mut more = vec![];
            let mut before = vec![];
            for component in self.components(&always) {
                let first =
                    |places: &mut dyn Iterator<Item = Place>| places.min_by_key(|place| order.get(place).copied().unwrap_or(usize::MAX));
                if self.accesses.depth(component[0]) > 0 {
                    continue;
                }
                if let Some(place) = first(&mut component.iter().copied().filter(|place| chosen.contains_key(place))) {
                    more.push(place);
                    continue;
                }
                let outside = |place: &Place| self.accesses.depth(*place) == 0;
                let shows = |place: &Place| self.code.places[*place].outgoing.iter().any(|&step| self.shows(step));
                if let Some(place) = first(&mut component.iter().copied().filter(outside).filter(shows)) {
                    more.push(place);
                    continue;
                }
                before.push(component);
            }
            for &place in &more {
                chosen.insert(place, true);
            }
            if !more.is_empty() {
                continue;
            }
            for component in before {
                if self.is_counted(&component) {
                    continue;
                }
                let members: FastSet<Place> = component.iter().copied().collect();
                for &place in &component {
                    let outer: Vec<StepId> = self.code.places[place]
                        .incoming
                        .iter()
                        .copied()
                        .filter(|&s| !members.contains(&self.code.steps[s].source))
                        .collect();
                    if outer.is_empty() || self.accesses.depth(place) > 0 {
                        continue;
                    }
                    // A place of its own along the path in.
                    let gate = self.code.place(self.code.places[place].thread);
                    for &step in &outer {
                        self.code.steps[step].target = gate;
                    }
                    self.code.places[place].incoming.retain(|step| !outer.contains(step));
                    self.code.places[gate].incoming = outer;
                    self.skip(gate, place);
                    chosen.insert(gate, true);
                }
            }
            return;
        }
    }

    /// Whether a cycle only counts up to a constant: it ends.
    fn is_counted(&self, component: &[Place]) -> bool {
        let members: FastSet<Place> = component.iter().copied().collect();
        let terms = &self.code.builder.terms;
        let steps = || component.iter().flat_map(|&place| self.code.places[place].outgoing.iter().copied());
        let inside = |id: &StepId| members.contains(&self.code.steps[*id].target);
        steps().filter(inside).any(|id| {
            let Operation::Assume { condition } = self.code.steps[id].operation else { return false };
            let node = terms.node(condition);
            if !matches!(node.op, Op::SignedLess | Op::UnsignedLess) || terms.as_constant(node.operand(1)).is_none() {
                return false;
            }
            let counter = node.operand(0);
            let Some(variable) = self.code.variable_of(terms.node(counter).symbol()).filter(|_| terms.node(counter).op == Op::Symbol)
            else {
                return false;
            };
            let one = terms.add(counter, terms.number(terms.width(counter), 1));
            let writes: Vec<StepId> = steps().filter(|&s| self.code.steps[s].operation.written_register() == Some(variable)).collect();
            let [write] = writes[..] else { return false };
            let counts = matches!(self.code.steps[write].operation, Operation::Assign { value, .. } if value == one);
            // Every iteration comes by the condition and by the step of the counter: without one of them there is no
            // cycle.
            let tests = self.code.steps[id].source;
            let step = self.code.steps[write].source;
            let cut = |at: Place| {
                let rest: FastSet<Place> = members.iter().copied().filter(|&place| place != at).collect();
                self.components(&|place| !rest.contains(&place)).is_empty()
            };
            counts && cut(tests) && cut(step)
        })
    }

    /// Whether others can see that a step was taken, or take more steps because of it.
    fn shows(&self, id: StepId) -> bool {
        let writes = self.accesses.steps.get(id).is_some_and(|accesses| accesses.iter().any(|access| access.write));
        match &self.code.steps[id].operation {
            Operation::Thread(ThreadOperation::Spawn { .. }) => true,
            Operation::Thread(ThreadOperation::Acquire { .. }) => false,
            _ => writes && self.is_visible(id),
        }
    }

    /// Before a thread may stop for ever, or stop the program, the others may go on if they have seen something of it
    /// since it last gave way.
    fn stops(&mut self, chosen: &mut FastMap<Place, bool>) {
        let mut seen: FastSet<Place> = FastSet::default();
        let mut work: Vec<Place> = (1..self.code.threads.len()).map(|thread| self.code.threads[thread].entry).collect();
        for step in 0..self.accesses.steps.len() {
            if self.shows(step) && self.accesses.facts[self.code.steps[step].source].is_some() {
                work.push(self.code.steps[step].target);
            }
        }
        while let Some(place) = work.pop() {
            if !seen.insert(place) {
                continue;
            }
            let depth = self.accesses.facts.get(place).map_or(0, |facts| facts.as_ref().map_or(0, |facts| facts.depth));
            if depth == 0 {
                let main_ends = place == self.code.threads[0].exit;
                if !self.finals.contains(&place) && (main_ends || self.code.may_halt(place) || self.may_wait(place)) {
                    chosen.insert(place, true);
                }
                if chosen.get(&place) == Some(&true) {
                    continue;
                }
            }
            work.extend(self.code.places[place].outgoing.iter().map(|&step| self.code.steps[step].target));
        }
    }

    /// Whether a step from here may have to wait for ever.
    fn may_wait(&self, place: Place) -> bool {
        self.code.places[place].outgoing.iter().any(|&id| match self.code.steps[id].operation {
            Operation::Thread(ThreadOperation::Acquire { lock }) => {
                let targets = self.points.term(self.code, lock);
                let held = |locks: &BTreeSet<(Object, u64)>| targets.iter().any(|t| locks.iter().any(|lock| lock.0 == t.0));
                let facts = self.accesses.facts.get(place).and_then(Option::as_ref);
                self.is_visible(id) || targets.len() != 1 || facts.is_none_or(|facts| held(&facts.locks))
            }
            Operation::Thread(ThreadOperation::AtomicBegin) => {
                let section = self.section(id);
                let inner: FastSet<Place> = section.iter().map(|&step| self.code.steps[step].source).collect();
                let waits = |step: &StepId| matches!(self.code.steps[*step].operation, Operation::Thread(ThreadOperation::Acquire { .. }));
                section.iter().any(waits)
                    || inner.iter().any(|&place| self.code.may_halt(place))
                    || section.iter().any(|&step| self.code.may_halt(self.code.steps[step].target))
                    || !self.components(&|place| !inner.contains(&place)).is_empty()
            }
            _ => false,
        })
    }

    /// Which registers are read from each place on where a thread may give way.
    fn liveness(&mut self, places: impl Iterator<Item = Place>) {
        let wanted: Vec<Place> = places.collect();
        let mut live: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); self.code.places.len()];
        let uses: Vec<Vec<VarId>> = self.code.steps.iter().map(|step| self.registers_read(&step.operation)).collect();
        let mut work: Vec<Place> = (0..self.code.places.len()).collect();
        for (thread, &end) in self.code.threads.iter().zip(&self.finals).skip(1) {
            live[end].extend(thread.result);
        }
        while let Some(place) = work.pop() {
            let mut now = live[place].clone();
            for &id in &self.code.places[place].outgoing {
                let step = &self.code.steps[id];
                let written = step.operation.written_register();
                now.extend(live[step.target].iter().copied().filter(|&register| Some(register) != written));
                now.extend(&uses[id]);
            }
            if now != live[place] {
                live[place] = now;
                work.extend(self.code.places[place].incoming.iter().map(|&step| self.code.steps[step].source));
            }
        }
        self.kept = vec![BTreeSet::new(); self.code.threads.len()];
        for place in wanted {
            let registers = std::mem::take(&mut live[place]);
            self.kept[self.code.places[place].thread].extend(&registers);
            self.live.insert(place, registers);
        }
    }

    fn registers_read(&self, operation: &Operation) -> Vec<VarId> {
        let mut found = vec![];
        for term in operation.terms() {
            let symbols = self.code.builder.terms.free_symbols(term);
            found.extend(symbols.into_iter().filter_map(|symbol| self.code.variable_of(symbol)));
        }
        found.retain(|&variable| !self.code.builder.variables[variable].is_global());
        found
    }

    /// For each place whether another caller can still take a step that meets what is taken there.
    fn guards(&self) -> Vec<Option<Term>> {
        let terms = &self.code.builder.terms;
        let by_place: FastMap<Place, usize> = self.yields.iter().enumerate().map(|(index, one)| (one.go, index)).collect();
        // Who reaches a step: the numbers of the places from which it may still be taken.
        let mut reach: FastMap<StepId, BTreeSet<u128>> = FastMap::default();
        let from = |step: StepId| {
            let mut numbers = BTreeSet::new();
            let mut seen: FastSet<Place> = FastSet::default();
            let mut work = vec![self.code.steps[step].source];
            while let Some(place) = work.pop() {
                if !seen.insert(place) {
                    continue;
                }
                if let Some(&index) = by_place.get(&place) {
                    numbers.insert(self.yields[index].number);
                    work.push(self.yields[index].place);
                }
                work.extend(self.code.places[place].incoming.iter().map(|&step| self.code.steps[step].source));
            }
            numbers
        };
        let spawners: FastMap<FunctionId, BTreeSet<usize>> =
            self.code.starts.iter().fold(FastMap::default(), |mut map, (&step, functions)| {
                for &function in functions {
                    let thread = self.code.places[self.code.steps[step].source].thread;
                    map.entry(function).or_insert_with(BTreeSet::new).insert(thread);
                }
                map
            });
        let mut guards = vec![];
        for one in &self.yields {
            if one.always {
                guards.push(None);
                continue;
            }
            let mut meets: FastMap<usize, BTreeSet<u128>> = FastMap::default();
            for step in self.taken_from(one.go) {
                for &other in self.accesses.conflicts.get(&step).into_iter().flatten() {
                    let thread = self.code.places[self.code.steps[other].source].thread;
                    let numbers = reach.entry(other).or_insert_with(|| from(other));
                    meets.entry(thread).or_default().extend(numbers.iter());
                }
            }
            let mut threads: Vec<usize> = meets.keys().copied().collect();
            threads.sort_unstable();
            let mut parts = vec![];
            for thread in threads {
                let counter = self.read(self.counters[thread]);
                let mut numbers = meets[&thread].clone();
                numbers.insert(BEGIN);
                let mine = BTreeSet::from([one.thread]);
                if thread > 0 && spawners.get(&self.code.threads[thread].function).is_some_and(|by| *by != mine) {
                    numbers.extend([IDLE, ENDED]);
                }
                // Ranges of numbers.
                let mut ranges: Vec<(u128, u128)> = vec![];
                for &number in &numbers {
                    match ranges.last_mut() {
                        Some((_, last)) if *last + 1 == number => *last = number,
                        _ => ranges.push((number, number)),
                    }
                }
                for (first, last) in ranges {
                    parts.push(if first == last {
                        terms.eq(counter, self.number(COUNTER, first))
                    } else {
                        let low = terms.ule(self.number(COUNTER, first), counter);
                        terms.and(low, terms.ule(counter, self.number(COUNTER, last)))
                    });
                }
            }
            guards.push(Some(terms.or_all(parts)));
        }
        guards
    }

    /// Here a thread may give way: the input says who goes on.
    fn give_way(&mut self, index: usize, guard: Option<Term>) {
        let Yield { thread, place, go, span, number, .. } = self.yields[index].clone();
        let mut at = place;
        if let Some(guard) = guard {
            let (asks, goes) = self.branch(at, guard);
            self.skip(goes, go);
            at = asks;
        }
        let choice = self.choose(at, span);
        // In loops the path goes by the choice in any case, so that nothing else leads into the middle of a loop.
        let leaves = if guard.is_some() {
            let own = self.code.builder.terms.eq(self.read(self.choice), self.number(self.width, thread as u128));
            let (stays, leaves) = self.branch(choice, own);
            self.skip(stays, go);
            leaves
        } else {
            choice
        };
        let live = self.live.get(&place).cloned().unwrap_or_default();
        let at = self.forget(leaves, thread, &live);
        let at = self.set_counter(at, thread, number);
        self.skip(at, self.dispatch);
    }

    /// Asks who goes on.
    fn choose(&mut self, at: Place, span: Span) -> Place {
        self.code.then(at, Operation::Havoc { target: self.choice, source: self.source }, span)
    }

    /// Registers that the thread does not need where it waits hold nothing, so that states are the same.
    fn forget(&mut self, mut at: Place, thread: usize, live: &BTreeSet<VarId>) -> Place {
        let dead: Vec<VarId> = self.kept[thread].difference(live).copied().collect();
        for target in dead {
            let width = self.code.builder.variables[target].register_width().unwrap_or(1);
            at = self.code.then(at, Operation::Assign { target, value: self.number(width, 0) }, Span::NONE);
        }
        at
    }

    /// The program begins with its first thread.
    fn begin(&mut self) {
        let entry = self.code.threads[0].entry;
        let after = self.code.place(0);
        self.code.move_outgoing(entry, after);
        let mut at = entry;
        for thread in 0..self.code.threads.len() {
            at = self.set_counter(at, thread, if thread == 0 { BEGIN } else { IDLE });
        }
        self.skip(at, self.dispatch);
        self.first = after;
    }

    /// Threads that have ended.
    fn ends(&mut self) {
        let pointer = self.code.builder.pointer_width();
        for thread in 1..self.code.threads.len() {
            let exit = self.finals[thread];
            let value = match self.code.threads[thread].result {
                Some(result) => {
                    let value = self.read(result);
                    self.code.builder.terms.resize(value, pointer, true)
                }
                None => self.number(pointer, 0),
            };
            let at = self.code.then(exit, Operation::Assign { target: self.results[thread], value }, Span::NONE);
            self.end(at, thread);
        }
    }

    /// The thread has ended; another caller goes on.
    fn end(&mut self, at: Place, thread: usize) {
        let at = self.forget(at, thread, &BTreeSet::new());
        let at = self.set_counter(at, thread, ENDED);
        let at = self.choose(at, Span::NONE);
        self.skip(at, self.dispatch);
    }

    /// From the choice to the place where the chosen thread waits. A thread that has just begun goes first: up to the
    /// first place where it may give way it does nothing that others can see.
    fn dispatcher(&mut self) {
        let count = self.code.threads.len();
        let begun: Vec<Term> = (0..count).map(|thread| self.counter_is(thread, BEGIN)).collect();
        let any = self.code.builder.terms.or_all(begun);
        let (mut fresh, chosen) = self.branch(self.dispatch, any);
        for thread in 0..count {
            let is_new = self.counter_is(thread, BEGIN);
            let (begins, other) = if thread + 1 < count { self.branch(fresh, is_new) } else { (self.assume(fresh, is_new), fresh) };
            let at = self.set_counter(begins, thread, RUNNING);
            let entry = if thread == 0 { self.first } else { self.code.threads[thread].entry };
            self.skip(at, entry);
            fresh = other;
        }
        for thread in 0..count {
            let terms = &self.code.builder.terms;
            let own = terms.eq(self.read(self.choice), self.number(self.width, thread as u128));
            let waits = terms.ule(self.number(COUNTER, FIRST), self.read(self.counters[thread]));
            let condition = terms.and(own, waits);
            let at = self.assume(chosen, condition);
            let mut mine: Vec<(u128, Place)> =
                self.yields.iter().filter(|one| one.thread == thread).map(|one| (one.number, one.go)).collect();
            mine.sort_unstable();
            self.resume(at, thread, &mine);
        }
    }

    fn resume(&mut self, at: Place, thread: usize, waiting: &[(u128, Place)]) {
        if waiting.len() <= 6 {
            for &(number, go) in waiting {
                let here = self.counter_is(thread, number);
                let at = self.assume(at, here);
                let at = self.set_counter(at, thread, RUNNING);
                self.skip(at, go);
            }
            return;
        }
        let (low, high) = waiting.split_at(waiting.len() / 2);
        let below = self.code.builder.terms.ult(self.read(self.counters[thread]), self.number(COUNTER, high[0].0));
        let (first, second) = self.branch(at, below);
        self.resume(first, thread, low);
        self.resume(second, thread, high);
    }

    /// The number by which a program knows a thread.
    fn name(thread: usize) -> u128 {
        thread as u128 + 1
    }

    /// Puts plain steps in the place of an operation of threads.
    fn expand(&mut self, id: StepId) {
        let step = self.code.steps[id].clone();
        let Operation::Thread(operation) = step.operation else { return };
        let pointer = self.code.builder.pointer_width();
        let thread = self.code.places[step.source].thread;
        let span = step.span;
        self.code.steps[id].operation = Operation::Skip;
        match operation {
            ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd => {}
            ThreadOperation::Current { target } => {
                self.code.steps[id].operation = Operation::Assign { target, value: self.number(pointer, Self::name(thread)) };
            }
            ThreadOperation::Exit { .. } | ThreadOperation::Spawn { .. } | ThreadOperation::Join { .. } => {
                let at = self.code.detach(id);
                match operation {
                    ThreadOperation::Exit { value } => {
                        let target = self.results[thread];
                        let mut at = self.code.then(at, Operation::Assign { target, value }, span);
                        for object in self.code.threads[thread].objects.clone() {
                            at = self.code.then(at, Operation::EndLife { object }, span);
                        }
                        if thread == 0 {
                            // The program ends with its last thread.
                            let ended = |other| {
                                let terms = &self.code.builder.terms;
                                terms.ule(self.read(self.counters[other]), self.number(COUNTER, ENDED))
                            };
                            let all = self.code.builder.terms.and_all((1..self.code.threads.len()).map(ended).collect::<Vec<_>>());
                            let (alone, others) = self.branch(at, all);
                            let exit = self.code.threads[0].exit;
                            self.skip(alone, exit);
                            at = others;
                        }
                        self.end(at, thread);
                    }
                    ThreadOperation::Spawn { target, start, argument } => self.spawn(id, at, step.target, target, start, argument),
                    ThreadOperation::Join { target, thread: other } => self.join(thread, at, step.target, target, other, span),
                    _ => {}
                }
            }
            ThreadOperation::Acquire { lock } => {
                let at = self.code.detach(id);
                let free = self.lock_word(at, lock, span);
                let at = self.assume(free.0, free.1);
                let value = self.number(32, Self::name(thread));
                self.code.step(at, step.target, Operation::Store { address: lock, value }, span, Origin::Internal);
            }
            ThreadOperation::TryAcquire { target, lock } => {
                let at = self.code.detach(id);
                let (at, free) = self.lock_word(at, lock, span);
                let (taken, not) = self.branch(at, free);
                let value = self.number(32, Self::name(thread));
                let at = self.code.then(taken, Operation::Store { address: lock, value }, span);
                let (yes, no) = (self.number(32, 1), self.number(32, 0));
                self.code.step(at, step.target, Operation::Assign { target, value: yes }, span, Origin::Internal);
                self.code.step(not, step.target, Operation::Assign { target, value: no }, span, Origin::Internal);
            }
            ThreadOperation::Release { lock } => {
                self.code.steps[id].operation = Operation::Store { address: lock, value: self.number(32, 0) };
            }
        }
    }

    /// Reads the word of a lock; gives whether it is free.
    fn lock_word(&mut self, at: Place, lock: Term, span: Span) -> (Place, Term) {
        let ctype = CType::Integer { width: 32, signed: true, name: "int" };
        let word = self.code.builder.temporary(self.code.entry, 32, ctype, span);
        let at = self.code.then(at, Operation::Load { target: word, address: lock }, span);
        let free = self.code.builder.terms.eq(self.read(word), self.number(32, 0));
        (at, free)
    }

    fn spawn(&mut self, id: StepId, at: Place, end: Place, target: VarId, start: Term, argument: Term) {
        let span = self.code.steps[id].span;
        let pointer = self.code.builder.pointer_width();
        let functions = self.code.starts.get(&id).cloned().unwrap_or_default();
        let mut at = at;
        for function in functions {
            let address = self.code.builder.address_of_function(function);
            let (mut here, next) = if start == address {
                (at, None)
            } else {
                let same = self.code.builder.terms.eq(start, address);
                let (here, next) = self.branch(at, same);
                (here, Some(next))
            };
            for thread in self.code.pool(function).to_vec() {
                let idle = self.counter_is(thread, IDLE);
                // Where nothing waits for threads, one that has ended can begin again.
                let free = if self.joins { idle } else { self.code.builder.terms.or(idle, self.counter_is(thread, ENDED)) };
                let (takes, busy) = self.branch(here, free);
                let mut to = self.set_counter(takes, thread, BEGIN);
                if let Some(parameter) = self.code.threads[thread].parameter {
                    let width = self.code.builder.variables[parameter].register_width().unwrap_or(pointer);
                    let value = self.code.builder.terms.resize(argument, width, false);
                    to = self.code.then(to, Operation::Assign { target: parameter, value }, span);
                }
                let value = self.number(pointer, Self::name(thread));
                self.code.step(to, end, Operation::Assign { target, value }, span, Origin::Internal);
                here = busy;
            }
            let name = &self.code.builder.functions[function].name;
            let what = format!("more than {} threads at once that begin in {name}", self.code.pool(function).len());
            self.code.then(here, Operation::Unsupported { what }, span);
            match next {
                Some(next) => at = next,
                None => return,
            }
        }
        let what = "a thread that begins in an unknown function".to_string();
        self.code.then(at, Operation::Unsupported { what }, span);
    }

    fn join(&mut self, thread: usize, at: Place, end: Place, target: VarId, number: Term, span: Span) {
        let pointer = self.code.builder.pointer_width();
        let targets = self.points.term(self.code, number);
        let known: Vec<FunctionId> =
            targets.iter().filter_map(|(object, _)| if let Object::Thread(function) = object { Some(*function) } else { None }).collect();
        let any = known.len() != targets.len() || targets.is_empty();
        for other in (0..self.code.threads.len()).filter(|&other| other != thread) {
            if !any && (other == 0 || !known.contains(&self.code.threads[other].function)) {
                continue;
            }
            let terms = &self.code.builder.terms;
            let named = terms.eq(number, self.number(pointer, Self::name(other)));
            let condition = terms.and(named, self.counter_is(other, ENDED));
            let at = self.assume(at, condition);
            let value = self.read(self.results[other]);
            self.code.step(at, end, Operation::Assign { target, value }, span, Origin::Internal);
        }
    }

    /// Before a step, whether another thread waits before one that races with it.
    fn race_checks(&mut self, steps: usize) {
        let by_place: FastMap<Place, usize> = self.yields.iter().enumerate().map(|(index, one)| (one.go, index)).collect();
        let waits: Vec<Option<usize>> = (0..steps).map(|step| by_place.get(&self.code.steps[step].source).copied()).collect();
        let depths = &self.accesses.depths;
        for id in 0..steps {
            let Some(others) = self.accesses.conflicts.get(&id) else { continue };
            let is_free = |step: StepId| matches!(self.code.steps[step].operation, Operation::Free { .. });
            let (mut parts, mut releases): (Vec<Term>, Vec<Term>) = (vec![], vec![]);
            for &other in others {
                // Of two plain accesses one looks for the other; a section looks for plain ones.
                let looks = depths[id] > 0 || other > id;
                if !looks || depths[other] > 0 || !self.accesses.race(id, other) {
                    continue;
                }
                let Some(index) = waits[other] else { continue };
                let there = self.counter_is(self.yields[index].thread, self.yields[index].number);
                let overlap = self.overlap(id, other);
                let both = self.code.builder.terms.and(there, overlap);
                if is_free(id) || is_free(other) { releases.push(both) } else { parts.push(both) }
            }
            if !releases.is_empty() {
                // Not a data race by all accounts, and surely no program without one.
                let what = "memory that is released while another thread is about to use it".to_string();
                self.race_check(id, releases, Some(what));
            }
            if !parts.is_empty() {
                self.race_check(id, parts, None);
            }
        }
    }

    /// A path to a target, or to what is not followed, where a condition holds before a step.
    fn race_check(&mut self, id: StepId, parts: Vec<Term>, what: Option<String>) {
        let condition = self.code.builder.terms.or_all(parts);
        let source = self.code.steps[id].source;
        let span = self.code.steps[id].span;
        let after = self.code.place(self.code.places[source].thread);
        self.code.move_outgoing(source, after);
        let (races, goes) = self.branch(source, condition);
        self.skip(goes, after);
        let target = self.code.place(self.code.places[source].thread);
        let operation = match what {
            Some(what) => Operation::Unsupported { what },
            None => {
                self.code.places[target].target = Some(Target::DataRace);
                Operation::Skip
            }
        };
        self.code.step(races, target, operation, span, Origin::Statement);
    }

    /// Whether two steps touch the same byte and one writes it.
    fn overlap(&self, a: StepId, b: StepId) -> Term {
        let terms = &self.code.builder.terms;
        let mut parts = vec![];
        for x in self.accesses.steps[a].iter().filter(|access| access.plain) {
            for y in self.accesses.steps[b].iter().filter(|access| access.plain && x.meets(access)) {
                let (Some((at, size)), Some((bt, other))) = (x.range, y.range) else { continue };
                let first = terms.ult(terms.sub(bt, at), size);
                parts.push(terms.or(first, terms.ult(terms.sub(at, bt), other)));
            }
        }
        terms.or_all(parts)
    }
}
