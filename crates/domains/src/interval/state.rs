//! States: what is known of each register, for globals and for every frame of the stack.

use super::range::Range;
use assay_base::hash::mix;
use assay_cfa::{FunctionId, Program, Scope, VarId};
use assay_semantics::state::PersistentVec;
use std::sync::Arc;

/// The widest register whose range is kept.
pub(super) const MAX_WIDTH: u32 = 64;

/// A range of at most 64 bits in five words; the default says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Packed {
    /// 0 where nothing is known.
    width: u32,
    /// Empty where the first is greater than the second.
    low: (u64, u64),
    high: (u64, u64),
}

const EMPTY: (u64, u64) = (1, 0);

impl Packed {
    fn pack(range: Range) -> Packed {
        if range.width() > MAX_WIDTH || range.is_top() {
            return Packed::default();
        }
        let piece = |p: Option<(u128, u128)>| p.map_or(EMPTY, |(a, b)| (a as u64, b as u64));
        Packed { width: range.width(), low: piece(range.low()), high: piece(range.high()) }
    }
    fn unpack(self) -> Option<Range> {
        if self.width == 0 {
            return None;
        }
        let piece = |(a, b): (u64, u64)| (a <= b).then_some((a as u128, b as u128));
        Range::of_pieces(self.width, piece(self.low), piece(self.high))
    }
    fn hash64(self, depth: u32, slot: u32) -> u64 {
        if self.width == 0 {
            return 0;
        }
        let words = [self.low.0, self.low.1, self.high.0, self.high.1];
        words.into_iter().fold(mix((depth as u64) << 32 | slot as u64), |hash, word| mix(hash ^ word).rotate_left(7))
    }
}

/// One activation of a function.
#[derive(Clone, Debug)]
struct Frame {
    function: FunctionId,
    depth: u32,
    registers: PersistentVec<Packed>,
    parent: Option<Arc<Frame>>,
}

impl Drop for Frame {
    /// Deep stacks are taken down without recursion.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(frame) = next {
            match Arc::try_unwrap(frame) {
                Ok(mut frame) => next = frame.parent.take(),
                Err(_) => break,
            }
        }
    }
}

/// Depth of the globals in hashes; frames count from 0.
const GLOBAL_DEPTH: u32 = u32::MAX;

/// What is known of all registers. Clones share what did not change.
#[derive(Clone, Debug)]
pub struct IntervalState {
    globals: PersistentVec<Packed>,
    frame: Option<Arc<Frame>>,
    hash: u64,
}

impl PartialEq for IntervalState {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.globals == other.globals && self.same_frames(other)
    }
}
impl Eq for IntervalState {}

impl IntervalState {
    /// Nothing is known; the frame of a function is open.
    pub fn unknown(function: FunctionId) -> Self {
        let mut state = IntervalState { globals: PersistentVec::new(), frame: None, hash: 0 };
        state.push_frame(function);
        state
    }

    /// For look-up tables within one run.
    pub fn hash64(&self) -> u64 {
        self.hash
    }

    /// What is known of a register of the top frame or a global one; `None` is nothing.
    #[inline]
    pub fn get(&self, program: &Program, variable: VarId) -> Option<Range> {
        let info = &program.variables[variable];
        let packed = match info.scope {
            Scope::Global => self.globals.get(info.slot as u64),
            Scope::Local(function) => match self.frame.as_deref() {
                Some(frame) if frame.function == function => frame.registers.get(info.slot as u64),
                _ => None,
            },
        };
        packed.and_then(|p| p.unpack())
    }

    /// Writes a register; `None` forgets it.
    #[inline]
    pub fn set(&mut self, program: &Program, variable: VarId, range: Option<Range>) {
        let info = &program.variables[variable];
        let packed = range.map_or(Packed::default(), Packed::pack);
        match info.scope {
            Scope::Global => self.set_global(info.slot, packed),
            Scope::Local(function) => {
                if self.frame.as_deref().is_some_and(|f| f.function == function) {
                    self.set_local(info.slot, packed);
                }
            }
        }
    }

