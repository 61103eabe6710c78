//! Inline assembly: nobody reads the instructions, so everything is changed that they may change.

use super::Class;
use super::body::Body;
use super::facts::unit_string;
use crate::OutsidePointers;
use crate::adapter::Unit;
use assay_base::AssumptionClass;
use assay_cfa::{Operation, ValueSourceKind};
use rucc_sema::AsmId;

/// Instructions that order accesses, or wait, and change nothing.
const BARRIERS: [&str; 12] = [
    "",
    "mfence",
    "lfence",
    "sfence",
    "pause",
    "nop",
    "rep",
    "rep nop",
    "lock",
    "lock addl $0,0(%%esp)",
    "addl $0,0(%%esp)",
    "addl $0,0(%%rsp)",
];

/// Whether the instructions may change memory that no operand names: memory is said to be clobbered, and they are no
/// mere barrier.
pub(super) fn changes_memory(unit: &Unit, id: AsmId) -> bool {
    let asm = unit.tast[id];
    let clobbers = unit.tast[asm.clobbers].iter().any(|&c| unit_string(unit, c) == "memory");
    clobbers && !is_barrier(&unit_string(unit, asm.template))
}

fn is_barrier(template: &str) -> bool {
    let mut instructions = template.split([';', '\n']).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    instructions.all(|instruction| BARRIERS.contains(&instruction.as_str()))
}

impl Body<'_, '_> {
    pub(super) fn inline_assembly(&mut self, id: AsmId) {
        self.l.builder.syntax.inline_assembly += 1;
        let asm = self.unit.tast[id];
        let template = unit_string(self.unit, asm.template);
        let changes = changes_memory(self.unit, id);
        if !self.unit.tast[asm.labels].is_empty() {
            return self.unsupported("inline assembly that jumps");
        }
        let mut pointees = Vec::new();
        for input in self.unit.tast[asm.inputs].iter().copied() {
            if changes && self.class_of(input.value) == Class::Pointer {
                let pointer = self.scalar(input.value);
                pointees.push(self.snapshot(pointer));
            } else {
                self.discard(input.value);
            }
        }
        let outputs = self.unit.tast[asm.outputs].to_vec();
        if template.trim().is_empty() && outputs.is_empty() {
            return;
        }
        for output in outputs {
            let ty = self.unit.tast[output.value].ty;
            let place = self.place(output.value);
            match self.unit.class(ty).width(self.pointer_width()) {
                Some(width) => {
                    let value = self.approximation(width, "inline assembly");
                    self.write_place(place, ty, value);
                }
                None => self.unsupported("inline assembly that writes an aggregate"),
            }
        }
        // By the competition's contract memory is what the operands point to; else it is everything that a pointer from
        // outside may lead to.
        if changes && self.l.outside_pointers == OutsidePointers::Anywhere {
            for pointee in pointees.drain(..) {
                let kept = self.word_temporary();
                self.assign(kept, pointee);
            }
            pointees.push(self.approximation(self.pointer_width(), "inline assembly"));
        }
        for address in pointees {
            let size = self.approximation(self.pointer_width(), "inline assembly");
            let source = self.source(ValueSourceKind::Approximation, "inline assembly");
            self.emit(Operation::HavocMemory { address, size, source });
        }
        let text = match self.l.outside_pointers {
            OutsidePointers::Anywhere => {
                "inline assembly: its outputs, and with a clobber of memory all that it may know the address of, may take any value"
            }
            OutsidePointers::OwnMemory => {
                "inline assembly: its outputs, and with a clobber of memory what its pointers lead to, may take any value; it changes nothing else"
            }
        };
        self.note(AssumptionClass::Over, text);
    }
}
