//! The domain: what a state answers, where it is widened, and how the framework's questions are put to it.

use super::operators;
use super::precision::IntervalPrecision;
use super::range::Range;
use super::state::IntervalState;
use super::widening::Thresholds;
use assay_base::{FastMap, FastSet, IdVec};
use assay_cfa::structure::Loops;
use assay_cfa::{LocationId, Program, VarId};
use assay_cpa::{Adjustment, Domain, Move, Position, Successors, View};
use assay_term::{Bits, Node, Op, Term, Terms};

/// Terms of at most this tree size are walked without a memo table.
const SMALL: u16 = 4000;

/// Interval analysis of registers. Memory is not tracked: a load gives what siblings know of it, or any value.
pub struct IntervalDomain<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a Terms,
    /// What bounds may jump to where loops begin.
    pub(super) thresholds: FastMap<LocationId, Thresholds>,
    heads: FastSet<LocationId>,
    /// The term that reads each register.
    reads: IdVec<VarId, Option<Term>>,
    precision: IntervalPrecision,
}

impl<'a> IntervalDomain<'a> {
    /// `terms` is the run's overlay on the program's terms.
    pub fn new(program: &'a Program, terms: &'a Terms, loops: &Loops) -> Self {
        let heads: FastSet<LocationId> = loops.loops.iter().map(|l| l.head).collect();
        let reads = program.variables.iter_ids().map(|(id, v)| v.register_width().map(|_| terms.symbol(id.symbol()))).collect();
        let thresholds = Thresholds::of_loops(program, terms, loops);
        IntervalDomain { program, terms, thresholds, heads, reads, precision: IntervalPrecision::everything() }
    }

    /// The domain that begins with this precision.
    pub fn beginning_with(self, precision: IntervalPrecision) -> Self {
        IntervalDomain { precision, ..self }
    }

    /// The values that a term over the registers can have. `None` for arrays and what is wider than 128 bits.
    pub fn range(&self, state: &IntervalState, term: Term) -> Option<Range> {
        let node = self.terms.node(term);
        if node.tree_size() <= SMALL {
            return self.range_small(state, &node);
        }
        let mut memo: FastMap<Term, Option<Range>> = FastMap::default();
        let mut order = Vec::new();
        self.terms.post_order([term], |term, node| order.push((term, *node)));
        for (term, node) in order {
            let (operands, arity) = node.operands();
            let range = if arity == 0 {
                self.leaf(state, &node)
            } else {
                let ranges = [0, 1, 2].map(|i| if i < arity { memo[&operands[i]] } else { None });
                operators::apply(&node, &ranges[..arity])
            };
            memo.insert(term, range);
        }
        memo[&term]
    }

    fn range_small(&self, state: &IntervalState, node: &Node) -> Option<Range> {
        let (operands, arity) = node.operands();
        if arity == 0 {
            return self.leaf(state, node);
        }
        let mut ranges = [None; 3];
        for i in 0..arity {
            ranges[i] = self.range_small(state, &self.terms.node(operands[i]));
            // What one operand decides needs no look at the other.
            let decided = match (node.op, ranges[0].and_then(|r| r.as_point())) {
                (Op::And, Some(a)) if a.is_zero() => true,
                (Op::Or, Some(a)) if a.is_all_ones() => true,
                (Op::Ite, Some(c)) => {
                    return self.range_small(state, &self.terms.node(operands[if c.is_true() { 1 } else { 2 }]));
                }
                _ => false,
            };
            if decided {
                return ranges[0];
            }
        }
        operators::apply(node, &ranges[..arity])
    }

    fn leaf(&self, state: &IntervalState, node: &Node) -> Option<Range> {
        let width = node.width();
        if node.sort.is_array() || width > Bits::MAX_WIDTH {
            return None;
        }
        Some(match node.op {
            Op::Const => Range::point(Bits::new(width, node.constant())),
            Op::Symbol => {
                let known = self.program.variable_of(node.symbol()).and_then(|variable| state.get(self.program, variable));
                known.unwrap_or(Range::top(width))
            }
            // No object lies at the null address.
            Op::Address => Range::unsigned(width, 1, Bits::mask(width)),
            _ => Range::top(width),
        })
    }

