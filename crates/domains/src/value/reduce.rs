//! What memoization needs: states and precisions cut to a block, and put back at its exit.

use super::constraints::Constraint;
use super::names::{Border, is_renamed, rename};
use super::rule::ValueRule;
use super::saved;
use super::transfer::input_symbol;
use super::{Constraints, Unit, ValueDomain, ValuePrecision, ValueState, ValueWorker};
use assay_base::{ByteReader, ByteWriter, FastMap, FastSet, Fingerprint};
use assay_cfa::portable::Names;
use assay_cfa::structure::is_needed;
use assay_cfa::{EdgeId, Scope, VarId};
use assay_cpa::{Domain, Position};
use assay_memo::{BlockScope, KnownRule, Reduce, Summary, SummaryId};
use assay_semantics::state::{Footprint, Lifetime, Object, ObjectName, Portable, State, Value};
use assay_term::{SymbolId, Term, Terms};

/// What the block can touch of this domain's states; everything, if nothing is to be cut.
struct Touched<'a> {
    block: &'a BlockScope<'a>,
    everything: bool,
}

impl Footprint for Touched<'_> {
    fn touches(&self, variable: VarId) -> bool {
        self.everything || self.block.touches(variable)
    }
    fn touches_object(&self, object: &Object) -> bool {
        if self.everything || object.lifetime == Lifetime::Function {
            return true; // Functions have no content to cut.
        }
        let effects = &self.block.block.effects;
        if effects.touches_everything || effects.reads_unknown_memory || effects.writes_unknown_memory {
            return true;
        }
        match object.name {
            ObjectName::Variable(variable) => self.block.touches(variable),
            ObjectName::Site(_) | ObjectName::Function(_) | ObjectName::Environment => effects.accesses_memory(),
        }
    }
    fn names(&self, variable: VarId) -> bool {
        let is_near = match self.block.program.variables[variable].scope {
            Scope::Global => true,
            Scope::Local(function) => self.block.executes_in(function),
        };
        self.everything || is_near && self.block.touches(variable)
    }
    fn writes_anywhere(&self) -> bool {
        let effects = &self.block.block.effects;
        // A write to a variable that misses it makes everything unknown that is not restored at the exit.
        let is_memory = |variable: &VarId| self.block.program.variables[*variable].register_width().is_none();
        let misses = effects.reads_unknown_memory && effects.writes.iter().any(is_memory);
        self.everything || effects.touches_everything || effects.writes_unknown_memory || misses
    }
}

