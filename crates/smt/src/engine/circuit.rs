//! Gates with structural hashing and constant folding. Every gate is a definition of its output by its inputs, so
//! any assignment of the inputs extends to the gates; this is what allows the search to ignore gates that a query
//! does not depend on.

use super::lit::{Lit, Var};
use super::sat::Sat;
use assay_base::FastMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum GateKind {
    /// A free variable.
    Input,
    /// All inputs are true.
    And,
    /// An odd number of two or three inputs is true.
    Xor,
    /// At least two of three inputs are true.
    Majority,
    /// The second input if the first is true, else the third.
    Mux,
}

#[derive(Clone, Copy)]
struct Gate {
    kind: GateKind,
    start: u32,
    len: u32,
}

/// A growing circuit and the SAT instance that holds its clauses.
pub(crate) struct Circuit {
    pub sat: Sat,
    gates: Vec<Gate>,
    inputs: Vec<Lit>,
    small: FastMap<(GateKind, [Lit; 3]), Lit>,
    wide_ands: FastMap<Box<[Lit]>, Lit>,
    /// Clauses that follow from the definitions, but not easily.
    facts: Vec<[Lit; 2]>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self::new()
    }
}

impl Circuit {
    pub(crate) fn new() -> Self {
        let constant = Gate { kind: GateKind::Input, start: 0, len: 0 };
        Circuit {
            sat: Sat::new(),
            gates: vec![constant],
            inputs: Vec::new(),
            small: FastMap::default(),
            wide_ands: FastMap::default(),
            facts: Vec::new(),
        }
    }

    pub(crate) fn gate_kind(&self, var: Var) -> GateKind {
        self.gates[var as usize].kind
    }
    pub(crate) fn gate_inputs(&self, var: Var) -> &[Lit] {
        let gate = self.gates[var as usize];
        &self.inputs[gate.start as usize..(gate.start + gate.len) as usize]
    }
    pub(crate) fn var_count(&self) -> usize {
        self.gates.len()
    }

    /// Adds a clause that follows from the definitions.
    pub(crate) fn add_fact(&mut self, clause: [Lit; 2]) {
        if !clause.contains(&Lit::TRUE) && clause[0] != !clause[1] {
            self.sat.add_clause(&clause);
            self.facts.push(clause);
        }
    }
    pub(crate) fn facts(&self) -> &[[Lit; 2]] {
        &self.facts
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.new_gate(GateKind::Input, &[])
    }
    pub(crate) fn input_word(&mut self, width: u32) -> Vec<Lit> {
        (0..width).map(|_| self.input()).collect()
    }

    fn new_gate(&mut self, kind: GateKind, inputs: &[Lit]) -> Lit {
        let var = self.sat.new_var();
        let start = self.inputs.len() as u32;
        self.inputs.extend_from_slice(inputs);
        self.gates.push(Gate { kind, start, len: inputs.len() as u32 });
        let output = Lit::new(var, false);
        let sat = &mut self.sat;
        definition(kind, output, inputs, &mut |clause| {
            sat.add_clause(clause);
        });
        output
    }

    /// The clauses that define a gate's output (none for an input).
    pub(crate) fn definition(&self, var: Var, emit: &mut dyn FnMut(&[Lit])) {
        let gate = self.gates[var as usize];
        definition(gate.kind, Lit::new(var, false), self.gate_inputs(var), emit);
    }

