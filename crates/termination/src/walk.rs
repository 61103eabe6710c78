//! A walk over the whole program in which every loop and every recursion is one step: from the states that enter it to
//! the state at its head in any iteration, and from there through one iteration. What an iteration does to that state
//! is what has to be shown to end; what leaves it goes on.
//!
//! States are merged where paths meet, and calls are followed where they are, so that a loop is looked at in the
//! context in which it is entered. Loops inside loops are looked at in each context, too: an outer iteration that is
//! not known to keep anything is walked first, so that its invariants are found; then it is walked again with them.
//!
//! *Memory.* Where no loop makes objects, all objects are known at each head, and an access outside of all of them is
//! undefined and ends the execution. Otherwise ([`Stop::Memory`]) the walk begins anew with memory of no object as an
//! array of its own, in which everything is that the walk does not name; then no access ends an execution.

use crate::invariant::{self, Candidate};
use crate::rank::{self, Feature, Relation, Transition};
use assay_base::{CancelToken, FastMap, Span, WorkTime};
use assay_cfa::structure::{Effects, LiveRegisters, LoopId, Structure};
use assay_cfa::{CType, EdgeId, FunctionId, LocationId, Operation, Program, ValueSourceKind, VarId};
use assay_formula::{Encoder, Form, ObjectKey, State, StepOutcome};
use assay_smt::{Answer, Budget, Solver};
use assay_term::{Op, SymbolId, Term, Terms};
use std::collections::BTreeMap;
use std::time::Duration;

/// Edges that a walk takes at most.
const MOST_STEPS: usize = 60_000;
/// Calls nested deeper are not followed.
const DEEPEST: usize = 60;

/// Why a walk came to no proof.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// Memory has to be looked at in the other manner.
    Memory,
    /// In words.
    Because(String),
    /// The token.
    Stopped,
}

/// What one loop or recursion was shown to do.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    /// The head of the loop, or the entry of the function.
    pub head: LocationId,
    /// What gets smaller in each iteration, in C; empty where an iteration can never be completed.
    pub measure: Vec<String>,
}

/// A value that iterations change.
struct Moved {
    name: String,
    now: Term,
    entry: Term,
    next: Vec<Term>,
    /// Whether it is a value of the program, and no part of one.
    whole: bool,
    signed: bool,
    limit: Option<u32>,
}

/// The state at the head of a loop in any iteration, with what leads there.
pub(crate) struct Cycle {
    pub head: LocationId,
    pub entry: State,
    pub any: State,
    pub backs: Vec<State>,
    /// The loop; `None` for recursion.
    pub of: Option<LoopId>,
}

pub(crate) struct Walker<'a> {
    pub program: &'a Program,
    pub structure: &'a Structure<'a>,
    pub encoder: Encoder<'a>,
    pub terms: &'a Terms,
    pub solver: Solver,
    pub cancel: &'a CancelToken,
    live: &'a LiveRegisters,
    /// Memory of no object is an array.
    pub vague: bool,
    steps: usize,
    until: WorkTime,
    /// Within iterations that are walked to find invariants only.
    quiet: usize,
    /// Functions that are being walked.
    stack: Vec<FunctionId>,
    /// Recursive functions whose calls are one step, with the states that such calls begin with.
    cuts: Vec<(FunctionId, Vec<State>)>,
    pub ranked: Vec<Ranked>,
    /// What could not be shown to end.
    pub open: Vec<Cycle>,
}

/// Where a walk over a part of a function came to.
#[derive(Default)]
struct Walked {
    /// The states that leave the part, by where they go; the exit of the function is one of these places.
    exits: BTreeMap<LocationId, State>,
    /// The state that comes back to the head.
    back: Option<State>,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(
        program: &'a Program,
        structure: &'a Structure<'a>,
        terms: &'a Terms,
        live: &'a LiveRegisters,
        solver: Solver,
        cancel: &'a CancelToken,
        time: Duration,
        vague: bool,
    ) -> Self {
        let encoder =
            Encoder { keep_inputs: true, environment: None, cancel: Some(cancel), ..Encoder::new(program, terms, Form::Substituted) };
        let until = WorkTime::now() + time;
        Walker {
            program,
            structure,
            encoder,
            terms,
            solver,
            cancel,
            live,
            vague,
            steps: 0,
            until,
            quiet: 0,
            stack: vec![],
            cuts: vec![],
            ranked: vec![],
            open: vec![],
        }
    }

