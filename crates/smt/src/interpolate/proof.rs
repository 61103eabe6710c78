//! Craig interpolants from the resolution proof of the SAT layer, by McMillan's rules, for all cuts at once.
//!
//! A gate that lies below constraints of several groups is defined in the first of them. For a cut between its first
//! and its last group it is a shared variable, and then all symbols below it are shared too, so that its definition
//! over these symbols may stand in the interpolant.

use crate::answer::{Budget, NoAnswer};
use crate::engine::{Blaster, Circuit, ClauseRef, GateKind, Limits, Lit, Owner, Sat, SatOutcome, Var};
use assay_base::FastMap;
use assay_term::{Bits, Op, Term, Terms};

/// Interpolants for a contradictory sequence of groups.
pub(super) fn sequence(terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
    let unsupported = |what: String| NoAnswer::Unsupported(format!("{what} in an interpolation"));
    let mut blaster = Blaster::default();
    let mut roots: Vec<(usize, Lit)> = Vec::new();
    for (group, constraints) in groups.iter().enumerate() {
        for &constraint in constraints {
            let lit = blaster.literal(terms, constraint).map_err(|e| unsupported(e.0))?;
            if lit == Lit::FALSE {
                // This group alone is contradictory: true before it, false after.
                return Ok((0..groups.len() - 1).map(|cut| terms.bool(cut < group)).collect());
            }
            if lit != Lit::TRUE {
                roots.push((group, lit));
            }
        }
    }
    if blaster.has_arrays {
        return Err(unsupported("arrays or functions".into()));
    }
    let spans = spans(&blaster, &roots);
    let mut proof = Proof { sat: Sat::new(), group_of: FastMap::default(), spans };
    proof.add_clauses(&blaster, &roots);
    let mut limits = Limits::of(budget);
    match proof.solve(&mut limits) {
        SatOutcome::Unsat => {}
        SatOutcome::Sat => return Err(NoAnswer::WrongAnswer("a proof search found a model of a contradiction".into())),
        SatOutcome::Limit => return Err(NoAnswer::Conflicts),
        SatOutcome::Stopped => return Err(limits.stopped().unwrap_or(NoAnswer::Time)),
    }
    let mut lifter = Lifter::new(terms, &blaster);
    Ok(proof.interpolants(groups.len() - 1, &mut lifter).into_iter().map(|term| with_words(terms, term)).collect())
}

/// The same formula with words where single bits of them are told one by one: a fact about a word is one predicate,
/// those about its bits are many.
fn with_words(terms: &Terms, term: Term) -> Term {
    let together = conjunction_with_words(terms, term);
    terms.and_all(terms.conjuncts(together).into_iter().map(|part| match terms.node(part).op {
        Op::Or => terms.not(conjunction_with_words(terms, terms.not(part))),
        _ => part,
    }))
}

fn conjunction_with_words(terms: &Terms, term: Term) -> Term {
    let mut result = Vec::new();
    let mut words: Vec<(Term, Vec<Option<bool>>)> = Vec::new();
    for part in terms.conjuncts(term) {
        let node = terms.node(part);
        let (bit, value) = if node.op == Op::Not { (terms.node(node.operand(0)), false) } else { (node, true) };
        let is_bit = bit.op == Op::Extract && bit.width() == 1 && terms.width(bit.operand(0)) <= Bits::MAX_WIDTH;
        if !is_bit {
            result.push(part);
            continue;
        }
        let of = bit.operand(0);
        let place = words.iter().position(|(word, _)| *word == of).unwrap_or_else(|| {
            words.push((of, vec![None; terms.width(of) as usize]));
            words.len() - 1
        });
        let known = &mut words[place].1[bit.high() as usize];
        if known.replace(value) == Some(!value) {
            // Conjunctions of conjunctions are not always seen to contradict themselves when they are made.
            return terms.false_();
        }
    }
    for (word, bits) in words {
        let mut low = 0;
        for run in bits.chunk_by(|a, b| a.is_some() == b.is_some()) {
            let high = low + run.len() as u32 - 1;
            let value = run.iter().rev().try_fold(0u128, |sum, bit| bit.map(|bit| sum << 1 | u128::from(bit)));
            if let Some(value) = value {
                result.push(terms.eq(terms.extract(word, high, low), terms.number(high - low + 1, value)));
            }
            low = high + 1;
        }
    }
    terms.and_all(result)
}

/// The first and the last group that depend on a variable.
type Span = (u32, u32);
const NOWHERE: Span = (u32::MAX, 0);

