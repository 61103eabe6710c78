//! What can be tracked or forgotten, and forgetting by precision.

use super::{ConstraintPrecision, InitialPrecision, ValueDomain, ValuePrecision, ValueState};
use assay_cfa::{EdgeId, FunctionId, LocationId, Operation, Program, Scope, Storage, VarId};
use assay_cpa::PrecisionScope;
use assay_semantics::state::{Lifetime, Object, ObjectId, ObjectName, State, Value};

/// One thing that a state may remember.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// A register, in every frame of its function.
    Register(VarId),
    /// The cell at a byte offset of every object of this name.
    Cell(ObjectName, u64),
    /// The constraints that an edge puts on the path.
    Constraint(EdgeId),
    /// The constraints of all edges that end at a location. In precisions only.
    ConstraintsAt(LocationId),
    /// A variable that tracked constraints may read. In precisions only.
    ConstraintsOver(VarId),
}

/// Whether a precision can forget the content of an object. That of a constant is the same in all states, so it keeps
/// no two of them apart; a loop over a text of which nothing is known would have no end.
pub(super) fn is_forgettable_object(object: &Object) -> bool {
    object.lifetime != Lifetime::Constant
}

impl ValueDomain<'_> {
    /// Whether a precision can forget the value. An access through a forgotten address may go anywhere, so refinement
    /// finds the addresses that tracked memory needs. Where memory is in question every access needs its address.
    pub(super) fn is_forgettable(&self, value: Value) -> bool {
        match value {
            Value::Known { .. } | Value::Term(_) => true,
            Value::Pointer { .. } | Value::Within(_) => self.forgets_addresses,
            Value::Unknown => false,
        }
    }

    /// Whether a precision can forget what the register holds. The slot of a variable in memory is its address itself.
    fn is_forgettable_register(&self, variable: VarId, value: Value) -> bool {
        self.is_forgettable(value)
            && !self.shapes_register(variable)
            && matches!(self.program.variables[variable].storage, Storage::Register { .. })
    }

    /// Heap objects that nothing known leads to leave a state whose precision does not track everything: an access that
    /// could reach them goes through an address of which nothing is known.
    pub(super) fn drop_unreachable(&self, state: &mut ValueState, precision: &ValuePrecision) {
        if self.forgets_addresses && !precision.everything {
            state.values.drop_unreachable();
        }
    }

    pub(super) fn first_precision(&self) -> ValuePrecision {
        match self.options.initial {
            InitialPrecision::Everything => ValuePrecision::everything(),
            InitialPrecision::Nothing => ValuePrecision::empty(),
            InitialPrecision::Assumptions => {
                let mut precision = ValuePrecision::empty();
                for edge in self.program.edges.iter() {
                    if let Operation::Assume { condition } = &edge.operation {
                        for symbol in self.terms.free_symbols(*condition) {
                            if let Some(variable) = self.program.variable_of(symbol) {
                                precision.track(self.program, edge.source, PrecisionScope::Global, &Unit::Register(variable));
                            }
                        }
                    }
                }
                precision
            }
        }
    }

    /// What a precision tracks for the constraints of an edge that refinement needs at a location.
    pub(super) fn constraint_units(&self, edge: EdgeId, at: LocationId) -> Vec<Unit> {
        match self.options.constraint_precision {
            ConstraintPrecision::Constraint => vec![Unit::Constraint(edge)],
            // The constraint must come into the states at its own place and is needed at this one.
            ConstraintPrecision::Location => vec![Unit::ConstraintsAt(self.program.edges[edge].target), Unit::ConstraintsAt(at)],
            ConstraintPrecision::Variables => match self.variables_of(edge) {
                Some(variables) => variables.into_iter().map(Unit::ConstraintsOver).collect(),
                None => vec![Unit::Constraint(edge)],
            },
        }
    }

    /// Whether a precision lets the constraints of an edge into states.
    pub(super) fn tracks_constraint(&self, precision: &ValuePrecision, edge: EdgeId) -> bool {
        let source = self.program.edges[edge].source;
        let function = self.program.locations[source].function;
        let tracks = |unit: Unit| precision.tracks(source, function, &unit);
        match self.options.constraint_precision {
            ConstraintPrecision::Constraint => tracks(Unit::Constraint(edge)),
            ConstraintPrecision::Location => tracks(Unit::ConstraintsAt(self.program.edges[edge].target)),
            ConstraintPrecision::Variables => match self.variables_of(edge) {
                Some(variables) => variables.into_iter().all(|variable| tracks(Unit::ConstraintsOver(variable))),
                None => tracks(Unit::Constraint(edge)),
            },
        }
    }

    /// The variables that an assumption reads; `None` for edges that put other conditions on a path, and for
    /// assumptions over none.
    fn variables_of(&self, edge: EdgeId) -> Option<Vec<VarId>> {
        let Operation::Assume { condition } = &self.program.edges[edge].operation else { return None };
        let symbols = self.terms.free_symbols(*condition);
        let variables: Vec<VarId> = symbols.into_iter().filter_map(|symbol| self.program.variable_of(symbol)).collect();
        (!variables.is_empty()).then_some(variables)
    }

    /// Forgets what the precision does not track where a step has just written. `everywhere` looks at the whole state
    /// instead, which precisions that differ from place to place need.
    pub(super) fn forget_untracked(
        &self,
        state: &mut ValueState,
        precision: &ValuePrecision,
        at: LocationId,
        written: &[VarId],
        object: Option<ObjectId>,
        everywhere: bool,
    ) {
        if precision.everything {
            return;
        }
        let function = self.program.locations[at].function;
        if everywhere {
            let mut gone = Vec::new();
            for_each_register(self.program, &state.values, |variable, value| {
                if self.is_forgettable_register(variable, value) && !precision.tracks(at, function, &Unit::Register(variable)) {
                    gone.push(variable);
                }
            });
            gone.sort();
            gone.dedup();
            for variable in gone {
                forget_register(self.program, &mut state.values, variable);
            }
        } else {
            for &variable in written {
                if self.is_forgettable_register(variable, state.values.get(self.program, variable))
                    && !precision.tracks(at, function, &Unit::Register(variable))
                {
                    state.values.set(self.program, variable, Value::Unknown);
                } else if let Value::Pointer { object, offset } = state.values.get(self.program, variable)
                    && self.is_beyond(&state.values, object, offset)
                {
                    state.values.set(self.program, variable, Value::Within(object));
                }
            }
        }
        let mut objects = Vec::new();
        if everywhere {
            state.values.for_each_object(|id, _| objects.push(id));
        } else {
            objects.extend(object);
        }
        for id in objects {
            self.forget_cells(&mut state.values, precision, at, function, id);
        }
    }

    /// Whether an address left its object, which it does again and again where a loop moves it and nothing is tracked
    /// of the loop's condition. Such addresses are told apart no more, so that the loop has an end.
    fn is_beyond(&self, values: &State, object: ObjectId, offset: u64) -> bool {
        let size = values.object(object).filter(|object| object.lifetime != Lifetime::Function).map(|object| object.size);
        self.forgets_addresses && matches!(size, Some(Value::Known { low: size, .. }) if offset > size)
    }

    fn forget_cells(&self, values: &mut State, precision: &ValuePrecision, at: LocationId, function: FunctionId, id: ObjectId) {
        let Some(object) = values.object(id).filter(|object| is_forgettable_object(object)) else { return };
        let mut gone = Vec::new();
        object.for_each_cell(|cell| {
            if self.is_forgettable(cell.value)
                && !self.shapes_cell(cell)
                && !precision.tracks(at, function, &Unit::Cell(object.name, cell.offset))
            {
                gone.push(*cell);
            }
        });
        for cell in gone {
            values.forget_cell(id, &cell);
        }
    }
}

/// Visits registers that hold values, with their variables; memory locals (whose slots hold addresses) included.
pub(super) fn for_each_register(program: &Program, values: &State, mut visit: impl FnMut(VarId, Value)) {
    values.for_each_register(|function, _, slot, value| {
        let variable = match function {
            None => program.globals[slot as usize],
            Some(function) => program.functions[function].locals[slot as usize],
        };
        visit(variable, value);
    });
}

/// Forgets a register in every frame of its function.
pub(super) fn forget_register(program: &Program, values: &mut State, variable: VarId) {
    let info = &program.variables[variable];
    match info.scope {
        Scope::Global => values.set(program, variable, Value::Unknown),
        Scope::Local(function) => values.forget_local(function, info.slot),
    }
}
