//! Memory objects and their content: cells of at most 16 bytes at byte offsets, over a default.

use super::chain::Chain;
use super::persistent::PersistentVec;
use super::value::Value;
use assay_base::ByteRanges;
use assay_base::hash::mix;
use assay_cfa::operation::{Operation, Zone};
use assay_cfa::program::{EdgeId, FunctionId, Program, Storage, VarId};
use assay_term::Term;
use std::sync::Arc;

/// How long an object lives, and what may be done to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lifetime {
    /// As long as the program.
    Static,
    /// Never written: a string literal.
    Constant,
    /// A local or `alloca` of the frame at this depth.
    Frame(u32),
    /// Until it is freed.
    Heap,
    /// Code: it has an address and nothing else.
    Function,
}

/// What an object is called in precisions and output, the same on every path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ObjectName {
    /// A variable of the program.
    Variable(VarId),
    /// Allocated by this edge.
    Site(EdgeId),
    /// A function of the program.
    Function(FunctionId),
    /// What pointers from outside point to.
    Environment,
}

impl ObjectName {
    /// What the addresses of its objects are multiples of: what the type of a variable demands, and what glibc's
    /// `malloc` gives. One where nothing is promised.
    pub fn alignment(self, program: &Program) -> u64 {
        let small = program.model.pointer_width() == 32;
        match self {
            // On 32-bit x86 a stack may be aligned to four bytes only.
            ObjectName::Variable(variable) => match program.variables[variable].storage {
                Storage::Memory { align, .. } if align.is_power_of_two() => u64::from(if small { align.min(4) } else { align }),
                _ => 1,
            },
            ObjectName::Site(edge) => match program.edges[edge].operation {
                Operation::Allocate { zone: Zone::Heap, .. } => {
                    if small {
                        8
                    } else {
                        16
                    }
                }
                _ => 1,
            },
            ObjectName::Function(_) | ObjectName::Environment => 1,
        }
    }
}

/// A value at a byte offset; its width in bits is a multiple of 8, at most 128.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// In bytes.
    pub offset: u64,
    /// In bits; a multiple of 8.
    pub width: u32,
    /// What is there.
    pub value: Value,
}

impl Cell {
    /// The offset behind it.
    pub fn end(&self) -> u64 {
        self.offset + self.width as u64 / 8
    }
    pub(super) fn shape64(&self, object: u32) -> u64 {
        mix(self.offset ^ (object as u64) << 44 ^ 1 << 43 ^ (self.width as u64) << 32)
    }
    pub(super) fn hash64(&self, object: u32) -> u64 {
        mix(mix(self.offset ^ (object as u64) << 44 ^ 1 << 42 ^ (self.width as u64) << 32) ^ self.value.hash64())
    }
}

/// Cells that start in one window of 64 bytes, ordered by offset.
type Chunk = Option<Arc<[Cell]>>;
const CHUNK: u64 = 64;
const MAX_CELL_BYTES: u64 = 16;

/// A piece of memory with an address of its own.
#[derive(Clone, Debug)]
pub struct Object {
    /// The same on every path.
    pub name: ObjectName,
    /// In bytes, as a value of pointer width.
    pub size: Value,
    /// When it ends.
    pub lifetime: Lifetime,
    /// Whether it may still be accessed.
    pub alive: bool,
    /// The address was stored to memory or a global, so it may be known when the object's frame is gone.
    pub escaped: bool,
    /// It is dead, or may be, and another object may have been put where it was.
    pub(super) overlaid: bool,
    /// What no cell covers is zero; otherwise it is unknown.
    pub zero: bool,
    /// What was surely written, where that is in question.
    pub written: ByteRanges,
    /// Counts the objects made on the path; not part of the object's identity.
    pub birth: u32,
    /// The symbol that stands for the object's address, once one was needed.
    pub base: Option<Term>,
    /// The object stands for a list of objects.
    pub(super) chain: Option<Chain>,
    cells: PersistentVec<Chunk>,
}

impl PartialEq for Object {
    /// `birth` is bookkeeping and does not count.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.size == other.size
            && self.lifetime == other.lifetime
            && self.alive == other.alive
            && self.escaped == other.escaped
            && self.overlaid == other.overlaid
            && self.zero == other.zero
            && self.written == other.written
            && self.base == other.base
            && self.chain == other.chain
            && self.cells == other.cells
    }
}
/// With it, shared objects are equal without a look inside.
impl Eq for Object {}

impl Object {
    /// A live object without cells.
    pub fn new(name: ObjectName, size: Value, lifetime: Lifetime, zero: bool, birth: u32) -> Self {
        let written = if zero { ByteRanges::all() } else { ByteRanges::default() };
        Object {
            name,
            size,
            lifetime,
            alive: true,
            escaped: false,
            overlaid: false,
            zero,
            written,
            birth,
            base: None,
            chain: None,
            cells: PersistentVec::new(),
        }
    }

