//! What braces and designators of an initialiser replace.
//!
//! The library gives the values of an initialiser with their places, in the order in which they are written; that a
//! braced list starts its part of the object anew, or that another member of a union replaces the one before, cannot be
//! seen there. Only designators come back to a part that has its value, so the few initialisers that have some are
//! walked over a second time here, as the library does it, and every place is compared with the library's. Where they
//! do not agree, the initialiser is not understood.

use assay_base::FastMap;
use rucc_ast::{Ast, Decl, Designator, Expr, ExprId, Init, InitId, InitItem, InitItemList};
use rucc_base::Idx;
use rucc_diag::Span;
use rucc_sema::{DeclId, ExprKind, InitEntry, Tast};
use rucc_target::TargetInfo;
use rucc_types::{ArrayLen, RecordId, RecordKind, TypeId, TypeKind, Types, layout};

/// One step of an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// All that was put into these bytes counts no more.
    Clear {
        /// In bytes, from the start of the object.
        offset: u64,
        /// In bytes.
        size: u64,
    },
    /// The next value of the library's list.
    Value,
}

/// The steps of every declaration whose initialiser has designators; none where they are not understood.
pub(super) type Steps = FastMap<usize, Option<Vec<Step>>>;

/// Walks over the initialisers of a file.
pub(super) fn steps(ast: &Ast, tast: &Tast, types: &Types, target: &TargetInfo) -> Steps {
    let mut steps = Steps::default();
    let written = designated(ast);
    if written.is_empty() {
        return steps;
    }
    for number in 0..tast.counts().decls {
        let id: DeclId = Idx::from_usize(number);
        let Some(list) = tast[id].init else { continue };
        let Some(candidates) = written.get(&tast.decl_span(id)).or_else(|| written.get(&tast.definition_span(id))) else { continue };
        // Several texts at one place come from one macro; what they say must be the same.
        let mut found: Vec<Option<Vec<Step>>> = Vec::new();
        for &items in candidates {
            let mut walk = Walk {
                ast,
                tast,
                types,
                target,
                entries: &tast[list],
                taken: 0,
                steps: Vec::new(),
                active: FastMap::default(),
                computed: Vec::new(),
                failed: false,
            };
            let place = Place { ty: tast[id].ty, offset: 0 };
            walk.braced(place, items, true);
            let whole = !walk.failed && walk.taken == walk.entries.len();
            found.push(whole.then_some(walk.steps));
        }
        found.dedup();
        let only = if found.len() == 1 { found.pop().flatten() } else { None };
        steps.insert(number, only);
    }
    steps
}

/// The braced lists with designators, by the place of the declared name or of the compound literal.
fn designated(ast: &Ast) -> FastMap<Span, Vec<InitItemList>> {
    let mut found: FastMap<Span, Vec<InitItemList>> = FastMap::default();
    let mut add = |span: Span, init: InitId| {
        if let Init::List(items) = ast[init]
            && has_designators(ast, items)
        {
            let known = found.entry(span).or_default();
            if !known.contains(&items) {
                known.push(items);
            }
        }
    };
    for number in 0..ast.counts().decls {
        if let Decl::Var { declarators, .. } = ast[Idx::<Decl>::from_usize(number)] {
            for item in &ast[declarators] {
                if let Some(init) = item.init {
                    add(ast[item.declarator].name_span, init);
                }
            }
        }
    }
    for number in 0..ast.counts().exprs {
        let id: ExprId = Idx::from_usize(number);
        if let Expr::CompoundLiteral { init, .. } = ast[id] {
            add(ast.expr_span(id), init);
        }
    }
    found
}

fn has_designators(ast: &Ast, items: InitItemList) -> bool {
    ast[items].iter().any(|item| !item.designators.is_empty() || matches!(ast[item.init], Init::List(inner) if has_designators(ast, inner)))
}

#[derive(Clone, Copy)]
struct Place {
    ty: TypeId,
    offset: u64,
}

#[derive(Clone, Copy)]
enum Kind {
    Array { element: TypeId, length: Option<u64>, size: u64 },
    Record { record: RecordId, union: bool },
    Scalar,
}

/// The items of one pair of braces.
struct Cursor<'a> {
    items: &'a [InitItem],
    taken: usize,
    /// Whether the designators of the current item have been followed.
    resolved: bool,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<InitItem> {
        self.items.get(self.taken).copied()
    }

    fn bump(&mut self) {
        self.taken += 1;
        self.resolved = false;
    }
}

