//! Pointers that keep their value where everything else is opened.
//!
//! An access through a pointer of which nothing is known may be to any object. So a state that begins anywhere keeps
//! the addresses that registers and cells hold, where they are those of objects that are kept, or of functions. They
//! are part of what is known for sure, as the objects themselves are, and need no assertion.

use crate::content::{Cell, Content};
use crate::encoder::Encoder;
use crate::state::{Frame, ObjectKey, State};
use assay_base::FastMap;
use assay_cfa::VarId;
use assay_term::{Op, Term};
use std::sync::Arc;

/// What holds an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum PointerPlace {
    /// A register that lives as long as the program.
    Global(VarId),
    /// A register of the frame with so many others below.
    Local {
        /// How many frames are below.
        depth: u32,
        /// The register.
        variable: VarId,
    },
    /// A place in memory.
    Cell {
        /// The object.
        object: ObjectKey,
        /// In bytes.
        offset: u64,
    },
}

/// A place with the address in it, over stable symbols.
pub type KnownPointer = (PointerPlace, Term);

/// The addresses of objects before and after a state is opened.
pub(crate) struct Bases {
    pub map: FastMap<Term, Term>,
    /// Objects with their keys before and after.
    pub keys: Vec<(ObjectKey, ObjectKey)>,
}

impl Encoder<'_> {
    /// Writes the known addresses of a state into its opened form. `fixed` says of a register that only finitely many
    /// values can come to be in it; such a one may also hold an address inside of an object.
    pub(crate) fn keep_pointers(&self, state: &State, open: &mut State, bases: &Bases, fixed: &dyn Fn(VarId) -> bool) -> Vec<KnownPointer> {
        let mut kept: Vec<KnownPointer> = Vec::new();
        for &variable in &self.program.globals {
            let info = &self.program.variables[variable];
            if info.register_width() == Some(self.pointer())
                && let Some(address) = self.kept_address(self.get(state, variable), bases, fixed(variable))
            {
                *open.globals.get_mut(u64::from(info.slot)) = Some(address);
                kept.push((PointerPlace::Global(variable), address));
            }
        }
        self.keep_in_frames(state, open, bases, fixed, &mut kept);
        if self.terms.is_false(state.tainted) {
            self.keep_in_cells(state, open, bases, &mut kept);
        }
        kept.sort_unstable();
        kept
    }

    fn keep_in_frames(&self, state: &State, open: &mut State, bases: &Bases, fixed: &dyn Fn(VarId) -> bool, kept: &mut Vec<KnownPointer>) {
        let frames =
            |state: &State| -> Vec<Arc<Frame>> { std::iter::successors(state.frame.clone(), |frame| frame.caller.clone()).collect() };
        let mut below: Option<Arc<Frame>> = None;
        for (depth, (old, new)) in frames(state).iter().zip(&frames(open)).rev().enumerate() {
            let mut frame = Frame { registers: new.registers.clone(), caller: below.take(), ..Frame::clone(new) };
            for &variable in &self.program.functions[old.function].locals {
                let info = &self.program.variables[variable];
                if info.register_width() == Some(self.pointer())
                    && let Some(address) = self.kept_address(self.in_frame(old, variable), bases, fixed(variable))
                {
                    *frame.registers.get_mut(u64::from(info.slot)) = Some(address);
                    kept.push((PointerPlace::Local { depth: depth as u32, variable }, address));
                }
            }
            below = Some(Arc::new(frame));
        }
        open.frame = below;
    }

    fn keep_in_cells(&self, state: &State, open: &mut State, bases: &Bases, kept: &mut Vec<KnownPointer>) {
        for &(before, after) in &bases.keys {
            let Some(Content::Cells(cells)) = state.objects.get(&before).map(|object| &object.content) else { continue };
            let found: Vec<(u64, Cell)> = cells
                .map
                .iter()
                .filter(|(_, cell)| cell.bytes * 8 == self.pointer())
                .filter_map(|(&offset, cell)| Some((offset, Cell { value: self.kept_address(cell.value, bases, false)?, ..*cell })))
                .collect();
            if found.is_empty() {
                continue;
            }
            open.change_object(after, |object| {
                if let Content::Cells(cells) = &mut object.content {
                    for &(offset, cell) in &found {
                        Arc::make_mut(cells).map.insert(offset, cell);
                        kept.push((PointerPlace::Cell { object: after, offset }, cell.value));
                    }
                }
            });
        }
    }

    /// The address of an object that is kept or of a function; perhaps with a number added to it.
    fn kept_address(&self, value: Term, bases: &Bases, inside: bool) -> Option<Term> {
        let node = self.terms.node(value);
        match node.op {
            Op::Address => match bases.map.get(&value) {
                Some(&base) => Some(base),
                None => self.program.function_of(node.symbol()).map(|_| value),
            },
            Op::Add if inside => {
                let operands: Vec<Term> = self.terms.operands_of(&node).collect();
                let [a, b] = operands[..] else { return None };
                let (base, number) = if self.terms.as_constant(a).is_some() { (b, a) } else { (a, b) };
                self.terms.as_constant(number)?;
                Some(self.terms.add(*bases.map.get(&base)?, number))
            }
            _ => None,
        }
    }
}
