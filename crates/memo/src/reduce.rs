//! What a domain must be able to do for memoization: cut states and precisions to a block, and put the rest back.

use super::rules::KnownRule;
use super::summary::{Summary, SummaryId};
use assay_base::{ByteReader, ByteWriter, FastSet, Fingerprint, IdVec};
use assay_cfa::blocks::{Block, BlockId, BlockKind, Blocks};
use assay_cfa::portable::Names;
use assay_cfa::structure::Structure;
use assay_cfa::{FunctionId, LocationId, Program, Scope, VarId};
use assay_cpa::domain::{Domain, Position};
use assay_cpa::optional::Optional;
use assay_cpa::product::Product;

/// One block with all that decides what may be dropped at its entry.
#[derive(Clone, Copy)]
pub struct BlockScope<'a> {
    /// What the block is a part of.
    pub program: &'a Program,
    /// Loops, calls and effects of the program.
    pub structure: &'a Structure<'a>,
    /// All blocks.
    pub blocks: &'a Blocks,
    /// Which of them it is.
    pub id: BlockId,
    /// The block itself.
    pub block: &'a Block,
    /// The functions that code of the block can enter, directly or through others. Its own function is among them only
    /// if it can be entered anew.
    pub callees: &'a FastSet<FunctionId>,
}

impl BlockScope<'_> {
    /// Whether states at the location are computed as part of the block: inside it, at its exits, or in something that
    /// it calls.
    pub fn executes(&self, location: LocationId) -> bool {
        self.callees.contains(&self.program.locations[location].function)
            || self.blocks.contains(self.id, location)
            || self.block.exits.contains(&location)
    }
    /// Whether code of the block can execute in the function at all.
    pub fn executes_in(&self, function: FunctionId) -> bool {
        function == self.block.function || self.callees.contains(&function)
    }
    /// Whether the block, with all that it calls, can read or write the variable: by name, as a local of something that
    /// it calls, or through an unknown pointer.
    pub fn touches(&self, variable: VarId) -> bool {
        let effects = &self.block.effects;
        if effects.touches_everything {
            return true;
        }
        let by_name = |list: &[VarId]| list.binary_search_by_key(&variable.0, |v| v.0).is_ok();
        if by_name(&effects.reads) || by_name(&effects.writes) {
            return true;
        }
        let info = &self.program.variables[variable];
        if let Scope::Local(function) = info.scope
            && self.callees.contains(&function)
        {
            return true;
        }
        info.register_width().is_none()
            && (effects.reads_unknown_memory || effects.writes_unknown_memory)
            && self.structure.effects().escaped[variable]
    }
    /// Whether it is a whole function.
    pub fn is_function(&self) -> bool {
        self.block.kind == BlockKind::Function
    }
}

/// Cutting states and precisions to a block, and putting back what was cut.
///
/// A block begins and ends in the same frame: at its entry location and at one of its exits, both of its own function
/// (a function block begins after the call has pushed the frame and ends before the return pops it). Call stacks inside
/// are relative to the block's frame; reduced states have no frames below it.
///
/// Laws, for every state `s` at the block's entry:
/// - Everything that can happen in the block from γ(s) can happen from γ(reduce(s)), in what the block can touch.
/// - If `x` is an abstract exit that is reached from reduce(s), then every concrete exit state that the block reaches
///   from γ(s) along so is in γ(expand(s, x)); what the block cannot touch is as it was in `s`. Writes through
///   unknown pointers into cut frames and objects count as touching.
/// - `None` of `expand` means that the two contradict each other: no concrete state.
/// - Symbols and objects that were born inside get names that are fresh in `s`, the same ones at each repetition.
/// - `reduce` gives equal states where the block cannot see a difference, as far as that is cheap to find out: that is
///   what makes summaries reusable. It depends on the state and the block only.
/// - Reduced precisions: inside the block, with all that it calls, the reduced precision tracks what the whole one
///   tracks. Two precisions that differ only elsewhere have equal reductions.
pub trait Reduce: Domain {
    /// What a finished summary says about entries that differ from its own; [`NoRule`] for domains that find none.
    type Rule: Send + Sync;