fn spans(blaster: &Blaster, roots: &[(usize, Lit)]) -> Vec<Span> {
    let mut spans = vec![NOWHERE; blaster.circuit.var_count()];
    let mut stack: Vec<Var> = Vec::new();
    for &(group, root) in roots {
        let group = group as u32;
        stack.push(root.var());
        while let Some(var) = stack.pop() {
            let span = &mut spans[var as usize];
            if var == 0 || *span != NOWHERE && span.1 == group {
                continue;
            }
            *span = (span.0.min(group), group);
            stack.extend(blaster.circuit.gate_inputs(var).iter().map(|l| l.var()));
            // An address depends on all its bits, because together they are not null.
            if let Some(Owner::Address { bits, .. }) = blaster.owner(var).map(|o| &blaster.owners[o]) {
                stack.extend(bits.iter().map(|l| l.var()));
            }
        }
    }
    spans
}

struct Proof {
    sat: Sat,
    group_of: FastMap<ClauseRef, u32>,
    spans: Vec<Span>,
}

impl Proof {
    fn add_clauses(&mut self, blaster: &Blaster, roots: &[(usize, Lit)]) {
        self.sat.record_proof();
        for (var, &span) in self.spans.iter().enumerate().skip(1) {
            let made = self.sat.new_var();
            debug_assert!(made as usize == var);
            self.sat.set_relevant(made, span != NOWHERE);
        }
        for var in 1..self.spans.len() {
            let (first, _) = self.spans[var];
            if self.spans[var] != NOWHERE {
                blaster.circuit.definition(var as Var, &mut |clause| self.add(clause, first));
            }
        }
        for lemma in &blaster.lemmas {
            let group = lemma.iter().map(|l| self.spans[l.var() as usize].0).max().unwrap_or(u32::MAX);
            if group != u32::MAX {
                self.add(lemma, group);
            }
        }
        for &(group, root) in roots {
            self.add(&[root], group as u32);
        }
    }

    fn add(&mut self, clause: &[Lit], group: u32) {
        if let Some(reference) = self.sat.add_clause(clause) {
            self.group_of.insert(reference, group);
        }
    }

    fn solve(&mut self, limits: &mut Limits<'_>) -> SatOutcome {
        let conflicts = limits.conflicts;
        self.sat.solve(&[], conflicts, &mut || limits.stopped().is_some())
    }

    /// The interpolants of the cuts after group 0, 1, …
    fn interpolants(&self, cuts: usize, lifter: &mut Lifter<'_>) -> Vec<Term> {
        let learnts = self.sat.learnts();
        let chains = self.sat.proof().unwrap_or(&[]);
        let index: FastMap<ClauseRef, usize> = learnts.iter().enumerate().map(|(i, &c)| (c, i)).collect();
        // Only clauses that the end depends on.
        let mut needed = vec![false; chains.len()];
        let mark = |needed: &mut Vec<bool>, chain: &[(ClauseRef, Option<Var>)]| {
            for (clause, _) in chain {
                if let Some(&i) = index.get(clause) {
                    needed[i] = true;
                }
            }
        };
        mark(&mut needed, &self.sat.final_chain);
        for i in (0..chains.len()).rev() {
            if needed[i] {
                mark(&mut needed, &chains[i]);
            }
        }
        (0..cuts as u32)
            .map(|cut| {
                let mut partial: FastMap<ClauseRef, Term> = FastMap::default();
                for i in 0..chains.len() {
                    if needed[i] {
                        let term = self.resolve(cut, &chains[i], &partial, lifter);
                        partial.insert(learnts[i], term);
                    }
                }
                self.resolve(cut, &self.sat.final_chain, &partial, lifter)
            })
            .collect()
    }

    fn resolve(&self, cut: u32, chain: &[(ClauseRef, Option<Var>)], partial: &FastMap<ClauseRef, Term>, lifter: &mut Lifter<'_>) -> Term {
        let terms = lifter.terms;
        let mut result = terms.true_();
        for &(clause, pivot) in chain {
            let part = match partial.get(&clause) {
                Some(&term) => term,
                None => self.leaf(cut, clause, lifter),
            };
            result = match pivot {
                None => part,
                Some(var) if self.spans[var as usize].1 <= cut => terms.or(result, part),
                Some(_) => terms.and(result, part),
            };
        }
        result
    }

