//! What the present query depends on: the gates and inputs below its assumptions, kept as a stack so that queries
//! with a common prefix only pay for what is new.

use super::blast::{Blaster, Owner};
use super::lit::{Lit, Var};

#[derive(Default)]
pub(super) struct Cone {
    assumptions: Vec<Lit>,
    /// For every assumption, how many variables and owners there were before it.
    marks: Vec<(u32, u32)>,
    vars: Vec<Var>,
    owners: Vec<u32>,
    var_in: Vec<bool>,
    owner_in: Vec<bool>,
    stack: Vec<Var>,
}

impl Cone {
    pub(super) fn size(&self) -> usize {
        self.vars.len()
    }
    pub(super) fn vars(&self) -> &[Var] {
        &self.vars
    }
    /// Indices of the owners of the inputs.
    pub(super) fn owners(&self) -> &[u32] {
        &self.owners
    }

    /// Makes this the cone of other assumptions.
    pub(super) fn change(&mut self, blaster: &mut Blaster, assumptions: &[Lit]) {
        let shared = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        if shared < self.assumptions.len() {
            let (vars, owners) = self.marks[shared];
            for &var in &self.vars[vars as usize..] {
                self.var_in[var as usize] = false;
                blaster.circuit.sat.set_relevant(var, false);
            }
            for &owner in &self.owners[owners as usize..] {
                self.owner_in[owner as usize] = false;
            }
            self.vars.truncate(vars as usize);
            self.owners.truncate(owners as usize);
            self.marks.truncate(shared);
            self.assumptions.truncate(shared);
        }
        self.var_in.resize(blaster.circuit.var_count(), false);
        self.owner_in.resize(blaster.owners.len(), false);
        for &lit in &assumptions[shared..] {
            self.marks.push((self.vars.len() as u32, self.owners.len() as u32));
            self.assumptions.push(lit);
            self.grow(blaster, lit);
        }
    }

    fn grow(&mut self, blaster: &mut Blaster, root: Lit) {
        self.stack.push(root.var());
        while let Some(var) = self.stack.pop() {
            if var == 0 || std::mem::replace(&mut self.var_in[var as usize], true) {
                continue;
            }
            self.vars.push(var);
            blaster.circuit.sat.set_relevant(var, true);
            let inputs = blaster.circuit.gate_inputs(var);
            if !inputs.is_empty() {
                self.stack.extend(inputs.iter().map(|l| l.var()));
                continue;
            }
            let Some(owner) = blaster.owner(var) else { continue };
            if std::mem::replace(&mut self.owner_in[owner], true) {
                continue;
            }
            self.owners.push(owner as u32);
            match &blaster.owners[owner] {
                Owner::Symbol { .. } => {}
                Owner::Address { bits, .. } => self.stack.extend(bits.iter().map(|l| l.var())),
                Owner::Application { arguments, result, depends, .. } => {
                    self.stack.extend(arguments.iter().flatten().chain(result).chain(depends).map(|l| l.var()));
                }
                Owner::ArrayEquality { depends, .. } => self.stack.extend(depends.iter().map(|l| l.var())),
            }
        }
    }
}
