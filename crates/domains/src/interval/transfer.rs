//! What each step does to a state.

use super::domain::IntervalDomain;
use super::range::Range;
use super::state::IntervalState;
use assay_cfa::{MemoryCondition, Operation, VarId};
use assay_cpa::{Move, View};
use assay_term::Bits;

impl IntervalDomain<'_> {
    /// Globals with their initial values, and the frame of the entry function.
    pub(super) fn initial_state(&self) -> IntervalState {
        let program = self.program;
        let mut state = IntervalState::unknown(program.entry);
        for &id in &program.globals {
            let variable = &program.variables[id];
            let Some(width) = variable.register_width().filter(|&w| w <= Bits::MAX_WIDTH) else { continue };
            let range = match variable.initial.first() {
                Some(&(_, term)) => self.range(&state, term),
                None => Some(Range::point(Bits::new(width, 0))),
            };
            state.set(program, id, range);
        }
        state
    }

    /// Changes the state to its successor; `false` if there is none.
    pub(super) fn step(&self, state: &mut IntervalState, step: &Move<'_>) -> bool {
        let program = self.program;
        let operation = &step.edge.operation;
        if step.is_return() {
            let Operation::Call { callee, result, .. } = operation else { return true };
            let value = program.functions[*callee].result.and_then(|register| state.get(program, register));
            state.pop_frame();
            if let Some(target) = *result {
                self.write(state, target, value);
            }
            return true;
        }
        match operation {
            Operation::Assume { condition } => return self.assume(state, *condition, true),
            Operation::Assign { target, value } => {
                let value = self.range(state, *value);
                self.write(state, *target, value);
            }
            Operation::Havoc { target, .. } | Operation::Load { target, .. } => state.set(program, *target, None),
            Operation::Allocate { target, .. } => {
                let width = program.model.pointer_width();
                self.write(state, *target, Some(Range::unsigned(width, 1, Bits::mask(width))));
            }
            Operation::Call { callee, arguments, .. } => {
                let values: Vec<Option<Range>> = arguments.iter().map(|&a| self.range(state, a)).collect();
                state.push_frame(*callee);
                for (&parameter, value) in program.functions[*callee].parameters.iter().zip(values) {
                    self.write(state, parameter, value);
                }
            }
            Operation::AssumeMemory { condition: MemoryCondition::Accessible { address, size, .. }, holds: true } => {
                // Nothing lies at the null address.
                let nonempty = self.range(state, *size).is_some_and(|size| !size.contains(0));
                let width = self.terms.width(*address);
                if nonempty && !self.constrain(state, *address, Range::unsigned(width, 1, Bits::mask(width)), 8) {
                    return false;
                }
            }
            // Memory is not tracked, and checks are passed through.
            Operation::Skip
            | Operation::Store { .. }
            | Operation::Copy { .. }
            | Operation::Fill { .. }
            | Operation::HavocMemory { .. }
            | Operation::Free { .. }
            | Operation::Declare { .. }
            | Operation::EndLife { .. }
            | Operation::Check { .. }
            | Operation::AssumeMemory { .. }
            | Operation::Thread(_)
            | Operation::Unsupported { .. } => {}
        }
        true
    }

    /// Writes a register, if the value has its width.
    fn write(&self, state: &mut IntervalState, target: VarId, value: Option<Range>) {
        let width = self.program.variables[target].register_width();
        state.set(self.program, target, value.filter(|range| Some(range.width()) == width));
    }

    /// What siblings know of the register that the step wrote: of memory they may know more.
    pub(super) fn ask_siblings(&self, state: &mut IntervalState, step: &Move<'_>, others: &mut dyn View) -> bool {
        let operation = &step.edge.operation;
        let written = match operation {
            Operation::Call { result, .. } if step.is_return() => *result,
            Operation::Call { .. } => None,
            _ => operation.written_register(),
        };
        let Some(target) = written else { return true };
        let (Some(read), Some(width)) = (self.read(target), self.program.variables[target].register_width()) else { return true };
        let known = state.get(self.program, target);
        if width > super::state::MAX_WIDTH || known.is_some_and(|range| range.as_point().is_some()) {
            return true;
        }
        let told = match others.value_of(read) {
            Some(value) if value.width() == width => Some(Range::point(value)),
            Some(_) => None,
            None => others.range_of(read).filter(|(a, b)| a <= b && *b <= Bits::mask(width)).map(|(a, b)| Range::unsigned(width, a, b)),
        };
        let Some(told) = told else { return true };
        match known.unwrap_or(Range::top(width)).meet(told) {
            Some(both) => {
                state.set(self.program, target, Some(both));
                true
            }
            None => false,
        }
    }
}
