//! A program unrolled up to a number of iterations of each loop, with states merged where paths meet: one formula for
//! all paths within the bound.
//!
//! Nodes are visited in the weak topological order of their function, iteration by iteration and call by call, so that
//! a node's state is complete when it is taken up: every path to it within the bound has been merged in.
//!
//! With [`UnrollOptions::induction`], loops are not cut but proved by k-induction, inner ones inside outer ones. A loop
//! is unrolled twice: from the states that enter it for its first k iterations, and from any state that differs from
//! these in what the loop may change, for k iterations that are assumed to go well and one more. Every visit of the
//! loop's head is one of the first k, or has k good iterations before it; so if nothing bad is reachable in the first
//! iterations, nor in the last one, nor behind the loop, nothing bad is reachable at all. A loop that is surely left
//! within its first k iterations needs no second unrolling.
//!
//! The second unrolling begins with what is known of the loop's head: invariants that the visitor brings, and relations
//! between the values now and at the loop's entry ([`UnrollOptions::relations`]). These hold at the entry, and
//! whatever a good iteration does not keep is dropped, so that those that are left hold at every visit of the head.
//!
//! An iteration that leaves everything as it was is not followed: what comes after it, comes without it as well. So a
//! loop that waits for something is surely left, as soon as nothing else can happen.

use crate::encoder::{Encoder, StepOutcome};
use crate::relations::{Assumed, Candidate};
use crate::state::State;
use assay_base::{FastMap, FastSet, Id};
use assay_cfa::Step;
use assay_cfa::structure::{Effects, LoopId, Loops, Structure, is_needed};
use assay_cfa::{EdgeId, FunctionId, LocationId, Operation, Target, VarId};
use assay_term::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far a program is unrolled.
#[derive(Clone, Copy, Debug)]
pub struct UnrollOptions {
    /// How often a loop's head is met after it was entered.
    pub iterations: u32,
    /// Calls nested deeper are cut.
    pub call_depth: usize,
    /// Nodes beyond this number are cut.
    pub max_nodes: usize,
    /// Loops are abstracted by induction over `iterations` iterations, so that nothing is cut.
    pub induction: bool,
    /// An induction assumes relations with the values at a loop's entry, as far as iterations keep them.
    pub relations: bool,
    /// No iteration is followed that leaves everything as it was. Right where the question is what can be reached, and
    /// not where it matters that a run goes on for ever.
    pub progress: bool,
}

impl Default for UnrollOptions {
    fn default() -> Self {
        UnrollOptions { iterations: 1, call_depth: 200, max_nodes: 1_000_000, induction: false, relations: true, progress: true }
    }
}

/// Decides what becomes of the paths to a node; exploration asks it before it goes on.
pub trait Visitor {
    /// Called at every loop head before a further iteration: whether anything can get here. Saying yes is always right.
    fn is_reachable(&mut self, state: &State) -> bool;
    /// Called now and then: whether to give up.
    fn is_stopped(&mut self) -> bool;
    /// Called at every node with the function that it is in.
    fn comes_to(&mut self, _: FunctionId) {}
    /// Called where an induction forgets what a loop may change: what holds at the loop's head, whatever the path to
    /// it, over the variables of the program.
    fn invariants(&mut self, head: LocationId) -> Vec<Term> {
        let _ = head;
        vec![]
    }
    /// Called in the same place: what may hold at the loop's head. It is assumed as far as it holds when the loop is
    /// entered and every iteration keeps it.
    fn suggestions(&mut self, head: LocationId) -> Vec<Term> {
        let _ = head;
        vec![]
    }
    /// Called where an iteration of an induction ends: which of the conditions do not surely hold in the state, by
    /// their places in the list. Naming more is always right.
    fn refuted(&mut self, state: &State, conditions: &[Term]) -> Vec<usize> {
        let _ = state;
        (0..conditions.len()).collect()
    }
}

/// Where a path of the unrolling ended.
#[derive(Clone, Debug)]
pub struct End {
    /// Where [`Unrolling::path_to`] finds the path to it.
    pub node: usize,
    /// Where in the program.
    pub location: LocationId,
    /// With the conditions of all paths to it.
    pub state: State,
}