    fn leaf(&self, cut: u32, clause: ClauseRef, lifter: &mut Lifter<'_>) -> Term {
        let terms = lifter.terms;
        if self.group_of.get(&clause).is_none_or(|&group| group > cut) {
            return terms.true_();
        }
        let shared: Vec<Lit> = self.sat.clause(clause).iter().copied().filter(|l| self.spans[l.var() as usize].1 > cut).collect();
        let parts: Vec<Term> = shared.into_iter().map(|l| lifter.lift(l)).collect();
        terms.or_all(parts)
    }
}

/// Bits back to terms: comparisons of the query where there are some, else bits of symbols and gates over them.
struct Lifter<'a> {
    terms: &'a Terms,
    circuit: &'a Circuit,
    memo: FastMap<Var, Term>,
}

impl<'a> Lifter<'a> {
    fn new(terms: &'a Terms, blaster: &'a Blaster) -> Self {
        let mut memo = FastMap::default();
        for owner in &blaster.owners {
            let (leaf, bits) = match owner {
                Owner::Symbol { symbol, bits } => (terms.symbol(*symbol), bits),
                Owner::Address { symbol, bits } => (terms.address(*symbol, bits.len() as u32), bits),
                _ => continue,
            };
            for (i, lit) in bits.iter().enumerate() {
                memo.insert(lit.var(), terms.extract(leaf, i as u32, i as u32));
            }
        }
        let mut truths = blaster.truths(terms);
        // Small terms first, and the same choice in every run.
        truths.sort_by_key(|&(term, _)| (terms.node(term).tree_size(), terms.node(term).fingerprint));
        for (term, lit) in truths {
            if terms.node(term).op != Op::Extract && !lit.is_constant() {
                memo.entry(lit.var()).or_insert_with(|| if lit.is_negative() { terms.not(term) } else { term });
            }
        }
        Lifter { terms, circuit: &blaster.circuit, memo }
    }

    fn lift(&mut self, lit: Lit) -> Term {
        let mut stack = vec![lit.var()];
        while let Some(&var) = stack.last() {
            if self.memo.contains_key(&var) {
                stack.pop();
                continue;
            }
            let inputs = self.circuit.gate_inputs(var);
            let waiting = stack.len();
            stack.extend(inputs.iter().map(|l| l.var()).filter(|v| *v != 0 && !self.memo.contains_key(v)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let parts: Vec<Term> = inputs.iter().map(|&l| self.known(l)).collect();
            let t = self.terms;
            let term = match (self.circuit.gate_kind(var), &parts[..]) {
                (GateKind::And, _) => t.and_all(parts.iter().copied()),
                (GateKind::Xor, _) => parts.iter().fold(t.false_(), |a, &b| t.xor(a, b)),
                (GateKind::Majority, &[a, b, c]) => t.or(t.and(a, b), t.and(c, t.or(a, b))),
                (GateKind::Mux, &[c, a, b]) => t.ite(c, a, b),
                _ => t.true_(),
            };
            self.memo.insert(var, term);
        }
        self.known(lit)
    }

    fn known(&self, lit: Lit) -> Term {
        if lit.is_constant() {
            return self.terms.bool(lit == Lit::TRUE);
        }
        let term = self.memo[&lit.var()];
        if lit.is_negative() { self.terms.not(term) } else { term }
    }
}

#[cfg(test)]
mod tests {
    use super::with_words;
    use assay_term::{Op, Sort, Term, Terms};

    /// Every formula of a few levels over the bits of a word means the same with words, also where it says a bit twice.
    #[test]
    fn words_mean_what_their_bits_do() {
        const WIDTH: u32 = 3;
        let terms = Terms::new();
        let word = terms.named("w", Sort::bv(WIDTH));
        let mut seed = 1u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        let bit = |place: u64| terms.extract(word, place as u32, place as u32);
        let mut formulas: Vec<Term> = (0..u64::from(WIDTH)).flat_map(|place| [bit(place), terms.not(bit(place))]).collect();
        for _ in 0..3_000 {
            let [a, b] = [0; 2].map(|_| formulas[next(formulas.len() as u64) as usize]);
            let made = if next(3) == 0 { terms.or(a, b) } else { terms.and(a, b) };
            formulas.push(if next(4) == 0 { terms.not(made) } else { made });
            let (before, after) = (formulas[formulas.len() - 1], with_words(&terms, formulas[formulas.len() - 1]));
            for value in 0..1 << WIDTH {
                let at = |term| terms.substitute(term, &mut |node| (node.op == Op::Symbol).then(|| terms.number(WIDTH, value)));
                assert_eq!(at(before), at(after), "{} as {} at {value}", terms.display(before), terms.display(after));
            }
        }
    }
}