struct Walk<'a> {
    ast: &'a Ast,
    tast: &'a Tast,
    types: &'a Types,
    target: &'a TargetInfo,
    entries: &'a [InitEntry],
    taken: usize,
    steps: Vec<Step>,
    /// The member that a union holds, by the union's place and type.
    active: FastMap<(u64, RecordId), u64>,
    /// Ranges whose values are computed: what gcc leaves of an element of which a part is replaced is an accident.
    computed: Vec<std::ops::Range<u64>>,
    failed: bool,
}

impl<'a> Walk<'a> {
    fn kind(&self, ty: TypeId) -> Kind {
        let mut ty = self.types.canonical(ty);
        if let TypeKind::Atomic(inner) = self.types.kind(ty) {
            ty = self.types.canonical(inner);
        }
        let size = |element| layout(self.types, element, self.target).map_or(0, |layout| layout.size);
        match self.types.kind(ty) {
            TypeKind::Array { elem, len } => {
                let length = if let ArrayLen::Fixed(length) = len { Some(length) } else { None };
                Kind::Array { element: elem, length, size: size(elem) }
            }
            TypeKind::Vector { elem, len } => Kind::Array { element: elem, length: Some(u64::from(len)), size: size(elem) },
            TypeKind::Record(record) => Kind::Record { record, union: self.types.record_info(record).kind == RecordKind::Union },
            _ => Kind::Scalar,
        }
    }

    fn clear(&mut self, place: Place) {
        let size = layout(self.types, place.ty, self.target).map_or(0, |layout| layout.size);
        self.steps.push(Step::Clear { offset: place.offset, size });
        self.active.retain(|&(at, _), _| at < place.offset || at >= place.offset + size);
    }

    /// Takes the value that the library has for a place.
    fn take(&mut self, place: Place) {
        match self.entries.get(self.taken) {
            Some(entry) if entry.offset == place.offset => {
                self.steps.push(Step::Value);
                self.taken += 1;
            }
            _ => self.failed = true,
        }
    }

    fn braced(&mut self, place: Place, list: InitItemList, outermost: bool) {
        let kind = self.kind(place.ty);
        if !outermost {
            self.clear(place);
        }
        let ast = self.ast;
        let mut items = Cursor { items: &ast[list], taken: 0, resolved: false };
        match kind {
            Kind::Scalar => match items.peek().map(|item| ast[item.init]) {
                Some(Init::Expr(_)) => self.take(place),
                Some(Init::List(_)) => self.failed = true,
                None => {}
            },
            Kind::Array { .. } if self.is_braced_string(&items, place) => self.take(place),
            _ => {
                self.fill(place, kind, &mut items, true, None);
            }
        }
    }

    /// Whether the first item is a string that is the whole of an array of characters.
    fn is_braced_string(&self, items: &Cursor<'a>, place: Place) -> bool {
        let Some(item) = items.peek().filter(|item| item.designators.is_empty()) else { return false };
        let Init::Expr(expr) = self.ast[item.init] else { return false };
        matches!(self.ast[expr], Expr::Str(_)) && self.next_is_array(place)
    }

    /// Whether the library's next value fills this place as an array.
    fn next_is_array(&self, place: Place) -> bool {
        let Some(entry) = self.entries.get(self.taken) else { return false };
        let ty = self.types.canonical(self.tast[entry.value].ty);
        entry.offset == place.offset && matches!(self.types.kind(ty), TypeKind::Array { .. })
    }

