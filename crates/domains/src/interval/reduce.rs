//! Memoization of blocks: states without what the block cannot touch, and that put back.

use super::domain::IntervalDomain;
use super::precision::IntervalPrecision;
use super::range::{Piece, Range};
use super::state::IntervalState;
use assay_base::{ByteReader, ByteWriter, Fingerprint, Id};
use assay_cfa::portable::Names;
use assay_cfa::{LocationId, VarId};
use assay_cpa::Position;
use assay_memo::{BlockScope, NoRule, Reduce};

impl Reduce for IntervalDomain<'_> {
    type Rule = NoRule;

    fn reduce(&self, _: &mut (), state: &IntervalState, block: &BlockScope<'_>) -> IntervalState {
        let mut reduced = state.only_top_frame();
        reduced.retain(self.program, &mut |variable| block.touches(variable));
        reduced
    }

    fn expand(
        &self,
        _: &mut (),
        outer: &IntervalState,
        exit: &IntervalState,
        _: &Position<'_>,
        block: &BlockScope<'_>,
    ) -> Option<IntervalState> {
        let effects = &block.block.effects;
        let writes =
            |variable: VarId| effects.touches_everything || effects.writes.binary_search_by_key(&variable.index(), |v| v.index()).is_ok();
        let mut result = outer.clone();
        let own = &self.program.functions[block.block.function].locals;
        for &variable in self.program.globals.iter().chain(own) {
            if !block.touches(variable) {
                continue;
            }
            let (before, after) = (outer.get(self.program, variable), exit.get(self.program, variable));
            let range = match (before, after) {
                (_, after) if writes(variable) => after,
                // What is only read has its old value, and what the path through the block says about it.
                (Some(before), Some(after)) => Some(before.meet(after)?),
                (before, after) => before.or(after),
            };
            result.set(self.program, variable, range);
        }
        Some(result)
    }

    fn reduce_precision(&self, precision: &IntervalPrecision, block: &BlockScope<'_>) -> IntervalPrecision {
        // Hints are for whole call stacks, which blocks do not know.
        let mut reduced = IntervalPrecision::empty();
        reduced.tracked = precision.tracked.restricted(
            |function| block.executes_in(function),
            |location| block.executes(location) || block.block.exits.contains(&location),
            |&variable| block.touches(variable),
        );
        reduced
    }

    fn precision_fingerprint(&self, precision: &IntervalPrecision) -> Fingerprint {
        let hash = |variable: &VarId| Fingerprint::of_bytes(self.program.variables[*variable].name.as_bytes()).0;
        let low = precision.tracked.fingerprint(|variable| hash(variable) as u64);
        let high = precision.tracked.fingerprint(|variable| (hash(variable) >> 64) as u64);
        Fingerprint(u128::from(low) | u128::from(high) << 64)
    }

    fn write_state(
        &self,
        _: &IntervalState,
        state: &IntervalState,
        names: &Names<'_>,
        _: &BlockScope<'_>,
        out: &mut ByteWriter,
    ) -> Option<()> {
        out.text(&names.program.functions[state.only_function()?].name);
        let mut known: Vec<(&str, Range)> = Vec::new();
        state.for_each(names.program, |variable, range| known.push((&names.program.variables[variable].name, range)));
        known.sort_by(|a, b| a.0.cmp(b.0));
        out.number(known.len() as u64);
        for (name, range) in known {
            out.text(name);
            out.number(u64::from(range.width()));
            for piece in [range.low(), range.high()] {
                out.flag(piece.is_some());
                if let Some((first, last)) = piece {
                    out.number(u64::try_from(first).ok()?);
                    out.number(u64::try_from(last).ok()?);
                }
            }
        }
        Some(())
    }

    fn read_state(
        &self,
        worker: &mut (),
        _: &IntervalState,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        from: &mut ByteReader<'_>,
    ) -> Option<IntervalState> {
        self.read_entry(worker, names, block, from)
    }

    /// A state says all that it knows, whatever it began with.
    fn write_entry(&self, entry: &IntervalState, names: &Names<'_>, block: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        self.write_state(entry, entry, names, block, out)
    }

    fn read_entry(&self, _: &mut (), names: &Names<'_>, _: &BlockScope<'_>, from: &mut ByteReader<'_>) -> Option<IntervalState> {
        let mut state = IntervalState::unknown(names.function(from.text()?)?);
        for _ in 0..from.number()? {
            let variable = names.variable(from.text()?)?;
            let width = from.small()?;
            if names.program.variables[variable].register_width() != Some(width) {
                return None;
            }
            let (low, high) = (read_piece(from)?, read_piece(from)?);
            state.set(names.program, variable, Some(Range::of_pieces(width, low, high)?));
        }
        Some(state)
    }

    /// Constants of the whole program can be among the bounds to which a loop is widened.
    fn write_facts(&self, names: &Names<'_>, block: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        let executed = self.thresholds.keys().copied().filter(|&head| block.executes(head));
        let mut heads: Vec<((&str, u32), LocationId)> = executed.map(|head| (names.location_name(head), head)).collect();
        heads.sort();
        out.number(heads.len() as u64);
        for ((function, place), head) in heads {
            out.place(function, place);
            let values = self.thresholds[&head].values();
            out.number(values.len() as u64);
            values.iter().for_each(|value| out.bytes.extend_from_slice(&value.to_le_bytes()));
        }
        Some(())
    }

    fn write_precision(&self, precision: &IntervalPrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        precision.tracked.write(names, out, |variable| names.program.variables[*variable].name.clone());
        Some(())
    }
}

/// One half of a range; `None` where the bytes are none.
fn read_piece(from: &mut ByteReader<'_>) -> Option<Option<Piece>> {
    if !from.flag()? {
        return Some(None);
    }
    let (first, last) = (u128::from(from.number()?), u128::from(from.number()?));
    (first <= last).then_some(Some((first, last)))
}
