//! All combinations of truth values that a query allows, by one search that goes on after every model.

use super::operators::Unsupported;
use super::sat::{Sat, SatOutcome};
use super::{Engine, LEMMA_ROUNDS, Limits, Lit, theory};
use assay_term::{Term, Terms};

/// What was found, and whether that is all there is.
pub(crate) struct Found {
    pub list: Vec<Vec<bool>>,
    pub complete: bool,
}

/// From so many combinations on, more are to be expected.
const MANY: usize = 6;

impl Engine {
    /// The combinations of the atoms' values in models of the constraints, at most `most` of them. The search is that
    /// of the small engine alone; where it gives up, the list is not complete.
    pub(crate) fn combinations(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        atoms: &[Term],
        most: usize,
        limits: &mut Limits<'_>,
    ) -> Result<Found, Unsupported> {
        self.prepare(limits);
        let mut query = Vec::with_capacity(constraints.len() + 1);
        for &constraint in constraints {
            query.push(self.blaster.literal(terms, constraint)?);
        }
        let mut watched = Vec::with_capacity(atoms.len());
        for &atom in atoms {
            watched.push(self.blaster.literal(terms, atom)?);
        }
        if query.contains(&Lit::FALSE) {
            return Ok(Found { list: vec![], complete: true });
        }
        // Clauses that keep combinations from coming again hold only as long as this one is assumed.
        let active = self.blaster.circuit.input();
        query.push(active);
        let mut roots = query.clone();
        roots.extend_from_slice(&watched);
        self.cone.change(&mut self.blaster, &roots);
        self.recent = if self.recent == 0 { self.cone.size() } else { (7 * self.recent + self.cone.size()) / 8 };
        let found = self.all(terms, &query, &watched, &roots, most, limits);
        self.blaster.circuit.sat.end_scan();
        self.blaster.circuit.sat.add_clause(&[!active]);
        found
    }

    fn all(
        &mut self,
        terms: &Terms,
        query: &[Lit],
        watched: &[Lit],
        roots: &[Lit],
        most: usize,
        limits: &mut Limits<'_>,
    ) -> Result<Found, Unsupported> {
        let value = |sat: &Sat, lit: Lit| match lit.is_constant() {
            true => lit == Lit::TRUE,
            false => sat.value(lit).unwrap_or(lit.is_negative()),
        };
        let active = query[query.len() - 1];
        let mut list: Vec<Vec<bool>> = Vec::new();
        let mut begun = false;
        let mut lemma_rounds = 0;
        loop {
            let limit = self.small_conflicts.min(limits.conflicts);
            let sat = &mut self.blaster.circuit.sat;
            let before = sat.conflicts();
            let mut stop = || limits.stopped().is_some();
            let outcome = if begun { sat.resume(limit, &mut stop) } else { sat.solve(query, limit, &mut stop) };
            begun = true;
            let conflicts = sat.conflicts() - before;
            limits.conflicts -= conflicts.min(limits.conflicts);
            self.stats.add("solver.small conflicts", conflicts);
            match outcome {
                SatOutcome::Unsat => return Ok(Found { list, complete: true }),
                SatOutcome::Limit | SatOutcome::Stopped => return Ok(Found { list, complete: false }),
                SatOutcome::Sat => {}
            }
            if self.blaster.has_arrays {
                let model = theory::extract(&self.blaster, self.cone.owners(), &value);
                let violated = theory::violations(&self.blaster, self.cone.owners(), &value, terms, &model);
                if !violated.is_empty() {
                    lemma_rounds += 1;
                    if lemma_rounds > LEMMA_ROUNDS {
                        return Ok(Found { list, complete: false });
                    }
                    self.stats.add("solver.lemmas", violated.len() as u64);
                    theory::add_lemmas(&mut self.blaster, terms, violated)?;
                    self.cone.change(&mut self.blaster, &[]);
                    self.cone.change(&mut self.blaster, roots);
                    begun = false;
                    continue;
                }
            }
            if list.len() >= most || limits.stopped().is_some() {
                return Ok(Found { list, complete: false });
            }
            let sat = &self.blaster.circuit.sat;
            let combination: Vec<bool> = watched.iter().map(|&lit| value(sat, lit)).collect();
            let mut clause = vec![!active];
            clause.extend(watched.iter().zip(&combination).map(|(&lit, &holds)| if holds { !lit } else { lit }));
            self.blaster.circuit.sat.add_clause(&clause);
            list.push(combination);
            if list.len() == MANY {
                self.blaster.circuit.sat.begin_scan(self.cone.vars());
            }
        }
    }
}
