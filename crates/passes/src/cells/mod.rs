//! Watches single cells of arrays: each array becomes a few registers, so that analyses of registers prove what holds
//! for every element.
//!
//! For each array, some *watched* offsets are chosen when it comes to life: any offset of a cell in it, and no other
//! one as long as it lives. A register holds the content of the cell there. A write changes it where its offset is the
//! watched one; a read at another offset gives any value (or what the last reads gave, if the offset is theirs, for
//! their contents are kept up to date as well). A target is only believed where the last reads of every array before it
//! were at the watched offsets, or outside the array.
//!
//! *Why a proof of the new program is one of the old program.* Take an execution of the old program that reaches a
//! target, and for each array the offsets of its last reads before that. The new program can choose just these as the
//! watched ones (where they are in the array at all). Its registers then follow the execution: writes act alike, a read
//! at a watched offset gives the cell's content, and any other read may give what it gave. So it reaches the target as
//! well, with the last reads where they are believed. Nothing is said about the other direction: a target that the new
//! program reaches means nothing.
//!
//! An array is watched only where every use of its address is known: all reads and writes have one width, start at a
//! multiple of it, and reach the array through its name or through registers that hold nothing but addresses in it
//! (such a register then holds an offset). Addresses may be compared with each other and with null: offsets inside the
//! array, or at its end, say how that comes out, and elsewhere it comes out at all.
//!
//! Where accesses themselves are the question, whether one is inside an array is a comparison of its offset with the
//! array's size, which is zero when the array is not alive. Only arrays that live once are watched then.

mod uses;

use assay_base::FastMap;
use assay_base::Span;
use assay_cfa::builder::Builder;
use assay_cfa::operation::{MemoryCondition, Operation, ValueSource, ValueSourceKind};
use assay_cfa::program::{EdgeId, LocationId, Origin, Program, Role, Scope, SourceId, Storage, VarId};
use assay_cfa::structure::Structure;
use assay_cfa::types::CType;
use assay_term::{Op, Term, Terms};
use std::ops::Range;
use uses::{Base, Uses};

/// Arrays beyond this number stay as they are.
const MOST_ARRAYS: usize = 8;
/// With more arrays than this, each has cells only at its own offsets.
const MOST_RELATED: usize = 4;

/// A program with watched cells. Its targets mean nothing where they are reached; where none is, none of the original
/// is.
#[derive(Clone, Debug)]
pub struct Watched {
    /// With registers in the place of arrays.
    pub program: Program,
    /// What stands for what, for candidates of invariants.
    pub arrays: Vec<WatchedArray>,
}

/// The registers that stand for an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedArray {
    /// The offset of an access, assigned before anything else happens.
    pub offset: VarId,
    /// How many bytes it has; 0 before it comes to life.
    pub size: VarId,
    /// The cells at its own watched offsets and at those of arrays with cells of the same width, so that contents at
    /// the same offset can be related. All arrays have them in the same order.
    pub cells: Vec<WatchedCell>,
    /// Which of the cells are at its own offsets.
    pub own: Range<usize>,
    /// The last reads, the latest first: as many as it has offsets of its own.
    pub reads: Vec<WatchedCell>,
    /// The last write of a constant outside of loops, where there is such a write: often the end of a text.
    pub mark: Option<WatchedCell>,
}

impl WatchedArray {
    /// The cells at its own offsets, each with a last read.
    fn believed(&self) -> impl Iterator<Item = (&WatchedCell, &WatchedCell)> {
        self.cells[self.own.clone()].iter().zip(&self.reads)
    }

    /// All cells whose contents are known.
    pub fn known(&self) -> impl DoubleEndedIterator<Item = &WatchedCell> {
        self.cells.iter().chain(&self.reads).chain(&self.mark)
    }

    /// For each of its own offsets: the last read that goes with it was there, or outside of the array. `read` is the
    /// value of a register.
    pub fn beliefs(&self, terms: &Terms, read: impl Fn(VarId) -> Term) -> Vec<(VarId, Term)> {
        let belief = |(cell, last): (&WatchedCell, &WatchedCell)| {
            let outside = terms.not(terms.ult(read(last.index), read(self.size)));
            (cell.index, terms.or(terms.eq(read(cell.index), read(last.index)), outside))
        };
        self.believed().map(belief).collect()
    }
}

