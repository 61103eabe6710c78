//! Walks over the library's typed tree: the children of an expression, and everything below a statement.

use crate::adapter::Unit;
use rucc_sema::{DeclId, ExprId, ExprKind, Stmt, StmtId};

/// One thing below an expression or a statement.
#[derive(Clone, Copy)]
pub(crate) enum Below {
    Expr(ExprId),
    Stmt(StmtId),
    /// A declaration in a block, or the object of a compound literal.
    Decl(DeclId),
}

/// Calls `f` with what is directly below an expression and is evaluated with it.
pub(crate) fn below_expr(unit: &Unit, expr: ExprId, f: &mut dyn FnMut(Below)) {
    let tast = &unit.tast;
    let mut e = |id: ExprId| f(Below::Expr(id));
    match tast[expr].kind {
        ExprKind::Member { base: a, .. }
        | ExprKind::Unary { operand: a, .. }
        | ExprKind::Cast(a)
        | ExprKind::Convert { operand: a, .. }
        | ExprKind::VaArg { list: a }
        | ExprKind::VaStart { list: a }
        | ExprKind::VaEnd { list: a }
        | ExprKind::ConvertVector { operand: a }
        | ExprKind::Abs { operand: a }
        | ExprKind::ByteSwap { operand: a }
        | ExprKind::BitCount { operand: a, .. }
        | ExprKind::Expect { value: a, .. }
        | ExprKind::Prefetch { address: a, .. }
        | ExprKind::ObjectSize { address: a, .. }
        | ExprKind::ConstantP { value: a }
        | ExprKind::Alloca { size: a }
        | ExprKind::Jump { buffer: a, .. } => e(a),
        ExprKind::Subscript { base: a, index: b }
        | ExprKind::Binary { lhs: a, rhs: b, .. }
        | ExprKind::Assign { lhs: a, rhs: b, .. }
        | ExprKind::Comma { lhs: a, rhs: b }
        | ExprKind::VaCopy { dst: a, src: b }
        | ExprKind::Complex { real: a, imag: b }
        | ExprKind::XState { address: a, mask: b, .. }
        | ExprKind::Apply { function: a, args: b, .. } => {
            e(a);
            e(b);
        }
        ExprKind::Cond { cond, then, otherwise } => {
            e(cond);
            e(then);
            e(otherwise);
        }
        ExprKind::Call { callee, args } => {
            e(callee);
            tast[args].iter().for_each(|&a| e(a));
        }
        ExprKind::Classify { lhs, rhs, .. } | ExprKind::Sign { lhs, rhs, .. } | ExprKind::Elementwise { lhs, rhs, .. } => {
            e(lhs);
            rhs.into_iter().for_each(e);
        }
        ExprKind::FpClassify { value, answers } => {
            e(value);
            tast[answers].iter().for_each(|&a| e(a));
        }
        ExprKind::Shuffle { lhs, rhs, mask } => {
            e(lhs);
            rhs.into_iter().for_each(&mut e);
            e(mask);
        }
        ExprKind::ShuffleVector { operands: list } | ExprKind::Overflow { args: list, .. } | ExprKind::Atomic { args: list, .. } => {
            tast[list].iter().for_each(|&a| e(a));
        }
        ExprKind::TimeStamp { aux: a } | ExprKind::Eflags { value: a } => a.into_iter().for_each(e),
        ExprKind::CompoundLiteral(decl) => f(Below::Decl(decl)),
        ExprKind::StmtExpr(stmt) => f(Below::Stmt(stmt)),
        ExprKind::Error
        | ExprKind::Const(_)
        | ExprKind::Str(_)
        | ExprKind::Decl(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::Unreachable
        | ExprKind::Trap
        | ExprKind::FrameAddress { .. }
        | ExprKind::ThreadPointer
        | ExprKind::SpEntry
        | ExprKind::CpuModel { .. }
        | ExprKind::ApplyArgs => {}
    }
}

/// Calls `f` with what is directly below a statement.
pub(crate) fn below_stmt(unit: &Unit, stmt: StmtId, f: &mut dyn FnMut(Below)) {
    let tast = &unit.tast;
    match tast[stmt] {
        Stmt::Error | Stmt::Empty | Stmt::Goto(_) | Stmt::Break | Stmt::Continue | Stmt::Return(None) => {}
        Stmt::Expr(e) | Stmt::IndirectGoto(e) | Stmt::Return(Some(e)) => f(Below::Expr(e)),
        Stmt::Block(list) => tast[list].iter().for_each(|&s| f(Below::Stmt(s))),
        Stmt::Decls(list) => tast[list].iter().for_each(|&d| f(Below::Decl(d))),
        Stmt::If { cond, then, otherwise } => {
            f(Below::Expr(cond));
            f(Below::Stmt(then));
            otherwise.into_iter().for_each(|s| f(Below::Stmt(s)));
        }
        Stmt::While { cond, body } | Stmt::Switch { cond, body, .. } => {
            f(Below::Expr(cond));
            f(Below::Stmt(body));
        }
        Stmt::DoWhile { body, cond } => {
            f(Below::Stmt(body));
            f(Below::Expr(cond));
        }
        Stmt::For { init, cond, step, body } => {
            init.into_iter().for_each(|s| f(Below::Stmt(s)));
            cond.into_iter().chain(step).for_each(|e| f(Below::Expr(e)));
            f(Below::Stmt(body));
        }
        Stmt::Case { body, .. } | Stmt::Default { body } | Stmt::Label { body, .. } => f(Below::Stmt(body)),
        Stmt::Asm(id) => {
            let asm = tast[id];
            for list in [asm.outputs, asm.inputs] {
                tast[list].iter().for_each(|operand| f(Below::Expr(operand.value)));
            }
        }
    }
}
