//! What library functions demand of their arguments, checked before each call where accesses are the question.

use super::body::{Body, End, Ends, Value};
use super::call::Argument;
use crate::models::{Demand, demand};
use assay_cfa::{CType, CheckKind, MemoryCondition, Operation, Origin, Target};
use assay_term::{Op, Term};
use rucc_types::{Qualifiers, TypeId};

/// The type of what is read of a stream or directory; it says what failed.
pub(super) const STAMP: CType = CType::Integer { width: 32, signed: false, name: "handle" };

impl Body<'_, '_> {
    /// The demands of a function of this shape.
    pub(super) fn demands(&mut self, shape: &str, arguments: &[Argument]) {
        let letters = shape.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let demands: Vec<(usize, Demand, bool)> = letters
            .bytes()
            .enumerate()
            .filter_map(|(number, letter)| demand(letter).map(|(demand, optional)| (number, demand, optional)))
            .filter(|&(number, demand, _)| number < arguments.len() && !self.is_met(demand, &arguments[number]))
            .collect();
        if !demands.is_empty() {
            self.only_for_accesses(|body| {
                for (number, demand, optional) in demands {
                    let address = body.word_argument(arguments, number);
                    let mut skipped = Vec::new();
                    if optional {
                        let there = body.terms().is_nonzero(address);
                        let (yes, no) = body.split(there, None);
                        body.ends = yes;
                        skipped = no;
                    }
                    body.demand(demand, address, &arguments[number]);
                    body.ends.append(&mut skipped);
                }
            });
        }
    }

    fn demand(&mut self, demand: Demand, address: Term, argument: &Argument) {
        match demand {
            Demand::Text => self.check_string(address, None),
            Demand::Object => {
                let (size, write) = self.demanded(argument);
                let size = self.word(size);
                self.check_access(address, size, write);
            }
            Demand::Stream | Demand::Directory => {
                let stamp = self.load(address, 32, STAMP);
                let stamp = self.terms().ne(stamp, self.terms().number(32, demand.stamp()));
                self.emit(Operation::Check { kind: CheckKind::CallTarget, fails: stamp });
            }
            Demand::Function => {
                let null = self.word(0);
                let fails = self.terms().eq(address, null);
                self.emit(Operation::Check { kind: CheckKind::CallTarget, fails });
            }
            Demand::NotNull => {
                let null = self.word(0);
                let is_null = self.terms().eq(address, null);
                let (yes, mut no) = self.split(is_null, None);
                self.ends = yes;
                let one = self.word(1);
                self.check_access(address, one, false);
                self.ends.append(&mut no);
            }
        }
    }

    /// How many bytes must be there, and whether they may be written; one byte of a type that is not known.
    fn demanded(&self, argument: &Argument) -> (u64, bool) {
        let pointee = self.pointee_of(argument);
        let constant = pointee.is_none_or(|to| self.unit.types.quals(to).has(Qualifiers::CONST));
        let size = argument.expr.and_then(|expr| self.pointee_behind_casts(expr)).or_else(|| pointee.and_then(|to| self.unit.size_of(to)));
        (size.unwrap_or(1).max(1), !constant)
    }

    fn pointee_of(&self, argument: &Argument) -> Option<TypeId> {
        self.unit.pointee(argument.expr.map_or(argument.ty, |expr| self.unit.tast[expr].ty))
    }

    /// Whether an argument meets a demand as it is written: a literal, or the name of a function.
    fn is_met(&self, demand: Demand, argument: &Argument) -> bool {
        let Value::Scalar(address) = argument.value else { return true };
        let terms = self.terms();
        match demand {
            Demand::Text => argument.expr.is_some_and(|expr| self.literal_text(expr).is_some()),
            Demand::Function => terms.node(address).op == Op::Address,
            _ => false,
        }
    }

    /// The bytes can be read, or written.
    pub(super) fn check_access(&mut self, address: Term, size: Term, write: bool) {
        if self.is_dead() || self.terms().as_constant(size).is_some_and(|bits| bits.is_zero()) {
            return;
        }
        let (inside, outside) = self.split_access(address, size, write);
        self.ends = outside;
        let target = self.l.builder.possible_target(self.function, Target::ValidDeref);
        self.lead_to(target);
        self.ends = inside;
    }

    /// Control where so many bytes can be read or written, and where they cannot.
    pub(super) fn split_access(&mut self, address: Term, size: Term, write: bool) -> (Ends, Ends) {
        if self.is_dead() {
            return (vec![], vec![]);
        }
        let here = self.here();
        let condition = MemoryCondition::Accessible { address, size, write };
        let end = |holds| End::Edge {
            source: here,
            operation: Operation::AssumeMemory { condition: condition.clone(), holds },
            span: self.span,
            origin: Origin::Internal,
        };
        let ends = (vec![end(true)], vec![end(false)]);
        self.ends.clear();
        ends
    }
}
