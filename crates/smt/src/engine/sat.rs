//! A small conflict-driven SAT solver for thousands of tiny incremental queries.
//!
//! It differs from a general one in three ways that matter here: it decides only variables that the present query
//! depends on (the rest of a shared formula is definitions, which any assignment of their inputs can be extended
//! to), it keeps the trail of the assumptions that a query shares with the one before it, and every search has a
//! limit. Queries that exceed the limit go to CaDiCaL on the same formula.

mod conflict;

use super::clauses::{Arena, ClauseRef};
use super::heap::{Heap, Scan};
use super::lit::{Lit, Var};
use super::restarts::luby;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SatOutcome {
    Sat,
    /// The core is in [`Sat::core`].
    Unsat,
    /// The conflict limit was reached.
    Limit,
    /// The stop function said so.
    Stopped,
}

const NO_REASON: ClauseRef = ClauseRef(u32::MAX);
const ACTIVITY_LIMIT: f64 = 1e100;
const RESTART_UNIT: u64 = 64;

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// Some other literal of the clause; if it is true the clause need not be looked at. For clauses of two
    /// literals it is the other literal.
    blocker: Lit,
    binary: bool,
}

/// Clauses that a resolution step of conflict analysis used, with the variable resolved on; only kept for proofs.
pub(super) type Chain = Vec<(ClauseRef, Option<Var>)>;

pub(crate) struct Sat {
    /// By literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<ClauseRef>,
    phases: Vec<bool>,
    /// Whether the present query depends on the variable.
    relevant: Vec<bool>,
    seen: Vec<bool>,
    watches: Vec<Vec<Watch>>,
    arena: Arena,
    learnts: Vec<ClauseRef>,
    heap: Heap,
    /// In place of the heap, while many models are looked for.
    scan: Option<Scan>,
    bump: f64,
    clause_bump: f32,
    trail: Vec<Lit>,
    limits: Vec<u32>,
    head: usize,
    /// False once the clauses alone contradict each other.
    consistent: bool,
    assumptions: Vec<Lit>,
    /// Variables before this one existed in the last search.
    solved_vars: Var,
    /// Whether a variable of an earlier search became relevant again.
    missed: bool,
    core: Vec<Lit>,
    learnt_limit: usize,
    conflicts: u64,
    steps: u64,
    scratch: Vec<Lit>,
    to_clear: Vec<Var>,
    level_stamp: Vec<u32>,
    stamp: u32,
    /// With a proof wanted, learnt clauses are not shortened and carry the chain that derives them.
    proof: Option<Vec<Chain>>,
    /// The chain that ends in the empty clause, when a proof is wanted.
    pub final_chain: Chain,
    chain: Chain,
}

impl Default for Sat {
    fn default() -> Self {
        Self::new()
    }
}

impl Sat {
    /// Variable 0 is the constant true.
    pub(crate) fn new() -> Self {
        let mut sat = Sat {
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            relevant: Vec::new(),
            seen: Vec::new(),
            watches: Vec::new(),
            arena: Arena::default(),
            learnts: Vec::new(),
            heap: Heap::default(),
            scan: None,
            bump: 1.0,
            clause_bump: 1.0,
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            consistent: true,
            assumptions: Vec::new(),
            solved_vars: 0,
            missed: false,
            core: Vec::new(),
            learnt_limit: 2000,
            conflicts: 0,
            steps: 0,
            scratch: Vec::new(),
            to_clear: Vec::new(),
            level_stamp: Vec::new(),
            stamp: 0,
            proof: None,
            final_chain: Vec::new(),
            chain: Vec::new(),
        };
        let constant = sat.new_var();
        debug_assert!(constant == Lit::TRUE.var());
        sat.enqueue(Lit::TRUE, NO_REASON);
        sat
    }

    /// Records how every learnt clause was derived, from now on. Only for instances without clauses yet.
    pub(crate) fn record_proof(&mut self) {
        self.proof = Some(Vec::new());
        self.learnt_limit = usize::MAX;
    }

    pub(crate) fn new_var(&mut self) -> Var {
        let var = self.levels.len() as Var;
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(NO_REASON);
        self.phases.push(false);
        self.relevant.push(false);
        self.seen.push(false);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.level_stamp.push(0);
        self.heap.add_var();
        var
    }

