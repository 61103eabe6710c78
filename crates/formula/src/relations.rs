//! How a variable relates to its value where the loop was entered: candidates for invariants of an induction on
//! formulas, beside conditions that others suggest. All of them hold when the loop is entered (what is suggested is
//! dropped where it does not); those that an iteration does not keep are dropped, and the unrolling begins again
//! without them.

use crate::encoder::Encoder;
use crate::state::State;
use assay_base::FastSet;
use assay_cfa::VarId;
use assay_cfa::structure::{Effects, LoopId};
use assay_term::{Op, Term};

/// What a value now is to the value at the entry of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Relation {
    Equal,
    NotBelow,
    NotAbove,
    SignedNotBelow,
    SignedNotAbove,
}

const RELATIONS: [Relation; 5] =
    [Relation::Equal, Relation::NotBelow, Relation::NotAbove, Relation::SignedNotBelow, Relation::SignedNotAbove];

/// What one loop may keep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Candidate {
    owner: LoopId,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum What {
    /// A relation of one variable.
    Related(VarId, Relation),
    /// A condition over variables of the program.
    Holds(Term),
}

impl Candidate {
    /// A condition that something suggests.
    pub(crate) fn suggested(owner: LoopId, condition: Term) -> Candidate {
        Candidate { owner, what: What::Holds(condition) }
    }
}

/// The candidates that an entry of a loop assumes, with the values there.
pub(crate) struct Assumed {
    list: Vec<(Candidate, Term)>,
}

impl Assumed {
    /// Every candidate for the registers that the loop may change, and what is suggested, but for those that were
    /// dropped.
    pub(crate) fn of(
        encoder: &Encoder<'_>,
        entry: &State,
        owner: LoopId,
        effects: &Effects,
        suggested: &[Term],
        dropped: &FastSet<Candidate>,
    ) -> Assumed {
        let mut list = Vec::new();
        let mut registers: Vec<VarId> =
            effects.writes.iter().copied().filter(|&v| encoder.program.variables[v].register_width().is_some()).collect();
        registers.sort_unstable();
        for variable in registers {
            let before = encoder.get(entry, variable);
            let candidates = RELATIONS.map(|relation| Candidate { owner, what: What::Related(variable, relation) });
            list.extend(candidates.into_iter().filter(|candidate| !dropped.contains(candidate)).map(|candidate| (candidate, before)));
        }
        let suggested = suggested.iter().map(|&condition| (Candidate::suggested(owner, condition), condition));
        list.extend(suggested.filter(|(candidate, _)| !dropped.contains(candidate)));
        Assumed { list }
    }

    pub(crate) fn candidates(&self) -> impl Iterator<Item = Candidate> {
        self.list.iter().map(|&(candidate, _)| candidate)
    }

    /// The candidates that say something of addresses in a state, where others suggested them.
    pub(crate) fn of_addresses(&self, encoder: &Encoder<'_>, state: &State) -> Vec<Candidate> {
        let speaks = |candidate: &Candidate| match candidate.what {
            What::Related(..) => false,
            What::Holds(condition) => encoder.speaks_of_addresses(state, condition),
        };
        self.candidates().filter(speaks).collect()
    }

    /// What the candidates say of a state.
    pub(crate) fn conditions(&self, encoder: &Encoder<'_>, state: &State) -> Vec<Term> {
        let t = encoder.terms;
        let condition = |&(candidate, before): &(Candidate, Term)| {
            let (variable, relation) = match candidate.what {
                What::Related(variable, relation) => (variable, relation),
                What::Holds(condition) => return encoder.eval(state, condition),
            };
            let now = encoder.get(state, variable);
            match relation {
                Relation::Equal => t.eq(now, before),
                Relation::NotBelow => t.ule(before, now),
                Relation::NotAbove => t.ule(now, before),
                Relation::SignedNotBelow => t.sle(before, now),
                Relation::SignedNotAbove => t.sle(now, before),
            }
        };
        self.list.iter().map(condition).collect()
    }
}

impl Encoder<'_> {
    /// Whether a condition says something of addresses in this state. What is known of these holds as long as objects
    /// live, and a candidate is assumed for longer.
    pub(crate) fn speaks_of_addresses(&self, state: &State, condition: Term) -> bool {
        let mut found = false;
        self.terms.post_order([self.eval(state, condition)], |_, node| found |= node.op == Op::Address);
        found
    }
}
