//! Which arrays have only uses that are understood: reads and writes of one width through addresses that lead to no
//! other object.

use assay_base::{FastMap, FastSet, IdVec};
use assay_cfa::operation::{MemoryCondition, Operation};
use assay_cfa::program::{EdgeId, FunctionId, Program, Scope, Storage, VarId};
use assay_cfa::structure::{Structure, is_needed};
use assay_term::{Op, Term, Terms};

/// Arrays with more content at the start of the program than this are not understood.
const MOST_INITIAL: usize = 32;
/// A condition with more comparisons of addresses than this is not understood.
pub(super) const MOST_COMPARISONS: usize = 4;

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    Variable(VarId),
    /// An allocation that happens at most once.
    Site(EdgeId),
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub base: Base,
    pub name: String,
    /// Of every access, in bits; 0 where there is none.
    pub width: u32,
    /// In bytes, where it is known.
    size: Option<u64>,
    /// Some use of it is not understood.
    lost: bool,
}

impl Object {
    pub(super) fn is_array(&self) -> bool {
        !self.lost && self.width > 0 && self.size.is_none_or(|size| size > u64::from(self.width / 8))
    }
}

/// The objects of a program and the registers that hold nothing but addresses in one of them.
pub(super) struct Uses<'p> {
    program: &'p Program,
    pub objects: Vec<Object>,
    of_variable: FastMap<VarId, usize>,
    /// The object that a register points into.
    class: IdVec<VarId, Option<usize>>,
    /// Accesses are the question: only objects that come to life at most once, and registers that are set before they
    /// are used.
    single: bool,
}

impl<'p> Uses<'p> {
    /// With `single`, only objects that come to life at most once, so that no address outlives the object that it was
    /// in and is taken for one in the next.
    pub(super) fn of(structure: &Structure<'p>, single: bool) -> Self {
        let program = structure.program;
        let mut uses =
            Uses { program, objects: vec![], of_variable: FastMap::default(), class: IdVec::filled(None, program.variables.len()), single };
        uses.find_objects(structure);
        uses.settle();
        uses
    }

    /// Only these objects are looked at from now on; addresses in others stay what they are.
    pub(super) fn keep_only(&mut self, kept: &[usize]) {
        for (index, object) in self.objects.iter_mut().enumerate() {
            object.lost |= !kept.contains(&index);
        }
        self.settle();
    }

    /// Takes away the objects with a use that is not understood; what others are used for may depend on them.
    fn settle(&mut self) {
        let terms = Terms::overlay(self.program.terms.clone());
        loop {
            let before = self.objects.iter().filter(|object| object.lost).count();
            self.classify(&terms);
            self.check(&terms);
            if self.objects.iter().filter(|object| object.lost).count() == before {
                return;
            }
        }
    }

    fn find_objects(&mut self, structure: &Structure<'_>) {
        let program = self.program;
        let calls = structure.calls();
        let once = runs_once(structure);
        let runs_once = |edge: EdgeId| {
            let source = program.edges[edge].source;
            once[program.locations[source].function] && structure.loops().innermost[source].is_none()
        };
        let mut births: FastMap<VarId, Vec<EdgeId>> = FastMap::default();
        for (id, edge) in program.edges.iter_ids() {
            if let Operation::Declare { object, .. } = edge.operation {
                births.entry(object).or_default().push(id);
            }
        }
        for (id, variable) in program.variables.iter_ids() {
            let Storage::Memory { size, constant: false, .. } = variable.storage else { continue };
            let born_once = || matches!(births.get(&id).map(Vec::as_slice), Some(&[edge]) if runs_once(edge));
            if let Scope::Local(function) = variable.scope
                && (calls.recursive[function] || self.single && !born_once())
            {
                continue;
            }
            if variable.exposed || variable.initial.len() > MOST_INITIAL {
                continue;
            }
            self.of_variable.insert(id, self.objects.len());
            self.objects.push(Object { base: Base::Variable(id), name: variable.name.clone(), width: 0, size, lost: false });
        }
        for (id, edge) in program.edges.iter_ids() {
            let Operation::Allocate { target, .. } = edge.operation else { continue };
            if runs_once(id) {
                let name = format!("{} at {}", program.variables[target].name, id.0);
                self.objects.push(Object { base: Base::Site(id), name, width: 0, size: None, lost: false });
            }
        }
    }

    fn site(&self, edge: EdgeId) -> Option<usize> {
        self.objects.iter().position(|object| object.base == Base::Site(edge) && !object.lost)
    }

