//! `__attribute__((cleanup(f)))`: where control leaves the block of such a variable, `f` is called with its address.
//! Calls that end the program, and jumps out of functions, leave blocks without it, as without `-fexceptions`.

use super::body::{Body, Value, Wanted};
use super::call::Argument;
use super::facts::Global;
use super::{Class, Entity};
use rucc_sema::DeclId;
use rucc_types::TypeKind;

/// A variable that is in scope and has something to be called when its block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cleanup {
    /// The number of the block.
    pub scope: usize,
    variable: DeclId,
    handler: DeclId,
}

impl Body<'_, '_> {
    /// From here to the end of its block a variable has something to be called.
    pub(super) fn begin_cleanup(&mut self, variable: DeclId) {
        if let (Some(handler), Some(&scope)) = (self.unit.tast[variable].cleanup, self.scopes.last()) {
            self.cleanups.push(Cleanup { scope, variable, handler });
        }
    }

    /// Leaves blocks, the innermost one first: calls what is to be called, and ends the lives of their objects.
    pub(super) fn leave_scopes(&mut self, scopes: &[usize], cleanups: &[Cleanup]) {
        if cleanups.is_empty() {
            return self.end_scopes(scopes);
        }
        for &scope in scopes.iter().rev() {
            self.clean_up(cleanups.iter().rev().filter(|cleanup| cleanup.scope == scope));
            self.end_scopes(&[scope]);
        }
    }

    /// Before a `return`.
    pub(super) fn clean_up_all(&mut self) {
        let all = self.cleanups.clone();
        self.clean_up(all.iter().rev());
    }

    fn clean_up<'c>(&mut self, cleanups: impl Iterator<Item = &'c Cleanup>) {
        for cleanup in cleanups {
            if self.is_dead() {
                return;
            }
            let handler = self.l.links.resolve(self.l.units, Global::new(self.unit_index, cleanup.handler));
            let Some(Entity::Function(index)) = self.l.entity(handler.unit, handler.id()) else {
                self.unsupported("__attribute__((cleanup)) with this function");
                continue;
            };
            let TypeKind::Function(id) = self.unit.kind(self.unit.tast[cleanup.handler].ty) else { continue };
            let signature = self.unit.types.signature(id);
            let (result, parameter) = (signature.ret, signature.params.first().copied());
            let Some(ty) = parameter else {
                self.unsupported("__attribute__((cleanup)) with a function without a prototype");
                continue;
            };
            let address = self.address_of_declaration(cleanup.variable);
            let argument = Argument { value: Value::Scalar(address), class: Class::Pointer, ty, expr: None };
            let close = self.span;
            self.direct_call(index, vec![argument], result, None, close, Wanted::Nothing);
        }
    }

    /// What a jump has to call on its path to a label where these variables are in scope: those of the blocks that it
    /// leaves. Where it enters or leaves the scope of one inside of a block, that is not followed.
    pub(super) fn check_jump(&mut self, from: &[Cleanup], to: &[Cleanup], left: &[usize]) {
        if from.iter().filter(|cleanup| !left.contains(&cleanup.scope)).ne(to.iter()) {
            self.unsupported("a jump into or out of the scope of a variable with __attribute__((cleanup))");
        }
    }
}