    /// Walks from the start of the program.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        let state = if self.vague { self.encoder.initial_in_memory() } else { self.encoder.initial() };
        let entry = self.program.functions[self.program.entry].entry;
        self.stack.push(self.program.entry);
        self.walk(entry, state, None)?;
        Ok(())
    }

    pub(crate) fn budget(&self, time: Duration) -> Budget {
        Budget::with_time(self.cancel, time.min(self.until.left()))
    }

    fn tick(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Stop::Because("the program is too large to be walked with all its calls".to_string()));
        }
        if self.steps.is_multiple_of(64) && (self.cancel.is_stopped() || self.until.is_over()) {
            return Err(Stop::Stopped);
        }
        Ok(())
    }

    pub(crate) fn place(&self, location: LocationId) -> String {
        self.program.sources.describe(head_span(self.program, location))
    }

    /// Walks from a location to the end of its function, or through one iteration of the loop that begins there.
    fn walk(&mut self, start: LocationId, state: State, within: Option<LoopId>) -> Result<Walked, Stop> {
        let (program, structure) = (self.program, self.structure);
        let loops = structure.loops();
        let mut walked = Walked::default();
        let mut pending: BTreeMap<u32, (LocationId, State)> = BTreeMap::new();
        let mut first = true;
        pending.insert(loops.weak_position[start], (start, state));
        while let Some((_, (location, state))) = pending.pop_first() {
            self.tick()?;
            let here = &program.locations[location];
            if location == program.functions[here.function].exit {
                self.meet_exit(&mut walked.exits, location, state);
                continue;
            }
            let begins = std::mem::replace(&mut first, false) && within.is_some();
            let mut moves: Vec<(LocationId, State)> = vec![];
            match loops.head_of(location) {
                Some(id) if !begins => moves.extend(self.follow_loop(id, state)?),
                _ => {
                    for &edge in &here.outgoing {
                        let target = program.edges[edge].target;
                        if let Operation::Call { callee, .. } = program.edges[edge].operation {
                            moves.extend(self.call(edge, callee, state.clone())?.map(|after| (target, after)));
                            continue;
                        }
                        let mut next = state.clone();
                        match self.encoder.step(&mut next, edge) {
                            StepOutcome::Continue => moves.push((target, next)),
                            StepOutcome::Infeasible => {}
                            StepOutcome::Unsupported(what) => {
                                if self.is_possible(&next) {
                                    return Err(Stop::Because(format!("unsupported: {what}")));
                                }
                            }
                        }
                    }
                }
            }
            for (to, state) in moves {
                if self.terms.is_false(state.path()) {
                    continue;
                }
                let entered = loops.around(to).filter(|&id| !loops.contains(id, location)).last();
                if entered.is_some_and(|id| loops.loops[id].head != to) {
                    return Err(Stop::Because(format!("a loop with several entries at {}", self.place(to))));
                }
                match within {
                    Some(id) if loops.loops[id].head == to => {
                        let merged = walked.back.take().map(|other| self.encoder.merge(&other, &state));
                        walked.back = Some(merged.unwrap_or(state));
                    }
                    Some(id) if !loops.contains(id, to) => self.meet_exit(&mut walked.exits, to, state),
                    _ => {
                        let merged = pending.remove(&loops.weak_position[to]).map(|(_, other)| self.encoder.merge(&other, &state));
                        pending.insert(loops.weak_position[to], (to, merged.unwrap_or(state)));
                    }
                }
            }
        }
        Ok(walked)
    }

    fn meet_exit(&self, exits: &mut BTreeMap<LocationId, State>, to: LocationId, state: State) {
        let merged = exits.remove(&to).map(|other| self.encoder.merge(&other, &state));
        exits.insert(to, merged.unwrap_or(state));
    }

    /// Whether a path may be possible.
    fn is_possible(&mut self, state: &State) -> bool {
        let mut conditions = state.conditions().to_vec();
        if !self.vague {
            conditions.push(self.terms.not(state.undefined()));
        }
        let budget = self.budget(Duration::from_millis(500));
        !self.solver.check(self.terms, &conditions, &budget).is_unsat()
    }

    fn call(&mut self, edge: EdgeId, callee: FunctionId, state: State) -> Result<Option<State>, Stop> {
        let calls = self.structure.calls();
        let mut inside = state.clone();
        if !matches!(self.encoder.step(&mut inside, edge), StepOutcome::Continue) {
            return Ok(None);
        }
        let Operation::Call { result, .. } = self.program.edges[edge].operation else { return Ok(None) };
        let cut = self.cuts.last().map(|(function, _)| *function);
        if calls.recursive[callee] {
            if let Some(cut) = cut.filter(|&cut| calls.component[cut] == calls.component[callee]) {
                if cut == callee {
                    if let Some((_, states)) = self.cuts.last_mut() {
                        states.push(inside);
                    }
                    let effects = self.structure.effects().functions[callee].clone();
                    return Ok(Some(self.encoder.skip_call(&state, &effects, result)));
                }
                if self.stack.contains(&callee) {
                    return Err(Stop::Because(format!(
                        "recursion by several functions at {}",
                        self.place(self.program.functions[callee].entry)
                    )));
                }
            } else {
                return self.follow_recursion(edge, callee, inside);
            }
        }
        if self.stack.len() > DEEPEST {
            return Err(Stop::Because("calls are nested too deeply".to_string()));
        }
        self.stack.push(callee);
        let function = &self.program.functions[callee];
        let mut walked = self.walk(function.entry, inside, None)?;
        self.stack.pop();
        Ok(walked.exits.remove(&function.exit).map(|mut after| {
            self.encoder.leave(&mut after, edge);
            after
        }))
    }

    /// The registers of a function that matter at a location, and those of the program.
    fn registers(&self, location: LocationId) -> Vec<VarId> {
        let globals = self.program.globals.iter().copied().filter(|&v| self.program.variables[v].register_width().is_some());
        globals.chain(self.live.live[location].iter().copied()).collect()
    }

    fn check_memory(&self, effects: &Effects) -> Result<(), Stop> {
        if !self.vague && (effects.allocates || effects.touches_everything) { Err(Stop::Memory) } else { Ok(()) }
    }

    /// From the states that enter a loop to those that leave it.
    fn follow_loop(&mut self, id: LoopId, entry: State) -> Result<Vec<(LocationId, State)>, Stop> {
        let (program, structure) = (self.program, self.structure);
        let found = &structure.loops().loops[id];
        if found.irreducible {
            return Err(Stop::Because(format!("a loop with several entries at {}", self.place(found.head))));
        }
        if !self.is_possible(&entry) {
            return Ok(vec![]);
        }
        let loops = structure.loops();
        let inside = found.locations.iter().flat_map(|&l| program.locations[l].outgoing.iter().copied());
        let inside = inside.filter(|&edge| loops.contains(id, program.edges[edge].target));
        let effects = structure.effects().of_edges(program, inside);
        self.check_memory(&effects)?;
        let head = found.head;
        let registers = self.registers(head);
        let mut bases: FastMap<VarId, Term> = FastMap::default();
        for &variable in &effects.writes {
            if let [base] = self.pointer_bases(&entry, variable)[..] {
                bases.insert(variable, base);
            }
        }
        let saved = self.cuts.last().map_or(0, |(_, states)| states.len());
        let (any, first) = loop {
            let any = self.encoder.any_iteration(&entry, &effects, &|variable| bases.get(&variable).copied());
            self.quiet += 1;
            let walked = self.walk(head, any.clone(), Some(id));
            self.quiet -= 1;
            if let Some((_, states)) = self.cuts.last_mut() {
                states.truncate(saved);
            }
            let walked = walked?;
            let Some(back) = &walked.back else { break (any, walked) };
            if self.keeps_bases(back, &mut bases) {
                if !self.vague && !self.encoder.knows_objects_of(&any, back, &registers) {
                    return Err(Stop::Memory);
                }
                break (any, walked);
            }
        };
        let Some(back) = first.back else {
            // No iteration is ever completed; but what is inside was not looked at in earnest.
            let walked = self.walk(head, any, Some(id))?;
            return Ok(walked.exits.into_iter().collect());
        };
        let any = self.with_invariants(&entry, any, std::slice::from_ref(&back), &registers, &effects, &bases);
        let walked = self.walk(head, any.clone(), Some(id))?;
        if self.quiet == 0
            && let Some(back) = walked.back
        {
            self.rank(Cycle { head, entry, any, backs: vec![back], of: Some(id) }, &registers, &effects, &bases)?;
        }
        Ok(walked.exits.into_iter().collect())
    }

    /// From the states that call a recursive function to those that come back.
    fn follow_recursion(&mut self, edge: EdgeId, callee: FunctionId, entry: State) -> Result<Option<State>, Stop> {
        let (program, structure) = (self.program, self.structure);
        if !self.is_possible(&entry) {
            return Ok(None);
        }
        let function = &program.functions[callee];
        let component = &structure.calls().components[structure.calls().component[callee] as usize];
        let mut effects = structure.effects().functions[callee].clone();
        self.check_memory(&effects)?;
        let escapes = |v: &VarId| program.variables[*v].register_width().is_none() && structure.effects().escaped[*v];
        if !self.vague && component.iter().any(|&member| program.functions[member].locals.iter().any(escapes)) {
            return Err(Stop::Memory);
        }
        effects.writes.retain(|&v| program.variables[v].is_global());
        effects.writes.extend(function.parameters.iter().copied());
        let registers = self.registers(function.entry);
        let bases: FastMap<VarId, Term> = FastMap::default();
        let any = self.encoder.any_iteration(&entry, &effects, &|_| None);
        self.stack.push(callee);
        let mut walk = |any: State, quiet: usize| {
            self.quiet += quiet;
            self.cuts.push((callee, vec![]));
            let walked = self.walk(function.entry, any, None);
            self.quiet -= quiet;
            let backs = self.cuts.pop().map_or(vec![], |(_, states)| states);
            walked.map(|walked| (walked, backs))
        };
        let (_, backs) = walk(any.clone(), 1)?;
        if !self.vague && !backs.iter().all(|back| self.encoder.knows_objects_of(&any, back, &registers)) {
            return Err(Stop::Memory);
        }
        let any = self.with_invariants(&entry, any, &backs, &registers, &effects, &bases);
        self.cuts.push((callee, vec![]));
        let walked = self.walk(function.entry, any.clone(), None);
        let backs = self.cuts.pop().map_or(vec![], |(_, states)| states);
        let mut walked = walked?;
        self.stack.pop();
        if self.quiet == 0 && !backs.is_empty() {
            self.rank(Cycle { head: function.entry, entry, any, backs, of: None }, &registers, &effects, &bases)?;
        }
        Ok(walked.exits.remove(&function.exit).map(|mut after| {
            self.encoder.leave(&mut after, edge);
            after
        }))
    }

    /// The objects that a register may point into.
    fn pointer_bases(&self, state: &State, variable: VarId) -> Vec<Term> {
        let variable_info = &self.program.variables[variable];
        match variable_info.register_width() {
            Some(width) if width == self.program.model.pointer_width() => self.encoder.bases_of(self.encoder.get(state, variable)),
            _ => vec![],
        }
    }

    /// Whether an iteration keeps every pointer in its object; those that it does not keep are forgotten.
    fn keeps_bases(&self, back: &State, bases: &mut FastMap<VarId, Term>) -> bool {
        let before = bases.len();
        let kept: Vec<(VarId, Term)> =
            bases.iter().filter(|&(&v, &base)| self.pointer_bases(back, v) == [base]).map(|(&v, &base)| (v, base)).collect();
        *bases = kept.into_iter().collect();
        bases.len() == before
    }

    /// What iterations change, of what matters at the head.
    fn moved(
        &self,
        entry: &State,
        any: &State,
        backs: &[State],
        registers: &[VarId],
        effects: &Effects,
        bases: &FastMap<VarId, Term>,
    ) -> Vec<Moved> {
        let (t, encoder) = (self.terms, &self.encoder);
        let mut moved = vec![];
        for &variable in registers.iter().filter(|v| effects.writes.contains(v)) {
            let minus = |value: Term| bases.get(&variable).map_or(value, |&base| t.sub(value, base));
            let value = |state: &State| minus(encoder.get(state, variable));
            let info = &self.program.variables[variable];
            let name = if info.source_name.is_empty() { info.name.clone() } else { info.source_name.clone() };
            let width = info.register_width().unwrap_or(1);
            let (signed, limit) = match info.ctype {
                // Accesses keep an offset in its object.
                CType::Pointer => (true, Some(width - 4)),
                CType::Integer { signed: true, .. } if width >= 32 => (true, Some(rank::limit(width))),
                CType::Integer { signed, .. } => (signed, None),
                _ => (true, Some(rank::limit(width))),
            };
            moved.push(Moved {
                name,
                now: value(any),
                entry: value(entry),
                next: backs.iter().map(value).collect(),
                whole: true,
                signed,
                limit,
            });
        }
        let mut cells: Vec<(ObjectKey, u64, u32)> = backs.iter().flat_map(|back| encoder.cells_between(any, back)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.truncate(48);
        for (key, offset, bytes) in cells {
            let value = |state: &State| encoder.cell(state, key, offset, bytes);
            let next: Option<Vec<Term>> = backs.iter().map(value).collect();
            let (Some(now), Some(entry), Some(next)) = (value(any), value(entry), next) else { continue };
            let name = self.object_name(key, offset);
            let limit = (bytes >= 4).then(|| rank::limit(bytes * 8));
            moved.push(Moved { name, now, entry, next, whole: t.node(now).op == Op::Symbol || bytes == 8, signed: true, limit });
        }
        moved
    }

    fn object_name(&self, key: ObjectKey, offset: u64) -> String {
        use assay_semantics::state::ObjectName;
        match key.name {
            ObjectName::Variable(v) if offset == 0 => self.program.variables[v].source_name.clone(),
            ObjectName::Variable(v) => format!("{}[byte {offset}]", self.program.variables[v].source_name),
            ObjectName::Site(edge) => {
                format!("*(what is allocated at {}, byte {offset})", self.program.sources.describe(self.program.edges[edge].span))
            }
            _ => format!("memory at {offset}"),
        }
    }

    /// Conditions over the state at the head that the paths of an iteration compare values by.
    fn conditions(&self, entry: &State, any: &State, backs: &[State], registers: &[VarId]) -> Vec<Term> {
        let t = self.terms;
        let mut known: assay_base::FastSet<SymbolId> = assay_base::FastSet::default();
        for state in [entry, any] {
            let mut roots = self.encoder.values(state, registers);
            roots.push(state.path());
            t.post_order(roots, |_, node| {
                if matches!(node.op, Op::Symbol | Op::Address) {
                    known.insert(node.symbol());
                }
            });
        }
        let mut found = vec![];
        for back in backs {
            let own: Vec<Term> = back.conditions().iter().copied().filter(|c| !any.conditions().contains(c)).collect();
            t.post_order(own, |term, node| {
                let compares = matches!(node.op, Op::UnsignedLess | Op::SignedLess | Op::Eq);
                if compares && t.sort(node.operand(0)).is_vector() && !node.carries_address() {
                    found.push(term);
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&term| t.dag_size(term) < 60 && t.free_symbols(term).iter().all(|symbol| known.contains(symbol)));
        found.truncate(60);
        found
    }

    /// A term over the state at the head, in the states that enter and in those after an iteration.
    fn carried(&self, term: Term, moved: &[Moved], which: Option<usize>) -> Term {
        let t = self.terms;
        t.substitute(term, &mut |node| {
            if node.op != Op::Symbol {
                return None;
            }
            let symbol = t.symbol(node.symbol());
            let found = moved.iter().find(|one| one.now == symbol)?;
            Some(which.map_or(found.entry, |index| found.next[index]))
        })
    }

    /// Transitions from the head to the head.
    fn transitions(&self, backs: &[State]) -> Vec<Vec<Term>> {
        let condition = |back: &State| {
            let mut all = back.conditions().to_vec();
            if !self.vague {
                all.push(self.terms.not(back.undefined()));
            }
            all
        };
        backs.iter().map(condition).collect()
    }

    /// The state at the head with what is found to hold there.
    fn with_invariants(
        &mut self,
        entry: &State,
        any: State,
        backs: &[State],
        registers: &[VarId],
        effects: &Effects,
        bases: &FastMap<VarId, Term>,
    ) -> State {
        let moved = self.moved(entry, &any, backs, registers, effects, bases);
        let conditions = self.conditions(entry, &any, backs, registers);
        let mut list: Vec<Term> = vec![];
        let values: Vec<(Term, Term)> = moved.iter().filter(|one| one.whole).map(|one| (one.now, one.entry)).collect();
        let fixed: Vec<Term> = {
            let unchanged = registers.iter().filter(|v| !effects.writes.contains(v)).map(|&v| self.encoder.get(&any, v));
            unchanged.filter(|&value| !self.terms.node(value).carries_address()).collect()
        };
        invariant::candidates(self.terms, &values, &fixed, &conditions, &mut list);
        let candidates: Vec<Candidate> = list
            .into_iter()
            .map(|now| Candidate {
                now,
                entry: self.carried(now, &moved, None),
                next: (0..backs.len()).map(|index| self.carried(now, &moved, Some(index))).collect(),
            })
            .collect();
        let mut start = entry.conditions().to_vec();
        if !self.vague {
            start.push(self.terms.not(entry.undefined()));
        }
        let transitions = self.transitions(backs);
        let held = invariant::hold(self, candidates, &start, &transitions);
        let mut any = any;
        for condition in held {
            self.encoder.assume(&mut any, condition);
        }
        any
    }

    fn rank(&mut self, cycle: Cycle, registers: &[VarId], effects: &Effects, bases: &FastMap<VarId, Term>) -> Result<(), Stop> {
        let relation = self.relation(&cycle, registers, effects, bases);
        let mut measure = vec![];
        if rank::ends(self, relation, &mut measure) {
            self.ranked.push(Ranked { head: cycle.head, measure });
            return Ok(());
        }
        if self.cancel.is_stopped() {
            return Err(Stop::Stopped);
        }
        // Several iterations as one.
        if let Some(id) = cycle.of {
            let mut last = cycle.backs.clone();
            for times in 2..=3 {
                let Some(state) = last.first().cloned() else { break };
                self.quiet += 1;
                let walked = self.walk(cycle.head, state, Some(id));
                self.quiet -= 1;
                let Some(back) = walked?.back else {
                    self.ranked.push(Ranked { head: cycle.head, measure: vec![] });
                    return Ok(());
                };
                last = vec![back];
                let several =
                    Cycle { head: cycle.head, entry: cycle.entry.clone(), any: cycle.any.clone(), backs: last.clone(), of: cycle.of };
                let relation = self.relation(&several, registers, effects, bases);
                let mut measure = vec![];
                if rank::ends(self, relation, &mut measure) {
                    measure.push(format!("(every {times} iterations)"));
                    self.ranked.push(Ranked { head: cycle.head, measure });
                    return Ok(());
                }
            }
        }
        self.open.push(cycle);
        Ok(())
    }

    /// What one iteration does, as the search for ranking functions sees it.
    fn relation(&self, cycle: &Cycle, registers: &[VarId], effects: &Effects, bases: &FastMap<VarId, Term>) -> Relation {
        let moved = self.moved(&cycle.entry, &cycle.any, &cycle.backs, registers, effects, bases);
        let conditions = self.conditions(&cycle.entry, &cycle.any, &cycle.backs, registers);
        let carried = |term: Term| (0..cycle.backs.len()).map(|index| self.carried(term, &moved, Some(index))).collect::<Vec<_>>();
        let features = moved.iter().filter(|one| one.whole && self.terms.width(one.now) >= 2);
        let features = features
            .map(|one| Feature { name: one.name.clone(), now: one.now, next: one.next.clone(), signed: one.signed, limit: one.limit })
            .collect();
        let mut predicates: Vec<(Term, Vec<Term>)> = conditions.iter().map(|&term| (term, carried(term))).collect();
        for one in moved.iter().filter(|one| self.terms.width(one.now) >= 8) {
            let zero = self.terms.number(self.terms.width(one.now), 0);
            for of in [|t: &Terms, x, z| t.eq(x, z), |t: &Terms, x, z| t.slt(x, z), |t: &Terms, x, z| t.slt(z, x)] {
                predicates.push((of(self.terms, one.now, zero), one.next.iter().map(|&next| of(self.terms, next, zero)).collect()));
            }
        }
        let mut names: FastMap<Term, String> = FastMap::default();
        for one in &moved {
            names.insert(one.now, one.name.clone());
        }
        for &register in registers {
            let info = &self.program.variables[register];
            let name = if info.source_name.is_empty() { &info.name } else { &info.source_name };
            names.entry(self.encoder.get(&cycle.any, register)).or_insert_with(|| name.clone());
        }
        // Differences of what is compared.
        let mut differences = vec![];
        for &condition in &conditions {
            let node = self.terms.node(condition);
            let (a, b) = (node.operand(0), node.operand(1));
            // The end of a type is no bound, and what a check of an overflow computes is wider than the type.
            let extreme = [a, b].into_iter().any(|term| is_extreme(self.terms, term));
            let usual = matches!(self.terms.width(a), 8 | 16 | 32 | 64);
            if usual && !extreme && !(self.terms.as_constant(a).is_some() && self.terms.as_constant(b).is_some()) {
                let signed = node.op != Op::UnsignedLess;
                differences.push(rank::Difference { now: (a, b), next: (carried(a), carried(b)), signed });
            }
        }
        let transitions = self.transitions(&cycle.backs).into_iter().map(|conditions| Transition { conditions }).collect();
        Relation { transitions, features, differences, predicates, names, recursion: cycle.of.is_none() }
    }

    /// Whether constraints go together; nothing where that is not known.
    pub(crate) fn model(&mut self, conditions: &[Term], time: Duration) -> Answer {
        let budget = self.budget(time);
        self.solver.check(self.terms, conditions, &budget)
    }
}

/// Whether a term is a number near the end of its type.
fn is_extreme(t: &Terms, term: Term) -> bool {
    let width = t.width(term);
    width >= 32 && t.as_constant(term).is_some_and(|bits| bits.signed().unsigned_abs() >= 1 << (width - 2))
}

/// The place in the source that a loop or a function is known by.
pub(crate) fn head_span(program: &Program, location: LocationId) -> Span {
    let edges = program.locations[location].outgoing.iter().map(|&edge| &program.edges[edge]);
    let keyword = |edge: &assay_cfa::Edge| match edge.origin {
        assay_cfa::Origin::Branch { keyword, .. } => keyword,
        _ => edge.span,
    };
    edges.map(keyword).find(|span| span.is_known()).unwrap_or(program.functions[program.locations[location].function].span)
}

/// Whether pointers may come from somewhere else: then there is memory that nothing names.
pub(crate) fn has_outside_pointers(program: &Program) -> bool {
    let from_outside = |edge: &assay_cfa::Edge| match edge.operation {
        Operation::Havoc { target, source } => {
            let kind = program.value_sources[source].kind;
            let variable = &program.variables[target];
            let pointer = matches!(variable.ctype, CType::Pointer);
            let wide = variable.register_width() == Some(program.model.pointer_width());
            let foreign = !matches!(kind, ValueSourceKind::Input | ValueSourceKind::Uninitialised | ValueSourceKind::Payload);
            kind != ValueSourceKind::Uninitialised && pointer || foreign && wide
        }
        _ => false,
    };
    program.edges.iter().any(from_outside)
}