    /// Looks for what a finished, clean summary says about other entries: for which of them the exploration would take
    /// the same steps, and what the exits would be. `rules` are those of the summaries that it rests on. A rule is a
    /// short cut of the search alone: before a proof, the checker explores every entry for which one was used.
    fn generalise(
        &self,
        _worker: &mut Self::Worker,
        _summary: &Summary<'_, Self>,
        _block: &BlockScope<'_>,
        _rules: &dyn Fn(SummaryId) -> Option<KnownRule<Self::Rule>>,
    ) -> Option<Self::Rule>
    where
        Self: Sized,
    {
        None
    }

    /// The exits for another entry, in the order of the summary's; `None` where the rule does not speak of it.
    fn by_rule(&self, _worker: &mut Self::Worker, _rule: &Self::Rule, _entry: &Self::State) -> Option<Vec<Self::State>> {
        None
    }

    /// The part of a state that the block can see: what its summary is found by.
    fn reduce(&self, worker: &mut Self::Worker, state: &Self::State, block: &BlockScope<'_>) -> Self::State;

    /// The state at the block's exit in the context of `outer`, the state at its entry.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        outer: &Self::State,
        exit: &Self::State,
        at: &Position<'_>,
        block: &BlockScope<'_>,
    ) -> Option<Self::State>;

    /// The part of a precision that matters inside the block.
    fn reduce_precision(&self, precision: &Self::Precision, block: &BlockScope<'_>) -> Self::Precision;

    /// Equal for equal precisions, different for different ones.
    fn precision_fingerprint(&self, precision: &Self::Precision) -> Fingerprint;

    /// Writes a state of a block that begins in `entry`, a reduced state (`entry` itself, or an exit), in a form that a
    /// run on a changed program can read: equal bytes for states between which the block cannot see a difference,
    /// everything by name. `None` if that cannot be done; a domain that never does keeps no summaries on disk.
    fn write_state(&self, _entry: &Self::State, _state: &Self::State, _: &Names<'_>, _: &BlockScope<'_>, _: &mut ByteWriter) -> Option<()> {
        None
    }

    /// Reads a state of the block that was written by [`write_state`](Self::write_state), perhaps by another run and
    /// with another entry that is written equally; what the block cannot see is as it is in `entry`.
    fn read_state(
        &self,
        _: &mut Self::Worker,
        _: &Self::State,
        _: &Names<'_>,
        _: &BlockScope<'_>,
        _: &mut ByteReader<'_>,
    ) -> Option<Self::State> {
        None
    }

    /// Writes a reduced state at the block's entry so that another machine with the same program can read it with
    /// nothing but the bytes. `None` if that cannot be done: its block is explored where it is asked for.
    fn write_entry(&self, _: &Self::State, _: &Names<'_>, _: &BlockScope<'_>, _: &mut ByteWriter) -> Option<()> {
        None
    }

    /// What [`write_entry`](Self::write_entry) wrote. It is believed only if [`write_state`](Self::write_state) makes
    /// the same bytes of it as of the state that was meant.
    fn read_entry(&self, _: &mut Self::Worker, _: &Names<'_>, _: &BlockScope<'_>, _: &mut ByteReader<'_>) -> Option<Self::State> {
        None
    }

    /// Writes what the domain knows of the whole program and uses in the block, as far as the text of the block and of
    /// what it calls, its effects and escape facts do not say it. It belongs to the key of the block's summaries on
    /// disk.
    fn write_facts(&self, _: &Names<'_>, _: &BlockScope<'_>, _: &mut ByteWriter) -> Option<()> {
        Some(())
    }

    /// Writes a reduced precision, with the same laws.
    fn write_precision(&self, _: &Self::Precision, _: &Names<'_>, _: &mut ByteWriter) -> Option<()> {
        None
    }

    /// Writes a whole precision so that a run on a changed program can begin with it. `None` if that cannot be done.
    fn save_precision(&self, _: &Self::Precision, _: &Names<'_>, _: &mut ByteWriter) -> Option<()> {
        None
    }

    /// What [`save_precision`](Self::save_precision) wrote, without what this program does not have, and
    /// what it tracks, in words for the user. Any precision is sound.
    fn restore_precision(&self, _: &Names<'_>, _: &mut ByteReader<'_>) -> Option<(Self::Precision, Vec<String>)> {
        None
    }

    /// Writes a whole precision for another machine with the same program. What comes back from
    /// [`unpack_precision`](Self::unpack_precision) is compared with it; where something is lost, nothing is sent.
    fn pack_precision(&self, _: &Self::Precision, _: &Names<'_>, _: &mut ByteWriter) -> Option<()> {
        None
    }

    /// What [`pack_precision`](Self::pack_precision) wrote.
    fn unpack_precision(&self, _: &Names<'_>, _: &mut ByteReader<'_>) -> Option<Self::Precision> {
        None
    }
}

/// For domains whose summaries say nothing about other entries.
pub enum NoRule {}

impl<A: Reduce, B: Reduce> Reduce for Product<A, B> {
    type Rule = NoRule;

