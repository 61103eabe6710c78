//! How variables are used: as truth values, only for equality, in arithmetic, as loop counters, as inputs. Hints for
//! choosing domains and orders; nothing sound may rest on them.
//!
//! Variables that are assigned to or compared with each other form groups, and a use of one counts for its group.

use crate::operation::{Operation, ValueSourceKind};
use crate::program::{Program, VarId};
use crate::structure::{Structure, accessed_object};
use assay_base::{FastMap, FastSet, Id, IdVec};
use assay_term::{Op, Term, Terms};

/// The uses of one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VariableClass {
    /// Only 0 and 1 are put in and compared with.
    pub boolean: bool,
    /// Only copied and compared for equality. True for boolean ones too.
    pub equality_only: bool,
    /// Added, multiplied, ordered.
    pub arithmetic: bool,
    /// Bits are picked or combined.
    pub bitwise: bool,
    /// An operand or result of float operations.
    pub float: bool,
    /// A register that a loop changes by a constant, and nothing else in that loop, and on which the loop's end
    /// depends.
    pub loop_counter: bool,
    /// Takes a nondeterministic input directly.
    pub input: bool,
    /// Occurs on some edge at all.
    pub used: bool,
}

/// The classes of all variables.
#[derive(Clone, Debug)]
pub struct Classification {
    /// How each variable is used.
    pub variables: IdVec<VarId, VariableClass>,
}

impl Classification {
    /// Looks at every operation of the program.
    pub fn of(structure: &Structure<'_>) -> Self {
        let program = structure.program;
        let terms = Terms::overlay(program.terms.clone());
        let count = program.variables.len();
        let mut finder = Finder {
            program,
            terms: &terms,
            groups: (0..count as u32).collect(),
            facts: vec![GroupUses::default(); count],
            used: IdVec::filled(false, count),
            input: IdVec::filled(false, count),
            seen: FastSet::default(),
        };
        for edge in program.edges.iter() {
            finder.operation(&edge.operation);
        }
        for (id, variable) in program.variables.iter_ids() {
            for &(_, value) in &variable.initial {
                finder.flow(id, value);
            }
        }
        let mut merged: FastMap<u32, GroupUses> = FastMap::default();
        for index in 0..count as u32 {
            let group = finder.find(index);
            let facts = finder.facts[index as usize];
            merged.entry(group).or_default().add(facts);
        }
        let mut variables: IdVec<VarId, VariableClass> = IdVec::new();
        for id in program.variables.ids() {
            let group = finder.find(id.0);
            let facts = merged.get(&group).copied().unwrap_or_default();
            let equality_only = finder.used[id] && !facts.arithmetic && !facts.bitwise && !facts.float;
            variables.push(VariableClass {
                boolean: equality_only && !facts.other_constant && !(facts.any_value && facts.compared_with_one),
                equality_only,
                arithmetic: facts.arithmetic,
                bitwise: facts.bitwise,
                float: facts.float,
                loop_counter: false,
                input: finder.input[id],
                used: finder.used[id],
            });
        }
        for counter in loop_counters(structure, &terms) {
            variables[counter].loop_counter = true;
        }
        Classification { variables }
    }

    /// How many variables satisfy a condition.
    pub fn count(&self, condition: impl Fn(&VariableClass) -> bool) -> usize {
        self.variables.iter().filter(|c| condition(c)).count()
    }
}

/// What is known of a group.
#[derive(Clone, Copy, Default)]
struct GroupUses {
    arithmetic: bool,
    bitwise: bool,
    float: bool,
    /// A constant other than 0 and 1 is put in or compared with.
    other_constant: bool,
    compared_with_one: bool,
    /// An unconstrained value of more than one bit is put in.
    any_value: bool,
}

impl GroupUses {
    fn add(&mut self, other: GroupUses) {
        self.arithmetic |= other.arithmetic;
        self.bitwise |= other.bitwise;
        self.float |= other.float;
        self.other_constant |= other.other_constant;
        self.compared_with_one |= other.compared_with_one;
        self.any_value |= other.any_value;
    }
}