    pub(crate) fn conflicts(&self) -> u64 {
        self.conflicts
    }
    /// Failed assumptions of the last `Unsat`.
    pub(crate) fn core(&self) -> &[Lit] {
        &self.core
    }
    /// The value in the present assignment.
    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            v => Some(v > 0),
        }
    }
    /// The chains of the learnt clauses, in order of their derivation.
    pub(crate) fn proof(&self) -> Option<&[Chain]> {
        self.proof.as_deref()
    }
    /// Learnt clauses, in the order of the proof's chains when a proof is recorded.
    pub(crate) fn learnts(&self) -> &[ClauseRef] {
        &self.learnts
    }
    pub(crate) fn clause(&self, clause: ClauseRef) -> &[Lit] {
        self.arena.lits(clause)
    }
    /// Whether the search may decide this variable.
    pub(crate) fn set_relevant(&mut self, var: Var, relevant: bool) {
        self.relevant[var as usize] = relevant;
        if relevant && self.values[Lit::new(var, false).index()] == 0 {
            self.heap.insert(var);
            // The trail may imply its value already, but that was passed over while it did not matter.
            self.missed |= var < self.solved_vars;
        }
    }

    /// Adds a clause; the trail of the last query is kept as far as the clause allows.
    pub(crate) fn add_clause(&mut self, lits: &[Lit]) -> Option<ClauseRef> {
        if !self.consistent {
            return None;
        }
        let mut clause = std::mem::take(&mut self.scratch);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|w| w[0] == !w[1]);
        let top_true = clause.iter().any(|&l| self.values[l.index()] > 0 && self.levels[l.var() as usize] == 0);
        let added = if tautology || top_true && self.proof.is_none() { None } else { self.add_prepared(&mut clause) };
        self.scratch = clause;
        added
    }

    fn add_prepared(&mut self, clause: &mut Vec<Lit>) -> Option<ClauseRef> {
        if self.proof.is_none() {
            clause.retain(|&l| !(self.values[l.index()] < 0 && self.levels[l.var() as usize] == 0));
        }
        match clause.len() {
            0 => {
                self.consistent = false;
                None
            }
            1 => {
                self.cancel_until(0);
                let reference = self.arena.add(clause, false);
                match self.values[clause[0].index()] {
                    0 => self.enqueue(clause[0], if self.proof.is_some() { reference } else { NO_REASON }),
                    v if v < 0 => {
                        self.consistent = false;
                        if self.proof.is_some() {
                            self.resolve_at_top(reference);
                        }
                    }
                    _ => {}
                }
                Some(reference)
            }
            _ => {
                self.order_watches(clause);
                // All false: make room for the last one, or for both watches.
                while self.values[clause[0].index()] < 0 {
                    let level = self.levels[clause[0].var() as usize];
                    if level == 0 {
                        self.consistent = false;
                        let reference = self.arena.add(clause, false);
                        if self.proof.is_some() {
                            self.resolve_at_top(reference);
                        }
                        return Some(reference);
                    }
                    self.cancel_until(level - 1);
                    self.order_watches(clause);
                }
                let reference = self.attach(clause, false);
                if self.values[clause[1].index()] < 0 && self.values[clause[0].index()] == 0 {
                    self.cancel_until(self.levels[clause[1].var() as usize]);
                    self.enqueue(clause[0], reference);
                }
                Some(reference)
            }
        }
    }

    /// Brings the two literals that are best to watch to the front: not false first, then the latest false ones.
    fn order_watches(&self, clause: &mut [Lit]) {
        let rank = |l: Lit| match self.values[l.index()] {
            v if v > 0 => (2, 0),
            0 => (1, 0),
            _ => (0, self.levels[l.var() as usize]),
        };
        for slot in 0..2 {
            let mut best = slot;
            for i in slot + 1..clause.len() {
                if rank(clause[i]) > rank(clause[best]) {
                    best = i;
                }
            }
            clause.swap(slot, best);
        }
    }

    fn attach(&mut self, clause: &[Lit], learnt: bool) -> ClauseRef {
        let reference = self.arena.add(clause, learnt);
        let binary = clause.len() == 2;
        self.watches[(!clause[0]).index()].push(Watch { clause: reference, blocker: clause[1], binary });
        self.watches[(!clause[1]).index()].push(Watch { clause: reference, blocker: clause[0], binary });
        reference
    }

    fn level(&self) -> u32 {
        self.limits.len() as u32
    }

    #[inline]
    fn enqueue(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert!(self.values[lit.index()] == 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.levels[lit.var() as usize] = self.level();
        self.reasons[lit.var() as usize] = reason;
        self.trail.push(lit);
    }

    fn cancel_until(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let keep = self.limits[level as usize] as usize;
        for i in (keep..self.trail.len()).rev() {
            let lit = self.trail[i];
            let var = lit.var();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[var as usize] = !lit.is_negative();
            self.reasons[var as usize] = NO_REASON;
            if self.relevant[var as usize] && !self.scan.as_mut().is_some_and(|scan| scan.undo(var)) {
                self.heap.insert(var);
            }
        }
        self.trail.truncate(keep);
        self.limits.truncate(level as usize);
        self.head = self.head.min(keep);
    }

    fn propagate(&mut self) -> Option<ClauseRef> {
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            let mut list = std::mem::take(&mut self.watches[lit.index()]);
            let (mut read, mut write) = (0, 0);
            let mut conflict = None;
            'watches: while read < list.len() {
                let watch = list[read];
                read += 1;
                let blocked = self.values[watch.blocker.index()];
                if blocked > 0 {
                    list[write] = watch;
                    write += 1;
                    continue;
                }
                if watch.binary {
                    list[write] = watch;
                    write += 1;
                    if blocked < 0 {
                        conflict = Some(watch.clause);
                        break;
                    }
                    // What the query does not depend on stays open; it could only set off more of the same.
                    if self.relevant[watch.blocker.var() as usize] {
                        self.enqueue(watch.blocker, watch.clause);
                    }
                    continue;
                }
                let false_lit = !lit;
                let lits = self.arena.lits_mut(watch.clause);
                if lits[0] == false_lit {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                if first != watch.blocker && self.values[first.index()] > 0 {
                    list[write] = Watch { blocker: first, ..watch };
                    write += 1;
                    continue;
                }
                for k in 2..lits.len() {
                    if self.values[lits[k].index()] >= 0 {
                        lits.swap(1, k);
                        let other = !lits[1];
                        self.watches[other.index()].push(Watch { blocker: first, ..watch });
                        continue 'watches;
                    }
                }
                list[write] = Watch { blocker: first, ..watch };
                write += 1;
                if self.values[first.index()] < 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                if self.relevant[first.var() as usize] {
                    self.enqueue(first, watch.clause);
                }
            }
            if write < read {
                list.copy_within(read.., write);
                let left = list.len() - (read - write);
                list.truncate(left);
            }
            self.watches[lit.index()] = list;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn reduce(&mut self) {
        let mut list = std::mem::take(&mut self.learnts);
        list.sort_by(|&a, &b| {
            let key = |c: ClauseRef| (std::cmp::Reverse(self.arena.glue(c).min(255)), self.arena.activity(c));
            key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let half = list.len() / 2;
        for (i, &clause) in list.iter().enumerate() {
            let lits = self.arena.lits(clause);
            let locked = lits.iter().take(2).any(|l| self.values[l.index()] > 0 && self.reasons[l.var() as usize] == clause);
            if i < half && lits.len() > 2 && self.arena.glue(clause) > 2 && !locked {
                self.arena.delete(clause);
            }
        }
        list.retain(|&c| !self.arena.is_deleted(c));
        self.learnts = list;
        self.compact();
    }

    fn compact(&mut self) {
        let mut old = std::mem::take(&mut self.arena);
        self.arena = old.compacted();
        for list in &mut self.watches {
            list.retain_mut(|watch| match old.forward(watch.clause) {
                Some(clause) => {
                    watch.clause = clause;
                    true
                }
                None => false,
            });
        }
        for lit in &self.trail {
            let reason = &mut self.reasons[lit.var() as usize];
            if *reason != NO_REASON {
                *reason = old.forward(*reason).unwrap_or(NO_REASON);
            }
        }
        for clause in &mut self.learnts {
            *clause = old.forward(*clause).unwrap_or(NO_REASON);
        }
    }

    /// Searches for an assignment of all relevant variables under the assumptions.
    pub(crate) fn solve(&mut self, assumptions: &[Lit], conflict_limit: u64, stop: &mut dyn FnMut() -> bool) -> SatOutcome {
        self.core.clear();
        if !self.consistent {
            return SatOutcome::Unsat;
        }
        let shared = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        self.cancel_until(if self.missed { 0 } else { shared as u32 });
        if std::mem::take(&mut self.missed) {
            self.head = 0;
        }
        self.solved_vars = self.levels.len() as Var;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.search(conflict_limit, stop)
    }

    /// From now on these variables are decided in an order that changes at restarts only.
    pub(crate) fn begin_scan(&mut self, vars: &[Var]) {
        self.scan = Some(Scan::new(&self.heap, vars));
    }

    /// Back to the order by activity.
    pub(crate) fn end_scan(&mut self) {
        let Some(scan) = self.scan.take() else { return };
        for &var in scan.vars() {
            if self.relevant[var as usize] && self.values[Lit::new(var, false).index()] == 0 {
                self.heap.insert(var);
            }
        }
    }

    /// Searches on from where the last search ended, under the same assumptions and with the clauses that have come
    /// since.
    pub(crate) fn resume(&mut self, conflict_limit: u64, stop: &mut dyn FnMut() -> bool) -> SatOutcome {
        if self.missed || !self.consistent {
            let assumptions = std::mem::take(&mut self.assumptions);
            return self.solve(&assumptions, conflict_limit, stop);
        }
        self.core.clear();
        self.search(conflict_limit, stop)
    }

    fn search(&mut self, conflict_limit: u64, stop: &mut dyn FnMut() -> bool) -> SatOutcome {
        let start = self.conflicts;
        let mut restart_at = self.conflicts + RESTART_UNIT;
        let mut restarts = 1;
        loop {
            self.steps += 1;
            if self.steps & 0x3FF == 0 && stop() {
                return SatOutcome::Stopped;
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.level() == 0 {
                    self.consistent = false;
                    if self.proof.is_some() {
                        self.resolve_at_top(conflict);
                    }
                    return SatOutcome::Unsat;
                }
                let back = self.analyze(conflict);
                self.learn(back);
                if self.conflicts - start >= conflict_limit {
                    return SatOutcome::Limit;
                }
                continue;
            }
            if self.conflicts >= restart_at {
                restarts += 1;
                restart_at = self.conflicts + RESTART_UNIT * luby(restarts);
                self.cancel_until(self.level().min(self.assumptions.len() as u32));
                if let Some(scan) = &mut self.scan {
                    scan.sort(&self.heap);
                }
            }
            if self.learnts.len() >= self.learnt_limit {
                self.reduce();
                self.learnt_limit += self.learnt_limit / 8;
            }
            let mut next = None;
            while (self.level() as usize) < self.assumptions.len() {
                let lit = self.assumptions[self.level() as usize];
                match self.values[lit.index()] {
                    0 => {
                        next = Some(lit);
                        break;
                    }
                    v if v > 0 => self.limits.push(self.trail.len() as u32),
                    _ => {
                        self.analyze_final(lit);
                        return SatOutcome::Unsat;
                    }
                }
            }
            let decision = match next {
                Some(lit) => lit,
                None => loop {
                    if let Some(scan) = &mut self.scan {
                        let (relevant, values) = (&self.relevant, &self.values);
                        let is_open = |var: Var| relevant[var as usize] && values[Lit::new(var, false).index()] == 0;
                        if let Some(var) = scan.next(is_open) {
                            break Lit::new(var, !self.phases[var as usize]);
                        }
                    }
                    let Some(var) = self.heap.pop() else { return SatOutcome::Sat };
                    if self.relevant[var as usize] && self.values[Lit::new(var, false).index()] == 0 {
                        break Lit::new(var, !self.phases[var as usize]);
                    }
                },
            };
            self.limits.push(self.trail.len() as u32);
            self.enqueue(decision, NO_REASON);
        }
    }
}