/// An offset in bytes and the content there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WatchedCell {
    /// The register with the offset.
    pub index: VarId,
    /// The register with the content.
    pub value: VarId,
}

/// Watches so many cells of each array whose uses are known; `None` if there is no such array.
pub fn watch(structure: &Structure<'_>, cells: usize) -> Option<Watched> {
    let program = structure.program;
    let accesses = program.questions.about_accesses();
    let mut uses = Uses::of(structure, accesses);
    let mut chosen: Vec<usize> = (0..uses.objects.len()).filter(|&index| uses.objects[index].is_array()).take(MOST_ARRAYS).collect();
    uses.keep_only(&chosen);
    chosen.retain(|&index| uses.objects[index].is_array());
    if chosen.is_empty() {
        return None;
    }
    let mut builder = Builder::of(program);
    let approximation = ValueSource { kind: ValueSourceKind::Approximation, name: "a cell that is not watched".into(), span: Span::NONE };
    let source = builder.value_source(approximation);
    let mut arrays: Vec<Option<WatchedArray>> = vec![None; uses.objects.len()];
    let offsets: Vec<(usize, Vec<VarId>)> =
        chosen.iter().map(|&index| (index, own_offsets(&mut builder, &uses.objects[index], cells))).collect();
    let marks = marks(structure, &builder.terms, &uses);
    for index in chosen {
        let object = &uses.objects[index];
        let mut array = registers(&mut builder, &uses, object, index, &offsets);
        if marks.values().any(|&marked| marked == index) {
            let pointer = builder.pointer_width();
            let index = part(&mut builder, object, "mark offset", pointer);
            array.mark = Some(WatchedCell { index, value: part(&mut builder, object, "mark", object.width) });
        }
        arrays[index] = Some(array);
    }
    let bit = Storage::Register { width: 1 };
    let any = (0..uses::MOST_COMPARISONS)
        .map(|n| builder.variable(&format!("[any {n}]"), Scope::Global, Role::Source, bit, CType::Void, Span::NONE))
        .collect();
    let mut pass = Pass { program, uses: &uses, arrays: &arrays, marks, any, accesses, builder: &mut builder, source };
    for edge in program.edges.ids() {
        pass.rewrite(edge);
    }
    if accesses {
        pass.end_lives();
    }
    pass.start();
    pass.guard_targets();
    let arrays: Vec<WatchedArray> = arrays.into_iter().flatten().collect();
    Some(Watched { program: builder.finish(program.entry), arrays })
}

/// A register that stands for a part of an array.
fn part(builder: &mut Builder, object: &uses::Object, what: &str, width: u32) -> VarId {
    let ctype = CType::Integer { width, signed: true, name: "int" };
    let name = format!("{}[{what}]", object.name);
    builder.variable(&name, Scope::Global, Role::Source, Storage::Register { width }, ctype, Span::NONE)
}

fn own_offsets(builder: &mut Builder, object: &uses::Object, cells: usize) -> Vec<VarId> {
    let pointer = builder.pointer_width();
    (0..cells).map(|n| part(builder, object, &format!("watched {n}"), pointer)).collect()
}

fn registers(builder: &mut Builder, uses: &Uses<'_>, object: &uses::Object, own: usize, offsets: &[(usize, Vec<VarId>)]) -> WatchedArray {
    let pointer = builder.pointer_width();
    let (offset, size) = (part(builder, object, "offset", pointer), part(builder, object, "size", pointer));
    let (mut cells, mut range, mut reads) = (Vec::new(), 0..0, Vec::new());
    for (other, indices) in offsets {
        if *other == own {
            range = cells.len()..cells.len() + indices.len();
        } else if offsets.len() > MOST_RELATED || uses.objects[*other].width != object.width {
            continue;
        }
        for &index in indices {
            let value = part(builder, object, &format!("cell {}", cells.len()), object.width);
            cells.push(WatchedCell { index, value });
        }
    }
    for n in range.clone() {
        let index = part(builder, object, &format!("read {n} offset"), pointer);
        reads.push(WatchedCell { index, value: part(builder, object, &format!("read {n}"), object.width) });
    }
    WatchedArray { offset, size, cells, own: range, reads, mark: None }
}

