//! Checks that a program is well-formed: references, sorts and widths, and who may use which variable. Whatever the
//! front end or a pass gets wrong is said here and not as a wrong verdict later.

use crate::operation::{MemoryCondition, Operation};
use crate::program::{EdgeId, FunctionId, LocationId, Program, Role, Scope, SourceId, Storage, VarId};
use crate::thread::ThreadOperation;
use assay_base::{FastMap, FastSet, Id, Span};
use assay_term::{Node, Op, Sort, Term, Terms};
use std::rc::Rc;

/// One thing that is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramDefect {
    /// Where in the source, as far as it is known.
    pub span: Span,
    /// What does not hold, and where.
    pub message: String,
}

impl std::fmt::Display for ProgramDefect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.span.is_known() { write!(f, "{:?}: {}", self.span, self.message) } else { f.write_str(&self.message) }
    }
}

/// After this many the search ends.
const MOST_DEFECTS: usize = 100;

/// All defects of a program (the first hundred); empty for a well-formed one. Linear in the size of the program.
pub fn verify(program: &Program) -> Vec<ProgramDefect> {
    let terms = Terms::overlay(program.terms.clone());
    let mut verifier = Verifier { program, terms: &terms, defects: vec![], checked: FastSet::default(), leaves: FastMap::default() };
    verifier.functions();
    verifier.variables();
    verifier.locations();
    // What follows goes through the references that were just checked.
    if verifier.defects.is_empty() {
        for id in program.edges.ids() {
            verifier.edge(id);
            if verifier.defects.len() >= MOST_DEFECTS {
                break;
            }
        }
    }
    verifier.defects.truncate(MOST_DEFECTS);
    verifier.defects
}

/// The variables whose values or addresses occur in a term.
struct Leaves {
    values: Vec<VarId>,
    addresses: Vec<VarId>,
}

struct Verifier<'a> {
    program: &'a Program,
    terms: &'a Terms,
    defects: Vec<ProgramDefect>,
    /// The terms whose sorts are known to be right.
    checked: FastSet<Term>,
    leaves: FastMap<Term, Rc<Leaves>>,
}