    fn hashed(&mut self, kind: GateKind, inputs: [Lit; 3], arity: usize) -> Lit {
        if let Some(&found) = self.small.get(&(kind, inputs)) {
            return found;
        }
        let output = self.new_gate(kind, &inputs[..arity]);
        self.small.insert((kind, inputs), output);
        output
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if b == Lit::TRUE {
            return a;
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.hashed(GateKind::And, [a, b, Lit::TRUE], 2)
    }
    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    pub(crate) fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut inputs: Vec<Lit> = lits.iter().copied().filter(|&l| l != Lit::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.contains(&Lit::FALSE) || inputs.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        match inputs[..] {
            [] => Lit::TRUE,
            [a] => a,
            [a, b] => self.and(a, b),
            [a, b, c] => self.hashed(GateKind::And, [a, b, c], 3),
            _ => {
                if let Some(&found) = self.wide_ands.get(&inputs[..]) {
                    return found;
                }
                let output = self.new_gate(GateKind::And, &inputs);
                self.wide_ands.insert(inputs.into_boxed_slice(), output);
                output
            }
        }
    }
    pub(crate) fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.and_all(&negated)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.is_constant() {
            return b.flip(a == Lit::TRUE);
        }
        if b.is_constant() {
            return a.flip(b == Lit::TRUE);
        }
        if a.var() == b.var() {
            return Lit::of_bool(a != b);
        }
        let negate = a.is_negative() != b.is_negative();
        let (x, y) = (a.flip(a.is_negative()), b.flip(b.is_negative()));
        let (x, y) = if x < y { (x, y) } else { (y, x) };
        self.hashed(GateKind::Xor, [x, y, Lit::FALSE], 2).flip(negate)
    }
    pub(crate) fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// The sum bit of a full adder.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        if a.is_constant() || b.is_constant() || c.is_constant() || a.var() == b.var() || a.var() == c.var() || b.var() == c.var() {
            // Pair equal variables (or constants) first, so that they cancel.
            let (x, y, z) = if a.var() == c.var() {
                (a, c, b)
            } else if b.var() == c.var() || b.is_constant() && c.is_constant() {
                (b, c, a)
            } else {
                (a, b, c)
            };
            let first = self.xor(x, y);
            return self.xor(first, z);
        }
        let negate = a.is_negative() ^ b.is_negative() ^ c.is_negative();
        let mut inputs = [a, b, c].map(|l| l.flip(l.is_negative()));
        inputs.sort_unstable();
        self.hashed(GateKind::Xor, inputs, 3).flip(negate)
    }

    /// The carry bit of a full adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // The majority of negations is the negation of the majority.
        let negate = a.is_negative();
        self.hashed(GateKind::Majority, inputs.map(|l| l.flip(negate)), 3).flip(negate)
    }

    /// `then` if the condition holds, else `otherwise`.
    pub(crate) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition.is_negative() && !condition.is_constant() {
            return self.mux(!condition, otherwise, then);
        }
        if condition == Lit::TRUE || then == otherwise {
            return then;
        }
        if condition == Lit::FALSE {
            return otherwise;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        if then == Lit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Lit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Lit::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Lit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        let negate = then.is_negative();
        self.hashed(GateKind::Mux, [condition, then.flip(negate), otherwise.flip(negate)], 3).flip(negate)
    }
}

/// The clauses of `output = kind(inputs)`.
fn definition(kind: GateKind, output: Lit, inputs: &[Lit], emit: &mut dyn FnMut(&[Lit])) {
    let o = output;
    match (kind, inputs) {
        (GateKind::Input, _) => {}
        (GateKind::And, _) => {
            let mut long = Vec::with_capacity(inputs.len() + 1);
            long.push(o);
            for &input in inputs {
                emit(&[!o, input]);
                long.push(!input);
            }
            emit(&long);
        }
        (GateKind::Xor, &[a, b]) => {
            emit(&[!o, a, b]);
            emit(&[!o, !a, !b]);
            emit(&[o, !a, b]);
            emit(&[o, a, !b]);
        }
        (GateKind::Xor, &[a, b, c]) => {
            emit(&[!o, a, b, c]);
            emit(&[!o, a, !b, !c]);
            emit(&[!o, !a, b, !c]);
            emit(&[!o, !a, !b, c]);
            emit(&[o, !a, !b, !c]);
            emit(&[o, !a, b, c]);
            emit(&[o, a, !b, c]);
            emit(&[o, a, b, !c]);
        }
        (GateKind::Majority, &[a, b, c]) => {
            emit(&[!o, a, b]);
            emit(&[!o, a, c]);
            emit(&[!o, b, c]);
            emit(&[o, !a, !b]);
            emit(&[o, !a, !c]);
            emit(&[o, !b, !c]);
        }
        (GateKind::Mux, &[c, a, b]) => {
            emit(&[!o, !c, a]);
            emit(&[o, !c, !a]);
            emit(&[!o, c, b]);
            emit(&[o, c, !b]);
            // Redundant, but lets the output follow when both inputs agree.
            emit(&[!o, a, b]);
            emit(&[o, !a, !b]);
        }
        _ => unreachable!("a gate has the arity of its kind"),
    }
}