    fn fill(&mut self, place: Place, kind: Kind, items: &mut Cursor<'a>, braced: bool, start: Option<Vec<(u64, u64)>>) {
        let mut pending = start;
        let mut next = 0;
        while let Some(item) = items.peek() {
            if self.failed {
                return;
            }
            let (index, repeat, deeper) = match pending.take() {
                Some(mut steps) => {
                    let (index, repeat) = steps.remove(0);
                    (index, repeat, steps)
                }
                None if !item.designators.is_empty() && !items.resolved => {
                    if !braced {
                        return;
                    }
                    let Some(mut steps) = self.designated(place, item).filter(|steps| !steps.is_empty()) else {
                        self.failed = true;
                        return;
                    };
                    items.resolved = true;
                    let (index, repeat) = steps.remove(0);
                    (index, repeat, steps)
                }
                None => match self.advance(kind, next) {
                    Some(index) => (index, 1, Vec::new()),
                    None if !braced => return,
                    None => {
                        // One too many, which the library leaves out.
                        items.bump();
                        continue;
                    }
                },
            };
            let Some(sub) = self.sub(place, kind, index) else {
                self.failed = true;
                return;
            };
            if let Kind::Record { record, union: true } = kind
                && self.active.get(&(place.offset, record)).is_some_and(|&member| member != index)
            {
                self.clear(place);
            }
            if !deeper.is_empty() && self.computed.iter().any(|range| range.contains(&sub.offset)) {
                self.failed = true;
            }
            let before = (self.taken, self.steps.len());
            let (braced_element, direct) = (matches!(self.ast[item.init], Init::List(_)), deeper.is_empty());
            if deeper.is_empty() {
                self.element(sub, items);
            } else {
                let inner = self.kind(sub.ty);
                self.fill(sub, inner, items, false, Some(deeper));
            }
            // What was put into the member may have cleared its bytes, which are those of the union.
            if let Kind::Record { record, union: true } = kind {
                self.active.insert((place.offset, record), index);
            }
            if repeat > 1 && !self.failed {
                let known = |entry: &InitEntry| self.is_constant(entry.value);
                if braced_element && direct && !self.entries[before.0..self.taken].iter().all(known) {
                    let Kind::Array { size, .. } = kind else { return };
                    self.computed.push(sub.offset..sub.offset + repeat * size);
                }
                self.repeated(kind, sub, before, repeat);
            }
            next = index + repeat;
            if let Kind::Record { record, union: true } = kind {
                next = self.types.record_info(record).fields.len() as u64;
            }
        }
    }