impl Verifier<'_> {
    fn report(&mut self, span: Span, message: String) {
        self.defects.push(ProgramDefect { span, message });
    }

    fn functions(&mut self) {
        let program = self.program;
        let is_location = |place: LocationId, function: FunctionId| program.locations.get(place).is_some_and(|l| l.function == function);
        if program.functions.get(program.entry).is_none() {
            self.report(Span::NONE, format!("the entry function {} does not exist", program.entry));
        }
        let mut names: FastSet<&str> = FastSet::default();
        for (id, function) in program.functions.iter_ids() {
            let mut wrong: Vec<String> = vec![];
            if !names.insert(&function.name) {
                wrong.push("has the name of another function".into());
            }
            for (what, place) in [("entry", function.entry), ("exit", function.exit)] {
                if !is_location(place, id) {
                    wrong.push(format!("has the {what} {place}, which is not one of its locations"));
                }
            }
            if program.locations.get(function.exit).is_some_and(|exit| !exit.outgoing.is_empty()) {
                wrong.push(format!("has edges out of its exit {}", function.exit));
            }
            if function.symbol.index() != program.variables.len() + id.index() {
                wrong.push(format!("has the symbol {}, which is not the one of its place", function.symbol));
            } else if function.symbol.index() >= self.terms.symbol_count() {
                wrong.push("has no symbol".into());
            }
            for (index, parameter) in function.parameters.iter().enumerate() {
                let fits = program.variables.get(*parameter).is_some_and(|v| {
                    v.scope == Scope::Local(id) && v.role == Role::Parameter(index as u32) && v.register_width().is_some()
                });
                if !fits {
                    wrong.push(format!("has the parameter {parameter}, which is not a register of its own with that place"));
                }
            }
            if let Some(result) = function.result {
                let fits = program
                    .variables
                    .get(result)
                    .is_some_and(|v| v.scope == Scope::Local(id) && v.role == Role::Result && v.register_width().is_some());
                if !fits {
                    wrong.push(format!("has the result {result}, which is not a register of its own"));
                }
            }
            for message in wrong {
                self.report(function.span, format!("the function `{}` {message}", function.name));
            }
        }
    }

    fn variables(&mut self) {
        let program = self.program;
        let mut names: FastSet<&str> = FastSet::default();
        let mut listed = 0;
        let lists = std::iter::once((Scope::Global, &program.globals))
            .chain(program.functions.iter_ids().map(|(id, function)| (Scope::Local(id), &function.locals)));
        for (scope, list) in lists {
            for (slot, &id) in list.iter().enumerate() {
                listed += 1;
                match program.variables.get(id) {
                    Some(variable) if variable.scope == scope && variable.slot as usize == slot => {}
                    Some(variable) => {
                        self.report(variable.span, format!("the variable `{}` is listed in slot {slot} of {scope:?}", variable.name));
                    }
                    None => self.report(Span::NONE, format!("the variable {id} of {scope:?} does not exist")),
                }
            }
        }
        if listed != program.variables.len() {
            self.report(Span::NONE, format!("{} variables exist, but {listed} are listed in scopes", program.variables.len()));
        }
        for (id, variable) in program.variables.iter_ids() {
            let mut wrong: Vec<String> = vec![];
            if !names.insert(&variable.name) {
                wrong.push("has the name of another variable".into());
            }
            if id.index() >= self.terms.symbol_count() || self.terms.symbol_name(id.symbol()) != variable.name {
                wrong.push("has a symbol of another name".into());
            } else {
                let width = variable.register_width().unwrap_or(program.model.pointer_width());
                if self.terms.symbol_info(id.symbol()).sort != Sort::bv(width) {
                    wrong.push("has a symbol of another width".into());
                }
            }
            if !variable.initial.is_empty() && !variable.is_global() {
                wrong.push("is a local with an initial value".into());
            }
            for &(offset, value) in &variable.initial {
                wrong.extend(self.initial_defect(variable.storage, offset, value));
            }
            for message in wrong {
                self.report(variable.span, format!("the variable `{}` {message}", variable.name));
            }
        }
    }

    fn initial_defect(&mut self, storage: Storage, offset: u64, value: Term) -> Option<String> {
        if let Some(message) = self.term_defect(value) {
            return Some(format!("has an initial value in which {message}"));
        }
        let leaves = self.leaves(value);
        if !leaves.values.is_empty() {
            return Some("has an initial value that is not constant".into());
        }
        if leaves.addresses.iter().any(|&object| !self.program.variables[object].is_global()) {
            return Some("has the address of a local as initial value".into());
        }
        let width = self.terms.width(value);
        match storage {
            Storage::Register { width: wanted } if offset != 0 || width != wanted => {
                Some(format!("of width {wanted} has an initial value of width {width} at offset {offset}"))
            }
            Storage::Memory { size: Some(size), .. } => {
                let end = offset.checked_add(u64::from(width / 8));
                (!width.is_multiple_of(8) || end.is_none_or(|end| end > size))
                    .then(|| format!("of {size} bytes has an initial value of {width} bits at offset {offset}"))
            }
            Storage::Memory { size: None, .. } => Some("has an initial value but no size".into()),
            Storage::Register { .. } => None,
        }
    }

    fn locations(&mut self) {
        let program = self.program;
        for (id, location) in program.locations.iter_ids() {
            if program.functions.get(location.function).is_none() {
                self.report(Span::NONE, format!("{id} belongs to {}, which does not exist", location.function));
            }
            for (what, list) in [("leave", &location.outgoing), ("enter", &location.incoming)] {
                let mut seen: FastSet<EdgeId> = FastSet::default();
                for &edge in list {
                    let end = program.edges.get(edge).map(|e| if what == "leave" { e.source } else { e.target });
                    if end != Some(id) || !seen.insert(edge) {
                        self.report(Span::NONE, format!("{edge} is listed to {what} {id} but does not, or twice"));
                    }
                }
            }
        }
        let (mut leaving, mut entering) = (0, 0);
        for location in program.locations.iter() {
            leaving += location.outgoing.len();
            entering += location.incoming.len();
        }
        for (id, edge) in program.edges.iter_ids() {
            let ends = (program.locations.get(edge.source), program.locations.get(edge.target));
            match ends {
                (Some(source), Some(target)) if source.function != target.function => {
                    self.report(edge.span, format!("{id} leads from one function into another"));
                }
                (Some(_), Some(_)) => {}
                _ => self.report(edge.span, format!("{id} leads from {} to {}, which do not both exist", edge.source, edge.target)),
            }
        }
        // Each listed edge is listed once and rightly, so that equal numbers mean that all are listed.
        if self.defects.is_empty() && (leaving, entering) != (program.edges.len(), program.edges.len()) {
            let count = program.edges.len();
            self.report(Span::NONE, format!("of {count} edges, {leaving} are listed at their source and {entering} at their target"));
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let edge = &self.program.edges[id];
        let function = self.program.locations[edge.source].function;
        let mut wrong = vec![];
        for term in edge.operation.terms() {
            if let Some(message) = self.term_defect(term) {
                wrong.push(message);
                continue;
            }
            let leaves = self.leaves(term);
            for &variable in leaves.values.iter().chain(&leaves.addresses) {
                wrong.extend(self.scope_defect(variable, function));
            }
        }
        if wrong.is_empty() {
            self.operation(&edge.operation, function, &mut wrong);
        }
        for message in wrong {
            self.report(edge.span, format!("on {id} {message}"));
        }
    }

    fn scope_defect(&self, variable: VarId, function: FunctionId) -> Option<String> {
        match self.program.variables.get(variable) {
            None => Some(format!("the variable {variable} does not exist")),
            Some(v) if v.scope == Scope::Global || v.scope == Scope::Local(function) => None,
            Some(v) => Some(format!("`{}` is a local of another function", v.name)),
        }
    }

    /// Whether the operands fit each other and the operation, given that each term is right in itself.
    fn operation(&self, operation: &Operation, function: FunctionId, wrong: &mut Vec<String>) {
        let pointer = self.program.model.pointer_width();
        let mut width = |what: &str, term: Term, wanted: u32| {
            let sort = self.terms.sort(term);
            if sort != Sort::bv(wanted) {
                wrong.push(format!("the {what} has the sort {sort:?}, not bv{wanted}"));
            }
        };
        match operation {
            Operation::Thread(operation) => {
                operation.terms().into_iter().for_each(|term| width("operand", term, pointer));
                if let Some(found) = operation.written_register().and_then(|target| self.register(target, function, wrong)) {
                    let wanted = if matches!(operation, ThreadOperation::TryAcquire { .. }) { 32 } else { pointer };
                    if found != wanted {
                        wrong.push(format!("a register of width {found} takes a number of a thread"));
                    }
                }
            }
            Operation::Skip | Operation::Unsupported { .. } => {}
            Operation::Assume { condition } => width("condition", *condition, 1),
            Operation::Check { fails, .. } => width("condition", *fails, 1),
            Operation::Assign { target, value } => {
                if let Some(wanted) = self.register(*target, function, wrong) {
                    let sort = self.terms.sort(*value);
                    if sort != Sort::bv(wanted) {
                        wrong.push(format!("a value of sort {sort:?} is assigned to a register of width {wanted}"));
                    }
                }
            }
            Operation::Havoc { target, source } => {
                self.register(*target, function, wrong);
                self.source(*source, wrong);
            }
            Operation::Load { target, address } => {
                width("address", *address, pointer);
                if let Some(found) = self.register(*target, function, wrong)
                    && !found.is_multiple_of(8)
                {
                    wrong.push(format!("a register of width {found} is loaded, which is not a number of bytes"));
                }
            }
            Operation::Store { address, value } => {
                width("address", *address, pointer);
                let sort = self.terms.sort(*value);
                if sort.is_array() || !sort.width().is_multiple_of(8) {
                    wrong.push(format!("a value of sort {sort:?} is stored, which is not a number of bytes"));
                }
            }
            Operation::Copy { destination, source, size } => {
                for term in [destination, source, size] {
                    width("operand", *term, pointer);
                }
            }
            Operation::Fill { destination, byte, size } => {
                width("destination", *destination, pointer);
                width("byte", *byte, 8);
                width("size", *size, pointer);
            }
            Operation::HavocMemory { address, size, source } => {
                width("address", *address, pointer);
                width("size", *size, pointer);
                self.source(*source, wrong);
            }
            Operation::Allocate { target, size, .. } => {
                width("size", *size, pointer);
                if self.register(*target, function, wrong).is_some_and(|found| found != pointer) {
                    wrong.push("an address is put into a register that is not as wide as a pointer".into());
                }
            }
            Operation::Free { address } => width("address", *address, pointer),
            Operation::Declare { object, size } => {
                if let Some(size) = size {
                    width("size", *size, pointer);
                }
                if let Some(known) = self.object(*object, function, wrong)
                    && known == size.is_some()
                {
                    let what = if known { "twice" } else { "nowhere" };
                    wrong.push(format!("`{}` gets its size {what}", self.program.variables[*object].name));
                }
            }
            Operation::EndLife { object } => {
                self.object(*object, function, wrong);
            }
            Operation::Call { callee, arguments, result } => self.call(*callee, arguments, *result, function, wrong),
            Operation::AssumeMemory { condition, .. } => match condition {
                MemoryCondition::Accessible { address, size, .. } | MemoryCondition::Initialised { address, size } => {
                    width("address", *address, pointer);
                    width("size", *size, pointer);
                }
                MemoryCondition::Freeable { address } => width("address", *address, pointer),
                MemoryCondition::AllReachable | MemoryCondition::NothingAllocated => {}
            },
        }
    }

    fn call(&self, callee: FunctionId, arguments: &[Term], result: Option<VarId>, caller: FunctionId, wrong: &mut Vec<String>) {
        let Some(function) = self.program.functions.get(callee) else {
            wrong.push(format!("the called function {callee} does not exist"));
            return;
        };
        if arguments.len() < function.parameters.len() {
            let (given, wanted) = (arguments.len(), function.parameters.len());
            wrong.push(format!("`{}` is called with {given} arguments, but has {wanted} parameters", function.name));
        }
        for (index, (&argument, &parameter)) in arguments.iter().zip(&function.parameters).enumerate() {
            let (sort, wanted) = (self.terms.sort(argument), self.program.variables[parameter].register_width().unwrap_or(0));
            if sort.is_array() || sort.width() != wanted {
                wrong.push(format!("argument {index} of `{}` has the sort {sort:?}, not bv{wanted}", function.name));
            }
        }
        if let Some(result) = result {
            let found = self.register(result, caller, wrong);
            match function.result.map(|r| self.program.variables[r].register_width()) {
                None => wrong.push(format!("the result of `{}` is used, but it has none", function.name)),
                Some(wanted) if found.is_some() && wanted != found => {
                    wrong.push(format!("the result of `{}` goes into a register of another width", function.name));
                }
                _ => {}
            }
        }
    }

    /// The width of a register that the function may write.
    fn register(&self, variable: VarId, function: FunctionId, wrong: &mut Vec<String>) -> Option<u32> {
        if let Some(message) = self.scope_defect(variable, function) {
            wrong.push(message);
            return None;
        }
        let width = self.program.variables[variable].register_width();
        if width.is_none() {
            wrong.push(format!("`{}` is written like a register, but is in memory", self.program.variables[variable].name));
        }
        width
    }

    /// Whether a memory local of the function has a size of its own.
    fn object(&self, variable: VarId, function: FunctionId, wrong: &mut Vec<String>) -> Option<bool> {
        match self.program.variables.get(variable) {
            Some(v) if v.scope == Scope::Local(function) => match v.storage {
                Storage::Memory { size, .. } => return Some(size.is_some()),
                Storage::Register { .. } => wrong.push(format!("`{}` is a register and has no life", v.name)),
            },
            Some(v) => wrong.push(format!("`{}` is not a local of this function", v.name)),
            None => wrong.push(format!("the variable {variable} does not exist")),
        }
        None
    }

    fn source(&self, source: SourceId, wrong: &mut Vec<String>) {
        if self.program.value_sources.get(source).is_none() {
            wrong.push(format!("the source {source} does not exist"));
        }
    }

    /// What is wrong with a term, checked once for each sub-term of the program.
    fn term_defect(&mut self, root: Term) -> Option<String> {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.checked.contains(&term) {
                continue;
            }
            if term.index() >= self.terms.len() {
                return Some(format!("the term {term} does not exist"));
            }
            let node = self.terms.node(term);
            let children = self.terms.children(&node);
            if let Some(missing) = children.iter().find(|c| c.index() >= term.index()) {
                return Some(format!("the term {term} has the operand {missing}, which is not older"));
            }
            if let Some(message) = self.node_defect(&node, &children) {
                return Some(message);
            }
            self.checked.insert(term);
            stack.extend(children);
        }
        None
    }

    fn node_defect(&self, node: &Node, children: &[Term]) -> Option<String> {
        let pointer = Sort::bv(self.program.model.pointer_width());
        match node.op {
            Op::Const => (node.width() > 128 || node.sort.is_array()).then(|| "a constant is too wide".into()),
            Op::Apply => None,
            Op::Symbol | Op::Address => {
                let (program, symbol) = (self.program, node.symbol());
                if symbol.index() >= self.terms.symbol_count() {
                    return Some(format!("the symbol {symbol} does not exist"));
                }
                let name = self.terms.symbol_name(symbol);
                let variable = program.variable_of(symbol).map(|v| &program.variables[v]);
                match (node.op, variable.map(|v| v.register_width())) {
                    (Op::Symbol, Some(Some(width))) => {
                        (node.sort != Sort::bv(width)).then(|| format!("`{name}` is read with another width"))
                    }
                    (Op::Symbol, Some(None)) => Some(format!("`{name}` is read like a register, but is in memory")),
                    (Op::Symbol, None) => Some(format!("`{name}` is not a variable")),
                    (_, Some(Some(_))) => Some(format!("the address of the register `{name}` is used")),
                    (_, Some(None)) => (node.sort != pointer).then(|| format!("the address of `{name}` is not as wide as a pointer")),
                    (_, None) => {
                        let fits = program.function_of(symbol).is_some() && node.sort == pointer;
                        (!fits).then(|| format!("`{name}` has no address"))
                    }
                }
            }
            op => {
                let numbers = match op {
                    Op::Extract => vec![node.high(), node.low()],
                    Op::ConstArray => vec![node.sort.index_width()],
                    _ => vec![node.width()],
                };
                let sorts: Vec<Sort> = children.iter().map(|&c| self.terms.sort(c)).collect();
                (result_sort(op, &numbers, &sorts) != Some(node.sort))
                    .then(|| format!("{op:?} of sort {:?} has operands of sorts {sorts:?}", node.sort))
            }
        }
    }

    fn leaves(&mut self, root: Term) -> Rc<Leaves> {
        let (terms, program) = (self.terms, self.program);
        self.leaves
            .entry(root)
            .or_insert_with(|| {
                let mut leaves = Leaves { values: vec![], addresses: vec![] };
                terms.post_order([root], |_, node| match node.op {
                    Op::Symbol => leaves.values.extend(program.variable_of(node.symbol())),
                    Op::Address => leaves.addresses.extend(program.variable_of(node.symbol())),
                    _ => {}
                });
                Rc::new(leaves)
            })
            .clone()
    }
}