/// The result of an unrolling.
#[derive(Default)]
pub struct Unrolling {
    /// Targets that were met, with the states that are there.
    pub targets: Vec<(Target, End)>,
    /// Paths that the bound cut off.
    pub cut: Vec<End>,
    /// Edges that are not modelled.
    pub unsupported: Vec<(String, End)>,
    /// The program's end, or a location without a successor.
    pub finished: Vec<End>,
    /// Conditions of undefined behaviour on paths that have been left otherwise, with the states that know about
    /// addresses.
    pub undefined: Vec<End>,
    /// What an induction could not take in: a loop that allocates, or asks about all memory.
    pub not_inductive: Option<String>,
    /// Given up by the visitor or at the limit of nodes; nothing follows from what is missing then.
    pub stopped: bool,
    nodes: Vec<Node>,
}

/// What a node remembers for finding a path again.
#[derive(Default)]
struct Node {
    /// Moves on, the condition at their end, and where they lead.
    moves: Vec<(Step, Term, Option<usize>)>,
}

/// The place of a node in the order; lists compare element by element.
type Key = Vec<u32>;

/// What becomes of a move to another node.
#[derive(Clone, Copy, PartialEq)]
enum Passage {
    Open,
    /// The bound ends here.
    Cut,
    /// Another part of the induction covers it.
    Dropped,
    /// The first k iterations end here: from now on the iterations from any state cover it.
    Induction,
    /// Into the iteration that is looked at after those that are assumed to go well.
    LastIteration,
}

struct Pending {
    id: usize,
    location: LocationId,
    calls: Vec<EdgeId>,
    state: State,
    /// In an iteration that is assumed to go well, of any loop around it.
    assumed: bool,
}

impl Unrolling {
    /// Unrolls the program from its start.
    pub fn of(encoder: &Encoder<'_>, structure: &Structure<'_>, options: UnrollOptions, visitor: &mut dyn Visitor) -> Unrolling {
        let entry = encoder.program.functions[encoder.program.entry].entry;
        Self::from(encoder, structure, options, encoder.initial(), entry, visitor)
    }

    /// Unrolls from a state whose innermost frame is at the location; the path ends with that frame.
    pub fn from(
        encoder: &Encoder<'_>,
        structure: &Structure<'_>,
        options: UnrollOptions,
        state: State,
        start: LocationId,
        visitor: &mut dyn Visitor,
    ) -> Unrolling {
        let mut unroller = Unroller {
            encoder,
            structure,
            loops: structure.loops(),
            effects: FastMap::default(),
            options,
            waiting: BTreeMap::new(),
            ids: FastMap::default(),
            entered: FastMap::default(),
            assumed: FastMap::default(),
            dropped: FastSet::default(),
            heads: FastMap::default(),
            needed: FastMap::default(),
            apart: FastMap::default(),
            origins: 0,
            result: Unrolling::default(),
        };
        loop {
            let dropped = unroller.dropped.len();
            unroller.run(start, state.clone(), visitor);
            if unroller.dropped.len() == dropped {
                return unroller.result;
            }
            // Something was assumed that does not hold.
            unroller.waiting.clear();
            unroller.ids.clear();
            unroller.entered.clear();
            unroller.assumed.clear();
            unroller.heads.clear();
            unroller.result = Unrolling::default();
        }
    }

    /// The moves from the start to an end, as a model of its conditions takes them. `holds` evaluates a truth value.
    pub fn path_to(&self, end: &End, holds: &mut dyn FnMut(Term) -> bool) -> Option<Vec<Step>> {
        let mut path = Vec::new();
        let mut at = 0;
        while at != end.node {
            let node = self.nodes.get(at)?;
            let (step, _, next) = node.moves.iter().find(|(_, condition, next)| next.is_some() && holds(*condition))?;
            path.push(*step);
            at = (*next)?;
        }
        Some(path)
    }
}

