//! Variables that loops only pass around. Where values are handed from one variable to the next and compared, what
//! matters of each is which of the values that no loop changes it holds, and how these are ordered. One predicate of
//! that kind brings the others, and those of flags that say when something is handed on: with some of them only, most
//! combinations of the rest would look possible, and there would be far more than with all.

use assay_base::{FastMap, FastSet};
use assay_cfa::structure::Structure;
use assay_cfa::{Operation, Program, VarId};
use assay_formula::{Encoder, Stable};
use assay_term::{Op, Term, Terms};

/// Groups have at least and at most so many values that no loop changes.
const FEWEST: usize = 2;
const MOST: usize = 8;
/// Members and flags have at most so many constants.
const MOST_CONSTANTS: usize = 3;
/// Groups with more predicates are no rings of variables but what a program computes with.
const MOST_PREDICATES: usize = 250;

/// Groups of global registers that are copied to or compared with each other.
#[derive(Default)]
pub(super) struct Copies {
    /// The predicates of each.
    groups: Vec<Vec<Term>>,
    of: FastMap<VarId, usize>,
}

/// Who belongs together.
struct Union {
    parents: FastMap<VarId, VarId>,
}

impl Union {
    fn root(&self, mut variable: VarId) -> VarId {
        while let Some(&parent) = self.parents.get(&variable).filter(|&&parent| parent != variable) {
            variable = parent;
        }
        variable
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let [a, b] = [self.root(a), self.root(b)];
        self.parents.insert(b, a);
    }
}

impl Copies {
    pub(super) fn of(structure: &Structure<'_>, terms: &Terms, unwritten: &[(VarId, Term)]) -> Self {
        let program = structure.program;
        let mut union = Union { parents: FastMap::default() };
        let mut orders: Vec<(VarId, Op)> = Vec::new();
        let mut conditions = Vec::new();
        for edge in program.edges.iter() {
            match &edge.operation {
                Operation::Assume { condition } => conditions.push(*condition),
                Operation::Assign { target, value } => {
                    leaves(program, terms, *value).into_iter().for_each(|source| union.join(*target, source));
                }
                _ => {}
            }
        }
        terms.post_order(conditions, |_, node| {
            if !matches!(node.op, Op::Eq | Op::SignedLess | Op::UnsignedLess) || terms.sort(node.operand(0)).is_array() {
                return;
            }
            let sides = [0, 1].map(|place| register(program, terms, node.operand(place)));
            if let [Some(a), Some(b)] = sides {
                union.join(a, b);
                if node.op != Op::Eq {
                    orders.push((a, node.op));
                }
            }
        });
        let mut members: FastMap<VarId, Vec<VarId>> = FastMap::default();
        for variable in program.variables.ids().filter(|&variable| program.variables[variable].is_global()) {
            if union.parents.contains_key(&union.root(variable)) {
                members.entry(union.root(variable)).or_default().push(variable);
            }
        }
        let facts = RegisterUses::of(structure, terms, unwritten);
        let flags = facts.flags(program);
        let mut copies = Copies::default();
        let mut roots: Vec<VarId> = members.keys().copied().collect();
        roots.sort_unstable();
        for root in roots {
            let list = &members[&root];
            let fixed: Vec<VarId> = list.iter().copied().filter(|&variable| facts.is_fixed(variable)).collect();
            if !(FEWEST..=MOST).contains(&fixed.len()) {
                continue;
            }
            let mut ops = vec![Op::Eq];
            for &(_, op) in orders.iter().filter(|&&(variable, _)| union.root(variable) == root) {
                if !ops.contains(&op) {
                    ops.push(op);
                }
            }
            let mut predicates = Vec::new();
            for (place, one) in fixed.iter().enumerate() {
                for other in &fixed[..place] {
                    predicates.extend(ops.iter().filter_map(|&op| compared(program, terms, op, *one, *other)));
                }
            }
            let is_free = |variable: &&VarId| !fixed.contains(variable) && unwritten.iter().all(|(other, _)| other != *variable);
            for &variable in list.iter().filter(is_free) {
                predicates.extend(fixed.iter().filter_map(|&one| compared(program, terms, Op::Eq, variable, one)));
                predicates.extend(facts.equalities(terms, variable));
            }
            for &flag in flags.iter().filter(|flag| !list.contains(flag)) {
                predicates.extend(facts.equalities(terms, flag));
            }
            if predicates.len() > MOST_PREDICATES {
                continue;
            }
            for &variable in list {
                copies.of.insert(variable, copies.groups.len());
            }
            copies.groups.push(predicates);
        }
        copies
    }

    /// The predicates of a group, where a predicate speaks of two of its members.
    pub(super) fn others(&self, encoder: &Encoder<'_>, predicate: Term) -> &[Term] {
        let mut spoken: Vec<usize> = Vec::new();
        if self.groups.is_empty() {
            return &[];
        }
        for symbol in encoder.terms.free_symbols(predicate) {
            if let Some(Stable::Register { variable, level: 0 }) = encoder.stable_of(symbol, Op::Symbol)
                && let Some(&group) = self.of.get(&variable)
            {
                if spoken.contains(&group) {
                    return &self.groups[group];
                }
                spoken.push(group);
            }
        }
        &[]
    }
}