struct Finder<'a> {
    program: &'a Program,
    terms: &'a Terms,
    /// Union-find over variables.
    groups: Vec<u32>,
    facts: Vec<GroupUses>,
    used: IdVec<VarId, bool>,
    input: IdVec<VarId, bool>,
    /// Terms whose inner operators were looked at as values.
    seen: FastSet<Term>,
}

impl Finder<'_> {
    fn find(&mut self, mut member: u32) -> u32 {
        while self.groups[member as usize] != member {
            let above = self.groups[member as usize];
            self.groups[member as usize] = self.groups[above as usize];
            member = above;
        }
        member
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a.0), self.find(b.0));
        self.groups[a.max(b) as usize] = a.min(b);
    }

    /// The variables in a term.
    fn variables(&self, term: Term) -> Vec<VarId> {
        self.terms.free_symbols(term).into_iter().filter_map(|s| self.program.variable_of(s)).collect()
    }

    /// Notes what the operators in a term say about the variables in it; `target`, if there is one, takes the value.
    fn flow_any(&mut self, target: Option<VarId>, root: Term) {
        let mut stack = vec![root];
        let mut visited: FastSet<Term> = FastSet::default();
        while let Some(term) = stack.pop() {
            if !visited.insert(term) {
                continue;
            }
            let node = self.terms.node(term);
            match node.op {
                Op::Const => {
                    if let Some(target) = target {
                        self.facts[target.index()].other_constant |= node.constant() > 1;
                    }
                }
                Op::Symbol => {
                    if let Some(variable) = self.program.variable_of(node.symbol()) {
                        self.used[variable] = true;
                        if let Some(target) = target {
                            self.join(target, variable);
                        }
                    }
                }
                Op::Address | Op::Apply => {
                    if let Some(target) = target {
                        self.facts[target.index()].other_constant = true;
                    }
                }
                // A truth value, perhaps in a wider coat: its parts are conditions.
                _ if node.width() == 1 && !node.sort.is_array() => self.condition(term),
                Op::ZeroExtend | Op::SignExtend => stack.push(node.operand(0)),
                Op::Ite => {
                    self.condition(node.operand(0));
                    stack.extend([node.operand(1), node.operand(2)]);
                }
                _ => self.compute(target, term),
            }
        }
    }

    fn flow(&mut self, target: VarId, value: Term) {
        self.flow_any(Some(target), value);
    }

    /// A computation: everything in it and its target is computed with.
    fn compute(&mut self, target: Option<VarId>, root: Term) {
        let mut found = GroupUses::default();
        let mut conditions = vec![];
        self.terms.post_order([root], |term, node| match node.op {
            Op::And | Op::Or | Op::Xor | Op::Not | Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned | Op::Extract | Op::Concat
                if node.width() > 1 =>
            {
                found.bitwise = true;
            }
            op if op.is_float() => found.float = true,
            _ if node.width() == 1 => conditions.push(term),
            Op::Const | Op::Symbol | Op::Address | Op::ZeroExtend | Op::SignExtend | Op::Ite => {}
            _ => found.arithmetic = true,
        });
        let mut members = self.variables(root);
        members.extend(target);
        for &member in &members {
            self.used[member] = true;
            self.facts[member.index()].add(found);
        }
        members.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
        for condition in conditions {
            self.condition(condition);
        }
    }

    fn condition(&mut self, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            let node = self.terms.node(term);
            match node.op {
                Op::Symbol => {
                    if let Some(variable) = self.program.variable_of(node.symbol()) {
                        self.used[variable] = true;
                    }
                }
                Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => stack.extend(self.terms.children(&node)),
                Op::Eq => self.equality(node.operand(0), node.operand(1)),
                Op::UnsignedLess | Op::SignedLess => self.ordered(&[node.operand(0), node.operand(1)], false),
                op if op.is_float() => self.ordered(&self.terms.children(&node), true),
                _ => self.terms.children(&node).into_iter().for_each(|child| self.compute(None, child)),
            }
        }
    }

    fn equality(&mut self, a: Term, b: Term) {
        let (left, right) = (self.plain(a), self.plain(b));
        match (left, right) {
            (Some(x), Some(y)) => {
                self.used[x] = true;
                self.used[y] = true;
                self.join(x, y);
            }
            (Some(x), None) | (None, Some(x)) => {
                self.used[x] = true;
                let other = if left.is_some() { b } else { a };
                if let Some(constant) = self.terms.as_constant(other) {
                    self.facts[x.index()].other_constant |= constant.value() > 1;
                    self.facts[x.index()].compared_with_one |= constant.value() == 1;
                } else {
                    self.flow(x, other);
                }
            }
            (None, None) => {
                let members: Vec<VarId> = [a, b].into_iter().flat_map(|t| self.variables(t)).collect();
                members.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
                [a, b].into_iter().for_each(|side| self.flow_any(None, side));
            }
        }
    }

    /// A variable, perhaps widened.
    fn plain(&self, term: Term) -> Option<VarId> {
        let mut node = self.terms.node(term);
        while matches!(node.op, Op::ZeroExtend | Op::SignExtend) {
            node = self.terms.node(node.operand(0));
        }
        if node.op == Op::Symbol { self.program.variable_of(node.symbol()) } else { None }
    }

    fn ordered(&mut self, sides: &[Term], float: bool) {
        let members: Vec<VarId> = sides.iter().flat_map(|&t| self.variables(t)).collect();
        for &member in &members {
            self.used[member] = true;
            self.facts[member.index()].add(GroupUses { arithmetic: true, float, ..GroupUses::default() });
        }
        members.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
        sides.iter().for_each(|&side| self.flow_any(None, side));
    }

    fn operation(&mut self, operation: &Operation) {
        if let Some(written) = operation.written_register() {
            self.used[written] = true;
        }
        match operation {
            Operation::Assume { condition } | Operation::Check { fails: condition, .. } => self.condition(*condition),
            Operation::Assign { target, value } => self.flow(*target, *value),
            Operation::Havoc { target, source } => {
                self.input[*target] |= self.program.value_sources[*source].kind == ValueSourceKind::Input;
                self.facts[target.index()].any_value |= self.program.variables[*target].register_width() != Some(1);
            }
            Operation::Load { target, address } => {
                self.address(*address);
                match accessed_object(self.program, self.terms, *address) {
                    Some(object) => self.join(*target, object),
                    None => self.facts[target.index()].any_value = true,
                }
            }
            Operation::Store { address, value } => {
                self.address(*address);
                match accessed_object(self.program, self.terms, *address) {
                    Some(object) => self.flow(object, *value),
                    None => self.flow_any(None, *value),
                }
            }
            Operation::Call { callee, arguments, result } => {
                let function = &self.program.functions[*callee];
                for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
                    self.flow(parameter, argument);
                }
                if let (Some(target), Some(value)) = (result, function.result) {
                    self.join(*target, value);
                }
            }
            Operation::Declare { object, .. } | Operation::EndLife { object } => self.used[*object] = true,
            Operation::Allocate { target, size, .. } => {
                self.facts[target.index()].other_constant = true;
                self.compute(None, *size);
            }
            other => other.terms().into_iter().for_each(|term| self.compute(None, term)),
        }
    }

    /// An address that is accessed: indices in it are computed with, a plain pointer is not.
    fn address(&mut self, address: Term) {
        if let Some(object) = accessed_object(self.program, self.terms, address) {
            self.used[object] = true;
        }
        match self.plain(address) {
            Some(pointer) => {
                self.used[pointer] = true;
                self.facts[pointer.index()].other_constant = true;
            }
            None => self.compute(None, address),
        }
    }
}