    fn reduce(&self, worker: &mut Self::Worker, state: &Self::State, block: &BlockScope<'_>) -> Self::State {
        (self.first.reduce(&mut worker.first, &state.0, block), self.second.reduce(&mut worker.second, &state.1, block))
    }
    fn expand(
        &self,
        worker: &mut Self::Worker,
        outer: &Self::State,
        exit: &Self::State,
        at: &Position<'_>,
        block: &BlockScope<'_>,
    ) -> Option<Self::State> {
        let first = self.first.expand(&mut worker.first, &outer.0, &exit.0, at, block)?;
        let second = self.second.expand(&mut worker.second, &outer.1, &exit.1, at, block)?;
        Some((first, second))
    }
    fn reduce_precision(&self, precision: &Self::Precision, block: &BlockScope<'_>) -> Self::Precision {
        (self.first.reduce_precision(&precision.0, block), self.second.reduce_precision(&precision.1, block))
    }
    fn precision_fingerprint(&self, precision: &Self::Precision) -> Fingerprint {
        self.first.precision_fingerprint(&precision.0).with(self.second.precision_fingerprint(&precision.1).0)
    }
}

impl<D: Reduce> Reduce for Optional<D> {
    type Rule = NoRule;

    fn reduce(&self, worker: &mut Self::Worker, state: &Self::State, block: &BlockScope<'_>) -> Self::State {
        match (self.parts(worker), state) {
            (Some((domain, worker)), Some(state)) => Some(domain.reduce(worker, state, block)),
            _ => None,
        }
    }
    fn expand(
        &self,
        worker: &mut Self::Worker,
        outer: &Self::State,
        exit: &Self::State,
        at: &Position<'_>,
        block: &BlockScope<'_>,
    ) -> Option<Self::State> {
        match (self.parts(worker), outer, exit) {
            (Some((domain, worker)), Some(outer), Some(exit)) => domain.expand(worker, outer, exit, at, block).map(Some),
            _ => Some(None),
        }
    }
    fn reduce_precision(&self, precision: &Self::Precision, block: &BlockScope<'_>) -> Self::Precision {
        Some(self.domain.as_ref()?.reduce_precision(precision.as_ref()?, block))
    }
    fn precision_fingerprint(&self, precision: &Self::Precision) -> Fingerprint {
        match (&self.domain, precision) {
            (Some(domain), Some(precision)) => domain.precision_fingerprint(precision),
            _ => Fingerprint::default(),
        }
    }
}

/// The functions that each block can enter.
pub(super) fn callees_of_blocks(structure: &Structure<'_>, blocks: &Blocks) -> IdVec<BlockId, FastSet<FunctionId>> {
    let calls = structure.calls();
    let closure = |block: &Block| {
        let mut found: FastSet<FunctionId> = FastSet::default();
        let mut stack = block.callees.clone();
        while let Some(function) = stack.pop() {
            if found.insert(function) {
                stack.extend(calls.callees[function].iter().copied());
            }
        }
        found
    };
    blocks.blocks.iter().map(closure).collect()
}
