//! What refinement asks about the value domain's items and about variables.

use assay_cfa::{EdgeId, Operation, Program, VarId};
use assay_cpa::Either;
use assay_domains::value::Unit;
use assay_refine::{ItemFacts, ItemKind};
use assay_semantics::state::ObjectName;
use assay_term::Terms;

/// Facts about registers, cells and constraints of one program.
pub(crate) struct UnitFacts<'p> {
    pub program: &'p Program,
    pub terms: &'p Terms,
}

impl ItemFacts<Unit> for UnitFacts<'_> {
    fn kind(&self, item: &Unit) -> ItemKind {
        match item {
            Unit::Register(_) | Unit::Cell(..) => ItemKind::Value,
            Unit::Constraint(_) | Unit::ConstraintsAt(_) | Unit::ConstraintsOver(_) => ItemKind::Constraint,
        }
    }

    fn registers(&self, item: &Unit, out: &mut Vec<VarId>) -> bool {
        match item {
            Unit::Register(variable) => {
                out.push(*variable);
                true
            }
            Unit::Cell(..) | Unit::ConstraintsAt(_) | Unit::ConstraintsOver(_) => false,
            Unit::Constraint(edge) => {
                if let Operation::Assume { condition } = &self.program.edges[*edge].operation {
                    let symbols = self.terms.free_symbols(*condition);
                    out.extend(symbols.into_iter().filter_map(|s| self.program.variable_of(s)));
                }
                false
            }
        }
    }

    fn of_register(&self, register: VarId) -> Option<Unit> {
        Some(Unit::Register(register))
    }

    fn of_variable(&self, register: VarId, out: &mut Vec<Unit>) {
        out.extend([Unit::Register(register), Unit::ConstraintsOver(register)]);
    }

    fn of_cell(&self, object: ObjectName, offset: u64) -> Option<Unit> {
        Some(Unit::Cell(object, offset))
    }

    fn of_test(&self, edge: EdgeId) -> Option<Unit> {
        Some(Unit::Constraint(edge))
    }

    fn is_memory(&self, item: &Unit) -> bool {
        matches!(item, Unit::Cell(..))
    }
}

/// Facts about what a product remembers: units of the value domain, registers of those beside it.
pub(crate) struct ComposedFacts<'p> {
    pub values: UnitFacts<'p>,
}

/// Something that values, bounds or decision diagrams remember.
pub(crate) type ComposedItem = Either<Unit, Either<VarId, VarId>>;

impl ItemFacts<ComposedItem> for ComposedFacts<'_> {
    fn kind(&self, item: &ComposedItem) -> ItemKind {
        match item {
            Either::First(unit) => self.values.kind(unit),
            Either::Second(_) => ItemKind::Constraint,
        }
    }

    fn registers(&self, item: &ComposedItem, out: &mut Vec<VarId>) -> bool {
        match item {
            Either::First(unit) => self.values.registers(unit, out),
            Either::Second(Either::First(register) | Either::Second(register)) => {
                out.push(*register);
                true
            }
        }
    }

    fn of_variable(&self, register: VarId, out: &mut Vec<ComposedItem>) {
        let mut units = Vec::new();
        self.values.of_variable(register, &mut units);
        out.extend(units.into_iter().map(Either::First));
        out.extend([Either::Second(Either::First(register)), Either::Second(Either::Second(register))]);
    }

    fn of_cell(&self, object: ObjectName, offset: u64) -> Option<ComposedItem> {
        self.values.of_cell(object, offset).map(Either::First)
    }

    fn is_memory(&self, item: &ComposedItem) -> bool {
        matches!(item, Either::First(unit) if self.values.is_memory(unit))
    }
}