fn compared(program: &Program, terms: &Terms, op: Op, a: VarId, b: VarId) -> Option<Term> {
    let same = program.variables[a].register_width() == program.variables[b].register_width();
    same.then(|| terms.compare(op, terms.symbol(a.symbol()), terms.symbol(b.symbol())))
}

/// What happens to registers.
struct RegisterUses {
    /// Those that something unknown is assigned to.
    open: FastSet<VarId>,
    /// Those that a loop assigns anything to, and those of them that it assigns more than constants to.
    changed: FastSet<VarId>,
    computed: FastSet<VarId>,
    /// What they are compared with, or become.
    constants: FastMap<VarId, Vec<Term>>,
}

impl RegisterUses {
    fn of(structure: &Structure<'_>, terms: &Terms, unwritten: &[(VarId, Term)]) -> Self {
        let program = structure.program;
        let (loops, calls) = (structure.loops(), structure.calls());
        // Functions that loops call, callers before callees.
        let mut again = calls.recursive.clone();
        for &function in calls.components.iter().rev().flatten() {
            let repeated = calls.sites[function].iter().any(|&site| {
                let source = program.edges[site].source;
                loops.innermost[source].is_some() || again[program.locations[source].function]
            });
            again[function] |= repeated;
        }
        let mut facts = RegisterUses {
            open: FastSet::default(),
            changed: FastSet::default(),
            computed: FastSet::default(),
            constants: FastMap::default(),
        };
        let constant = |term: Term| {
            let number = terms.as_constant(term).map(|_| term);
            number.or_else(|| {
                let variable = register(program, terms, term)?;
                let &(_, value) = unwritten.iter().find(|(other, _)| *other == variable)?;
                (terms.sort(value) == terms.sort(term)).then_some(value)
            })
        };
        let mut conditions = Vec::new();
        for edge in program.edges.iter() {
            if let Operation::Assume { condition } = &edge.operation {
                conditions.push(*condition);
            }
            let Some(variable) = edge.operation.written_register() else { continue };
            let constant = match &edge.operation {
                Operation::Assign { value, .. } => constant(*value),
                _ => None,
            };
            let repeated = loops.innermost[edge.source].is_some() || again[program.locations[edge.source].function];
            match constant {
                Some(value) => facts.add(variable, value),
                None => {
                    facts.open.insert(variable);
                }
            }
            if repeated {
                facts.changed.insert(variable);
                if constant.is_none() {
                    facts.computed.insert(variable);
                }
            }
        }
        terms.post_order(conditions, |_, node| {
            if node.op == Op::Eq && !terms.sort(node.operand(0)).is_array() {
                for (side, other) in [(0, 1), (1, 0)] {
                    let thing = terms.node(node.operand(side));
                    if thing.op == Op::Symbol
                        && let Some(number) = constant(node.operand(other))
                        && let Some(variable) = program.variable_of(thing.symbol())
                    {
                        facts.add(variable, number);
                    }
                }
            }
        });
        facts
    }

    fn add(&mut self, variable: VarId, constant: Term) {
        let list = self.constants.entry(variable).or_default();
        if !list.contains(&constant) {
            list.push(constant);
        }
    }

    /// Set by something unknown, and by nothing in a loop.
    fn is_fixed(&self, variable: VarId) -> bool {
        self.open.contains(&variable) && !self.changed.contains(&variable)
    }

    /// Global registers to which loops assign constants and nothing else, or nothing at all.
    fn flags(&self, program: &Program) -> Vec<VarId> {
        let is_flag = |variable: &VarId| {
            let written = self.changed.contains(variable) || self.open.contains(variable);
            program.variables[*variable].is_global() && written && !self.computed.contains(variable)
        };
        program.variables.ids().filter(is_flag).collect()
    }

    /// A register and its constants, if these are few.
    fn equalities(&self, terms: &Terms, variable: VarId) -> Vec<Term> {
        let list = self.constants.get(&variable).filter(|list| list.len() <= MOST_CONSTANTS);
        let equal = |&constant: &Term| terms.eq(terms.symbol(variable.symbol()), constant);
        list.map_or_else(Vec::new, |list| list.iter().map(equal).collect())
    }
}

/// The register that a term is, but for its width.
fn register(program: &Program, terms: &Terms, mut term: Term) -> Option<VarId> {
    loop {
        let node = terms.node(term);
        match node.op {
            Op::ZeroExtend | Op::SignExtend => term = node.operand(0),
            Op::Symbol => return program.variable_of(node.symbol()),
            _ => return None,
        }
    }
}

/// The registers of which a term is one or the other; none where it is computed.
fn leaves(program: &Program, terms: &Terms, value: Term) -> Vec<VarId> {
    let mut found = Vec::new();
    let mut work = vec![value];
    while let Some(term) = work.pop() {
        let node = terms.node(term);
        match node.op {
            Op::Ite => work.extend([node.operand(1), node.operand(2)]),
            Op::Const => {}
            Op::Extract | Op::ZeroExtend | Op::SignExtend => work.push(node.operand(0)),
            _ => match register(program, terms, term) {
                Some(variable) => found.push(variable),
                None => return vec![],
            },
        }
    }
    found
}