struct Unroller<'a> {
    encoder: &'a Encoder<'a>,
    structure: &'a Structure<'a>,
    loops: &'a Loops,
    effects: FastMap<LoopId, Arc<Effects>>,
    options: UnrollOptions,
    waiting: BTreeMap<Key, Pending>,
    ids: FastMap<Key, usize>,
    /// The states that entered loops whose iterations from any state are not begun, by the key of the head.
    entered: FastMap<Key, Entry>,
    /// What the iterations from any state assume, by the key of the head at the end of the first of them.
    assumed: FastMap<Key, Assumed>,
    /// Candidates that did not hold.
    dropped: FastSet<Candidate>,
    /// The states at the heads of loops in the iteration before, by the key of the head in iteration 0.
    heads: FastMap<Key, State>,
    /// Whether what a register holds at the head of a loop is read afterwards.
    needed: FastMap<(LocationId, VarId), bool>,
    /// Which moves from a location keep the origin of its state.
    apart: FastMap<LocationId, Arc<[bool]>>,
    /// The number of the youngest origin of states.
    origins: u32,
    result: Unrolling,
}

struct Entry {
    node: usize,
    calls: Vec<EdgeId>,
    state: State,
    assumed: bool,
}

impl Unroller<'_> {
    /// Visits all nodes, or as many as the limits and the candidates allow.
    fn run(&mut self, start: LocationId, state: State, visitor: &mut dyn Visitor) {
        let key = self.key_within(&[], start, 0);
        let origin = self.new_origin();
        self.arrive(key, start, vec![], State { origin, ..state }, false);
        let (mut visited, dropped) = (0, self.dropped.len());
        while let Some((key, pending)) = self.waiting.pop_first() {
            visited += 1;
            if visited > self.options.max_nodes || visitor.is_stopped() {
                self.result.stopped = true;
                return;
            }
            if let Some(frame) = &pending.state.frame {
                visitor.comes_to(frame.function);
            }
            self.check_candidates(&key, &pending.state, visitor);
            if self.dropped.len() > dropped {
                return;
            }
            self.visit(&key, pending, visitor);
        }
    }

    /// At the end of the first iteration from any state: whether the candidates hold again.
    fn check_candidates(&mut self, key: &Key, state: &State, visitor: &mut dyn Visitor) {
        let Some(assumed) = self.assumed.remove(key) else { return };
        self.dropped.extend(assumed.of_addresses(self.encoder, state));
        let conditions = assumed.conditions(self.encoder, state);
        let candidates: Vec<Candidate> = assumed.candidates().collect();
        self.dropped.extend(visitor.refuted(state, &conditions).into_iter().map(|index| candidates[index]));
    }

    /// The key of a location when it is entered from outside of its loops, or from inside of the outer `kept` ones.
    fn key_within(&self, prefix: &[u32], location: LocationId, kept: usize) -> Key {
        let around: Vec<_> = self.loops.around(location).collect();
        let mut key = prefix.to_vec();
        for &id in around.iter().rev().skip(kept) {
            key.extend([self.loops.weak_position[self.loops.loops[id].head] + 1, 0]);
        }
        key.push(self.loops.weak_position[location] + 1);
        key
    }

    /// Whether an iteration of an induction is one of those that are assumed to go well.
    fn is_assumed(&self, iteration: u32) -> bool {
        (self.options.iterations..2 * self.options.iterations).contains(&iteration)
    }

    /// The key after a move within a function, and what becomes of the move.
    fn key_after(&self, key: &Key, from: LocationId, to: LocationId) -> (Key, Passage) {
        let base = key.len() - 1 - 2 * self.loops.around(from).count();
        let around_to: Vec<_> = self.loops.around(to).collect();
        // Loops that are stayed in, from the outermost.
        let stayed = around_to.iter().rev().take_while(|&&id| self.loops.contains(id, from)).count();
        let mut prefix = key[..base + 2 * stayed].to_vec();
        let back = self.loops.head_of(to).is_some_and(|id| self.loops.contains(id, from));
        // Out of an iteration that is assumed to go well: what is behind the loop is looked at from the last iteration.
        let mut iterations = key[base..key.len() - 1].chunks(2).skip(stayed).map(|pair| pair[1]);
        let left = self.options.induction && iterations.any(|iteration| self.is_assumed(iteration));
        if left {
            return (self.key_within(&prefix, to, stayed), Passage::Dropped);
        }
        if back && let Some(count) = prefix.last_mut() {
            *count += 1;
            let k = self.options.iterations;
            let passage = match (self.options.induction, *count) {
                (false, count) if count > k => Passage::Cut,
                (true, count) if count == k => Passage::Induction,
                (true, count) if count > 2 * k => Passage::Dropped,
                (true, count) if count == 2 * k => Passage::LastIteration,
                _ => Passage::Open,
            };
            return (self.key_within(&prefix, to, stayed), passage);
        }
        (self.key_within(&prefix, to, stayed), Passage::Open)
    }

    fn new_origin(&mut self) -> Option<u32> {
        self.origins += 1;
        Some(self.origins)
    }

    fn arrive(&mut self, key: Key, location: LocationId, calls: Vec<EdgeId>, state: State, assumed: bool) -> usize {
        let nodes = &mut self.result.nodes;
        let id = *self.ids.entry(key.clone()).or_insert_with(|| {
            nodes.push(Node::default());
            nodes.len() - 1
        });
        match self.waiting.get_mut(&key) {
            Some(pending) => {
                let same = pending.state.origin == state.origin;
                pending.state = self.encoder.merge(&pending.state, &state);
                if !same {
                    self.origins += 1;
                    pending.state.origin = Some(self.origins);
                }
            }
            None => {
                self.waiting.insert(key, Pending { id, location, calls, state, assumed });
            }
        }
        id
    }

    fn visit(&mut self, key: &Key, pending: Pending, visitor: &mut dyn Visitor) {
        let Pending { id, location, calls, mut state, assumed } = pending;
        let program = self.encoder.program;
        let here = &program.locations[location];
        let end = |state: State| End { node: id, location, state };
        if assumed && state.outside {
            return self.not_inductive_outside();
        }
        if let Some(target) = here.target {
            if !assumed {
                self.result.targets.push((target, end(state)));
            }
            return;
        }
        let head = self.loops.head_of(location);
        let again = head.is_some() && key[key.len() - 2] > 0;
        if head.is_some() && self.options.progress {
            self.assume_progress(key, location, &mut state);
        }
        if again && !visitor.is_reachable(&state) {
            if !assumed {
                self.result.undefined.push(end(state));
            }
            return;
        }
        if self.options.induction && head.is_some() && !again {
            self.entered.insert(key.clone(), Entry { node: id, calls: calls.clone(), state: state.clone(), assumed });
        }
        if location == program.functions[here.function].exit {
            let mut calls = calls;
            let Some(call) = calls.pop() else {
                self.finish(end(state), assumed);
                return;
            };
            let mut state = state;
            self.encoder.leave(&mut state, call);
            let back_key = self.caller_key(key, call, location);
            let (next_key, passage) = self.key_after(&back_key, program.edges[call].source, program.edges[call].target);
            let step = Step::Return(call);
            self.go(id, step, next_key, passage, program.edges[call].target, calls, state, assumed, visitor);
            return;
        }
        if here.outgoing.is_empty() {
            self.finish(end(state), assumed);
            return;
        }
        let apart = self.moves_apart(location);
        for (index, &edge) in here.outgoing.iter().enumerate() {
            let mut next = state.clone();
            match self.encoder.step(&mut next, edge) {
                StepOutcome::Continue => {}
                StepOutcome::Infeasible => {
                    if !assumed && !self.encoder.terms.is_false(next.undefined()) {
                        self.result.undefined.push(end(next));
                    }
                    continue;
                }
                StepOutcome::Unsupported(what) => {
                    if !assumed {
                        self.result.unsupported.push((what, end(next)));
                    }
                    continue;
                }
            }
            if !apart[index] {
                next.origin = self.new_origin();
            }
            let step = Step::Edge(edge);
            if let Operation::Call { callee, .. } = program.edges[edge].operation {
                let mut prefix = key.clone();
                prefix.push(edge.index() as u32 + 1);
                let entry = program.functions[callee].entry;
                let next_key = self.key_within(&prefix, entry, 0);
                let mut calls = calls.clone();
                calls.push(edge);
                let passage = if calls.len() > self.options.call_depth { Passage::Cut } else { Passage::Open };
                self.go(id, step, next_key, passage, entry, calls, next, assumed, visitor);
            } else {
                let to = program.edges[edge].target;
                let (next_key, passage) = self.key_after(key, location, to);
                self.go(id, step, next_key, passage, to, calls.clone(), next, assumed, visitor);
            }
        }
    }

    /// For each move from a location: whether it is never possible together with an earlier one for which this holds.
    fn moves_apart(&mut self, location: LocationId) -> Arc<[bool]> {
        let (program, encoder) = (self.encoder.program, self.encoder);
        let moves_apart = || {
            let mut kept: Vec<Vec<Term>> = Vec::new();
            let apart = |&edge: &EdgeId| {
                let demands = match program.edges[edge].operation {
                    Operation::Assume { condition, .. } => encoder.terms.conjuncts(condition),
                    _ => vec![],
                };
                let apart = kept.iter().all(|other| encoder.exclude(other, &demands));
                if apart {
                    kept.push(demands);
                }
                apart
            };
            program.locations[location].outgoing.iter().map(apart).collect()
        };
        self.apart.entry(location).or_insert_with(moves_apart).clone()
    }

    /// At the head of a loop: something is not as it was when the head was visited before.
    fn assume_progress(&mut self, key: &Key, head: LocationId, state: &mut State) {
        let mut first = key.clone();
        let place = first.len() - 2;
        let iteration = std::mem::replace(&mut first[place], 0);
        // The iterations of an induction from any state have nothing before them.
        let begins = iteration == 0 || self.options.induction && iteration == self.options.iterations;
        if let Some(before) = self.heads.remove(&first).filter(|_| !begins) {
            let (program, terms) = (self.encoder.program, self.encoder.terms);
            let mut needed = |variable| *self.needed.entry((head, variable)).or_insert_with(|| is_needed(program, terms, variable, head));
            if let Some(differs) = self.encoder.differs(state, &before, &mut needed) {
                self.encoder.assume(state, differs);
            }
        }
        self.heads.insert(first, state.clone());
    }

    /// The key of the call's source in the caller: what comes before the callee's part.
    fn caller_key(&self, key: &Key, call: EdgeId, exit: LocationId) -> Key {
        let callee_part = 1 + 2 * self.loops.around(exit).count();
        let end = key.len() - callee_part - 1;
        debug_assert!(key[end] == call.index() as u32 + 1);
        key[..end].to_vec()
    }

    fn go(
        &mut self,
        from: usize,
        step: Step,
        key: Key,
        passage: Passage,
        to: LocationId,
        calls: Vec<EdgeId>,
        mut state: State,
        assumed: bool,
        visitor: &mut dyn Visitor,
    ) {
        let condition = state.path();
        match passage {
            Passage::Open => {}
            Passage::Cut | Passage::Dropped | Passage::Induction => {
                if passage == Passage::Induction && !self.encoder.terms.is_false(condition) {
                    self.any_iteration(key, to, visitor);
                }
                let end = End { node: from, location: to, state };
                if passage == Passage::Cut {
                    self.result.cut.push(end);
                } else if !assumed {
                    self.result.undefined.push(end);
                }
                self.result.nodes[from].moves.push((step, condition, None));
                return;
            }
            Passage::LastIteration => {
                if state.outside {
                    return self.not_inductive_outside();
                }
                // The iterations before were defined, by assumption.
                let defined = self.encoder.terms.not(state.undefined);
                self.encoder.assume(&mut state, defined);
                state.undefined = self.encoder.terms.false_();
            }
        }
        let assumed = self.options.induction && self.has_assumed_iteration(&key, to, &calls);
        let id = self.arrive(key, to, calls, state, assumed);
        self.result.nodes[from].moves.push((step, condition, Some(id)));
    }

    /// Gives up: iterations are assumed to be defined, and that a pointer from outside is not where it was put is
    /// nothing undefined.
    fn not_inductive_outside(&mut self) {
        self.result.not_inductive.get_or_insert_with(|| "a pointer of unknown origin in a loop".to_string());
    }

    /// A path that ended by itself.
    fn finish(&mut self, end: End, assumed: bool) {
        if !assumed {
            self.result.finished.push(end);
        }
    }

    /// Whether any loop around the node, in any frame, is in an iteration that is assumed to go well.
    fn has_assumed_iteration(&self, key: &Key, location: LocationId, calls: &[EdgeId]) -> bool {
        let sources = calls.iter().map(|&call| self.encoder.program.edges[call].source);
        let mut at = 0;
        for place in sources.chain([location]) {
            let loops = self.loops.around(place).count();
            if (0..loops).any(|i| self.is_assumed(key[at + 2 * i + 1])) {
                return true;
            }
            // The loops, the location, and the call.
            at += 2 * loops + 2;
        }
        false
    }

    /// Starts the iterations of an induction, once: from a state in which everything that the loop may change since it
    /// was entered has any value that the invariants allow. `key` is that of the head after the first k iterations,
    /// with which the others begin.
    fn any_iteration(&mut self, key: Key, head: LocationId, visitor: &mut dyn Visitor) {
        let mut first = key.clone();
        let place = first.len() - 2;
        first[place] = 0;
        let (Some(Entry { node, calls, state, assumed }), Some(id)) = (self.entered.remove(&first), self.loops.head_of(head)) else {
            return;
        };
        let program = self.encoder.program;
        let effects = self.effects.entry(id).or_insert_with(|| {
            let inside = self.loops.loops[id].locations.iter().flat_map(|&l| program.locations[l].outgoing.iter().copied());
            let inside = inside.filter(|&edge| self.loops.contains(id, program.edges[edge].target));
            Arc::new(self.structure.effects().of_edges(program, inside))
        });
        let effects = effects.clone();
        if effects.allocates || effects.touches_everything || self.loops.loops[id].irreducible {
            let place = program.edges[program.locations[head].outgoing.first().copied().unwrap_or(EdgeId(0))].span;
            self.result.not_inductive.get_or_insert_with(|| format!("the loop at {}", program.sources.describe(place)));
            return;
        }
        let (entry, mut any) = (state.clone(), state.clone());
        if !assumed {
            self.result.undefined.push(End { node, location: head, state });
        }
        self.encoder.havoc(&mut any, &effects);
        any.undefined = self.encoder.terms.false_();
        any.outside = false;
        any.origin = self.new_origin();
        for invariant in visitor.invariants(head) {
            let invariant = self.encoder.eval(&any, invariant);
            self.encoder.assume(&mut any, invariant);
        }
        if self.options.relations {
            let mut suggested = visitor.suggestions(head);
            suggested.retain(|&condition| {
                let addresses = [&entry, &any].into_iter().any(|state| self.encoder.speaks_of_addresses(state, condition));
                !addresses && !self.dropped.contains(&Candidate::suggested(id, condition))
            });
            if !suggested.is_empty() {
                let conditions: Vec<Term> = suggested.iter().map(|&condition| self.encoder.eval(&entry, condition)).collect();
                let refuted = visitor.refuted(&entry, &conditions);
                self.dropped.extend(refuted.into_iter().map(|index| Candidate::suggested(id, suggested[index])));
            }
            let assumed = Assumed::of(self.encoder, &entry, id, &effects, &suggested, &self.dropped);
            for condition in assumed.conditions(self.encoder, &any) {
                self.encoder.assume(&mut any, condition);
            }
            let mut next = key.clone();
            next[place] += 1;
            self.assumed.insert(next, assumed);
        }
        self.arrive(key, head, calls, any, true);
    }
}