    /// Calls the function with each cell, in the order of chunks.
    pub fn for_each_cell(&self, mut visit: impl FnMut(&Cell)) {
        self.cells.for_each_slot(|_, chunk| {
            if let Some(cells) = chunk {
                cells.iter().for_each(&mut visit);
            }
        });
    }

    /// The cell that starts at the offset, if there is one.
    pub fn cell_at(&self, offset: u64) -> Option<Cell> {
        let cells = self.cells.get(offset / CHUNK)?.as_ref()?;
        cells.iter().find(|c| c.offset == offset).copied()
    }

    /// The cells that overlap `[start, end)`, ordered by offset.
    pub fn overlapping(&self, start: u64, end: u64) -> Vec<Cell> {
        let mut found = Vec::new();
        if start >= end {
            return found;
        }
        for index in start.saturating_sub(MAX_CELL_BYTES) / CHUNK..=(end - 1) / CHUNK {
            if let Some(Some(cells)) = self.cells.get(index) {
                found.extend(cells.iter().filter(|c| c.offset < end && c.end() > start).copied());
            }
        }
        found
    }

    /// Puts a cell in; the caller has removed what it overlaps.
    pub(super) fn insert(&mut self, cell: Cell) {
        let chunk = self.cells.get_mut(cell.offset / CHUNK);
        match chunk {
            None => *chunk = Some(Arc::from([cell].as_slice())),
            Some(cells) => match cells.iter().position(|c| c.offset >= cell.offset) {
                Some(i) if cells[i].offset == cell.offset => Arc::make_mut(cells)[i] = cell,
                position => {
                    let at = position.unwrap_or(cells.len());
                    let mut new = Vec::with_capacity(cells.len() + 1);
                    new.extend_from_slice(&cells[..at]);
                    new.push(cell);
                    new.extend_from_slice(&cells[at..]);
                    *cells = new.into();
                }
            },
        }
    }

    /// As [`insert`](Self::insert) for many cells, whose offsets ascend: each chunk is made once.
    pub(super) fn insert_all(&mut self, cells: Vec<Cell>) {
        for chunk in cells.chunk_by(|one, next| one.offset / CHUNK == next.offset / CHUNK && one.offset < next.offset) {
            let slot = self.cells.get_mut(chunk[0].offset / CHUNK);
            match slot {
                None => *slot = Some(Arc::from(chunk)),
                Some(_) => chunk.iter().for_each(|cell| self.insert(*cell)),
            }
        }
    }

    pub(super) fn remove(&mut self, offset: u64) {
        let chunk = self.cells.get_mut(offset / CHUNK);
        if let Some(cells) = chunk {
            let rest: Vec<Cell> = cells.iter().filter(|c| c.offset != offset).copied().collect();
            *chunk = if rest.is_empty() { None } else { Some(rest.into()) };
        }
    }

    pub(super) fn clear(&mut self) {
        self.cells = PersistentVec::new();
    }

    /// A hash of everything but the cells.
    pub(super) fn hash_head(&self, id: u32) -> u64 {
        let lifetime = match self.lifetime {
            Lifetime::Static => 1,
            Lifetime::Constant => 2,
            Lifetime::Frame(depth) => 8 + depth as u64,
            Lifetime::Heap => 3,
            Lifetime::Function => 4,
        };
        let flags = self.alive as u64 | (self.zero as u64) << 1 | (self.escaped as u64) << 2 | (self.overlaid as u64) << 3;
        let chain = self.chain.map_or(0, Chain::hash64);
        mix(mix((id as u64) << 20 ^ lifetime << 4 ^ flags ^ 1 << 43) ^ self.size.hash64() ^ chain ^ self.written.hash64())
    }

    /// Compares what the cells say, and the heads.
    pub fn differing_cells(&self, other: &Self, visit: &mut impl FnMut(Option<&Cell>, Option<&Cell>) -> bool) -> bool {
        self.cells.differences(&other.cells, &mut |_, x, y| {
            let empty: &[Cell] = &[];
            let (x, y) = (x.as_deref().unwrap_or(empty), y.as_deref().unwrap_or(empty));
            let (mut i, mut j) = (0, 0);
            while i < x.len() || j < y.len() {
                let (a, b) = (x.get(i), y.get(j));
                let (a, b) = match (a, b) {
                    (Some(a), Some(b)) if a.offset < b.offset => (Some(a), None),
                    (Some(a), Some(b)) if a.offset > b.offset => (None, Some(b)),
                    pair => pair,
                };
                i += a.is_some() as usize;
                j += b.is_some() as usize;
                if a != b && !visit(a, b) {
                    return false;
                }
            }
            true
        })
    }
}
