//! Which functions call which, as far as the text tells: asked where jumps leave functions, and where it matters
//! whether a function may be active twice.

use super::facts::{Global, direct_callee};
use super::walk::{Below, below_expr, below_stmt};
use super::{Entity, Lowering};
use assay_base::{FastMap, FastSet};
use rucc_sema::{ExprId, ExprKind, JumpAsk};

/// What one function does by itself.
#[derive(Default)]
pub(crate) struct Callees {
    /// Functions that it calls by name, those without a body included.
    named: Vec<Global>,
    /// It calls through pointers.
    pointers: bool,
    /// Where it remembers a place to which jumps lead.
    pub places: Vec<ExprId>,
    /// It jumps to such a place.
    pub jumps: bool,
}

/// The calls of all functions with a body.
#[derive(Default)]
pub(crate) struct CallGraph {
    pub callees: FastMap<Global, Callees>,
}

/// Whether a function without a body remembers the place of its call.
pub(crate) fn remembers(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp")
}

/// Whether a function without a body jumps.
pub(crate) fn jumps(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk")
}

impl Lowering<'_> {
    pub(super) fn call_graph(&self) -> CallGraph {
        let mut graph = CallGraph::default();
        for function in &self.functions {
            let global = function.global;
            let unit = &self.units[global.unit];
            let Some(body) = unit.tast[global.id()].body.filter(|_| function.has_body) else { continue };
            let mut own = Callees::default();
            let mut work = vec![Below::Stmt(body)];
            while let Some(item) = work.pop() {
                match item {
                    Below::Stmt(stmt) => below_stmt(unit, stmt, &mut |item| work.push(item)),
                    Below::Decl(decl) => {
                        let handler =
                            unit.tast[decl].cleanup.map(|handler| self.links.resolve(self.units, Global::new(global.unit, handler)));
                        own.named.extend(handler);
                        if let Some(list) = unit.tast[decl].init {
                            work.extend(unit.tast[list].iter().map(|entry| Below::Expr(entry.value)));
                        }
                    }
                    Below::Expr(expr) => {
                        self.note_call(global.unit, expr, &mut own);
                        below_expr(unit, expr, &mut |item| work.push(item));
                    }
                }
            }
            graph.callees.insert(global, own);
        }
        graph
    }

    fn note_call(&self, unit: usize, expr: ExprId, own: &mut Callees) {
        let tree = &self.units[unit];
        match tree.tast[expr].kind {
            ExprKind::Call { callee, .. } => match direct_callee(tree, callee).and_then(|id| self.entity(unit, id)) {
                Some(Entity::Function(index)) => {
                    let function = &self.functions[index];
                    own.named.push(function.global);
                    if !function.has_body && remembers(&function.name) {
                        own.places.push(expr);
                    }
                    own.jumps |= !function.has_body && jumps(&function.name);
                }
                _ => own.pointers = true,
            },
            ExprKind::Jump { ask: JumpAsk::Save, .. } => own.places.push(expr),
            ExprKind::Jump { ask: JumpAsk::Restore, .. } => own.jumps = true,
            _ => {}
        }
    }

    /// The functions from which, through calls, one of these is reached, and these themselves.
    pub(super) fn callers(&self, graph: &CallGraph, mut found: FastSet<Global>) -> FastSet<Global> {
        loop {
            let by_pointer = self.facts.address_taken.iter().any(|taken| found.contains(taken));
            let before = found.len();
            for (&global, own) in &graph.callees {
                if own.named.iter().any(|callee| found.contains(callee)) || own.pointers && by_pointer {
                    found.insert(global);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// Whether a function may be called while it is active.
    pub(super) fn is_recursive(&self, graph: &CallGraph, function: Global) -> bool {
        let callers = self.callers(graph, [function].into_iter().collect());
        graph.callees.get(&function).is_some_and(|own| {
            own.named.iter().any(|callee| callers.contains(callee))
                || own.pointers && self.facts.address_taken.iter().any(|taken| callers.contains(taken))
        })
    }
}
