//! What runs when the program ends: the functions that `atexit` was given, then destructors.

use super::facts::Global;
use super::{Lowering, body::Body};
use crate::adapter::Unit;
use assay_base::Span;
use assay_cfa::{FunctionId, Operation, Origin};
use rucc_sema::Priority;

/// The model's function that calls what `atexit` was given.
pub(crate) const EXIT_HANDLERS: &str = "__assay_run_exit_handlers";

/// Whether a function that ends the program returns from `main`, so to speak: what is to run then runs.
pub(super) fn runs_handlers(name: &str) -> bool {
    matches!(name, "exit" | "pthread_exit" | "thrd_exit" | "err" | "errx" | "verr" | "verrx") || name.contains("error")
}

/// The functions that run before `main`, or behind it, in the order of their numbers; those without one come last.
pub(super) fn startup_functions(units: &[Unit], after: bool) -> Vec<Global> {
    let number = |global: Global| {
        let startup = units[global.unit].tast[global.id()].startup;
        if after { startup.after } else { startup.before }
    };
    let mut found = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let defined = unit.tast.top_level().iter().filter(|&&decl| unit.tast[decl].body.is_some());
        found.extend(defined.map(|&decl| Global::new(index, decl)).filter(|&global| number(global).is_some()));
    }
    found.sort_by_key(|&global| match number(global) {
        Some(Priority::Numbered(number)) => (0, number),
        _ => (1, 0),
    });
    found
}

impl Lowering<'_> {
    /// Makes the function that is called when the program ends, if anything is to run then.
    pub(super) fn make_finish(&mut self, destructors: &[Global]) {
        let handlers = self.links.find(EXIT_HANDLERS);
        if handlers.is_none() && destructors.is_empty() {
            return;
        }
        let finish = self.builder.function("$finish", Span::NONE);
        let mut at = self.builder.functions[finish].entry;
        for global in handlers.into_iter().chain(destructors.iter().rev().copied()) {
            let (next, arguments) = self.plain_arguments(finish, at, global);
            at = self.start_call(finish, next, global, arguments);
        }
        let exit = self.builder.functions[finish].exit;
        self.builder.edge(at, exit, Operation::Skip, Span::NONE, Origin::Internal);
        self.finish = Some(finish);
    }

    /// Calls it behind `main`.
    pub(super) fn call_finish(&mut self, start: FunctionId, at: assay_cfa::LocationId) -> assay_cfa::LocationId {
        let Some(callee) = self.finish else { return at };
        let next = self.builder.location(start);
        self.builder.edge(at, next, Operation::Call { callee, arguments: vec![], result: None }, Span::NONE, Origin::Internal);
        next
    }
}

impl Body<'_, '_> {
    /// Before the program ends by a call of this function.
    pub(super) fn finish_by(&mut self, name: &str) {
        if let Some(callee) = self.l.finish.filter(|_| runs_handlers(name)) {
            self.emit(Operation::Call { callee, arguments: vec![], result: None });
        }
    }
}
