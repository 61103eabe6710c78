//! Folding lists into chains.

use super::{Chain, LAST, MOST, OWN, content, own_pointer, shared_pointer};
use crate::state::object::{Cell, Lifetime, Object};
use crate::state::state::State;
use crate::state::value::{ObjectId, Value};
use assay_base::{FastMap, FastSet};

/// Who points to the objects of the heap.
#[derive(Default)]
struct References {
    /// Those that a register or memory outside of the heap points to.
    rooted: FastSet<ObjectId>,
    /// For each, the cells of the heap that point to it: object, offset, and the pointer's own offset.
    cells: FastMap<ObjectId, Vec<(ObjectId, u64, u64)>>,
}

/// Two neighbours that become one chain.
struct Fold {
    first: ObjectId,
    second: ObjectId,
    next: u64,
    prev: Option<u64>,
    head: u64,
    /// What holds for the nodes of both.
    cells: Vec<Cell>,
    zero: bool,
}

impl State {
    fn references(&self) -> References {
        let mut found = References::default();
        self.for_each_register(|_, _, _, value| found.rooted.extend(value.object()));
        self.for_each_object(|id, object| {
            object.for_each_cell(|cell| match cell.value {
                _ if own_pointer(id, object, cell.value).is_some() => {}
                Value::Pointer { object: to, offset } if object.lifetime == Lifetime::Heap => {
                    found.cells.entry(to).or_default().push((id, cell.offset, offset));
                }
                value => found.rooted.extend(value.object()),
            });
        });
        found
    }

    /// Folds lists: neighbours that only each other point to become chains. With more than `most` objects on the heap,
    /// also such neighbours whose content differs; what differs is forgotten.
    pub fn fold_chains(&mut self, most: usize, width: u32) {
        loop {
            let mut heap = 0;
            self.for_each_object(|_, object| heap += usize::from(object.alive && object.lifetime == Lifetime::Heap));
            if heap < 2 {
                return;
            }
            let references = self.references();
            let fold = self.find_fold(&references, width, false);
            let fold = fold.or_else(|| if heap > most { self.find_fold(&references, width, true) } else { None });
            match fold {
                Some(fold) => self.fold(fold, width),
                None => return,
            }
        }
    }

    fn find_fold(&self, references: &References, width: u32, forgetting: bool) -> Option<Fold> {
        let mut found = None;
        self.for_each_object(|first, object| {
            if found.is_some() || !may_fold(object) || references.rooted.contains(&first) {
                return;
            }
            object.for_each_cell(|cell| {
                if let Value::Pointer { object: second, offset: head } = cell.value
                    && cell.width == width
                    && found.is_none()
                {
                    found = self.fold_at(references, first, second, cell.offset, head, width, forgetting);
                }
            });
        });
        found
    }

    /// Whether two objects, of which the first one leads to the second one, are neighbours in a list that nothing else
    /// looks into.
    fn fold_at(
        &self,
        references: &References,
        first: ObjectId,
        second: ObjectId,
        next: u64,
        head: u64,
        width: u32,
        forgetting: bool,
    ) -> Option<Fold> {
        let (a, b) = (self.object(first)?, self.object(second)?);
        let Value::Known { low: size, .. } = a.size else { return None };
        if first == second || !may_fold(b) || references.rooted.contains(&second) || (a.name, a.size) != (b.name, b.size) || head >= size {
            return None;
        }
        let fits = |chain: Chain| chain.next == next && chain.head == head;
        if !a.chain.is_none_or(fits) || !b.chain.is_none_or(fits) {
            return None;
        }
        // Where the second one leads back to the first one. Of the two directions of a list, the one whose pointer
        // comes first in its nodes counts.
        let back = Value::Pointer { object: first, offset: if a.chain.is_some() { head + LAST } else { head } };
        let mut prev = None;
        b.for_each_cell(|cell| {
            if cell.value == back && cell.offset > next && prev.is_none() {
                prev = Some(cell.offset);
            }
        });
        if [a, b].iter().any(|object| object.chain.is_some_and(|chain| chain.prev != prev)) {
            return None;
        }
        let outside = |value: Value| ![Some(first), Some(second)].contains(&value.object());
        content(b, next, width).filter(|&value| outside(value))?;
        if let Some(prev) = prev {
            a.cell_at(prev).filter(|cell| cell.width == width && cell.value != Value::Unknown && outside(cell.value))?;
        }
        let none = Vec::new();
        let to_second = references.cells.get(&second).unwrap_or(&none);
        let may_point = |&(from, at, offset): &(ObjectId, u64, u64)| {
            let is_link = from == first && at == next && offset == head;
            is_link || prev.is_some() && (b.chain.is_none() || offset >= LAST)
        };
        let to_first = references.cells.get(&first).unwrap_or(&none);
        let is_inside = |&(from, at, offset): &(ObjectId, u64, u64)| offset < LAST || from == second && Some(at) == prev;
        if !to_second.iter().all(may_point) || !to_first.iter().all(is_inside) {
            return None;
        }
        let (cells, zero) = common_cells((first, a), (second, b), next, prev, forgetting)?;
        Some(Fold { first, second, next, prev, head, cells, zero })
    }

