//! What a conflict teaches: the learnt clause and the level to return to, the assumptions to blame, chains of a proof.

use super::{ACTIVITY_LIMIT, NO_REASON, Sat};
use crate::engine::clauses::ClauseRef;
use crate::engine::lit::{Lit, Var};

impl Sat {
    fn bump_var(&mut self, var: Var) {
        if self.heap.bump(var, self.bump) > ACTIVITY_LIMIT {
            self.heap.rescale(1.0 / ACTIVITY_LIMIT);
            self.bump /= ACTIVITY_LIMIT;
        }
    }

    /// First unique implication point; the learnt clause lands in `scratch`, the level to return to is the result.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> u32 {
        let proving = self.proof.is_some();
        let mut learnt = std::mem::take(&mut self.scratch);
        learnt.clear();
        learnt.push(Lit::TRUE);
        self.chain.clear();
        let mut clause = conflict;
        let mut pivot = None;
        let mut open = 0;
        let mut position = self.trail.len();
        let current = self.level();
        loop {
            if self.arena.is_learnt(clause) {
                self.arena.bump(clause, &mut self.clause_bump);
            }
            if proving {
                self.chain.push((clause, pivot));
            }
            for k in 0..self.arena.lits(clause).len() {
                let lit = self.arena.lits(clause)[k];
                let var = lit.var();
                if Some(var) == pivot || self.seen[var as usize] {
                    continue;
                }
                let level = self.levels[var as usize];
                if level == 0 && !proving {
                    continue;
                }
                self.seen[var as usize] = true;
                self.to_clear.push(var);
                self.bump_var(var);
                if level == current {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            loop {
                position -= 1;
                if self.seen[self.trail[position].var() as usize] && self.levels[self.trail[position].var() as usize] == current {
                    break;
                }
            }
            let lit = self.trail[position];
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                break;
            }
            pivot = Some(lit.var());
            clause = self.reasons[lit.var() as usize];
        }
        if !proving {
            self.minimise(&mut learnt);
        }
        let mut back = 0;
        if learnt.len() > 1 {
            let mut latest = 1;
            for i in 2..learnt.len() {
                if self.levels[learnt[i].var() as usize] > self.levels[learnt[latest].var() as usize] {
                    latest = i;
                }
            }
            learnt.swap(1, latest);
            back = self.levels[learnt[1].var() as usize];
        }
        for var in self.to_clear.drain(..) {
            self.seen[var as usize] = false;
        }
        self.scratch = learnt;
        back
    }

    /// Drops literals whose reasons lie within the clause (one level deep: cheap and most of the gain).
    fn minimise(&mut self, learnt: &mut Vec<Lit>) {
        let mut write = 1;
        for read in 1..learnt.len() {
            let lit = learnt[read];
            let reason = self.reasons[lit.var() as usize];
            let redundant = reason != NO_REASON
                && self
                    .arena
                    .lits(reason)
                    .iter()
                    .all(|l| l.var() == lit.var() || self.seen[l.var() as usize] || self.levels[l.var() as usize] == 0);
            if !redundant {
                learnt[write] = lit;
                write += 1;
            }
        }
        learnt.truncate(write);
    }

    fn glue(&mut self, clause: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for lit in clause {
            let level = self.levels[lit.var() as usize] as usize;
            if level < self.level_stamp.len() && self.level_stamp[level] != self.stamp {
                self.level_stamp[level] = self.stamp;
                count += 1;
            }
        }
        count
    }

    pub(super) fn learn(&mut self, back: u32) {
        let clause = std::mem::take(&mut self.scratch);
        let glue = self.glue(&clause);
        self.cancel_until(back);
        if let Some(proof) = &mut self.proof {
            proof.push(self.chain.clone());
        }
        if clause.len() == 1 {
            let reason = if self.proof.is_some() { self.arena.add(&clause, true) } else { NO_REASON };
            if self.proof.is_some() {
                self.learnts.push(reason);
            }
            self.enqueue(clause[0], reason);
        } else {
            let reference = self.attach(&clause, true);
            self.arena.set_glue(reference, glue);
            self.arena.bump(reference, &mut self.clause_bump);
            self.learnts.push(reference);
            self.enqueue(clause[0], reference);
        }
        self.scratch = clause;
        self.bump /= 0.95;
        self.clause_bump /= 0.999;
    }

    /// Which assumptions force the literal that contradicts `failed`.
    pub(super) fn analyze_final(&mut self, failed: Lit) {
        self.core.clear();
        self.core.push(failed);
        if self.level() == 0 || self.levels[failed.var() as usize] == 0 {
            return;
        }
        self.seen[failed.var() as usize] = true;
        for i in (self.limits[0] as usize..self.trail.len()).rev() {
            let lit = self.trail[i];
            let var = lit.var();
            if !self.seen[var as usize] {
                continue;
            }
            self.seen[var as usize] = false;
            let reason = self.reasons[var as usize];
            if reason == NO_REASON {
                // A decision below the assumptions' levels is an assumption.
                self.core.push(lit);
                continue;
            }
            for k in 0..self.arena.lits(reason).len() {
                let other = self.arena.lits(reason)[k];
                if other.var() != var && self.levels[other.var() as usize] > 0 {
                    self.seen[other.var() as usize] = true;
                }
            }
        }
        self.seen[failed.var() as usize] = false;
    }

    /// With a proof wanted: resolves a clause that is false at the top level down to the empty clause.
    pub(super) fn resolve_at_top(&mut self, clause: ClauseRef) {
        let mut chain = vec![(clause, None)];
        for k in 0..self.arena.lits(clause).len() {
            let var = self.arena.lits(clause)[k].var();
            self.seen[var as usize] = true;
        }
        for i in (0..self.trail.len()).rev() {
            let var = self.trail[i].var();
            if !self.seen[var as usize] {
                continue;
            }
            self.seen[var as usize] = false;
            let reason = self.reasons[var as usize];
            if reason == NO_REASON {
                continue;
            }
            chain.push((reason, Some(var)));
            for k in 0..self.arena.lits(reason).len() {
                let other = self.arena.lits(reason)[k].var();
                if other != var {
                    self.seen[other as usize] = true;
                }
            }
        }
        self.final_chain = chain;
    }
}
