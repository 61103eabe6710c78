//! Effects that the library's typed tree no longer has: those in the operand of `sizeof` and `typeof` of an array of
//! variable length, in the outermost length of an array parameter, and in the lengths of a type that a cast or `va_arg`
//! names; and when the size of a structure of variable size is computed. Such places are rare; a function that has one
//! cannot be followed.

use assay_base::FastSet;
use rucc_ast::{
    ArraySize, Ast, BinaryOp, Decl, DeclSpecsId, DeclaratorId, Derived, Expr, ExprId, Param, TypeNameId, TypeSpec, TypeofArg, UnaryOp,
};
use rucc_base::Idx;
use rucc_diag::Span;
use rucc_sema::{ExprKind, Tast};
use rucc_types::{ArrayLen, TypeId, TypeKind, Types};

/// The functions in which an effect was lost, by declaration.
pub(super) fn functions(ast: &Ast, tast: &Tast, types: &Types) -> FastSet<usize> {
    let places = places(ast, tast, types);
    // GNU's structures with a member of variable length: when their size is computed is nowhere in the tree.
    let of_variable_size = types.records().any(|(_, info)| info.variable.is_some());
    if places.is_empty() && !of_variable_size {
        return FastSet::default();
    }
    let mut bodies: Vec<(usize, Span)> = Vec::new();
    for number in 0..tast.counts().decls {
        let id: rucc_sema::DeclId = Idx::from_usize(number);
        if let Some(body) = tast[id].body {
            bodies.push((number, tast.definition_span(id).to(tast.stmt_span(body))));
        }
    }
    let inside = |outer: Span, inner: Span| outer.lo <= inner.lo && inner.hi <= outer.hi;
    // A place in no function belongs to a macro, and may be any function's.
    let anywhere = of_variable_size || places.iter().any(|&place| !bodies.iter().any(|&(_, body)| inside(body, place)));
    let has_one = |body: Span| places.iter().any(|&place| inside(body, place));
    bodies.into_iter().filter(|&(_, body)| anywhere || has_one(body)).map(|(number, _)| number).collect()
}

fn places(ast: &Ast, tast: &Tast, types: &Types) -> Vec<Span> {
    let search = Search { ast };
    let (mut found, mut sizes, mut operands) = (Vec::new(), Vec::new(), Vec::new());
    let mut specs: Vec<DeclSpecsId> = Vec::new();
    for number in 0..ast.counts().exprs {
        let id: ExprId = Idx::from_usize(number);
        let named = match ast[id] {
            Expr::SizeofExpr(operand) if search.has_effects(operand) => {
                sizes.push(ast.expr_span(id));
                continue;
            }
            Expr::SizeofType(ty) | Expr::Cast { ty, .. } | Expr::VaArg { ty, .. } | Expr::CompoundLiteral { ty, .. } => ty,
            _ => continue,
        };
        specs.push(ast[named].specs);
        // The lengths of the arrays that are measured are part of the size; others are not.
        let measured = matches!(ast[id], Expr::SizeofType(_));
        if search.lengths(ast[named].declarator).skip_while(|&(array, _)| measured && array).any(|(_, effects)| effects) {
            found.push(ast.expr_span(id));
        }
    }
    for number in 0..ast.counts().decls {
        match ast[Idx::<Decl>::from_usize(number)] {
            Decl::Var { specs: written, .. } => specs.push(written),
            Decl::Function { specs: written, declarator, .. } => {
                specs.push(written);
                found.extend(search.parameters(declarator, &mut specs));
            }
            _ => {}
        }
    }
    for id in specs {
        match ast[id].ty {
            TypeSpec::Typeof { operand: TypeofArg::Expr(operand), .. } if search.has_effects(operand) => {
                operands.push(ast.expr_span(operand));
            }
            TypeSpec::Typeof { operand: TypeofArg::Type(ty), .. } if search.any_length(ty) => found.push(ast[ty].span),
            _ => {}
        }
    }
    // Places in one macro cannot be told apart; without an array of variable length there is nothing to lose.
    let any_variable = |number: usize| is_variable(types, tast[rucc_sema::ExprId::from_usize(number)].ty);
    if (!sizes.is_empty() || !operands.is_empty()) && (0..tast.counts().exprs).any(any_variable) {
        let sizes: FastSet<Span> = sizes.into_iter().collect();
        let operands: FastSet<Span> = operands.into_iter().collect();
        for number in 0..tast.counts().exprs {
            let id: rucc_sema::ExprId = Idx::from_usize(number);
            let span = tast.expr_span(id);
            // The size of a type that is known is a constant, and its operand is not evaluated; another one is computed
            // by arithmetic. All that a macro makes (as `assert` does, with a `sizeof` in it) has the same place.
            let logical = |op: BinaryOp| op.is_comparison() || matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr);
            let computed = matches!(tast[id].kind, ExprKind::Binary { op, .. } if !logical(op));
            if computed && sizes.contains(&span) || operands.contains(&span) && is_variable(types, tast[id].ty) {
                found.push(span);
            }
        }
    }
    found
}