    /// The object that a leaf of a term is an address in.
    fn leaf(&self, terms: &Terms, term: Term) -> Option<usize> {
        let node = terms.node(term);
        let variable = match node.op {
            Op::Address | Op::Symbol => self.program.variable_of(node.symbol())?,
            _ => return None,
        };
        let object = if node.op == Op::Address { self.of_variable.get(&variable).copied() } else { self.class[variable] };
        object.filter(|&object| !self.objects[object].lost)
    }

    /// The parts of a sum: the objects that addresses in it are in, with whether the address is taken away, and the
    /// rest.
    fn parts(&self, terms: &Terms, sum: Term) -> (Vec<(usize, bool)>, Vec<Term>) {
        let (mut addresses, mut rest) = (Vec::new(), Vec::new());
        let mut stack = vec![(sum, false)];
        while let Some((term, negative)) = stack.pop() {
            let node = terms.node(term);
            match (self.leaf(terms, term), node.op) {
                (Some(object), _) => addresses.push((object, negative)),
                (None, Op::Add) => stack.extend([(node.operand(0), negative), (node.operand(1), negative)]),
                (None, Op::Neg) => stack.push((node.operand(0), !negative)),
                _ => rest.push(term),
            }
        }
        (addresses, rest)
    }

    /// Whether a term mentions no address and no register that holds one, but for differences of addresses in one
    /// object, which are those of their offsets.
    fn is_clean(&self, terms: &Terms, term: Term) -> bool {
        let mut seen = FastSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = terms.node(term);
            match node.op {
                Op::Address => return false,
                Op::Symbol if self.leaf(terms, term).is_some() => return false,
                Op::Add | Op::Neg => {
                    let (addresses, rest) = self.parts(terms, term);
                    let difference = matches!(addresses[..], [(a, x), (b, y)] if a == b && x != y);
                    if !addresses.is_empty() && !difference {
                        return false;
                    }
                    stack.extend(rest);
                }
                _ => stack.extend(terms.operands_of(&node)),
            }
        }
        true
    }

    /// The object that a term is an address in, and the offset there. (A register with addresses in it stands for its
    /// offset.)
    pub(super) fn split(&self, terms: &Terms, term: Term) -> Option<(usize, Term)> {
        let (addresses, rest) = self.parts(terms, term);
        let [(object, false)] = addresses[..] else { return None };
        rest.into_iter().all(|part| self.is_clean(terms, part)).then(|| (object, self.offset(terms, term)))
    }

    /// A term with the start of every object at zero.
    pub(super) fn offset(&self, terms: &Terms, term: Term) -> Term {
        terms.substitute(term, &mut |node| {
            let variable = (node.op == Op::Address).then(|| self.program.variable_of(node.symbol())).flatten()?;
            let object = self.of_variable.get(&variable).copied().filter(|&object| !self.objects[object].lost);
            object.map(|_| terms.number(node.width(), 0))
        })
    }

    /// The comparisons of addresses in a condition: of two in one object, or of one with null. `None` where it uses
    /// addresses in another path.
    pub(super) fn comparisons(&self, terms: &Terms, condition: Term) -> Option<Vec<Term>> {
        let mut found: Vec<Term> = Vec::new();
        let mut stack = vec![condition];
        while let Some(term) = stack.pop() {
            if self.is_clean(terms, term) || found.contains(&term) {
                continue;
            }
            let node = terms.node(term);
            match node.op {
                Op::Eq | Op::UnsignedLess if self.compared(terms, term).is_some() => found.push(term),
                Op::Not | Op::And | Op::Or | Op::Xor if node.width() == 1 => stack.extend(terms.operands_of(&node)),
                _ => return None,
            }
        }
        (found.len() <= MOST_COMPARISONS).then_some(found)
    }

    /// The object whose addresses are compared, and their offsets; the second is `None` where the address is compared
    /// with null.
    pub(super) fn compared(&self, terms: &Terms, comparison: Term) -> Option<(usize, Term, Option<Term>)> {
        let node = terms.node(comparison);
        // A register of the whole program is null at the start, and not an address in anything.
        let of_program =
            |symbol| self.program.variable_of(symbol).is_some_and(|v| self.class[v].is_some() && self.program.variables[v].is_global());
        if terms.free_symbols(comparison).into_iter().any(of_program) {
            return None;
        }
        let (a, b) = (node.operand(0), node.operand(1));
        match (self.split(terms, a), self.split(terms, b)) {
            (Some((object, a)), Some((other, b))) if object == other => Some((object, a, Some(b))),
            (Some((object, a)), None) if node.op == Op::Eq && is_null(terms, b) => Some((object, a, None)),
            (None, Some((object, b))) if node.op == Op::Eq && is_null(terms, a) => Some((object, b, None)),
            _ => None,
        }
    }

    /// Finds the registers that addresses flow into.
    fn classify(&mut self, terms: &Terms) {
        let program = self.program;
        self.class = IdVec::filled(None, program.variables.len());
        let mut grew = true;
        while std::mem::take(&mut grew) {
            for (id, edge) in program.edges.iter_ids() {
                let mut flow = |uses: &mut Self, target: VarId, object: Option<usize>| {
                    if let Some(object) = object
                        && uses.class[target].is_none()
                    {
                        uses.class[target] = Some(object);
                        grew = true;
                    }
                };
                match &edge.operation {
                    Operation::Assign { target, value } => {
                        let object = self.split(terms, *value).map(|(object, _)| object);
                        flow(self, *target, object);
                    }
                    Operation::Allocate { target, .. } => {
                        let object = self.site(id);
                        flow(self, *target, object);
                    }
                    Operation::Call { callee, arguments, result } => {
                        for (&parameter, argument) in program.functions[*callee].parameters.iter().zip(arguments) {
                            let object = self.split(terms, *argument).map(|(object, _)| object);
                            flow(self, parameter, object);
                        }
                        if let (Some(result), Some(from)) = (result, program.functions[*callee].result) {
                            let object = self.class[from];
                            flow(self, *result, object);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn lose(&mut self, object: Option<usize>) {
        if let Some(object) = object {
            self.objects[object].lost = true;
        }
    }

    /// Loses every object that a term mentions, but in differences alone.
    fn lose_mentioned(&mut self, terms: &Terms, term: Term) {
        if self.is_clean(terms, term) {
            return;
        }
        let mut found = Vec::new();
        terms.post_order([term], |term, _| found.extend(self.leaf(terms, term)));
        found.into_iter().for_each(|object| self.lose(Some(object)));
    }

    /// A register takes a value that is an address in this object, or none.
    fn takes(&mut self, register: VarId, object: Option<usize>) {
        let class = self.class[register];
        if class != object {
            self.lose(class);
            self.lose(object);
        }
    }

    fn check(&mut self, terms: &Terms) {
        let program = self.program;
        for object in &mut self.objects {
            object.width = 0;
        }
        for (id, edge) in program.edges.iter_ids() {
            match &edge.operation {
                Operation::Assign { target, value } => self.assigned(terms, *target, *value),
                Operation::Allocate { target, size, .. } => {
                    let object = self.site(id);
                    self.takes(*target, object);
                    self.lose_mentioned(terms, *size);
                }
                Operation::Call { callee, arguments, result } => {
                    let function = &program.functions[*callee];
                    for (index, argument) in arguments.iter().enumerate() {
                        match function.parameters.get(index) {
                            Some(&parameter) => self.assigned(terms, parameter, *argument),
                            None => self.lose_mentioned(terms, *argument),
                        }
                    }
                    // A parameter without an argument has any value.
                    for &parameter in function.parameters.iter().skip(arguments.len()) {
                        self.lose(self.class[parameter]);
                    }
                    if let Some(result) = result {
                        let object = function.result.and_then(|from| self.class[from]);
                        self.takes(*result, object);
                    }
                }
                Operation::Load { target, address } => {
                    let width = program.variables[*target].register_width().unwrap_or(0);
                    self.accessed(terms, *address, width);
                    self.takes(*target, None);
                }
                Operation::Store { address, value } => {
                    self.accessed(terms, *address, terms.width(*value));
                    self.lose_mentioned(terms, *value);
                }
                Operation::Fill { destination, byte, size } => {
                    self.filled(terms, *destination, *size);
                    self.lose_mentioned(terms, *byte);
                    self.lose_mentioned(terms, *size);
                }
                Operation::Free { address } => {
                    if self.split(terms, *address).is_none() {
                        self.lose_mentioned(terms, *address);
                    }
                }
                // What a pointer holds before it is set does not matter where nothing reads it.
                Operation::Havoc { target, .. } if !is_needed(program, terms, *target, edge.target) => {}
                Operation::Havoc { target, .. } => self.takes(*target, None),
                Operation::Assume { condition } => {
                    if self.comparisons(terms, *condition).is_none() {
                        self.lose_mentioned(terms, *condition);
                    }
                }
                Operation::AssumeMemory { condition: MemoryCondition::Accessible { address, size, .. }, .. } => {
                    if self.split(terms, *address).is_none() {
                        self.lose_mentioned(terms, *address);
                    }
                    self.lose_mentioned(terms, *size);
                }
                other => other.terms().into_iter().for_each(|term| self.lose_mentioned(terms, term)),
            }
        }
        self.check_offsets(terms);
        for (id, variable) in program.variables.iter_ids() {
            // What a register of the whole program holds at the start is an address in nothing that is watched; to read
            // through it before it is set is undefined. That is just what is asked where accesses are.
            if self.single && variable.is_global() {
                self.lose(self.class[id]);
            }
            for (_, content) in &variable.initial {
                self.lose_mentioned(terms, *content);
            }
            if let Some(&object) = self.of_variable.get(&id) {
                let width = self.objects[object].width;
                let odd = |&(offset, content): &(u64, Term)| terms.width(content) != width || offset % u64::from(width / 8).max(1) != 0;
                if variable.initial.iter().any(odd) {
                    self.lose(Some(object));
                }
            }
        }
    }

    fn assigned(&mut self, terms: &Terms, target: VarId, value: Term) {
        let place = self.split(terms, value).map(|(object, _)| object);
        if place.is_none() {
            self.lose_mentioned(terms, value);
        }
        self.takes(target, place);
    }

    fn accessed(&mut self, terms: &Terms, address: Term, width: u32) {
        match self.split(terms, address) {
            Some((object, _)) => {
                let known = &mut self.objects[object];
                if known.width == 0 {
                    known.width = width;
                }
                known.lost |= known.width != width || width < 8 || !width.is_multiple_of(8);
            }
            None => self.lose_mentioned(terms, address),
        }
    }

    /// A fill is understood where it covers whole cells.
    fn filled(&mut self, terms: &Terms, destination: Term, size: Term) {
        match self.split(terms, destination) {
            Some((object, _)) => {
                let constant = terms.as_constant(size).map(|bits| bits.value());
                let whole = self.objects[object].size.map(u128::from) == constant && constant.is_some();
                self.objects[object].lost |= !whole;
            }
            None => self.lose_mentioned(terms, destination),
        }
    }

    /// All offsets in an object must be multiples of the width of its cells, and constant ones inside it.
    fn check_offsets(&mut self, terms: &Terms) {
        let program = self.program;
        for edge in program.edges.iter() {
            let addresses: Vec<(Term, bool)> = match &edge.operation {
                Operation::Assign { value, .. } => vec![(*value, false)],
                Operation::Load { address, .. } | Operation::Store { address, .. } => vec![(*address, true)],
                Operation::Fill { destination, .. } => vec![(*destination, true)],
                Operation::Call { arguments, .. } => arguments.iter().map(|&argument| (argument, false)).collect(),
                _ => continue,
            };
            for (address, access) in addresses {
                let Some((object, offset)) = self.split(terms, address) else { continue };
                let bytes = u128::from(self.objects[object].width / 8);
                // Registers with addresses are multiples themselves.
                let rest = terms.substitute(offset, &mut |node| {
                    let held = node.op == Op::Symbol && program.variable_of(node.symbol()).is_some_and(|v| self.class[v].is_some());
                    held.then(|| terms.number(node.width(), 0))
                });
                let multiple = match terms.as_constant(rest) {
                    Some(constant) => bytes > 0 && constant.signed().unsigned_abs() % bytes == 0,
                    None => bytes.is_power_of_two() && terms.known_bits(rest).0.trailing_ones() >= bytes.trailing_zeros(),
                };
                let inside = match (terms.as_constant(offset), self.objects[object].size) {
                    (Some(offset), Some(size)) if access => offset.value() + bytes <= u128::from(size),
                    _ => true,
                };
                self.objects[object].lost |= bytes > 0 && !(multiple && inside);
            }
        }
    }
}

fn is_null(terms: &Terms, term: Term) -> bool {
    terms.as_constant(term).is_some_and(|bits| bits.is_zero())
}

/// The functions that run at most once: called from one place that runs at most once.
fn runs_once(structure: &Structure<'_>) -> IdVec<FunctionId, bool> {
    let program = structure.program;
    let mut once = IdVec::filled(false, program.functions.len());
    once[program.entry] = true;
    let mut grew = true;
    while std::mem::take(&mut grew) {
        for (callee, _) in program.functions.iter_ids() {
            let [site] = structure.calls().sites[callee][..] else { continue };
            let source = program.edges[site].source;
            let caller = program.locations[source].function;
            if callee != program.entry && !once[callee] && once[caller] && structure.loops().innermost[source].is_none() {
                once[callee] = true;
                grew = true;
            }
        }
    }
    once
}
