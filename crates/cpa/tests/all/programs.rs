//! Small programs, written with a thin layer over the builder.

use assay_base::Span;
use assay_cfa::{
    Builder, CType, DataModel, EdgeId, FunctionId, LocationId, Operation, Origin, Program, Role, Scope, Storage, Target, ValueSource,
    ValueSourceKind, VarId,
};
use assay_term::Term;

pub(crate) struct Make {
    pub builder: Builder,
}

const INT: CType = CType::Integer { width: 32, signed: true, name: "int" };

impl Make {
    pub(crate) fn new() -> Self {
        Make { builder: Builder::new(DataModel::Lp64) }
    }
    pub(crate) fn function(&mut self, name: &str) -> FunctionId {
        self.builder.function(name, Span::NONE)
    }
    pub(crate) fn entry(&self, function: FunctionId) -> LocationId {
        self.builder.functions[function].entry
    }
    pub(crate) fn exit(&self, function: FunctionId) -> LocationId {
        self.builder.functions[function].exit
    }
    fn variable(&mut self, name: &str, scope: Scope, role: Role) -> VarId {
        self.builder.variable(name, scope, role, Storage::Register { width: 32 }, INT, Span::NONE)
    }
    pub(crate) fn local(&mut self, function: FunctionId, name: &str) -> VarId {
        self.variable(name, Scope::Local(function), Role::Source)
    }
    pub(crate) fn parameter(&mut self, function: FunctionId, name: &str) -> VarId {
        self.variable(name, Scope::Local(function), Role::Parameter(0))
    }
    pub(crate) fn result(&mut self, function: FunctionId) -> VarId {
        self.variable("", Scope::Local(function), Role::Result)
    }
    pub(crate) fn read(&self, variable: VarId) -> Term {
        self.builder.read(variable)
    }
    pub(crate) fn number(&self, value: u32) -> Term {
        self.builder.terms.number(32, value.into())
    }
    pub(crate) fn add(&self, variable: VarId, value: u32) -> Term {
        self.builder.terms.add(self.read(variable), self.number(value))
    }
    pub(crate) fn edge(&mut self, from: LocationId, to: LocationId, operation: Operation) -> EdgeId {
        self.builder.edge(from, to, operation, Span::NONE, Origin::Internal)
    }
    /// An edge to a new location.
    pub(crate) fn then(&mut self, from: LocationId, operation: Operation) -> LocationId {
        let to = self.builder.location(self.builder.locations[from].function);
        self.edge(from, to, operation);
        to
    }
    pub(crate) fn assign(&mut self, from: LocationId, target: VarId, value: Term) -> LocationId {
        self.then(from, Operation::Assign { target, value })
    }
    pub(crate) fn havoc(&mut self, from: LocationId, target: VarId) -> LocationId {
        let source = self.builder.value_source(ValueSource { kind: ValueSourceKind::Input, name: "nondet".to_string(), span: Span::NONE });
        self.then(from, Operation::Havoc { target, source })
    }
    /// Branches on a condition: (where it holds, where it does not).
    pub(crate) fn branch(&mut self, from: LocationId, condition: Term) -> (LocationId, LocationId) {
        let negated = self.builder.terms.not(condition);
        (self.then(from, Operation::Assume { condition }), self.then(from, Operation::Assume { condition: negated }))
    }
    pub(crate) fn less(&self, variable: VarId, value: u32) -> Term {
        self.builder.terms.ult(self.read(variable), self.number(value))
    }
    pub(crate) fn equals(&self, variable: VarId, value: u32) -> Term {
        self.builder.terms.eq(self.read(variable), self.number(value))
    }
    pub(crate) fn call(&mut self, from: LocationId, callee: FunctionId, arguments: Vec<Term>, result: Option<VarId>) -> LocationId {
        self.then(from, Operation::Call { callee, arguments, result })
    }
    /// A target that is reached if the variable does not have the value; control goes on where it has.
    pub(crate) fn assert_equals(&mut self, from: LocationId, variable: VarId, value: u32) -> LocationId {
        let condition = self.equals(variable, value);
        let (good, bad) = self.branch(from, condition);
        let error = self.builder.target(self.builder.locations[from].function, Target::UnreachCall);
        self.edge(bad, error, Operation::Skip);
        good
    }
    pub(crate) fn jump(&mut self, from: LocationId, to: LocationId) {
        self.edge(from, to, Operation::Skip);
    }
    pub(crate) fn finish(self, entry: FunctionId) -> Program {
        self.builder.finish(entry)
    }
}

