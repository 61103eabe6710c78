//! Memory of a compiled run: one range of bytes, with the permission of each byte beside it. Globals come first, then
//! the stack, then the heap, which only grows. Between objects are bytes that nothing may touch, so that an access that
//! leaves its object is seen.

use assay_base::FastMap;

/// The address of the arena's first byte. Functions have their addresses below it.
pub(super) const BASE: u64 = 1 << 20;
/// The address of the function with this number.
pub(super) fn function_address(index: usize) -> u64 {
    4096 + 16 * index as u64
}
/// Between objects.
const GAP: usize = 16;
const STACK: usize = 1 << 23;
const MAX_HEAP: usize = 1 << 25;

const NONE: u8 = 0;
const WRITABLE: u8 = 1;
const CONSTANT: u8 = 2;

/// The room of an object, with the gap behind it.
pub(super) fn room(size: u64) -> usize {
    (size as usize + GAP).next_multiple_of(16)
}

#[derive(Clone)]
pub(super) struct Arena {
    data: Vec<u8>,
    access: Vec<u8>,
    globals: usize,
    stack: usize,
    heap: usize,
    /// Live heap objects by address, with their sizes.
    objects: FastMap<u64, u32>,
}

/// What of an arena was in use.
#[derive(Clone)]
pub(super) struct Kept {
    globals: Vec<u8>,
    stack: Vec<u8>,
    stack_access: Vec<u8>,
    heap: Vec<u8>,
    heap_access: Vec<u8>,
    objects: FastMap<u64, u32>,
}

impl Kept {
    pub(super) fn bytes(&self) -> usize {
        self.globals.len() + 2 * self.stack.len() + 2 * self.heap.len() + 24 * self.objects.len()
    }
}

impl Arena {
    /// With this many bytes for globals.
    pub(super) fn new(globals: usize) -> Arena {
        let length = globals + STACK;
        Arena { data: vec![0; length], access: vec![NONE; length], globals, stack: 0, heap: 0, objects: FastMap::default() }
    }

    /// Places a global object; `at` is a multiple of 16.
    pub(super) fn place_global(&mut self, at: usize, size: u64, constant: bool) {
        self.access[at..at + size as usize].fill(if constant { CONSTANT } else { WRITABLE });
    }

    /// Writes the initial content of a global.
    pub(super) fn initialise(&mut self, at: usize, bytes: &[u8]) {
        self.data[at..at + bytes.len()].copy_from_slice(bytes);
    }

    #[inline]
    fn place(&self, address: u64, bytes: u64, least: u8, most: u8) -> Option<usize> {
        let at = address.wrapping_sub(BASE) as usize;
        let end = at.checked_add(bytes as usize)?;
        let access = self.access.get(at..end)?;
        access.iter().all(|&a| a >= least && a <= most).then_some(at)
    }

    pub(super) fn accessible(&self, address: u64, bytes: u64, write: bool) -> bool {
        bytes == 0 || self.place(address, bytes, WRITABLE, if write { WRITABLE } else { CONSTANT }).is_some()
    }

    #[inline]
    pub(super) fn load(&self, address: u64, bytes: u32) -> Option<u64> {
        let at = self.place(address, u64::from(bytes), WRITABLE, CONSTANT)?;
        let mut word = [0; 8];
        word[..bytes as usize].copy_from_slice(&self.data[at..at + bytes as usize]);
        Some(u64::from_le_bytes(word))
    }

    #[inline]
    pub(super) fn store(&mut self, address: u64, bytes: u32, value: u64) -> Option<()> {
        let at = self.place(address, u64::from(bytes), WRITABLE, WRITABLE)?;
        self.data[at..at + bytes as usize].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Some(())
    }

    pub(super) fn copy(&mut self, destination: u64, source: u64, bytes: u64) -> Option<()> {
        if bytes == 0 {
            return Some(());
        }
        let to = self.place(destination, bytes, WRITABLE, WRITABLE)?;
        let from = self.place(source, bytes, WRITABLE, CONSTANT)?;
        self.data.copy_within(from..from + bytes as usize, to);
        Some(())
    }

