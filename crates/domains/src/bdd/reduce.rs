//! Memoization of blocks: states without the registers that the block cannot touch, and these put back.

use super::domain::{BddDomain, BddWorker};
use super::precision::BddPrecision;
use super::state::BddState;
use assay_base::{ByteReader, ByteWriter, Fingerprint, Id};
use assay_cfa::VarId;
use assay_cfa::portable::Names;
use assay_cpa::Position;
use assay_memo::{BlockScope, NoRule, Reduce};
use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable};

impl BddDomain<'_> {
    fn bits_of(&self, state: &BddState, wanted: impl Fn(VarId) -> bool) -> Vec<BddVariable> {
        state.bdd().support_set().into_iter().filter(|bit| wanted(self.encoding.owners[bit.to_index()])).collect()
    }

    /// A bit as its register and its place among that register's bits.
    fn write_bit(&self, bit: BddVariable, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        let owner = *self.encoding.owners.get(bit.to_index())?;
        out.text(&names.program.variables[owner].name);
        out.number(self.encoding.bits(owner).iter().position(|&other| other == bit)? as u64);
        Some(())
    }
}

impl Reduce for BddDomain<'_> {
    type Rule = NoRule;

    fn reduce(&self, _: &mut BddWorker, state: &BddState, block: &BlockScope<'_>) -> BddState {
        let gone = self.bits_of(state, |variable| !block.touches(variable));
        if gone.is_empty() { state.clone() } else { BddState::new(state.bdd().exists(&gone)) }
    }

    /// What the block does not write has its old value, in all relations that it was in; the exit adds what the block
    /// found. Codes of other values that the block chose can be those of values outside: but then it could as well have
    /// chosen any code that is free there, and the exit has that choice too.
    fn expand(&self, _: &mut BddWorker, outer: &BddState, exit: &BddState, _: &Position<'_>, block: &BlockScope<'_>) -> Option<BddState> {
        let effects = &block.block.effects;
        let writes = |variable: VarId| {
            effects.touches_everything && block.touches(variable)
                || effects.writes.binary_search_by_key(&variable.index(), |v| v.index()).is_ok()
        };
        let gone = self.bits_of(outer, writes);
        let bdd = if gone.is_empty() { outer.bdd().and(exit.bdd()) } else { outer.bdd().exists(&gone).and(exit.bdd()) };
        (!bdd.is_false()).then(|| BddState::new(bdd))
    }

    fn reduce_precision(&self, precision: &BddPrecision, block: &BlockScope<'_>) -> BddPrecision {
        let tracked = precision.tracked.restricted(
            |function| block.executes_in(function),
            |location| block.executes(location) || block.block.exits.contains(&location),
            |&variable| block.touches(variable),
        );
        BddPrecision { tracked }
    }

    fn precision_fingerprint(&self, precision: &BddPrecision) -> Fingerprint {
        let hash = |variable: &VarId| Fingerprint::of_bytes(self.program.variables[*variable].name.as_bytes()).0;
        let low = precision.tracked.fingerprint(|variable| hash(variable) as u64);
        let high = precision.tracked.fingerprint(|variable| (hash(variable) >> 64) as u64);
        Fingerprint(u128::from(low) | u128::from(high) << 64)
    }

    /// The bits that occur, by register, in their order; then the nodes.
    fn write_state(&self, _: &BddState, state: &BddState, names: &Names<'_>, _: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        let bdd = state.bdd();
        let mut used: Vec<BddVariable> = bdd.support_set().into_iter().collect();
        used.sort();
        out.number(used.len() as u64);
        for &bit in &used {
            self.write_bit(bit, names, out)?;
        }
        out.number(bdd.size() as u64);
        for pointer in (2..bdd.size()).map(BddPointer::from_index) {
            out.number(used.binary_search(&bdd.var_of(pointer)).ok()? as u64);
            out.number(bdd.low_link_of(pointer).to_index() as u64);
            out.number(bdd.high_link_of(pointer).to_index() as u64);
        }
        Some(())
    }

    fn read_state(
        &self,
        worker: &mut BddWorker,
        _: &BddState,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        from: &mut ByteReader<'_>,
    ) -> Option<BddState> {
        self.read_entry(worker, names, block, from)
    }

    /// A state says all that it knows, whatever it began with.
    fn write_entry(&self, entry: &BddState, names: &Names<'_>, block: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        self.write_state(entry, entry, names, block, out)
    }

    fn read_entry(&self, _: &mut BddWorker, names: &Names<'_>, _: &BlockScope<'_>, from: &mut ByteReader<'_>) -> Option<BddState> {
        let mut used: Vec<BddVariable> = Vec::new();
        for _ in 0..from.number()? {
            let variable = names.variable(from.text()?)?;
            used.push(*self.encoding.bits(variable).get(from.small()? as usize)?);
        }
        let size = from.small()? as usize;
        let count = self.encoding.set.num_vars();
        let mut nodes = vec![BddNode::mk_zero(count), BddNode::mk_one(count)];
        // A state is never empty, and children come before their parents.
        for index in 2..size {
            let bit = *used.get(from.small()? as usize)?;
            let (low, high) = (from.small()? as usize, from.small()? as usize);
            if low >= index || high >= index || nodes[low].var <= bit || nodes[high].var <= bit {
                return None;
            }
            nodes.push(BddNode::mk_node(bit, BddPointer::from_index(low), BddPointer::from_index(high)));
        }
        (size >= 2).then(|| Bdd::from_nodes(&nodes).ok().map(BddState::new)).flatten()
    }

    /// The codes of values depend on all of the program that shares a class with the block.
    fn write_facts(&self, names: &Names<'_>, block: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        let mut classes: Vec<usize> = Vec::new();
        for (index, &owner) in self.encoding.owners.iter().enumerate().filter(|(_, owner)| block.touches(**owner)) {
            self.write_bit(BddVariable::from_index(index), names, out)?;
            let class = self.encoding.class(owner)?;
            let number = classes.iter().position(|&known| known == class).unwrap_or(classes.len());
            out.number(number as u64);
            if number == classes.len() {
                classes.push(class);
                let class = &self.encoding.classes[class];
                out.number(u64::from(class.width));
                out.number(u64::from(class.bits));
                out.flag(class.identity);
                out.number(class.values.len() as u64);
                class.values.iter().for_each(|value| out.bytes.extend_from_slice(&value.to_le_bytes()));
            }
        }
        Some(())
    }

    fn write_precision(&self, precision: &BddPrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        precision.tracked.write(names, out, |variable| names.program.variables[*variable].name.clone());
        Some(())
    }
}
