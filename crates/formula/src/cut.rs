//! States without what a part of a program cannot see, and with it put back: for summaries of blocks.

use crate::content::{Cell, Content};
use crate::encoder::Encoder;
use crate::open::{Stable, StableObject};
use crate::pointers::{KnownPointer, PointerPlace};
use crate::state::{Frame, Lifetime, State};
use assay_cfa::{FunctionId, VarId};
use assay_semantics::state::PersistentVec;
use assay_term::{Op, Term};
use std::sync::Arc;

impl Encoder<'_> {
    /// An opened state without the frames below its own that hold nothing which lives in memory and that `keeps` does
    /// not want, and without the addresses in global registers that `sees` does not name.
    pub fn cut(&self, state: &State, keeps: &dyn Fn(FunctionId) -> bool, sees: &dyn Fn(VarId) -> bool) -> State {
        let mut result = state.clone();
        for &variable in &self.program.globals {
            let info = &self.program.variables[variable];
            if info.register_width().is_some() && !sees(variable) {
                *result.globals.get_mut(u64::from(info.slot)) = None;
            }
        }
        let is_kept = |frame: &Frame| {
            let holds = state.objects.values().any(|object| object.lifetime == Lifetime::Frame(frame.number));
            holds || keeps(frame.function)
        };
        let mut chain: Option<Arc<Frame>> = None;
        for (depth, frame) in frames(state).iter().enumerate().rev() {
            if depth == 0 || is_kept(frame) {
                let registers = frame.registers.clone();
                chain = Some(Arc::new(Frame { registers, caller: chain.take(), ..Frame::clone(frame) }));
            }
        }
        result.frame = chain;
        result
    }

    /// The opened state at the end of a part, with the frames and addresses of `outer`, the state at its beginning,
    /// that it did not see. `unwritten` are the global registers that it does not write, `lasts` says of objects
    /// whether one of that name is the same one as before.
    pub fn restored(&self, outer: &State, end: &State, unwritten: &dyn Fn(VarId) -> bool, lasts: &dyn Fn(StableObject) -> bool) -> State {
        let mut result = end.clone();
        let is_same = |value: Term| {
            let mut same = true;
            self.terms.post_order([value], |_, node| {
                if node.op == Op::Address {
                    same &= match self.stable_of(node.symbol(), node.op) {
                        Some(Stable::Base(object)) => lasts(object),
                        _ => self.program.function_of(node.symbol()).is_some(),
                    };
                }
            });
            same
        };
        for &variable in self.program.globals.iter().filter(|&&variable| unwritten(variable)) {
            let info = &self.program.variables[variable];
            if info.register_width().is_none() || matches!(end.globals.get(u64::from(info.slot)), Some(Some(_))) {
                continue;
            }
            if let Some(Some(value)) = outer.globals.get(u64::from(info.slot))
                && is_same(*value)
            {
                *result.globals.get_mut(u64::from(info.slot)) = Some(*value);
            }
        }
        let known = frames(end);
        let mut chain: Option<Arc<Frame>> = None;
        for frame in frames(outer).iter().rev() {
            let at_end = known.iter().find(|other| other.function == frame.function && other.level == frame.level);
            let caller = chain.take();
            chain = Some(Arc::new(match at_end {
                Some(there) => Frame { registers: there.registers.clone(), caller, ..Frame::clone(there) },
                None => {
                    let mut registers = PersistentVec::new();
                    for &variable in &self.program.functions[frame.function].locals {
                        let slot = u64::from(self.program.variables[variable].slot);
                        if let Some(Some(value)) = frame.registers.get(slot)
                            && is_same(*value)
                        {
                            *registers.get_mut(slot) = Some(*value);
                        }
                    }
                    Frame { open: true, registers, caller, ..Frame::clone(frame) }
                }
            }));
        }
        result.frame = chain;
        result
    }

    /// The functions whose activations are open, the last one first, each with how many of the same are below it.
    pub fn open_calls(&self, state: &State) -> Vec<(FunctionId, u32)> {
        frames(state).iter().map(|frame| (frame.function, frame.level)).collect()
    }
}

/// From the last call on.
fn frames(state: &State) -> Vec<Arc<Frame>> {
    std::iter::successors(state.frame.clone(), |frame| frame.caller.clone()).collect()
}

impl Encoder<'_> {
    /// An opened state with these open calls, the last one first, in which only these addresses are known and no local
    /// lives in memory. What is never written is as in `like`; `None` where a place is none of the state's.
    pub fn reopened(&self, globals: &State, like: &State, calls: &[(FunctionId, u32)], pointers: &[KnownPointer]) -> Option<State> {
        let mut state = State { frames: 0, ..globals.clone() };
        for (key, object) in like.objects.iter().filter(|(_, object)| object.lifetime == Lifetime::Constant) {
            Arc::make_mut(&mut state.objects).insert(*key, object.clone());
        }
        for (depth, &(function, level)) in calls.iter().rev().enumerate() {
            let mut registers = PersistentVec::new();
            for (place, address) in pointers {
                if let PointerPlace::Local { depth: there, variable } = *place
                    && there as usize == depth
                {
                    let own = self.program.functions[function].locals.contains(&variable);
                    let info = own.then(|| &self.program.variables[variable])?;
                    *registers.get_mut(u64::from(info.slot)) = Some(*address);
                }
            }
            let caller = state.frame.take();
            state.frame = Some(Arc::new(Frame { function, number: state.frames, level, open: true, registers, caller }));
            state.frames += 1;
        }
        for &(place, value) in pointers {
            match place {
                PointerPlace::Local { depth, .. } => {
                    if depth as usize >= calls.len() {
                        return None;
                    }
                }
                PointerPlace::Global(variable) => {
                    *state.globals.get_mut(u64::from(self.program.variables[variable].slot)) = Some(value);
                }
                PointerPlace::Cell { object, offset } => {
                    let cell = Cell { bytes: self.pointer() / 8, value };
                    let mut is_there = false;
                    state.change_object(object, |object| {
                        if let Content::Cells(cells) = &mut object.content {
                            Arc::make_mut(cells).map.insert(offset, cell);
                            is_there = true;
                        }
                    });
                    if !is_there {
                        return None;
                    }
                }
            }
        }
        Some(state)
    }
}