    pub(super) fn fill(&mut self, destination: u64, byte: u8, bytes: u64) -> Option<()> {
        if bytes == 0 {
            return Some(());
        }
        let to = self.place(destination, bytes, WRITABLE, WRITABLE)?;
        self.data[to..to + bytes as usize].fill(byte);
        Some(())
    }

    /// The top of the stack, to come back to.
    pub(super) fn stack(&self) -> usize {
        self.stack
    }

    /// Room on the stack; its objects begin their lives one by one.
    pub(super) fn push(&mut self, room: usize) -> Option<u64> {
        let at = self.stack;
        self.stack = at.checked_add(room).filter(|&top| top <= STACK)?;
        Some(BASE + (self.globals + at) as u64)
    }

    pub(super) fn pop(&mut self, to: usize) {
        self.access[self.globals + to..self.globals + self.stack].fill(NONE);
        self.stack = to;
    }

    /// Begins the life of an object on the stack, with zeros.
    pub(super) fn begin(&mut self, address: u64, size: u64) {
        let at = (address - BASE) as usize;
        self.data[at..at + size as usize].fill(0);
        self.access[at..at + size as usize].fill(WRITABLE);
    }

    pub(super) fn end(&mut self, address: u64, size: u64) {
        let at = (address - BASE) as usize;
        self.access[at..at + size as usize].fill(NONE);
    }

    pub(super) fn allocate(&mut self, size: u64) -> Option<u64> {
        let address = self.make(size)?;
        self.objects.insert(address, size as u32);
        Some(address)
    }

    /// An object that is never freed.
    pub(super) fn make(&mut self, size: u64) -> Option<u64> {
        let room = room(size.min(MAX_HEAP as u64));
        if self.heap + room > MAX_HEAP {
            return None;
        }
        let at = self.globals + STACK + self.heap;
        self.heap += room;
        if self.data.len() < at + room {
            self.data.resize(at + room, 0);
            self.access.resize(at + room, NONE);
        }
        self.data[at..at + size as usize].fill(0);
        self.access[at..at + room].fill(NONE);
        self.access[at..at + size as usize].fill(WRITABLE);
        Some(BASE + at as u64)
    }

    pub(super) fn is_heap(&self, address: u64) -> bool {
        self.objects.contains_key(&address)
    }

    pub(super) fn nothing_allocated(&self) -> bool {
        self.objects.is_empty()
    }

    pub(super) fn free(&mut self, address: u64) -> Option<()> {
        let size = self.objects.remove(&address)?;
        self.end(address, u64::from(size));
        Some(())
    }

    /// The content of the globals.
    pub(super) fn globals(&self) -> &[u8] {
        &self.data[..self.globals]
    }

    /// Bytes of stack and heap.
    pub(super) fn in_use(&self) -> usize {
        self.stack + self.heap
    }

    pub(super) fn keep(&self) -> Kept {
        let stack = self.globals..self.globals + self.stack;
        let heap = self.globals + STACK..self.globals + STACK + self.heap;
        Kept {
            globals: self.data[..self.globals].to_vec(),
            stack: self.data[stack.clone()].to_vec(),
            stack_access: self.access[stack].to_vec(),
            heap: self.data[heap.clone()].to_vec(),
            heap_access: self.access[heap].to_vec(),
            objects: self.objects.clone(),
        }
    }

    pub(super) fn restore(&mut self, kept: &Kept) {
        self.pop(0);
        let heap = self.globals + STACK;
        self.access[heap..heap + self.heap].fill(NONE);
        self.data[..self.globals].copy_from_slice(&kept.globals);
        let stack = self.globals..self.globals + kept.stack.len();
        self.data[stack.clone()].copy_from_slice(&kept.stack);
        self.access[stack].copy_from_slice(&kept.stack_access);
        self.stack = kept.stack.len();
        let kept_heap = heap..heap + kept.heap.len();
        self.data[kept_heap.clone()].copy_from_slice(&kept.heap);
        self.access[kept_heap].copy_from_slice(&kept.heap_access);
        self.heap = kept.heap.len();
        self.objects.clone_from(&kept.objects);
    }
}