/// The sort of an operator's result, or `None` where the operands do not fit. `numbers` are the bounds of an
/// extraction, the index width of a constant array, or the width of the result.
fn result_sort(op: Op, numbers: &[u32], sorts: &[Sort]) -> Option<Sort> {
    let is_vector = |s: &Sort| !s.is_array();
    let number = |index: usize| numbers.get(index).copied();
    let width = |index: usize| sorts.get(index).filter(|s| is_vector(s)).map(|s| s.width());
    let fits = |wanted: bool, sort: Sort| wanted.then_some(sort);
    match op {
        Op::Const | Op::Symbol | Op::Address | Op::Apply => None,
        Op::Select => fits(sorts[0].is_array() && width(1)? == sorts[0].index_width(), Sort::bv(sorts[0].width())),
        Op::Store => {
            let array = sorts[0];
            fits(array.is_array() && width(1)? == array.index_width() && width(2)? == array.width(), array)
        }
        Op::ConstArray => Some(Sort::array(number(0)?, width(0)?)),
        Op::Ite => fits(sorts[0] == Sort::BOOL && sorts[1] == sorts[2], sorts[1]),
        Op::Eq => fits(sorts[0] == sorts[1], Sort::BOOL),
        Op::UnsignedLess | Op::SignedLess | Op::FEq | Op::FLess | Op::FLessEq => fits(width(0)? == width(1)?, Sort::BOOL),
        Op::Concat => {
            let total = width(0)? + width(1)?;
            (total < 1 << 15).then(|| Sort::bv(total))
        }
        Op::Extract => {
            let (high, low) = (number(0)?, number(1)?);
            (low <= high && high < width(0)?).then(|| Sort::bv(high - low + 1))
        }
        Op::ZeroExtend | Op::SignExtend => fits(width(0)? <= number(0)?, Sort::bv(number(0)?)),
        Op::FConvert | Op::FFromSigned | Op::FFromUnsigned | Op::FToSigned | Op::FToUnsigned => {
            width(0)?;
            Some(Sort::bv(number(0)?))
        }
        Op::Not | Op::Neg | Op::FSqrt | Op::FRoundToIntegral => Some(Sort::bv(width(0)?)),
        _ => fits(width(0)? == width(1)?, Sort::bv(width(0)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;

    const HEAD: &str = "program LP64 main
source n0 input \"nondet\" 0:0:0
global g (memory 8 4) void source \"g\" (init (0 &|fn f|:64))
global p (register 64) pointer source \"p\" (init (0 (+ &g:64 4:64)))
global x (register 32) void source \"x\"
global b (register 1) void source \"b\"
function f entry L0 exit L1
  local f::a (register 32) void (parameter 0) \"a\"
  local f::r (register 32) void result \"\"
end
function main entry L2 exit L3
  local main::v (memory ? 4) void source \"v\"
  local main::m (memory 4 4) void source \"m\"
";

    fn check(line: &str, expected: &[&str]) {
        let program = read(&format!("{HEAD}  {line}\nend\n")).unwrap_or_else(|e| panic!("{line}: {e}"));
        let messages: Vec<String> = verify(&program).into_iter().map(|d| d.message).collect();
        assert_eq!(messages, expected, "{line}");
    }

    #[test]
    fn good_operations_pass() {
        for line in [
            "L2 -> L3 call f x result x",
            "L2 -> L3 call f x x",
            "L2 -> L3 declare main::v size 4:64",
            "L2 -> L3 load x (+ p 4:64)",
            "L2 -> L3 havoc b n0",
            "L2 -> L3 store &g:64 x",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn damaged_operations_are_found() {
        let cases: [(&str, &[&str]); 19] = [
            ("L2 -> L3 assume x", &["on E0 the condition has the sort bv32, not bv1"]),
            ("L2 -> L3 assign x 1:8", &["on E0 a value of sort bv8 is assigned to a register of width 32"]),
            ("L2 -> L3 assign g 1:8", &["on E0 `g` is written like a register, but is in memory"]),
            ("L2 -> L3 assign p g", &["on E0 `g` is read like a register, but is in memory"]),
            ("L2 -> L3 assign p &p:64", &["on E0 the address of the register `p` is used"]),
            ("L2 -> L3 assign x f::a", &["on E0 `f::a` is a local of another function"]),
            ("L2 -> L3 assign f::a x", &["on E0 `f::a` is a local of another function"]),
            ("L2 -> L3 assign x ghost:32", &["on E0 `ghost` is not a variable"]),
            ("L2 -> L3 load b p", &["on E0 a register of width 1 is loaded, which is not a number of bytes"]),
            ("L2 -> L3 load x x", &["on E0 the address has the sort bv32, not bv64"]),
            ("L2 -> L3 store p b", &["on E0 a value of sort bv1 is stored, which is not a number of bytes"]),
            ("L2 -> L3 allocate x 4:64 heap", &["on E0 an address is put into a register that is not as wide as a pointer"]),
            ("L2 -> L3 declare main::v", &["on E0 `main::v` gets its size nowhere"]),
            ("L2 -> L3 declare main::m size 4:64", &["on E0 `main::m` gets its size twice"]),
            ("L2 -> L3 end-life g", &["on E0 `g` is not a local of this function"]),
            ("L2 -> L3 call f", &["on E0 `f` is called with 0 arguments, but has 1 parameters"]),
            ("L2 -> L3 call f 1:8", &["on E0 argument 0 of `f` has the sort bv8, not bv32"]),
            ("L2 -> L3 call main result x", &["on E0 the result of `main` is used, but it has none"]),
            ("L3 -> L2 skip", &["the function `main` has edges out of its exit L3"]),
        ];
        for (line, expected) in cases {
            check(line, expected);
        }
    }

    fn damaged(damage: impl FnOnce(&mut Program), expected: &str) {
        let mut program = read(&format!("{HEAD}  L2 -> L3 assign x 1:32\nend\n")).expect("readable");
        damage(&mut program);
        let messages: Vec<String> = verify(&program).into_iter().map(|d| d.message).collect();
        assert!(messages.iter().any(|m| m.contains(expected)), "{expected}: {messages:?}");
    }

    #[test]
    fn damaged_references_are_found() {
        damaged(|p| p.edges[EdgeId(0)].target = LocationId(99), "L2 to L99, which do not both exist");
        damaged(|p| p.edges[EdgeId(0)].target = LocationId(0), "leads from one function into another");
        damaged(|p| p.locations[LocationId(2)].outgoing.clear(), "0 are listed at their source");
        damaged(|p| p.locations[LocationId(3)].outgoing.push(EdgeId(0)), "E0 is listed to leave L3");
        damaged(|p| p.functions[FunctionId(0)].entry = LocationId(2), "has the entry L2, which is not one of its locations");
        damaged(|p| p.entry = FunctionId(7), "the entry function F7 does not exist");
        damaged(|p| p.variables[VarId(2)].name = "y".into(), "has a symbol of another name");
        damaged(|p| p.variables[VarId(2)].storage = Storage::Register { width: 8 }, "has a symbol of another width");
        damaged(|p| p.variables[VarId(2)].slot = 0, "is listed in slot 2");
        damaged(|p| p.functions[FunctionId(0)].parameters.push(VarId(2)), "has the parameter v2, which is not a register of its own");
        damaged(|p| p.edges[EdgeId(0)].operation = Operation::Assume { condition: Term(9999) }, "the term t9999 does not exist");
        damaged(
            |p| p.edges[EdgeId(0)].operation = Operation::Havoc { target: VarId(2), source: SourceId(3) },
            "the source n3 does not exist",
        );
        damaged(
            |p| p.variables[VarId(0)].storage = Storage::Memory { size: Some(4), align: 4, constant: false },
            "of 4 bytes has an initial value of 64 bits",
        );
    }
}
