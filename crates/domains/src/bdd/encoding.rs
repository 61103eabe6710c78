//! Which registers are tracked, and how many bits each needs.
//!
//! Registers that are copied to or compared with each other form a class. The values of a class are those constants
//! that the program puts in or compares with, and *other* values of which only equality matters. Each value has a code;
//! a register is encoded by the bits of the code. There are at least as many codes for other values as the class has
//! registers, if the program compares registers with each other and they are not too many: so one is always free for a
//! value that differs from all that are in use, and equal codes mean equal values. Without that, equality of other
//! values is unknown.

use assay_base::{FastMap, Id, IdVec};
use assay_cfa::classify::Classification;
use assay_cfa::structure::Structure;
use assay_cfa::{Operation, Program, Scope, VarId};
use assay_term::{Bits, Op, Term, Terms};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};

/// Registers with more values than this are not tracked.
const MOST_BITS: u32 = 10;
/// Classes of more registers than this do not tell other values apart: the codes would cost more than they bring.
const MOST_IDENTITIES: usize = 12;
/// Room for all registers in the library's numbering.
const MOST_VARIABLES: usize = 60_000;

/// The values of one class.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub width: u32,
    pub bits: u32,
    /// The value of each code; codes past the end are other values. Ordered.
    pub values: Vec<u128>,
    /// Whether equal codes of other values mean equal values.
    pub identity: bool,
}

impl Class {
    pub(super) fn codes(&self) -> u32 {
        1 << self.bits
    }
    pub(super) fn code_of(&self, value: u128) -> Option<u32> {
        self.values.binary_search(&value).ok().map(|code| code as u32)
    }
    pub(super) fn value_of(&self, code: u32) -> Option<u128> {
        self.values.get(code as usize).copied()
    }
}

/// The encoding of all tracked registers.
pub(super) struct Encoding {
    pub set: BddVariableSet,
    pub classes: Vec<Class>,
    /// The class of each tracked register and its bits, the highest first.
    registers: IdVec<VarId, Option<(usize, Vec<BddVariable>)>>,
    /// Whose each bit is.
    pub owners: Vec<VarId>,
}

impl Encoding {
    /// Tracks the registers that are only copied and compared for equality. Locals of functions that can be active
    /// twice at once are left out: they have more than one value at a time.
    pub(super) fn of(structure: &Structure<'_>, terms: &Terms) -> Self {
        let program = structure.program;
        let uses = Classification::of(structure);
        let calls = structure.calls();
        let tracked: IdVec<VarId, bool> = program
            .variables
            .iter_ids()
            .map(|(id, variable)| {
                let single = match variable.scope {
                    Scope::Global => true,
                    Scope::Local(function) => !calls.recursive[function],
                };
                single && variable.register_width().is_some_and(|w| w <= 64) && uses.variables[id].equality_only
            })
            .collect();
        let mut finder = Finder {
            program,
            terms,
            tracked: &tracked,
            groups: (0..program.variables.len()).collect(),
            constants: vec![vec![]; program.variables.len()],
            compared: vec![],
        };
        finder.run();
        finder.encode()
    }

    pub(super) fn class(&self, variable: VarId) -> Option<usize> {
        self.registers[variable].as_ref().map(|(class, _)| *class)
    }
    pub(super) fn bits(&self, variable: VarId) -> &[BddVariable] {
        self.registers[variable].as_ref().map_or(&[], |(_, bits)| bits)
    }
    pub(super) fn is_tracked(&self, variable: VarId) -> bool {
        self.registers[variable].is_some()
    }
    pub(super) fn tracked(&self) -> impl Iterator<Item = VarId> + '_ {
        self.registers.iter_ids().filter(|(_, r)| r.is_some()).map(|(id, _)| id)
    }

    /// Where the register has the code.
    pub(super) fn has_code(&self, variable: VarId, code: u32) -> Bdd {
        let bits = self.bits(variable);
        let mut valuation = biodivine_lib_bdd::BddPartialValuation::empty();
        for (i, &bit) in bits.iter().enumerate() {
            valuation.set_value(bit, code >> (bits.len() - 1 - i) & 1 == 1);
        }
        self.set.mk_conjunctive_clause(&valuation)
    }
    /// Where the register has none of the known values.
    pub(super) fn has_other(&self, variable: VarId) -> Bdd {
        let known = self.class(variable).map_or(0, |class| self.classes[class].values.len() as u32);
        (0..known).fold(self.set.mk_true(), |rest, code| rest.and_not(&self.has_code(variable, code)))
    }
    /// Where two registers of one class have the same code.
    pub(super) fn same_code(&self, a: VarId, b: VarId) -> Bdd {
        let pairs = self.bits(a).iter().zip(self.bits(b));
        pairs.rev().fold(self.set.mk_true(), |all, (&x, &y)| all.and(&self.set.mk_var(x).iff(&self.set.mk_var(y))))
    }
}

struct Finder<'a> {
    program: &'a Program,
    terms: &'a Terms,
    tracked: &'a IdVec<VarId, bool>,
    /// Union-find over variables.
    groups: Vec<usize>,
    constants: Vec<Vec<u128>>,
    /// Registers that are compared with other registers.
    compared: Vec<VarId>,
}