impl Reduce for ValueDomain<'_> {
    type Rule = ValueRule;

    fn generalise(
        &self,
        worker: &mut ValueWorker,
        summary: &Summary<'_, Self>,
        block: &BlockScope<'_>,
        rules: &dyn Fn(SummaryId) -> Option<KnownRule<ValueRule>>,
    ) -> Option<ValueRule> {
        self.rule_of(worker, summary, block, rules)
    }

    fn by_rule(&self, _: &mut ValueWorker, rule: &ValueRule, entry: &ValueState) -> Option<Vec<ValueState>> {
        self.exits_by_rule(rule, entry)
    }

    fn reduce(&self, worker: &mut ValueWorker, state: &ValueState, block: &BlockScope<'_>) -> ValueState {
        let (mut values, constraints) = self.cut(state, &self.touched(block));
        let constraints = if self.options.symbolic {
            let names = self.border_names(state, &values, &constraints);
            values.symbols = names.own_count();
            let renamed = names.rename(&self.terms, &mut values, &constraints);
            worker.border = Some(Border::new(block.id, state, names));
            renamed
        } else {
            values.symbols = 0;
            constraints
        };
        values.births = values_births(&values);
        ValueState { values, constraints, model: None }
    }

    fn expand(
        &self,
        worker: &mut ValueWorker,
        outer: &ValueState,
        exit: &ValueState,
        _: &Position<'_>,
        block: &BlockScope<'_>,
    ) -> Option<ValueState> {
        let footprint = self.touched(block);
        if !self.options.symbolic {
            let values = outer.values.expanded(self.program, &exit.values, &footprint);
            return Some(ValueState { values, constraints: Default::default(), model: None });
        }
        let terms = &*self.terms;
        let known = worker.border.take().filter(|border| border.is_of(block.id, outer));
        let border = known.unwrap_or_else(|| {
            let (entry, connected) = self.cut(outer, &footprint);
            Border::new(block.id, outer, self.border_names(outer, &entry, &connected))
        });
        let names = worker.border.insert(border).names.clone();
        // Entry symbols get the names that they have outside; what was the block's own or was born in it gets new ones.
        let mut back: FastMap<SymbolId, Term> = FastMap::default();
        let mut next = outer.values.symbols;
        let mut walked: FastSet<Term> = FastSet::default();
        let mut found: Vec<Term> = Vec::new();
        exit.values.for_each_value(|value| {
            if let Value::Term(term) = value
                && walked.insert(term)
            {
                found.push(term);
            }
        });
        for term in found.into_iter().chain(exit.constraints.iter().map(|c| c.term)) {
            for symbol in terms.free_symbols(term) {
                if back.contains_key(&symbol) || !is_renamed(terms, symbol) {
                    continue;
                }
                let new = names.outside(symbol).unwrap_or_else(|| {
                    next += 1;
                    input_symbol(terms, next - 1, terms.symbol_info(symbol).sort.width())
                });
                back.insert(symbol, new);
            }
        }
        let mut exit_values = exit.values.clone();
        let learned = rename(terms, &back, &mut exit_values, &exit.constraints);
        let mut values = outer.values.expanded(self.program, &exit_values, &footprint);
        values.symbols = next;
        // What concerned the block's own symbols is said by the exit, with their new names. The block was entered with
        // all of it, also with what relates them to entry symbols: said twice, under new names each time, it would grow
        // with every call.
        let constraints = outer.constraints.filtered(|c| !names.any_own(&terms.free_symbols(c.term)));
        let mut state = ValueState { values, constraints, model: None };
        let before = state.constraints.clone();
        let known: FastSet<Term> = before.iter().map(|c| c.term).collect();
        let new: Vec<Constraint> = learned.iter().copied().filter(|c| !known.contains(&c.term)).collect();
        for constraint in new.into_iter().rev() {
            self.learn(&mut state, constraint)?;
        }
        if state.constraints == before && state.constraints == outer.constraints {
            state.model.clone_from(&outer.model);
        }
        Some(state)
    }

    fn reduce_precision(&self, precision: &ValuePrecision, block: &BlockScope<'_>) -> ValuePrecision {
        let executed = |edge: EdgeId| block.executes(self.program.edges[edge].source);
        precision.restricted(
            |function| block.executes_in(function),
            |location| block.executes(location) || block.block.exits.contains(&location),
            |unit| match unit {
                Unit::Register(variable) => block.touches(*variable),
                Unit::Cell(ObjectName::Variable(variable), _) => {
                    block.touches(*variable) || block.block.effects.reads_unknown_memory || block.block.effects.writes_unknown_memory
                }
                Unit::Cell(..) => true,
                Unit::Constraint(edge) => executed(*edge),
                Unit::ConstraintsAt(location) => block.executes(*location) || block.block.exits.contains(location),
                Unit::ConstraintsOver(variable) => block.touches(*variable),
            },
        )
    }

    fn precision_fingerprint(&self, precision: &ValuePrecision) -> Fingerprint {
        let name = |object: &ObjectName| match object {
            ObjectName::Variable(v) => (1u64 << 40) | u64::from(v.0),
            ObjectName::Site(e) => (2u64 << 40) | u64::from(e.0),
            ObjectName::Function(f) => (3u64 << 40) | u64::from(f.0),
            ObjectName::Environment => 4u64 << 40,
        };
        let hash = precision.fingerprint(|unit| {
            assay_base::hash::mix(match unit {
                Unit::Register(v) => u64::from(v.0),
                Unit::Cell(object, offset) => assay_base::hash::mix(name(object)) ^ offset.rotate_left(20),
                Unit::Constraint(e) => (4u64 << 40) | u64::from(e.0),
                Unit::ConstraintsAt(l) => (6u64 << 40) | u64::from(l.0),
                Unit::ConstraintsOver(v) => (7u64 << 40) | u64::from(v.0),
            })
        });
        // Two independent halves make the 128 bits that stand for equality.
        let again = precision.fingerprint(|unit| {
            assay_base::hash::mix(
                0x5bd1_e995
                    ^ match unit {
                        Unit::Register(v) => u64::from(v.0).rotate_left(7),
                        Unit::Cell(object, offset) => assay_base::hash::mix(name(object) ^ 77).rotate_left(9) ^ *offset,
                        Unit::Constraint(e) => (5u64 << 41) | u64::from(e.0),
                        Unit::ConstraintsAt(l) => (9u64 << 41) | u64::from(l.0),
                        Unit::ConstraintsOver(v) => (11u64 << 41) | u64::from(v.0),
                    },
            )
        });
        Fingerprint(u128::from(hash) | u128::from(again) << 64)
    }

    fn write_state(
        &self,
        entry: &ValueState,
        state: &ValueState,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        out: &mut ByteWriter,
    ) -> Option<()> {
        let touched = self.touched(block);
        let portable = self.portable(names, &touched);
        portable.write(&entry.values, &state.values, out)?;
        write_constraints(&portable, names, state, out)
    }

    fn write_entry(&self, entry: &ValueState, names: &Names<'_>, block: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        let touched = self.touched(block);
        let portable = self.portable(names, &touched);
        portable.write_entry(&entry.values, out)?;
        write_constraints(&portable, names, entry, out)
    }

    fn read_entry(
        &self,
        worker: &mut ValueWorker,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        from: &mut ByteReader<'_>,
    ) -> Option<ValueState> {
        let touched = self.touched(block);
        let portable = self.portable(names, &touched);
        if !worker.bases.contains_key(&block.id) {
            let base = self.initial(worker).values.reduced(self.program, &touched);
            worker.bases.insert(block.id, base);
        }
        let values = portable.read_entry(worker.bases.get(&block.id)?, from)?;
        Some(ValueState { values, constraints: read_constraints(&portable, names, from)?, model: None })
    }

    fn read_state(
        &self,
        _: &mut ValueWorker,
        entry: &ValueState,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        from: &mut ByteReader<'_>,
    ) -> Option<ValueState> {
        let touched = self.touched(block);
        let portable = self.portable(names, &touched);
        let values = portable.read(&entry.values, from)?;
        let constraints = read_constraints(&portable, names, from)?;
        Some(ValueState { values, constraints, model: None })
    }

    /// Which registers are needed behind a loop or a part decides what its exits keep. (That of a function is its
    /// result.)
    fn write_facts(&self, names: &Names<'_>, block: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        if block.is_function() {
            return Some(());
        }
        let own = |variable: &&VarId| self.program.variables[**variable].scope == Scope::Local(block.block.function);
        let mut needed: Vec<&str> = Vec::new();
        for &variable in block.block.effects.writes.iter().filter(own) {
            if block.block.exits.iter().any(|&exit| is_needed(self.program, &self.terms, variable, exit)) {
                needed.push(&names.program.variables[variable].name);
            }
        }
        needed.sort_unstable();
        out.number(needed.len() as u64);
        needed.iter().for_each(|name| out.text(name));
        Some(())
    }

    fn save_precision(&self, precision: &ValuePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        saved::write(&self.terms, precision, names, out)
    }

    fn restore_precision(&self, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<(ValuePrecision, Vec<String>)> {
        saved::read(&self.terms, names, from)
    }

    fn pack_precision(&self, precision: &ValuePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        out.flag(precision.everything);
        if precision.everything { Some(()) } else { saved::write(&self.terms, precision, names, out) }
    }

    fn unpack_precision(&self, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<ValuePrecision> {
        if from.flag()? {
            return from.is_at_end().then(ValuePrecision::everything);
        }
        saved::read(&self.terms, names, from).map(|(precision, _)| precision)
    }

    fn write_precision(&self, precision: &ValuePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        let name = |object: &ObjectName| match object {
            ObjectName::Variable(variable) => format!("variable {}", self.program.variables[*variable].name),
            ObjectName::Site(edge) => format!("site {:?}", names.edge_name(*edge)),
            ObjectName::Function(function) => format!("function {}", self.program.functions[*function].name),
            ObjectName::Environment => "environment".to_string(),
        };
        let unit = |unit: &Unit| match unit {
            Unit::Register(variable) => format!("register {}", self.program.variables[*variable].name),
            Unit::Cell(object, offset) => format!("cell {} {offset}", name(object)),
            Unit::Constraint(edge) => format!("constraint {:?}", names.edge_name(*edge)),
            Unit::ConstraintsAt(location) => format!("constraints at {:?}", names.location_name(*location)),
            Unit::ConstraintsOver(variable) => format!("constraints over {}", self.program.variables[*variable].name),
        };
        let place = |edge: &EdgeId| Some(names.edge_name(*edge).0);
        for function in precision.items().filter_map(|unit| match unit {
            Unit::Cell(ObjectName::Site(edge), _) | Unit::Constraint(edge) => place(edge),
            Unit::ConstraintsAt(location) => Some(names.location_name(*location).0),
            _ => None,
        }) {
            out.note_place(function);
        }
        precision.write(names, out, unit);
        Some(())
    }
}

impl ValueDomain<'_> {
    fn touched<'b>(&self, block: &'b BlockScope<'b>) -> Touched<'b> {
        Touched { block, everything: !self.options.reduction }
    }

    fn portable<'n>(&'n self, names: &'n Names<'n>, block: &'n Touched<'n>) -> Portable<'n> {
        Portable { names, terms: &self.terms, block }
    }

    /// What a block sees of a state: the values that it can touch, and the constraints that concern them.
    fn cut(&self, state: &ValueState, footprint: &Touched<'_>) -> (State, Constraints) {
        let values = state.values.reduced(self.program, footprint);
        let held = if state.constraints.is_empty() { FastSet::default() } else { symbols_of(&self.terms, &values) };
        let constraints = self.connected(state, &held);
        (values, constraints)
    }

    /// The constraints that share symbols, directly or through others, with the held ones.
    fn connected(&self, state: &ValueState, held: &FastSet<SymbolId>) -> Constraints {
        if state.constraints.is_empty() {
            return state.constraints.clone();
        }
        let relevant = self.relevant_constraints(state, held);
        state.constraints.filtered(|c| relevant.contains(&c.term))
    }
}