/// `x = 0; while (x < bound) x++; assert(x == expected)`.
pub(crate) fn counting(bound: u32, expected: u32) -> Program {
    let mut m = Make::new();
    let main = m.function("main");
    let x = m.local(main, "x");
    let zero = m.number(0);
    let head = m.assign(m.entry(main), x, zero);
    let condition = m.less(x, bound);
    let (body, after) = m.branch(head, condition);
    let next = m.add(x, 1);
    let end = m.assign(body, x, next);
    m.jump(end, head);
    let good = m.assert_equals(after, x, expected);
    m.jump(good, m.exit(main));
    m.finish(main)
}

/// `flag = 1; i = 0; while (nondet) i++; assert(flag == expected)`, where the loop over `i` never ends for who tracks
/// it.
pub(crate) fn irrelevant_counter(expected: u32) -> Program {
    let mut m = Make::new();
    let main = m.function("main");
    let (flag, i, choice) = (m.local(main, "flag"), m.local(main, "i"), m.local(main, "choice"));
    let (zero, one) = (m.number(0), m.number(1));
    let at = m.assign(m.entry(main), flag, one);
    let head = m.assign(at, i, zero);
    let chosen = m.havoc(head, choice);
    let condition = m.equals(choice, 0);
    let (after, body) = m.branch(chosen, condition);
    let next = m.add(i, 1);
    let end = m.assign(body, i, next);
    m.jump(end, head);
    let good = m.assert_equals(after, flag, expected);
    m.jump(good, m.exit(main));
    m.finish(main)
}

/// `int inc(int n) { return n + 1; } main: x = inc(5); y = inc(x); assert(y == expected)`.
pub(crate) fn calls(expected: u32) -> Program {
    let mut m = Make::new();
    let inc = m.function("inc");
    let (n, result) = (m.parameter(inc, "n"), m.result(inc));
    let value = m.add(n, 1);
    let at = m.assign(m.entry(inc), result, value);
    m.jump(at, m.exit(inc));
    let main = m.function("main");
    let (x, y) = (m.local(main, "x"), m.local(main, "y"));
    let five = m.number(5);
    let at = m.call(m.entry(main), inc, vec![five], Some(x));
    let x_now = m.read(x);
    let at = m.call(at, inc, vec![x_now], Some(y));
    let good = m.assert_equals(at, y, expected);
    m.jump(good, m.exit(main));
    m.finish(main)
}

/// `int down(int n) { if (n == 0) return 7; return down(n - 1); } main: x = down(start); assert(x == 7)`.
pub(crate) fn recursion(start: u32) -> Program {
    let mut m = Make::new();
    let down = m.function("down");
    let (n, result) = (m.parameter(down, "n"), m.result(down));
    let condition = m.equals(n, 0);
    let (done, go_on) = m.branch(m.entry(down), condition);
    let seven = m.number(7);
    let at = m.assign(done, result, seven);
    m.jump(at, m.exit(down));
    let less = m.add(n, u32::MAX);
    let at = m.call(go_on, down, vec![less], Some(result));
    m.jump(at, m.exit(down));
    let main = m.function("main");
    let x = m.local(main, "x");
    let start = m.number(start);
    let at = m.call(m.entry(main), down, vec![start], Some(x));
    let good = m.assert_equals(at, x, 7);
    m.jump(good, m.exit(main));
    m.finish(main)
}