impl Finder<'_> {
    fn find(&mut self, mut member: usize) -> usize {
        while self.groups[member] != member {
            self.groups[member] = self.groups[self.groups[member]];
            member = self.groups[member];
        }
        member
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a.index()), self.find(b.index()));
        self.groups[a.max(b)] = a.min(b);
    }

    fn run(&mut self) {
        let program = self.program;
        let mut seen = Default::default();
        for (id, variable) in program.variables.iter_ids().filter(|(id, v)| v.is_global() && self.tracked[*id]) {
            match variable.initial.first() {
                Some(&(_, value)) => self.flow(id, value),
                None => self.constants[id.index()].push(0),
            }
        }
        for edge in program.edges.iter() {
            match &edge.operation {
                Operation::Assign { target, value } => self.flow(*target, *value),
                Operation::Call { callee, arguments, result } => {
                    let function = &program.functions[*callee];
                    for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
                        self.flow(parameter, argument);
                    }
                    if let (Some(target), Some(value)) = (*result, function.result) {
                        self.copy(target, value);
                    }
                }
                _ => {}
            }
            for term in edge.operation.terms() {
                self.equalities(term, &mut seen);
            }
        }
    }

    fn copy(&mut self, target: VarId, value: VarId) {
        let width = |v: VarId| self.program.variables[v].register_width();
        if self.tracked[target] && self.tracked[value] && width(target) == width(value) {
            self.join(target, value);
        }
    }

    /// The registers and constants that a value can be, past choices and widened truth values.
    fn sources(&self, value: Term) -> (Vec<VarId>, Vec<u128>) {
        let (mut registers, mut constants) = (vec![], vec![]);
        let mut stack = vec![value];
        let mut budget = 200;
        while let Some(term) = stack.pop() {
            budget -= 1;
            if budget == 0 {
                break;
            }
            let node = self.terms.node(term);
            match node.op {
                Op::Const => constants.push(node.constant()),
                Op::Symbol => registers.extend(self.program.variable_of(node.symbol()).filter(|&v| self.tracked[v])),
                Op::Ite => stack.extend([node.operand(1), node.operand(2)]),
                Op::ZeroExtend if self.terms.width(node.operand(0)) == 1 => constants.extend([0, 1]),
                Op::SignExtend if self.terms.width(node.operand(0)) == 1 => constants.extend([0, Bits::mask(node.width().min(128))]),
                _ => {}
            }
        }
        (registers, constants)
    }

    fn flow(&mut self, target: VarId, value: Term) {
        if !self.tracked[target] {
            return;
        }
        let (registers, constants) = self.sources(value);
        registers.into_iter().for_each(|register| self.copy(target, register));
        self.constants[target.index()].extend(constants);
    }

    /// What is compared in a term.
    fn equalities(&mut self, root: Term, seen: &mut assay_base::FastSet<Term>) {
        let mut pairs = vec![];
        if !seen.insert(root) {
            return;
        }
        self.terms.post_order([root], |_, node| {
            if node.op == Op::Eq && !self.terms.sort(node.operand(0)).is_array() {
                pairs.push((node.operand(0), node.operand(1)));
            }
        });
        for (a, b) in pairs {
            let ((left, some), (right, more)) = (self.sources(a), self.sources(b));
            let Some(&first) = left.first().or(right.first()) else { continue };
            left.iter().chain(&right).for_each(|&register| self.copy(first, register));
            self.constants[first.index()].extend(some.into_iter().chain(more));
            if !left.is_empty() && !right.is_empty() {
                self.compared.push(first);
            }
        }
    }

    fn encode(mut self) -> Encoding {
        let program = self.program;
        let mut members: FastMap<usize, Vec<VarId>> = FastMap::default();
        let mut roots = vec![];
        for id in program.variables.ids().filter(|&id| self.tracked[id]) {
            let root = self.find(id.index());
            let list = members.entry(root).or_insert_with(|| {
                roots.push(root);
                vec![]
            });
            list.push(id);
        }
        let mut identity: FastMap<usize, bool> = FastMap::default();
        for register in std::mem::take(&mut self.compared) {
            let root = self.find(register.index());
            identity.insert(root, true);
        }
        let mut classes = vec![];
        let mut registers: IdVec<VarId, Option<(usize, Vec<BddVariable>)>> = IdVec::filled(None, program.variables.len());
        let mut owners: Vec<VarId> = vec![];
        for root in roots {
            let Some(list) = members.get(&root) else { continue };
            let width = program.variables[list[0]].register_width().unwrap_or(1);
            let mut values: Vec<u128> =
                list.iter().flat_map(|id| std::mem::take(&mut self.constants[id.index()])).filter(|&v| v <= Bits::mask(width)).collect();
            values.sort_unstable();
            values.dedup();
            let Some(class) = class_of(width, values, list.len(), identity.contains_key(&root)) else { continue };
            if owners.len() + list.len() * class.bits as usize > MOST_VARIABLES {
                continue;
            }
            // Bits of one place lie side by side: copies are then small diagrams, even many at a time.
            let start = owners.len();
            for (index, &id) in list.iter().enumerate() {
                let bits = (0..class.bits as usize).map(|i| BddVariable::from_index(start + i * list.len() + index)).collect();
                registers[id] = Some((classes.len(), bits));
            }
            (0..class.bits).for_each(|_| owners.extend(list));
            classes.push(class);
        }
        Encoding { set: BddVariableSet::new_anonymous(owners.len() as u16), classes, registers, owners }
    }
}

/// The codes of a class; `None` where they are too many.
fn class_of(width: u32, values: Vec<u128>, members: usize, compared: bool) -> Option<Class> {
    let identity = compared && members <= MOST_IDENTITIES;
    let codes = values.len() + if identity { members } else { 1 };
    let bits = codes.next_power_of_two().trailing_zeros().max(1);
    if width <= bits && width <= MOST_BITS {
        // All values have codes of their own.
        return Some(Class { width, bits: width, values: (0..1 << width).collect(), identity: true });
    }
    (bits <= MOST_BITS).then_some(Class { width, bits, values, identity })
}