    fn is_constant(&self, mut value: rucc_sema::ExprId) -> bool {
        loop {
            value = match self.tast[value].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => operand,
                kind => return matches!(kind, ExprKind::Const(_) | ExprKind::Str(_)),
            };
        }
    }

    /// A range: the library repeats the values of its first element, each further by the size of one.
    fn repeated(&mut self, kind: Kind, first: Place, before: (usize, usize), repeat: u64) {
        let Kind::Array { size, .. } = kind else {
            self.failed = true;
            return;
        };
        // A union of a further element that holds something is not compared with what the range puts there.
        let further = first.offset + size..first.offset + repeat * size;
        self.failed |= self.active.keys().any(|(at, _)| further.contains(at));
        let count = self.taken - before.0;
        let steps = self.steps[before.1..].to_vec();
        let inside = first.offset..first.offset + size;
        let held: Vec<_> = self.active.iter().filter(|((at, _), _)| inside.contains(at)).map(|(key, member)| (*key, *member)).collect();
        for round in 1..repeat {
            for step in &steps {
                self.steps.push(match *step {
                    Step::Clear { offset, size: bytes } => Step::Clear { offset: offset + round * size, size: bytes },
                    Step::Value => Step::Value,
                });
            }
            let moved = (0..count).all(|number| {
                let (first, again) = (self.entries[before.0 + number], self.entries.get(self.taken + number));
                again.is_some_and(|again| again.value == first.value && again.offset == first.offset + round * size)
            });
            self.failed |= !moved;
            self.taken += count;
            self.active.extend(held.iter().map(|&((at, record), member)| ((at + round * size, record), member)));
        }
    }

    fn element(&mut self, sub: Place, items: &mut Cursor<'a>) {
        let Some(item) = items.peek() else { return };
        let kind = self.kind(sub.ty);
        let expr = match self.ast[item.init] {
            Init::List(list) => {
                items.bump();
                return self.braced(sub, list, false);
            }
            Init::Expr(expr) => expr,
        };
        let ast = self.ast;
        match kind {
            Kind::Scalar => {
                items.bump();
                self.take(sub);
            }
            Kind::Array { .. } if matches!(ast[expr], Expr::Str(_)) && self.next_is_array(sub) => {
                items.bump();
                self.clear(sub);
                self.take(sub);
            }
            Kind::Array { .. } if literal(ast, expr).is_some() => {
                // GNU's array literal: either its braces count as if they were written alone, or it is a value.
                self.failed = true;
            }
            Kind::Record { .. } if self.next_is_whole(sub) => {
                items.bump();
                self.take(sub);
            }
            _ => {
                let before = items.taken;
                self.fill(sub, kind, items, false, None);
                if items.taken == before {
                    items.bump();
                }
            }
        }
    }

    /// Whether the library's next value is a value of the whole record at this place.
    fn next_is_whole(&self, place: Place) -> bool {
        let Some(entry) = self.entries.get(self.taken) else { return false };
        let bare = |ty: TypeId| self.types.canonical(ty);
        let (wanted, found) = (self.types.kind(bare(place.ty)), self.types.kind(bare(self.tast[entry.value].ty)));
        entry.offset == place.offset && matches!(found, TypeKind::Record(_)) && found == wanted
    }

    fn advance(&self, kind: Kind, from: u64) -> Option<u64> {
        match kind {
            Kind::Array { length, .. } => length.is_none_or(|length| from < length).then_some(from),
            Kind::Record { record, .. } => {
                let fields = &self.types.record_info(record).fields;
                let rest = fields.iter().enumerate().skip(from as usize);
                rest.into_iter().find(|(_, field)| field.name.is_some() || !field.is_bit_field()).map(|(index, _)| index as u64)
            }
            Kind::Scalar => (from == 0).then_some(0),
        }
    }

    fn sub(&self, place: Place, kind: Kind, index: u64) -> Option<Place> {
        match kind {
            Kind::Array { element, size, .. } => Some(Place { ty: element, offset: place.offset + index * size }),
            Kind::Record { record, .. } => {
                let field = *self.types.record_info(record).fields.get(index as usize)?;
                Some(Place { ty: field.ty, offset: place.offset + field.offset })
            }
            Kind::Scalar => None,
        }
    }

    /// Where designators point: an index and how many elements, for each level.
    fn designated(&self, place: Place, item: InitItem) -> Option<Vec<(u64, u64)>> {
        let mut steps = Vec::new();
        let mut place = place;
        let has_value = self.has_value(item.init);
        for &designator in &self.ast[item.designators] {
            match (designator, self.kind(place.ty)) {
                (Designator::Field(name) | Designator::ObsoleteField(name), Kind::Record { record, .. }) => {
                    for index in self.path(record, name)? {
                        let kind = self.kind(place.ty);
                        steps.push((index, 1));
                        place = self.sub(place, kind, index)?;
                    }
                }
                (Designator::Index(index), kind @ Kind::Array { size, .. }) => {
                    let index = self.index(place, size, index, has_value)?;
                    steps.push((index, 1));
                    place = self.sub(place, kind, index)?;
                }
                (Designator::Range { lo, hi }, kind @ Kind::Array { size, .. }) => {
                    let first = self.index(place, size, lo, has_value)?;
                    let last = number(self.ast, hi).or_else(|| self.last_of_range(place, size, first).filter(|_| has_value))?;
                    steps.push((first, last.checked_sub(first)? + 1));
                    place = self.sub(place, kind, first)?;
                }
                _ => return None,
            }
        }
        Some(steps)
    }

    /// Whether an item puts a value somewhere: its braces are not all empty.
    fn has_value(&self, init: InitId) -> bool {
        match self.ast[init] {
            Init::Expr(_) => true,
            Init::List(items) => self.ast[items].iter().any(|item| self.has_value(item.init)),
        }
    }

    /// An index: as it is written, or as the place of the next value tells it.
    fn index(&self, place: Place, size: u64, index: ExprId, has_value: bool) -> Option<u64> {
        number(self.ast, index).or_else(|| {
            let entry = self.entries.get(self.taken).filter(|_| has_value)?;
            entry.offset.checked_sub(place.offset)?.checked_div(size)
        })
    }

    /// The last index of a range whose end is not a plain number: as long as the library repeats the value.
    fn last_of_range(&self, place: Place, size: u64, first: u64) -> Option<u64> {
        let entry = self.entries.get(self.taken)?;
        let last = self.entries[self.taken..].iter().take_while(|e| e.offset >= place.offset).filter(|e| e.value == entry.value).last()?;
        first.checked_add((last.offset - entry.offset).checked_div(size)?)
    }

    fn path(&self, record: RecordId, name: rucc_base::Symbol) -> Option<Vec<u64>> {
        let fields = &self.types.record_info(record).fields;
        if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![index as u64]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(index, field)| {
            let TypeKind::Record(inner) = self.types.kind(self.types.canonical(field.ty)) else { return None };
            let mut path = self.path(inner, name)?;
            path.insert(0, index as u64);
            Some(path)
        })
    }
}

/// A number as it is written.
fn number(ast: &Ast, expr: ExprId) -> Option<u64> {
    match ast[expr] {
        Expr::Int(id) => u64::try_from(ast[id].value).ok(),
        Expr::Extension(inner) => number(ast, inner),
        _ => None,
    }
}

fn literal(ast: &Ast, expr: ExprId) -> Option<InitId> {
    match ast[expr] {
        Expr::CompoundLiteral { init, .. } => Some(init),
        Expr::Extension(inner) => literal(ast, inner),
        _ => None,
    }
}
