//! What assertions between two steps speak of: symbols that depend on nothing but what they belong to.
//!
//! | what | symbol |
//! |---|---|
//! | a register of the first activation of its function, or a global | the program's own |
//! | a register of an activation above `n` others of the function | `name^n` |
//! | the address of an object | `Address` of the variable, of `name^n`, or of `heap.edge` for the one object of an allocation |
//! | bytes of an object | `object[offset:bytes]`, or the array `object[:bytes]` |

use crate::content::{Beginning, Cells, Content};
use crate::state::{Frame, Object, State};
use assay_base::{FastMap, Id};
use assay_cfa::{Program, Storage, VarId};
use assay_semantics::state::ObjectName;
use assay_term::{Node, Op, Sort, Term, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The register that a symbol of an assertion means, and in which activation of its function.
pub fn register(program: &Program, terms: &Terms, node: &Node) -> Option<(VarId, u32)> {
    if node.op != Op::Symbol {
        return None;
    }
    if let Some(variable) = program.variable_of(node.symbol()) {
        return Some((variable, 0));
    }
    let (name, level) = terms.symbol_name(node.symbol()).split_once('^')?;
    Some((program.variable_of(terms.find_symbol(name)?)?, level.parse().ok()?))
}

/// What the values of a state are called.
pub struct Names<'a> {
    program: &'a Program,
    terms: &'a Terms,
    /// The names of symbols that registers, objects and cells hold, and of the addresses of objects.
    names: FastMap<Term, Term>,
    /// in reverse.
    values: FastMap<Term, Term>,
    /// Objects by their label.
    objects: BTreeMap<String, (Arc<Object>, ObjectName)>,
    /// The labels of content that was never written, by its own name.
    beginnings: FastMap<Arc<str>, String>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(program: &'a Program, terms: &'a Terms, state: &State) -> Names<'a> {
        let mut names = Names {
            program,
            terms,
            names: FastMap::default(),
            values: FastMap::default(),
            objects: BTreeMap::new(),
            beginnings: FastMap::default(),
        };
        state.globals.for_each(|slot, value| {
            if let Some(value) = value {
                names.add(*value, terms.symbol(program.globals[slot as usize].symbol()));
            }
        });
        for frame in std::iter::successors(state.frame.as_ref(), |frame| frame.caller.as_ref()) {
            names.add_frame(state, frame);
        }
        names.add_objects(state);
        names
    }

    /// The first name of a value is the one; only symbols and addresses have some.
    fn add(&mut self, value: Term, name: Term) {
        if matches!(self.terms.node(value).op, Op::Symbol | Op::Address) {
            self.names.entry(value).or_insert(name);
        }
        self.values.entry(name).or_insert(value);
    }

    fn label(&self, variable: VarId, level: u32) -> String {
        let name = self.terms.symbol_name(variable.symbol());
        if level == 0 { name.to_string() } else { format!("{name}^{level}") }
    }

    fn pointer(&self) -> u32 {
        self.program.model.pointer_width()
    }

    fn add_frame(&mut self, state: &State, frame: &Frame) {
        let t = self.terms;
        for &variable in &self.program.functions[frame.function].locals {
            let info = &self.program.variables[variable];
            let value = frame.registers.get(u64::from(info.slot)).copied().flatten();
            let label = self.label(variable, frame.level);
            match info.storage {
                Storage::Register { width } => {
                    // What was never written has a symbol of its own.
                    let value = value.unwrap_or_else(|| t.named(&format!("{}~{}", info.name, frame.number), Sort::bv(width)));
                    self.add(value, t.named(&label, Sort::bv(width)));
                }
                Storage::Memory { .. } => {
                    let Some(base) = value else { continue };
                    let mut own = state.objects.iter().filter(|(key, _)| key.name == ObjectName::Variable(variable));
                    if let Some((key, object)) = own.find(|(_, object)| object.base == base) {
                        self.add_object(label, object, key.name);
                    }
                }
            }
        }
    }

    fn add_objects(&mut self, state: &State) {
        let mut sites: BTreeMap<ObjectName, u32> = BTreeMap::new();
        state.objects.keys().for_each(|key| *sites.entry(key.name).or_default() += 1);
        for (key, object) in state.objects.iter() {
            match key.name {
                ObjectName::Variable(variable) if self.program.variables[variable].is_global() => {
                    let label = self.label(variable, 0);
                    self.add_object(label, object, key.name);
                }
                ObjectName::Site(edge) if sites[&key.name] == 1 => {
                    self.add_object(format!("heap.{}", edge.index()), object, key.name);
                }
                _ => {}
            }
        }
    }

    fn add_object(&mut self, label: String, object: &Arc<Object>, name: ObjectName) {
        let t = self.terms;
        if !t.is_true(object.alive) || t.as_constant(object.size).is_none() {
            return;
        }
        // The symbol of a variable has the sort of a register; others are of pointer width.
        let symbol = t.find_symbol(&label).unwrap_or_else(|| t.intern_symbol(&label, Sort::bv(self.pointer())));
        self.add(object.base, t.address(symbol, self.pointer()));
        match &object.content {
            Content::Array { bytes, term } => {
                self.add(*term, t.named(&format!("{label}[:{bytes}]"), Sort::array(self.pointer(), bytes * 8)))
            }
            // One that was never made is in no formula.
            Content::Table(table) => {
                if let Some(&term) = table.array.get() {
                    let bytes = table.bytes;
                    self.add(term, t.named(&format!("{label}[:{bytes}]"), Sort::array(self.pointer(), bytes * 8)));
                }
            }
            Content::Cells(cells) => {
                for (&offset, cell) in &cells.map {
                    self.add(cell.value, t.named(&format!("{label}[{offset}:{}]", cell.bytes), Sort::bv(cell.bytes * 8)));
                }
                if let Beginning::Symbols { name, .. } = &cells.beginning {
                    self.beginnings.insert(name.clone(), label.clone());
                }
            }
        }
        self.objects.insert(label, (object.clone(), name));
    }

    /// The name of a symbol that a cell holds which was never written.
    fn beginning(&self, node: &Node) -> Option<Term> {
        let (object, offset, bytes) = place(self.terms.symbol_name(node.symbol()))?;
        let label = self.beginnings.get(object)?;
        let cells = self.cells(label)?;
        let free = cells.overlapping(offset, offset.checked_add(u64::from(bytes))?).is_empty();
        free.then(|| self.terms.named(&format!("{label}[{offset}:{bytes}]"), node.sort))
    }

    fn cells(&self, label: &str) -> Option<&Cells> {
        match &self.objects.get(label)?.0.content {
            Content::Cells(cells) => Some(cells),
            Content::Array { .. } | Content::Table(_) => None,
        }
    }

    fn name(&self, value: Term, node: &Node) -> Option<Term> {
        if let Some(&name) = self.names.get(&value) {
            return Some(name);
        }
        match node.op {
            Op::Symbol => self.beginning(node),
            _ => self.program.function_of(node.symbol()).map(|_| value),
        }
    }

    /// Whether a symbol is the value of something.
    pub fn has(&self, symbol: Term) -> bool {
        self.name(symbol, &self.terms.node(symbol)).is_some()
    }

    /// A formula over values of the state, said of variables and memory; `None` where it speaks of values that nothing
    /// holds.
    pub fn say(&self, formula: Term) -> Option<Term> {
        self.replace(formula, &|leaf, node| self.name(leaf, node))
    }

    /// The value of what is said of variables and memory; `None` where there is nothing of a name.
    pub fn value(&self, said: Term) -> Option<Term> {
        self.replace(said, &|leaf, node| {
            if let Some(&value) = self.values.get(&leaf) {
                return Some(value);
            }
            if node.op == Op::Address {
                return self.program.function_of(node.symbol()).map(|_| leaf);
            }
            let (label, offset, bytes) = place(self.terms.symbol_name(node.symbol()))?;
            Some(self.cells(label)?.read(self.terms, offset, bytes, &mut |_, _| {}))
        })
    }

    fn replace(&self, term: Term, leaf: &dyn Fn(Term, &Node) -> Option<Term>) -> Option<Term> {
        let mut known = true;
        let result = self.terms.substitute(term, &mut |node| {
            let term = match node.op {
                Op::Address => self.terms.address(node.symbol(), node.width()),
                _ => self.terms.symbol(node.symbol()),
            };
            let found = leaf(term, node);
            known &= found.is_some();
            found
        });
        known.then_some(result)
    }

    /// The cell of memory that a symbol of an assertion means.
    pub fn cell(&self, node: &Node) -> Option<(ObjectName, u64)> {
        let (label, offset, _) = place(self.terms.symbol_name(node.symbol()))?;
        Some((self.objects.get(label)?.1, offset))
    }

    /// What has a name, with its value; sorted by name.
    pub fn all(&self) -> Vec<(Term, Term)> {
        let t = self.terms;
        let mut list: Vec<(Term, Term)> = self.values.iter().map(|(&name, &value)| (name, value)).collect();
        list.sort_by_key(|&(name, _)| t.node(name).fingerprint);
        list
    }
}

/// The parts of `object[offset:bytes]`.
fn place(name: &str) -> Option<(&str, u64, u32)> {
    let (object, place) = name.strip_suffix(']')?.rsplit_once('[')?;
    let (offset, bytes) = place.split_once(':')?;
    Some((object, offset.parse().ok()?, bytes.parse().ok()?))
}