/// Registers that a loop changes by a constant and nothing else in that loop, and that a condition of the loop's end
/// reads.
fn loop_counters(structure: &Structure<'_>, terms: &Terms) -> Vec<VarId> {
    let program = structure.program;
    let mut counters = vec![];
    for found in structure.loops().loops.iter() {
        // Per register: whether all its writes in the loop are steps.
        let mut writes: FastMap<VarId, bool> = FastMap::default();
        let mut order: Vec<VarId> = vec![];
        let mut conditions: FastSet<VarId> = FastSet::default();
        for &location in &found.locations {
            let edges = &program.locations[location].outgoing;
            let leaves = edges.iter().any(|e| found.exits.contains(e) && matches!(program.edges[*e].operation, Operation::Assume { .. }));
            for &edge in edges {
                let operation = &program.edges[edge].operation;
                if let (true, Operation::Assume { condition }) = (leaves, operation) {
                    conditions.extend(terms.free_symbols(*condition).into_iter().filter_map(|s| program.variable_of(s)));
                }
                if let Some(written) = operation.written_register() {
                    let is_step = matches!(operation, Operation::Assign { target, value } if is_step(terms, *target, *value));
                    order.push(written);
                    *writes.entry(written).or_insert(true) &= is_step;
                }
            }
        }
        counters.extend(order.into_iter().filter(|v| writes[v] && conditions.contains(v)));
    }
    counters.sort_unstable_by_key(|v| v.index());
    counters.dedup();
    counters
}