    fn fold(&mut self, fold: Fold, width: u32) {
        let Fold { first, second, next, prev, head, cells, zero } = fold;
        let (Some(a), Some(b)) = (self.object(first).cloned(), self.object(second).cloned()) else { return };
        let count = |object: &Object| object.chain.map_or(1, |chain| chain.least);
        let least = (count(&a) + count(&b)).min(MOST);
        self.clear_object(first, zero);
        let links =
            [content(&b, next, width).map(|value| (next, value)), prev.and_then(|prev| a.cell_at(prev)).map(|c| (c.offset, c.value))];
        let links = links.into_iter().flatten().map(|(offset, value)| Cell { offset, width, value });
        cells.into_iter().chain(links).for_each(|cell| self.insert_cell(first, cell));
        self.change_object(first, |object| {
            object.escaped |= b.escaped;
            object.written = a.written.common(&b.written);
        });
        self.set_chain(first, Some(Chain { next, prev, head, least }));
        self.set_chain(second, None);
        self.drop_object(second);
        // What points to the second one points to its last node, or, along the path back, to its only one.
        self.map_values(&mut |value| match value {
            Value::Pointer { object, offset } if object == second => {
                Some(Value::Pointer { object: first, offset: if offset >= LAST { offset } else { offset + LAST } })
            }
            _ => None,
        });
    }

    /// Removes the objects of the heap that nothing leads to. Only where nothing asks about lost memory.
    pub fn drop_lost_objects(&mut self) {
        let mut lost: FastSet<ObjectId> = FastSet::default();
        self.for_each_object(|id, object| {
            if object.lifetime == Lifetime::Heap && object.base.is_none() {
                lost.insert(id);
            }
        });
        if lost.is_empty() {
            return;
        }
        let mut work: Vec<ObjectId> = Vec::new();
        self.for_each_register(|_, _, _, value| work.extend(value.object()));
        self.for_each_object(|id, object| {
            if !lost.contains(&id) {
                object.for_each_cell(|cell| work.extend(cell.value.object()));
            }
        });
        while let Some(id) = work.pop() {
            if lost.remove(&id)
                && let Some(object) = self.object(id)
            {
                object.for_each_cell(|cell| work.extend(cell.value.object()));
            }
        }
        let mut lost: Vec<ObjectId> = lost.into_iter().collect();
        lost.sort();
        for id in lost {
            self.set_chain(id, None);
            self.drop_object(id);
        }
    }
}

fn may_fold(object: &Object) -> bool {
    object.alive
        && object.lifetime == Lifetime::Heap
        && object.base.is_none()
        && matches!(object.size, Value::Known { low, .. } if low < OWN)
}

/// What two nodes have in common, their links left out. `None` where they differ, and in pointers even if differences
/// are forgotten.
fn common_cells(
    (first, a): (ObjectId, &Object),
    (second, b): (ObjectId, &Object),
    next: u64,
    prev: Option<u64>,
    forgetting: bool,
) -> Option<(Vec<Cell>, bool)> {
    let is_link = |cell: &Cell| cell.offset == next || Some(cell.offset) == prev;
    let zero = a.zero && b.zero;
    if a.zero != b.zero && !forgetting {
        return None;
    }
    let (mut cells, mut same) = (Vec::new(), true);
    for ((id, object), (other_id, other), own) in [((first, a), (second, b), true), ((second, b), (first, a), false)] {
        object.for_each_cell(|cell| {
            if is_link(cell) {
                return;
            }
            let there = content(other, cell.offset, cell.width).unwrap_or_default();
            let itself = own_pointer(id, object, cell.value);
            if itself.is_some() && itself == own_pointer(other_id, other, there) {
                if let (true, Some(offset)) = (own, itself) {
                    cells.push(Cell { value: shared_pointer(first, offset), ..*cell });
                }
                return;
            }
            if there == cell.value {
                if own && (cell.value != Value::Unknown || zero) {
                    cells.push(*cell);
                }
                return;
            }
            same &= forgetting && cell.value.object().is_none() && there.object().is_none();
            if zero && (own || other.cell_at(cell.offset).is_none()) {
                cells.push(Cell { value: Value::Unknown, ..*cell });
            }
        });
    }
    if !same {
        return None;
    }
    // Cells of different widths that overlap say nothing together.
    cells.sort_by_key(|cell| cell.offset);
    let overlap = cells.windows(2).any(|pair| pair[0].end() > pair[1].offset);
    (!overlap).then_some((cells, zero))
}