fn symbols_of(terms: &Terms, values: &State) -> FastSet<SymbolId> {
    let mut symbols = FastSet::default();
    let mut walked: FastSet<Term> = FastSet::default();
    values.for_each_value(|value| {
        if let Value::Term(term) = value
            && walked.insert(term)
        {
            symbols.extend(terms.free_symbols(term));
        }
    });
    symbols
}

fn values_births(values: &State) -> u32 {
    let mut births = 0;
    values.for_each_object(|_, object| births = births.max(object.birth));
    births
}

/// The set decides about equality, so the order must not show.
fn write_constraints(portable: &Portable<'_>, names: &Names<'_>, state: &ValueState, out: &mut ByteWriter) -> Option<()> {
    let mut constraints: Vec<(Vec<u8>, EdgeId)> = Vec::new();
    for constraint in state.constraints.iter() {
        let mut term = ByteWriter::default();
        portable.write_term(constraint.term, &mut term)?;
        constraints.push((term.bytes, constraint.origin));
    }
    constraints.sort();
    out.number(constraints.len() as u64);
    for (term, origin) in constraints {
        out.data(&term);
        let (function, place) = names.edge_name(origin);
        out.place(function, place);
    }
    Some(())
}

fn read_constraints(portable: &Portable<'_>, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<Constraints> {
    let mut constraints = Constraints::default();
    for _ in 0..from.number()? {
        let term = portable.read_term(&mut ByteReader::new(from.data()?))?;
        let function = from.text()?;
        constraints.push(Constraint { term, origin: names.edge(function, from.small()?)? });
    }
    Some(constraints)
}