    pub(super) fn join_into(&self, state: &mut IntervalState, other: &IntervalState) {
        state.combine(self.program, other, &mut |_, x, y| Some(x?.join(y?)));
    }

    /// Whether a loop begins at the location.
    pub fn is_loop_head(&self, location: LocationId) -> bool {
        self.heads.contains(&location)
    }

    /// The term that reads a register.
    pub(super) fn read(&self, variable: VarId) -> Option<Term> {
        self.reads[variable]
    }
}

impl Domain for IntervalDomain<'_> {
    type State = IntervalState;
    type Precision = IntervalPrecision;
    type Worker = ();

    fn worker(&self) -> Self::Worker {}

    fn initial(&self, _: &mut ()) -> IntervalState {
        self.initial_state()
    }

    fn initial_precision(&self) -> IntervalPrecision {
        self.precision.clone()
    }

    fn transfer(
        &self,
        _: &mut (),
        state: &IntervalState,
        _: &IntervalPrecision,
        step: &Move<'_>,
        _: &mut dyn View,
        out: &mut Successors<IntervalState>,
    ) {
        let mut next = state.clone();
        if self.step(&mut next, step) {
            out.push(next);
        }
    }

    fn strengthen(&self, _: &mut (), state: &mut IntervalState, step: &Move<'_>, others: &mut dyn View) -> bool {
        self.ask_siblings(state, step, others)
    }

    fn adjust(&self, _: &mut (), state: &mut IntervalState, precision: &IntervalPrecision, at: &Position<'_>) -> Adjustment {
        precision.cut(state, at);
        Adjustment::Continue
    }

    fn covers(&self, _: &mut (), smaller: &IntervalState, larger: &IntervalState) -> bool {
        smaller.is_below(larger)
    }

    fn join(
        &self,
        _: &mut (),
        new: &IntervalState,
        old: &IntervalState,
        precision: &IntervalPrecision,
        at: &Position<'_>,
    ) -> Option<IntervalState> {
        let mut result = old.clone();
        if new.is_below(old) {
            return Some(result);
        }
        if !self.heads.contains(&at.head.location) {
            self.join_into(&mut result, new);
            return Some(result);
        }
        let thresholds = self.thresholds.get(&at.head.location);
        let hint = precision.hint(at.head);
        result.combine(self.program, new, &mut |variable, old, new| {
            let hint = hint.and_then(|state| state.get(self.program, variable));
            super::widening::widen(old?, new?, hint, thresholds)
        });
        Some(result)
    }

    fn hash(&self, state: &IntervalState) -> u64 {
        state.hash64()
    }

    fn size(&self, state: &IntervalState) -> usize {
        state.len()
    }

    fn describe(&self, state: &IntervalState) -> String {
        let mut text = String::new();
        state.for_each(self.program, |variable, range| {
            let separator = if text.is_empty() { "" } else { ", " };
            text.push_str(&format!("{separator}{} = {range}", self.program.variables[variable].name));
        });
        text
    }

    fn value_of(&self, _: &mut (), state: &IntervalState, term: Term) -> Option<Bits> {
        self.range(state, term)?.as_point()
    }

    fn range_of(&self, _: &mut (), state: &IntervalState, term: Term) -> Option<(u128, u128)> {
        self.range(state, term).filter(|r| !r.is_top()).map(|r| (r.unsigned_min(), r.unsigned_max()))
    }

    fn implied(&self, _: &mut (), state: &IntervalState, condition: Term) -> Option<bool> {
        if let Some(value) = self.range(state, condition)?.as_point() {
            return Some(value.is_true());
        }
        // Parts that are possible one by one may exclude each other.
        if !self.assume(&mut state.clone(), condition, true) {
            return Some(false);
        }
        (!self.assume(&mut state.clone(), condition, false)).then_some(true)
    }
}