    fn set_global(&mut self, slot: u32, packed: Packed) {
        let old = self.globals.get(slot as u64).copied().unwrap_or_default();
        if old != packed {
            self.hash ^= old.hash64(GLOBAL_DEPTH, slot) ^ packed.hash64(GLOBAL_DEPTH, slot);
            *self.globals.get_mut(slot as u64) = packed;
        }
    }

    fn set_local(&mut self, slot: u32, packed: Packed) {
        let Some(frame) = self.frame.as_mut() else { return };
        let old = frame.registers.get(slot as u64).copied().unwrap_or_default();
        if old != packed {
            self.hash ^= old.hash64(frame.depth, slot) ^ packed.hash64(frame.depth, slot);
            *Arc::make_mut(frame).registers.get_mut(slot as u64) = packed;
        }
    }

    /// Enters a function; its registers have any value.
    pub fn push_frame(&mut self, function: FunctionId) {
        let depth = self.frame.as_ref().map_or(0, |f| f.depth + 1);
        let parent = self.frame.take();
        self.hash ^= frame_hash(function, depth);
        self.frame = Some(Arc::new(Frame { function, depth, registers: PersistentVec::new(), parent }));
    }

    /// Drops the innermost frame.
    pub fn pop_frame(&mut self) {
        let Some(frame) = self.frame.take() else { return };
        self.hash ^= frame_hash(frame.function, frame.depth);
        frame.registers.for_each(|slot, packed| self.hash ^= packed.hash64(frame.depth, slot as u32));
        self.frame = frame.parent.clone();
    }

    /// The function of the only frame; `None` if there are more.
    pub(super) fn only_function(&self) -> Option<FunctionId> {
        self.frame.as_deref().filter(|frame| frame.parent.is_none()).map(|frame| frame.function)
    }

    /// The state without the frames below the top one.
    #[must_use]
    pub fn only_top_frame(&self) -> Self {
        let Some(top) = self.frame.as_ref() else { return self.clone() };
        let mut result = IntervalState { globals: self.globals.clone(), frame: None, hash: 0 };
        result.globals.for_each(|slot, packed| result.hash ^= packed.hash64(GLOBAL_DEPTH, slot as u32));
        result.push_frame(top.function);
        top.registers.for_each(|slot, packed| result.set_local(slot as u32, *packed));
        result
    }