/// Whether a length of the type is computed when the program runs.
fn is_variable(types: &Types, ty: TypeId) -> bool {
    match types.kind(types.canonical(ty)) {
        TypeKind::Array { elem, len } => matches!(len, ArrayLen::Variable(_)) || is_variable(types, elem),
        TypeKind::Pointer(to) => is_variable(types, to),
        _ => false,
    }
}

struct Search<'a> {
    ast: &'a Ast,
}

impl Search<'_> {
    /// The parts of a declarator from the name on: whether each is an array, and whether its length has an effect.
    fn lengths(&self, declarator: DeclaratorId) -> impl Iterator<Item = (bool, bool)> + '_ {
        self.ast[self.ast[declarator].derived].iter().map(|part| match part {
            Derived::Array { size: ArraySize::Expr(length), .. } => (true, self.has_effects(*length)),
            Derived::Array { .. } => (true, false),
            _ => (false, false),
        })
    }

    fn any_length(&self, ty: TypeNameId) -> bool {
        self.lengths(self.ast[ty].declarator).any(|(_, effects)| effects)
    }

    /// The parameters of a definition whose outermost length has an effect.
    fn parameters(&self, declarator: DeclaratorId, specs: &mut Vec<DeclSpecsId>) -> Vec<Span> {
        let Some(&Derived::Function { params, .. }) = self.ast[self.ast[declarator].derived].first() else { return Vec::new() };
        let parameters: &[Param] = &self.ast[params];
        specs.extend(parameters.iter().filter_map(|parameter| parameter.specs));
        let lost = |parameter: &&Param| self.lengths(parameter.declarator).next() == Some((true, true));
        parameters.iter().filter(lost).map(|parameter| parameter.span).collect()
    }

    fn has_effects(&self, expr: ExprId) -> bool {
        let mut todo = vec![expr];
        while let Some(id) = todo.pop() {
            match self.ast[id] {
                Expr::Call { .. } | Expr::Assign { .. } | Expr::StmtExpr(_) | Expr::VaArg { .. } | Expr::VaStart { .. } => return true,
                Expr::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. } => return true,
                Expr::Index { base: a, index: b } | Expr::Binary { lhs: a, rhs: b, .. } | Expr::Comma { lhs: a, rhs: b } => {
                    todo.extend([a, b]);
                }
                Expr::Cond { cond, then, otherwise } => {
                    todo.extend([cond, otherwise]);
                    todo.extend(then);
                }
                Expr::ChooseExpr { then, otherwise, .. } => todo.extend([then, otherwise]),
                Expr::Member { base: inner, .. } | Expr::Unary { operand: inner, .. } | Expr::Extension(inner) => todo.push(inner),
                Expr::Cast { ty, operand } => {
                    if self.any_length(ty) {
                        return true;
                    }
                    todo.push(operand);
                }
                Expr::Generic { assocs, .. } => todo.extend(self.ast[assocs].iter().map(|assoc| assoc.value)),
                Expr::CompoundLiteral { .. } => return true,
                _ => {}
            }
        }
        false
    }
}