/// The writes of constants outside of loops, and what they write to.
fn marks(structure: &Structure<'_>, terms: &Terms, uses: &Uses<'_>) -> FastMap<EdgeId, usize> {
    let mark = |(id, edge): (EdgeId, &assay_cfa::program::Edge)| match edge.operation {
        Operation::Store { address, value } if terms.as_constant(value).is_some() => {
            let straight = structure.loops().around(edge.source).next().is_none();
            uses.split(terms, address).filter(|_| straight).map(|(object, _)| (id, object))
        }
        _ => None,
    };
    structure.program.edges.iter_ids().filter_map(mark).collect()
}

struct Pass<'a> {
    program: &'a Program,
    uses: &'a Uses<'a>,
    arrays: &'a [Option<WatchedArray>],
    /// The writes of constants outside of loops.
    marks: FastMap<EdgeId, usize>,
    /// Truth values of comparisons that may come out at all.
    any: Vec<VarId>,
    /// Whether accesses are the question.
    accesses: bool,
    builder: &'a mut Builder,
    source: SourceId,
}

impl Pass<'_> {
    /// The array that an address lies in, and the offset there.
    fn place(&self, address: Term) -> Option<(&WatchedArray, Term)> {
        let (object, offset) = self.uses.split(&self.builder.terms, address)?;
        Some((self.arrays[object].as_ref()?, offset))
    }

    fn rewrite(&mut self, id: EdgeId) {
        let operation = self.builder.edges[id].operation.clone();
        let operations = self.replacement(&operation, id).unwrap_or_else(|| {
            // Registers with addresses hold offsets now.
            let mut changed = operation;
            changed.map_terms(&mut |term| self.without_addresses(term));
            vec![changed]
        });
        self.replace(id, operations);
    }

    /// What is done in the place of an operation on watched arrays.
    fn replacement(&self, operation: &Operation, id: EdgeId) -> Option<Vec<Operation>> {
        let terms = &self.builder.terms;
        let read = |variable| self.builder.read(variable);
        Some(match operation {
            Operation::Load { target, address } => {
                let (array, offset) = self.place(*address)?;
                self.load(array, *target, offset)
            }
            Operation::Store { address, value } => {
                let (array, offset) = self.place(*address)?;
                let value = self.without_addresses(*value);
                let mut operations = self.write(array, offset, value, |cell| terms.eq(read(array.offset), read(cell.index)));
                if let Some(mark) = array.mark.filter(|_| self.marks.contains_key(&id)) {
                    operations.push(Operation::Assign { target: mark.index, value: read(array.offset) });
                    operations.push(Operation::Assign { target: mark.value, value });
                }
                operations
            }
            Operation::Fill { destination, byte, size } => {
                let (array, offset) = self.place(*destination)?;
                let (byte, size) = (self.without_addresses(*byte), self.without_addresses(*size));
                let bytes = self.builder.variables[array.cells[0].value].register_width()? / 8;
                let value = (1..bytes).fold(byte, |value, _| terms.concat(byte, value));
                self.write(array, offset, value, |cell| terms.ult(terms.sub(read(cell.index), read(array.offset)), size))
            }
            Operation::Free { address } => {
                self.place(*address)?;
                vec![Operation::Skip]
            }
            Operation::Declare { object, size } => {
                let array = self.array(Base::Variable(*object))?;
                let size = size.or_else(|| self.constant_size(*object))?;
                self.birth(array, self.without_addresses(size), |_| None)
            }
            Operation::EndLife { object } => vec![self.death(self.array(Base::Variable(*object))?)],
            Operation::Assume { condition } if self.compares(*condition) => self.assume(*condition)?,
            Operation::AssumeMemory { condition: MemoryCondition::Accessible { address, size: bytes, .. }, holds } => {
                let (array, offset) = self.place(*address)?;
                let size = read(array.size);
                let bytes = self.without_addresses(*bytes);
                let inside = terms.and(terms.ule(bytes, size), terms.ule(offset, terms.sub(size, bytes)));
                vec![Operation::Assume { condition: if *holds { inside } else { terms.not(inside) } }]
            }
            Operation::Allocate { target, zeroed, size, .. } => {
                let array = self.array(Base::Site(id))?;
                let zero = |width| Some(terms.number(width, 0));
                let mut operations =
                    self.birth(array, self.without_addresses(*size), |cell| if *zeroed { zero(self.width(cell.value)) } else { None });
                operations.push(Operation::Assign { target: *target, value: terms.number(self.builder.pointer_width(), 0) });
                operations
            }
            _ => return None,
        })
    }

    fn compares(&self, condition: Term) -> bool {
        self.uses.comparisons(&self.builder.terms, condition).is_some_and(|comparisons| !comparisons.is_empty())
    }

    /// Comparisons of addresses become those of offsets. `None` where none is in a watched array.
    fn assume(&self, condition: Term) -> Option<Vec<Operation>> {
        let terms = &self.builder.terms;
        let comparisons = self.uses.comparisons(terms, condition)?;
        let mut operations = Vec::new();
        let mut known: FastMap<Term, Term> = FastMap::default();
        for (comparison, &any) in comparisons.into_iter().zip(&self.any) {
            let (object, a, b) = self.uses.compared(terms, comparison)?;
            let Some(array) = self.arrays[object].as_ref() else { continue };
            let inside = |offset| terms.ule(offset, self.builder.read(array.size));
            let (sure, truth) = match b {
                Some(b) if terms.node(comparison).op == Op::Eq => (terms.true_(), terms.eq(a, b)),
                Some(b) => (terms.and(inside(a), inside(b)), terms.ult(a, b)),
                None => (inside(a), terms.constant(assay_term::Bits::FALSE)),
            };
            operations.push(Operation::Havoc { target: any, source: self.source });
            known.insert(comparison, terms.ite(sure, truth, self.builder.read(any)));
        }
        if known.is_empty() {
            return None;
        }
        let condition = terms.substitute_with(condition, &mut |_| None, &mut known);
        operations.push(Operation::Assume { condition: self.without_addresses(condition) });
        Some(operations)
    }

    /// The array's life ends.
    fn death(&self, array: &WatchedArray) -> Operation {
        match self.accesses {
            true => Operation::Assign { target: array.size, value: self.builder.terms.number(self.builder.pointer_width(), 0) },
            false => Operation::Skip,
        }
    }

    /// Arrays of a function that returns are no longer alive.
    fn end_lives(&mut self) {
        for function in self.program.functions.ids() {
            let of_function = |object: &uses::Object| match object.base {
                Base::Variable(variable) => self.program.variables[variable].scope == Scope::Local(function),
                Base::Site(edge) => self.program.locations[self.program.edges[edge].source].function == function,
            };
            let arrays = self.uses.objects.iter().zip(self.arrays).filter(|(object, _)| of_function(object));
            let deaths: Vec<Operation> = arrays.filter_map(|(_, array)| array.as_ref().map(|array| self.death(array))).collect();
            if deaths.is_empty() {
                continue;
            }
            for edge in self.builder.locations[self.program.functions[function].exit].incoming.clone() {
                let mut operations = vec![self.builder.edges[edge].operation.clone()];
                operations.extend(deaths.iter().cloned());
                self.replace(edge, operations);
            }
        }
    }

    fn width(&self, register: VarId) -> u32 {
        self.builder.variables[register].register_width().unwrap_or(1)
    }

    fn array(&self, base: Base) -> Option<&WatchedArray> {
        self.arrays[self.uses.objects.iter().position(|object| object.base == base)?].as_ref()
    }

    /// A term in which addresses in watched arrays are offsets, and differences those of offsets.
    fn without_addresses(&self, term: Term) -> Term {
        self.uses.offset(&self.builder.terms, term)
    }

    /// Every register for a cell takes the value where the condition, which may read the array's offset, says so.
    fn write(&self, array: &WatchedArray, offset: Term, value: Term, here: impl Fn(&WatchedCell) -> Term) -> Vec<Operation> {
        let mut operations = vec![Operation::Assign { target: array.offset, value: offset }];
        operations.extend(array.known().map(|cell| {
            let value = self.builder.terms.ite(here(cell), value, self.builder.read(cell.value));
            Operation::Assign { target: cell.value, value }
        }));
        operations
    }

    /// A register takes this value, or any.
    fn put(&self, target: VarId, value: Option<Term>) -> Operation {
        match value {
            Some(value) => Operation::Assign { target, value },
            None => Operation::Havoc { target, source: self.source },
        }
    }

    fn load(&self, array: &WatchedArray, target: VarId, offset: Term) -> Vec<Operation> {
        let terms = &self.builder.terms;
        let read = |variable| self.builder.read(variable);
        let mut operations =
            vec![Operation::Assign { target: array.offset, value: offset }, Operation::Havoc { target, source: self.source }];
        let value = array
            .known()
            .rev()
            .fold(read(target), |value, cell| terms.ite(terms.eq(read(array.offset), read(cell.index)), read(cell.value), value));
        operations.push(Operation::Assign { target, value });
        for pair in array.reads.windows(2).rev() {
            operations.push(Operation::Assign { target: pair[1].index, value: read(pair[0].index) });
            operations.push(Operation::Assign { target: pair[1].value, value: read(pair[0].value) });
        }
        operations.push(Operation::Assign { target: array.reads[0].index, value: read(array.offset) });
        operations.push(Operation::Assign { target: array.reads[0].value, value: read(target) });
        operations
    }

    /// The size of a variable in memory, where it is always the same.
    fn constant_size(&self, variable: VarId) -> Option<Term> {
        match self.program.variables[variable].storage {
            Storage::Memory { size: Some(size), .. } => Some(self.builder.terms.number(self.builder.pointer_width(), u128::from(size))),
            _ => None,
        }
    }

    /// The array comes to life, with this content in a cell (over its offset) or with any. What was read before is
    /// forgotten.
    fn birth(&self, array: &WatchedArray, size: Term, content: impl Fn(&WatchedCell) -> Option<Term>) -> Vec<Operation> {
        let terms = &self.builder.terms;
        let read = |variable| self.builder.read(variable);
        let mut operations = vec![Operation::Assign { target: array.size, value: size }];
        operations.extend(array.cells.iter().map(|cell| self.put(cell.value, content(cell))));
        for (cell, last) in array.believed() {
            operations.push(Operation::Havoc { target: cell.index, source: self.source });
            // Every access is at a multiple of the cells' size. An array without cells has no offset to choose.
            let bytes = terms.number(self.builder.pointer_width(), u128::from(self.width(cell.value) / 8));
            let rest = terms.binary(Op::UnsignedRem, read(cell.index), bytes);
            let inside = terms.or(terms.not(terms.is_nonzero(size)), terms.ult(read(cell.index), size));
            operations.push(Operation::Assume { condition: terms.and(terms.not(terms.is_nonzero(rest)), inside) });
            // What every array has at the new offset is not known, but that this one was just made with it.
            for (other, theirs) in self.arrays.iter().flatten().flat_map(|other| other.cells.iter().map(move |theirs| (other, theirs))) {
                if theirs.index == cell.index {
                    let value = if other == array { content(cell) } else { None };
                    operations.push(self.put(theirs.value, value));
                    // Two registers for one cell agree.
                    let same = other.cells.iter().filter(|cell| cell.index != theirs.index);
                    let value = same.fold(read(theirs.value), |value, cell| {
                        terms.ite(terms.eq(read(cell.index), read(theirs.index)), read(cell.value), value)
                    });
                    operations.push(Operation::Assign { target: theirs.value, value });
                }
            }
            for known in [Some(*last), array.mark].into_iter().flatten() {
                operations.push(Operation::Assign { target: known.index, value: read(cell.index) });
                operations.push(Operation::Assign { target: known.value, value: read(cell.value) });
            }
        }
        operations
    }

    /// What a variable's cell holds where the program begins.
    fn initial(&self, object: &uses::Object, variable: VarId, cell: &WatchedCell) -> Term {
        let terms = &self.builder.terms;
        let zero = terms.number(object.width, 0);
        self.program.variables[variable].initial.iter().fold(zero, |value, &(offset, content)| {
            let offset = terms.number(self.builder.pointer_width(), u128::from(offset));
            terms.ite(terms.eq(self.builder.read(cell.index), offset), content, value)
        })
    }

    /// Where the program begins, arrays that live as long as it does come to life. The others are taken to be empty,
    /// with any content.
    fn start(&mut self) {
        let mut operations = Vec::new();
        for (object, array) in self.uses.objects.iter().zip(self.arrays) {
            let Some(array) = array else { continue };
            let global = match object.base {
                Base::Variable(variable) if self.program.variables[variable].is_global() => self.constant_size(variable),
                _ => None,
            };
            let size = global.unwrap_or_else(|| self.builder.terms.number(self.builder.pointer_width(), 0));
            operations.extend(self.birth(array, size, |_| None));
        }
        // Now that all offsets are chosen, contents at the start are known at every one of them.
        for (object, array) in self.uses.objects.iter().zip(self.arrays) {
            if let (Base::Variable(variable), Some(array)) = (object.base, array)
                && self.program.variables[variable].is_global()
            {
                let contents =
                    array.cells.iter().map(|cell| Operation::Assign { target: cell.value, value: self.initial(object, variable, cell) });
                operations.extend(contents);
                for (cell, last) in array.believed() {
                    let value = self.builder.read(cell.value);
                    operations.push(Operation::Assign { target: last.value, value });
                    operations.extend(array.mark.map(|mark| Operation::Assign { target: mark.value, value }));
                }
            }
        }
        let entry = self.builder.functions[self.program.entry].entry;
        let first = self.builder.location(self.program.entry);
        for edge in std::mem::take(&mut self.builder.locations[entry].outgoing) {
            self.builder.edges[edge].source = first;
            self.builder.locations[first].outgoing.push(edge);
        }
        self.chain(entry, first, operations, Span::NONE);
    }

    /// Before each target: the last reads were at the watched offsets, or outside.
    fn guard_targets(&mut self) {
        let terms = &self.builder.terms;
        let mut condition = terms.true_();
        for (_, belief) in self.arrays.iter().flatten().flat_map(|array| array.beliefs(terms, |register| self.builder.read(register))) {
            condition = terms.and(condition, belief);
        }
        let targets: Vec<EdgeId> =
            self.builder.edges.iter_ids().filter(|(_, e)| self.builder.locations[e.target].target.is_some()).map(|(id, _)| id).collect();
        for id in targets {
            let operation = self.builder.edges[id].operation.clone();
            // After the operation: a call may read.
            self.replace(id, vec![operation, Operation::Assume { condition }]);
        }
    }

    /// Puts operations in the place of an edge's.
    fn replace(&mut self, id: EdgeId, operations: Vec<Operation>) {
        let mut operations = operations.into_iter();
        let Some(first) = operations.next() else { return };
        self.builder.edges[id].operation = first;
        let rest: Vec<Operation> = operations.collect();
        if rest.is_empty() {
            return;
        }
        let end = self.builder.edges[id].target;
        let function = self.builder.locations[end].function;
        let middle = self.builder.location(function);
        self.builder.locations[end].incoming.retain(|&edge| edge != id);
        self.builder.edges[id].target = middle;
        self.builder.locations[middle].incoming.push(id);
        let span = self.builder.edges[id].span;
        self.chain(middle, end, rest, span);
    }

    fn chain(&mut self, begin: LocationId, end: LocationId, operations: Vec<Operation>, span: Span) {
        let function = self.builder.locations[begin].function;
        let (mut at, count) = (begin, operations.len());
        for (index, operation) in operations.into_iter().enumerate() {
            let next = if index + 1 == count { end } else { self.builder.location(function) };
            self.builder.edge(at, next, operation, span, Origin::Internal);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests;