    /// Visits what is known, globals first, then frames from the top.
    pub fn for_each(&self, program: &Program, mut visit: impl FnMut(VarId, Range)) {
        let mut show = |ids: &[VarId], slot: u64, packed: &Packed| {
            if let (Some(&id), Some(range)) = (ids.get(slot as usize), packed.unpack()) {
                visit(id, range);
            }
        };
        self.globals.for_each(|slot, packed| show(&program.globals, slot, packed));
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            f.registers.for_each(|slot, packed| show(&program.functions[f.function].locals, slot, packed));
            frame = f.parent.as_deref();
        }
    }

    /// How many registers something is known of.
    pub fn len(&self) -> usize {
        let mut count = 0;
        self.globals.for_each(|_, _| count += 1);
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            f.registers.for_each(|_, _| count += 1);
            frame = f.parent.as_deref();
        }
        count
    }
    /// Whether nothing is known of any register.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes what is known, register by register: `change` gets the variable and its range in this state and in the
    /// other, where they differ. Both must be of the same head. Frames that are shared are skipped.
    pub fn combine(
        &mut self,
        program: &Program,
        other: &Self,
        change: &mut dyn FnMut(VarId, Option<Range>, Option<Range>) -> Option<Range>,
    ) {
        let mut changes: Vec<(u64, Packed)> = Vec::new();
        collect(&program.globals, &self.globals, &other.globals, change, &mut changes);
        for (slot, packed) in changes.drain(..) {
            self.set_global(slot as u32, packed);
        }
        let (mut mine, mut theirs) = (self.frame.as_ref(), other.frame.as_ref());
        let mut frames: Vec<Vec<(u64, Packed)>> = Vec::new();
        while let (Some(x), Some(y)) = (mine, theirs) {
            if Arc::ptr_eq(x, y) {
                break;
            }
            collect(&program.functions[x.function].locals, &x.registers, &y.registers, change, &mut changes);
            frames.push(std::mem::take(&mut changes));
            (mine, theirs) = (x.parent.as_ref(), y.parent.as_ref());
        }
        self.write_frames(frames);
    }

    /// Changes what is known of single registers of any frame.
    pub fn retain(&mut self, program: &Program, keep: &mut dyn FnMut(VarId) -> bool) {
        let mut drop = |ids: &[VarId], registers: &PersistentVec<Packed>| {
            let mut gone = Vec::new();
            registers.for_each(|slot, _| {
                if ids.get(slot as usize).is_some_and(|&id| !keep(id)) {
                    gone.push((slot, Packed::default()));
                }
            });
            gone
        };
        let globals = drop(&program.globals, &self.globals);
        let mut frames = Vec::new();
        let mut frame = self.frame.as_deref();
        while let Some(f) = frame {
            frames.push(drop(&program.functions[f.function].locals, &f.registers));
            frame = f.parent.as_deref();
        }
        for (slot, packed) in globals {
            self.set_global(slot as u32, packed);
        }
        self.write_frames(frames);
    }

    /// Writes registers of frames, from the top down; frames below the last change stay shared.
    fn write_frames(&mut self, frames: Vec<Vec<(u64, Packed)>>) {
        let last = frames.iter().rposition(|c| !c.is_empty()).map_or(0, |i| i + 1);
        let mut place = &mut self.frame;
        for changes in frames.into_iter().take(last) {
            let Some(arc) = place.as_mut() else { break };
            let frame = Arc::make_mut(arc);
            for (slot, packed) in changes {
                let register = frame.registers.get_mut(slot);
                self.hash ^= register.hash64(frame.depth, slot as u32) ^ packed.hash64(frame.depth, slot as u32);
                *register = packed;
            }
            place = &mut frame.parent;
        }
    }

    fn same_frames(&self, other: &Self) -> bool {
        self.frames_agree(other, &mut |x, y| x == y)
    }

    fn frames_agree(&self, other: &Self, agree: &mut impl FnMut(&PersistentVec<Packed>, &PersistentVec<Packed>) -> bool) -> bool {
        let (mut a, mut b) = (self.frame.as_ref(), other.frame.as_ref());
        loop {
            match (a, b) {
                (None, None) => return true,
                (Some(x), Some(y)) if Arc::ptr_eq(x, y) => return true,
                (Some(x), Some(y)) if x.function == y.function && agree(&x.registers, &y.registers) => {
                    a = x.parent.as_ref();
                    b = y.parent.as_ref();
                }
                _ => return false,
            }
        }
    }

    /// Whether every register's range lies in that of the larger state.
    pub fn is_below(&self, larger: &Self) -> bool {
        let mut inside = |_: u64, small: &Packed, large: &Packed| match (small.unpack(), large.unpack()) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(small), Some(large)) => large.contains_range(&small),
        };
        self.globals.differences(&larger.globals, &mut inside) && self.frames_agree(larger, &mut |x, y| x.differences(y, &mut inside))
    }
}

fn frame_hash(function: FunctionId, depth: u32) -> u64 {
    mix((function.0 as u64) << 32 ^ depth as u64 ^ 1 << 63)
}

fn collect(
    ids: &[VarId],
    mine: &PersistentVec<Packed>,
    theirs: &PersistentVec<Packed>,
    change: &mut dyn FnMut(VarId, Option<Range>, Option<Range>) -> Option<Range>,
    changes: &mut Vec<(u64, Packed)>,
) {
    mine.differences(theirs, &mut |slot, x, y| {
        if let Some(&id) = ids.get(slot as usize) {
            let result = change(id, x.unpack(), y.unpack()).map_or(Packed::default(), Packed::pack);
            if result != *x {
                changes.push((slot, result));
            }
        }
        true
    });
}