/// `if (nondet) x = 1; else x = second; y = 3; assert(y == 3)`: two branches that meet.
pub(crate) fn diamond(second: u32) -> Program {
    let mut m = Make::new();
    let main = m.function("main");
    let (x, y, choice) = (m.local(main, "x"), m.local(main, "y"), m.local(main, "choice"));
    let at = m.havoc(m.entry(main), choice);
    let condition = m.equals(choice, 0);
    let (left, right) = m.branch(at, condition);
    let (one, second, three) = (m.number(1), m.number(second), m.number(3));
    let left = m.assign(left, x, one);
    let right = m.assign(right, x, second);
    let meet = m.builder.location(main);
    // The choice is forgotten on both sides, so that only `x` differs.
    let (left, right) = (m.havoc(left, choice), m.havoc(right, choice));
    m.jump(left, meet);
    m.jump(right, meet);
    let at = m.assign(meet, y, three);
    let good = m.assert_equals(at, y, 3);
    m.jump(good, m.exit(main));
    m.finish(main)
}

/// A construct that is not modelled behind `x == value`, where `x` is 1.
pub(crate) fn unsupported_behind(value: u32) -> Program {
    let mut m = Make::new();
    let main = m.function("main");
    let x = m.local(main, "x");
    let one = m.number(1);
    let at = m.assign(m.entry(main), x, one);
    let condition = m.equals(x, value);
    let (inside, outside) = m.branch(at, condition);
    let at = m.then(inside, Operation::Unsupported { what: "setjmp".to_string() });
    m.jump(at, m.exit(main));
    m.jump(outside, m.exit(main));
    m.finish(main)
}

/// `int down(int n) { if (n == 0) return 7; return down(n - 1); } main: x = down(nondet); assert(x == expected)`: only
/// a fixpoint ends.
pub(crate) fn recursion_of_unknown_depth(expected: u32) -> Program {
    let mut m = Make::new();
    let down = m.function("down");
    let (n, result) = (m.parameter(down, "n"), m.result(down));
    let condition = m.equals(n, 0);
    let (done, go_on) = m.branch(m.entry(down), condition);
    let seven = m.number(7);
    let at = m.assign(done, result, seven);
    m.jump(at, m.exit(down));
    let less = m.add(n, u32::MAX);
    let at = m.call(go_on, down, vec![less], Some(result));
    m.jump(at, m.exit(down));
    let main = m.function("main");
    let (x, input) = (m.local(main, "x"), m.local(main, "input"));
    let at = m.havoc(m.entry(main), input);
    let input = m.read(input);
    let at = m.call(at, down, vec![input], Some(x));
    let good = m.assert_equals(at, x, expected);
    m.jump(good, m.exit(main));
    m.finish(main)
}

/// `even(n) = n == 0 ? 1 : odd(n - 1); odd(n) = n == 0 ? 0 : even(n - 1); main: x = even(start); assert(x ==
/// expected)`.
pub(crate) fn mutual_recursion(start: u32, expected: u32) -> Program {
    let mut m = Make::new();
    let (even, odd) = (m.function("even"), m.function("odd"));
    for (this, other, value) in [(even, odd, 1), (odd, even, 0)] {
        let (n, result) = (m.parameter(this, "n"), m.result(this));
        let condition = m.equals(n, 0);
        let (done, go_on) = m.branch(m.entry(this), condition);
        let value = m.number(value);
        let at = m.assign(done, result, value);
        m.jump(at, m.exit(this));
        let less = m.add(n, u32::MAX);
        let at = m.call(go_on, other, vec![less], Some(result));
        m.jump(at, m.exit(this));
    }
    let main = m.function("main");
    let x = m.local(main, "x");
    let start = m.number(start);
    let at = m.call(m.entry(main), even, vec![start], Some(x));
    let good = m.assert_equals(at, x, expected);
    m.jump(good, m.exit(main));
    m.finish(main)
}
