//! Widening: bounds that grow where a loop begins jump to the next of a few thresholds, so that they settle soon.

use super::range::{Piece, Range, half};
use assay_base::{FastMap, FastSet};
use assay_cfa::structure::Loops;
use assay_cfa::{LocationId, Program};
use assay_term::{Bits, Op, Term, Terms};
use std::sync::Arc;

/// More thresholds than this cost more iterations than they bring precision.
const MOST: usize = 96;

/// Numbers at which a growing bound may rest, ordered.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    values: Arc<[i128]>,
}

impl Thresholds {
    /// From the constants of a program, and the ends of C's types.
    pub fn new(constants: impl IntoIterator<Item = Bits>) -> Self {
        let mut values: Vec<i128> = vec![0];
        for width in [8, 16, 32, 64] {
            values.extend([Bits::mask(width) as i128, half(width) as i128 - 1, -(half(width) as i128)]);
        }
        let natural = values.len();
        for bits in constants {
            // A loop leaves its counter at the bound or beside it; the constant may be meant signed or unsigned.
            for value in [bits.signed(), bits.value() as i128] {
                values.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
            }
        }
        let constants = &mut values[natural..];
        constants.sort_unstable_by_key(|v| (v.unsigned_abs(), *v));
        values.dedup();
        values.truncate(natural + MOST);
        values.sort_unstable();
        values.dedup();
        Thresholds { values: values.into() }
    }

    /// The thresholds of each loop: the constants in it, and those of the whole program where these are few.
    pub fn of_loops(program: &Program, terms: &Terms, loops: &Loops) -> FastMap<LocationId, Thresholds> {
        let mut finder = Constants { terms, seen: FastMap::default() };
        let mut all: FastSet<Bits> = FastSet::default();
        for edge in program.edges.iter() {
            edge.operation.terms().into_iter().for_each(|term| all.extend(finder.of(term).iter()));
        }
        for variable in program.variables.iter() {
            variable.initial.iter().for_each(|(_, term)| all.extend(finder.of(*term).iter()));
        }
        let few = all.len() <= MOST / 3;
        let mut result = FastMap::default();
        for info in loops.loops.iter() {
            let mut constants: FastSet<Bits> = if few { all.clone() } else { FastSet::default() };
            if !few {
                for &location in &info.locations {
                    for &edge in &program.locations[location].outgoing {
                        program.edges[edge].operation.terms().into_iter().for_each(|term| constants.extend(finder.of(term).iter()));
                    }
                }
            }
            result.insert(info.head, Thresholds::new(constants));
        }
        result
    }

    pub(super) fn values(&self) -> &[i128] {
        &self.values
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The least threshold that is not below the value.
    fn above(&self, value: i128) -> Option<i128> {
        self.values.get(self.values.partition_point(|&t| t < value)).copied()
    }
    /// The greatest threshold that is not above the value.
    fn below(&self, value: i128) -> Option<i128> {
        self.values[..self.values.partition_point(|&t| t <= value)].last().copied()
    }
}

/// The constants in terms, each term looked at once.
struct Constants<'a> {
    terms: &'a Terms,
    seen: FastMap<Term, Arc<[Bits]>>,
}

impl Constants<'_> {
    fn of(&mut self, term: Term) -> Arc<[Bits]> {
        let terms = self.terms;
        let found = self.seen.entry(term).or_insert_with(|| {
            let mut found = Vec::new();
            terms.post_order([term], |_, node| {
                if node.op == Op::Const {
                    found.push(Bits::new(node.width(), node.constant()));
                }
            });
            found.into()
        });
        found.clone()
    }
}

/// A range that contains both, whose growing bounds are thresholds or those of the hint. Repeated with ever new ranges,
/// it changes only as often as there are thresholds. `None` stands for every value.
pub fn widen(old: Range, new: Range, hint: Option<Range>, thresholds: Option<&Thresholds>) -> Option<Range> {
    let width = old.width();
    let half = half(width);
    let side = |old: Option<Piece>, new: Option<Piece>, hint: Option<Piece>, (first, last): Piece| match (old, new) {
        (Some(old), Some(new)) => {
            let signed = |value: u128| Bits::new(width, value).signed();
            let unsigned = |value: i128| Bits::new(width, value as u128).value();
            let least = if new.0 >= old.0 {
                old.0
            } else {
                let jump = thresholds.and_then(|t| t.below(signed(new.0))).filter(|&t| t >= signed(first)).map_or(first, unsigned);
                hint.filter(|h| h.0 <= new.0).map_or(jump, |h| jump.max(h.0))
            };
            let greatest = if new.1 <= old.1 {
                old.1
            } else {
                let jump = thresholds.and_then(|t| t.above(signed(new.1))).filter(|&t| t <= signed(last)).map_or(last, unsigned);
                hint.filter(|h| h.1 >= new.1).map_or(jump, |h| jump.min(h.1))
            };
            Some((least, greatest))
        }
        (old, new) => old.or(new),
    };
    let hint = hint.filter(|h| h.width() == width);
    let low = side(old.low(), new.low(), hint.and_then(|h| h.low()), (0, half - 1));
    let high = side(old.high(), new.high(), hint.and_then(|h| h.high()), (half, Bits::mask(width)));
    Range::of_pieces(width, low, high)
}
