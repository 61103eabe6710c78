//! Facts of the machine that programs run on: where objects can be, and the memory of the environment.
//!
//! The memory of the environment is what pointers point to that the program gets from outside, from body-less
//! functions, inputs and uninitialised memory.
//!
//! The caller that chooses values for a counterexample may choose such a pointer to be the address of memory that
//! another caller made. This memory has a fixed place, so that pointers into it are plain numbers; its content is
//! chosen, too. Every pointer gets a region of its own. Where memory itself is the question (whether accesses are
//! valid, whether all is released), there is no such memory.

use assay_cfa::program::Program;

/// What lies below this address is no object that may be accessed.
pub const FIRST_ADDRESS: u64 = 4096;

/// Systems put no object of a program below this address (Linux: `vm.mmap_min_addr`). Only the order of addresses of
/// one object uses it.
pub const LOWEST_OBJECT: u64 = 1 << 16;

/// Where pointers have 64 bits, programs live in the lower half of the addresses: this far behind an object nothing
/// wraps around.
pub const HIGHEST_REACH: i128 = 1 << 62;

/// No object lies above this address, nor does one end there: the last page is for pointers that are codes of errors.
pub const fn last_address(pointer_width: u32) -> u64 {
    (u64::MAX >> (64 - pointer_width)) - 4095
}

/// The birth of the environment's memory, in the place of a count of objects.
pub const ENVIRONMENT_BIRTH: u32 = u32::MAX;

/// Where the memory of the environment is: addresses that a process can really map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExternalMemory {
    /// The first address.
    pub base: u64,
    /// In bytes.
    pub size: u64,
    /// The bytes of a region.
    region: u64,
}

impl ExternalMemory {
    /// The memory of a program's environment, if the program's properties allow for one.
    pub fn of(program: &Program) -> Option<ExternalMemory> {
        (!program.questions.about_memory()).then(|| match program.model.pointer_width() {
            64 => ExternalMemory { base: 0x6000_0000_0000, size: 1 << 36, region: 1 << 16 },
            _ => ExternalMemory { base: 0x6000_0000, size: 1 << 28, region: 1 << 12 },
        })
    }

    /// The place of an address in this memory.
    pub fn offset_of(&self, address: u64) -> Option<u64> {
        address.checked_sub(self.base).filter(|&offset| offset < self.size)
    }

    /// The address in the middle of the region with this number (any number will do): programs go from pointers to what
    /// is before them, too.
    pub fn region(&self, number: u64) -> u64 {
        let regions = self.size / self.region;
        self.base + number % regions * self.region + self.region / 2
    }
}
