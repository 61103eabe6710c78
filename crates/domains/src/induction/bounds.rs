//! Bounds of registers at the heads of loops, from interval analysis: what strengthens the step of induction.

use crate::interval::{IntervalDomain, IntervalState, Range, narrowed};
use assay_base::FastMap;
use assay_cfa::{LocationId, Program, Scope, VarId};
use assay_cpa::{Domain, Environment, Exploration, ExploreConfig, Merge, Order, Status, TargetKind, WaitOrder};
use assay_term::{Term, Terms};

/// The ranges that registers are known to be in at the heads of loops, in whichever call.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    heads: FastMap<LocationId, FastMap<VarId, Range>>,
}

impl Bounds {
    /// What a variable is at every visit of a loop's head.
    pub fn of(&self, head: LocationId, variable: VarId) -> Option<Range> {
        self.heads.get(&head)?.get(&variable).copied().filter(|range| !range.is_top())
    }

    /// All that is known at a head, over the variables of the program.
    pub fn terms(&self, terms: &Terms, head: LocationId) -> Vec<Term> {
        let Some(ranges) = self.heads.get(&head) else { return vec![] };
        let mut known: Vec<(VarId, Range)> = ranges.iter().map(|(&v, &range)| (v, range)).filter(|(_, range)| !range.is_top()).collect();
        known.sort_unstable_by_key(|&(variable, _)| variable);
        known.into_iter().map(|(variable, range)| range.holds_of(terms, terms.symbol(variable.symbol()))).collect()
    }

    /// Takes in a state at a head. The first one brings its ranges, each other one joins them.
    fn add(&mut self, program: &Program, head: LocationId, state: &IntervalState) {
        match self.heads.get_mut(&head) {
            None => {
                let mut ranges = FastMap::default();
                let function = program.locations[head].function;
                state.for_each(program, |variable, _| {
                    let scope = program.variables[variable].scope;
                    let visible = scope == Scope::Global || scope == Scope::Local(function);
                    // In a recursion the register of the frame on top is the one that counts.
                    if let Some(range) = state.get(program, variable).filter(|_| visible) {
                        ranges.insert(variable, range);
                    }
                });
                self.heads.insert(head, ranges);
            }
            Some(ranges) => ranges.retain(|&variable, range| match state.get(program, variable) {
                Some(other) => {
                    *range = range.join(other);
                    true
                }
                None => false,
            }),
        }
    }
}

/// Runs interval analysis over the whole program, with iterations of narrowing. Without a finished run nothing is
/// known.
pub fn interval_bounds(environment: Environment<'_>, domain: &IntervalDomain<'_>, iterations: u32) -> Bounds {
    let config = ExploreConfig { merge: Merge::Join, order: WaitOrder::plain(Order::ReversePostorder), ..ExploreConfig::default() };
    let mut precision = domain.initial_precision();
    let mut best = Bounds::default();
    for _ in 0..=iterations {
        let mut exploration = Exploration::new(environment, domain, ExploreConfig { max_states: Some(400_000), ..config }, precision);
        exploration.start_program(&mut ());
        loop {
            match exploration.run(&mut ()) {
                Status::Exhausted => break,
                // Targets end their paths; what is reached besides them is what counts here.
                Status::Target(_) => {}
                _ => return best,
            }
        }
        // Behind a call that is cut and a construct that is not modelled, nothing was explored.
        let unexplored = exploration.arg.targets().any(|(_, info)| !matches!(info.kind, TargetKind::Property(_)));
        if exploration.counters.cut_calls > 0 || unexplored {
            return Bounds::default();
        }
        let mut bounds = Bounds::default();
        for (node, state) in exploration.reached.states() {
            let head = exploration.arg.head(node);
            if domain.is_loop_head(head.location) && !exploration.arg.is_covered(node) {
                bounds.add(environment.program, head.location, state);
            }
        }
        best = bounds;
        match narrowed(&exploration) {
            Some(finer) => precision = finer,
            None => return best,
        }
    }
    best
}