/// Whether the value is the variable plus a constant.
fn is_step(terms: &Terms, variable: VarId, value: Term) -> bool {
    let node = terms.node(value);
    if node.op != Op::Add {
        return false;
    }
    let (a, b) = (terms.node(node.operand(0)), terms.node(node.operand(1)));
    [(a, b), (b, a)].into_iter().any(|(x, k)| x.op == Op::Symbol && x.symbol() == variable.symbol() && k.op == Op::Const)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;

    /// Letters of the classes of each variable: b(oolean), e(quality), a(rithmetic), x (bitwise), f(loat), c(ounter),
    /// i(nput).
    fn check(body: &str, expected: &[(&str, &str)]) {
        let mut text = String::from("program LP64 main\nsource n0 input \"nondet\" 0:0:0\n");
        for name in ["a", "b", "c", "d"] {
            text.push_str(&format!("global {name} (register 32) void source \"{name}\"\n"));
        }
        text.push_str(&format!("function main entry L0 exit L1\n{body}\nend\n"));
        let program = read(&text).unwrap_or_else(|e| panic!("{body}: {e}"));
        let structure = Structure::new(&program);
        let classes = Classification::of(&structure);
        for (name, letters) in expected {
            let id = program.variables.ids().find(|&v| program.variables[v].name == *name).expect("the variable is there");
            let class = classes.variables[id];
            let mut found = String::new();
            for (holds, letter) in [
                (class.boolean, 'b'),
                (class.equality_only, 'e'),
                (class.arithmetic, 'a'),
                (class.bitwise, 'x'),
                (class.float, 'f'),
                (class.loop_counter, 'c'),
                (class.input, 'i'),
            ] {
                found.extend(holds.then_some(letter));
            }
            assert_eq!(&found, letters, "{name} in {body}");
        }
    }

    #[test]
    fn uses_are_classified() {
        check("L0 -> L2 assign a 1:32\nL2 -> L1 assume (~ (== a 0:32))", &[("a", "be"), ("b", "")]);
        check("L0 -> L2 assign a 7:32\nL2 -> L1 assume (== a b)", &[("a", "e"), ("b", "e")]);
        check("L0 -> L2 havoc a n0\nL2 -> L1 assume (== a 0:32)", &[("a", "bei")]);
        check("L0 -> L2 havoc a n0\nL2 -> L1 assume (== a 1:32)", &[("a", "ei")]);
        check("L0 -> L1 assign a (zext 32 (~ (== b c)))", &[("a", "be"), ("b", "be"), ("c", "be")]);
        check("L0 -> L2 assign a (+ b 1:32)\nL2 -> L1 assume (== b c)", &[("a", "a"), ("b", "a"), ("c", "a"), ("d", "")]);
        check("L0 -> L1 assume (<s a 5:32)", &[("a", "a")]);
        check("L0 -> L1 assign a (& b 3:32)", &[("a", "x"), ("b", "x")]);
        check("L0 -> L1 assign a (fadd a b)", &[("a", "f"), ("b", "f")]);
        check(
            "L0 -> L2 assume (<s a 5:32)\nL0 -> L1 assume (~ (<s a 5:32))\nL2 -> L3 assign b 1:32\nL3 -> L0 assign a (+ a 1:32)",
            &[("a", "ac"), ("b", "be")],
        );
    }
}
