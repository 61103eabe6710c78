//! Nesting beyond the parser's limit of 256 brackets that means something: blocks and groups deep inside of a function
//! are taken out of the token stream, parsed as functions and variables of their own, and put back into the tree.
//!
//! In the place of a block stands a jump to a name that no program has, in the place of a group that name itself. What
//! is taken out is parsed at file scope, where the names of types that a block declares are unknown; such a program is
//! refused, never misread, because names are resolved only when the tree is whole again.

use assay_base::FastMap;
use rucc_ast::{Ast, Decl, DeclId, Expr, ExprId, ForInit, Init, Stmt, StmtId};
use rucc_base::{Interner, Symbol};
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};
use std::ops::Range;

/// The depth at which something is taken out, counted from the part's own beginning. The parser spends two levels on
/// some constructs.
const CUT: usize = 90;

/// The names of what was taken out.
#[derive(Default)]
pub(super) struct Parts {
    names: Vec<Symbol>,
}

impl Parts {
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Takes blocks and groups out of a stream whose brackets are nested too deeply.
pub(super) fn take_out(tokens: &mut Tokens, partner: &[Option<usize>], names: &mut Interner) -> Parts {
    let all = std::mem::take(&mut tokens.tokens);
    let mut parts = Parts::default();
    let end = all.iter().rposition(|token| token.kind == TokenKind::Eof).unwrap_or(all.len());
    let mut moved: Vec<u32> = Vec::with_capacity(all.len());
    let mut out: Vec<Token> = Vec::with_capacity(all.len());
    let mut todo: Vec<(Range<usize>, Option<(Symbol, bool)>)> = vec![(0..end, None)];
    let mut next = 0;
    while next < todo.len() {
        let (range, part) = todo[next].clone();
        next += 1;
        let main = part.is_none();
        let Some(&first) = all.get(range.start) else { break };
        let made = |kind, value| Token { kind, value, span: rucc_diag::Span::new(first.span.lo, first.span.lo), flags: first.flags };
        let punct = |punct| made(TokenKind::Punct(punct), 0);
        match part {
            Some((name, true)) => out.extend([
                made(TokenKind::Keyword(Keyword::Void), 0),
                made(TokenKind::Ident, name.raw()),
                punct(Punct::LParen),
                made(TokenKind::Keyword(Keyword::Void), 0),
                punct(Punct::RParen),
            ]),
            Some((name, false)) => {
                out.extend([made(TokenKind::Keyword(Keyword::Int), 0), made(TokenKind::Ident, name.raw()), punct(Punct::Eq)]);
            }
            None => {}
        }
        let (mut depth, mut groups, mut at) = (0usize, 0usize, range.start);
        while at < range.end {
            let token = all[at];
            let inner = partner[at].filter(|&close| close > at);
            if let (Some(close), true) = (inner, depth >= CUT) {
                let block = groups == 0 && is_block(&all, at);
                if block || is_group(&all, at, close) {
                    let name = names.intern(&format!("{}deep {}", if block { "block " } else { "" }, parts.names.len()));
                    parts.names.push(name);
                    todo.push((at..close + 1, Some((name, block))));
                    if main {
                        moved.resize(close + 1, out.len() as u32);
                    }
                    let stand_in = Token { kind: TokenKind::Ident, value: name.raw(), ..token };
                    if block {
                        out.push(Token { kind: TokenKind::Keyword(Keyword::Goto), value: 0, ..token });
                        out.push(stand_in);
                        out.push(Token { kind: TokenKind::Punct(Punct::Semi), value: 0, ..token });
                    } else {
                        out.push(stand_in);
                    }
                    at = close + 1;
                    continue;
                }
            }
            // The arguments of a call and the index of an array are taken out one by one.
            if let (Some(close), true) = (inner, depth >= CUT && holds_values(&all, at)) {
                let pieces = pieces(&all, partner, at + 1, close);
                if pieces.iter().any(|piece| piece.len() > 1 && all[piece.clone()].iter().any(is_open)) {
                    let mut push = |token: Token| {
                        if main {
                            moved.push(out.len() as u32);
                        }
                        out.push(token);
                    };
                    push(token);
                    for piece in pieces {
                        if piece.len() > 1 {
                            let name = names.intern(&format!("deep {}", parts.names.len()));
                            parts.names.push(name);
                            push(Token { kind: TokenKind::Ident, value: name.raw(), ..all[piece.start] });
                            todo.push((piece.clone(), Some((name, false))));
                        } else {
                            piece.clone().for_each(|at| push(all[at]));
                        }
                        push(all[piece.end]);
                    }
                    if main {
                        moved.resize(close + 1, out.len() as u32);
                    }
                    at = close + 1;
                    continue;
                }
            }
            match token.punct() {
                Some(Punct::LBrace) => depth += 1,
                Some(Punct::LParen | Punct::LBracket) => {
                    depth += 1;
                    groups += 1;
                }
                Some(Punct::RBrace) => depth = depth.saturating_sub(1),
                Some(Punct::RParen | Punct::RBracket) => {
                    depth = depth.saturating_sub(1);
                    groups = groups.saturating_sub(1);
                }
                _ => {}
            }
            if main {
                moved.push(out.len() as u32);
            }
            out.push(token);
            at += 1;
        }
        if let Some((_, false)) = part {
            out.push(punct(Punct::Semi));
        }
    }
    let after = out.len() as u32;
    out.extend(&all[end..]);
    for pragma in &mut tokens.pragmas {
        pragma.before = moved.get(pragma.before as usize).copied().unwrap_or(after);
    }
    tokens.tokens = out;
    parts
}

/// Whether a brace begins a block that is a statement.
fn is_block(all: &[Token], open: usize) -> bool {
    let Some(before) = open.checked_sub(1).map(|at| all[at]) else { return false };
    let follows = matches!(
        before.kind,
        TokenKind::Punct(Punct::RParen | Punct::LBrace | Punct::RBrace | Punct::Semi | Punct::Colon)
            | TokenKind::Keyword(Keyword::Else | Keyword::Do)
    );
    all[open].punct() == Some(Punct::LBrace) && follows
}

fn is_open(token: &Token) -> bool {
    matches!(token.punct(), Some(Punct::LParen | Punct::LBracket | Punct::LBrace))
}

/// Whether a bracket begins the arguments of a call or the index of an array: it stands behind a name, a call or
/// another index. Behind names that the compiler reads by rules of its own it may begin something else; those are kept.
fn holds_values(all: &[Token], open: usize) -> bool {
    let Some(before) = open.checked_sub(1).map(|at| all[at]) else { return false };
    let value = before.kind == TokenKind::Ident || matches!(before.punct(), Some(Punct::RParen | Punct::RBracket));
    matches!(all[open].punct(), Some(Punct::LParen | Punct::LBracket)) && value
}

/// What the commas between two brackets separate; each piece ends before a comma or the closing bracket.
fn pieces(all: &[Token], partner: &[Option<usize>], from: usize, close: usize) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut at) = (Vec::new(), from, from);
    while at < close {
        if all[at].punct() == Some(Punct::Comma) {
            pieces.push(start..at);
            start = at + 1;
        } else if let Some(end) = partner[at].filter(|&end| end > at) {
            at = end;
        }
        at += 1;
    }
    pieces.push(start..close);
    pieces
}

/// Whether a parenthesis begins a value, and not arguments, a type, a block or what a keyword asks for.
fn is_group(all: &[Token], open: usize, close: usize) -> bool {
    let (Some(before), Some(after)) = (open.checked_sub(1).map(|at| all[at]), all.get(close + 1)) else { return false };
    if all[open].punct() != Some(Punct::LParen) {
        return false;
    }
    let value = match before.kind {
        TokenKind::Punct(punct) => !matches!(punct, Punct::RParen | Punct::RBracket | Punct::RBrace),
        TokenKind::Keyword(word) => word == Keyword::Return,
        _ => false,
    };
    let inside = !matches!(all[open + 1].kind, TokenKind::Keyword(_) | TokenKind::Punct(Punct::LBrace));
    // What follows a type in parentheses is an operand; some operators may begin one.
    let ends = match after.punct() {
        Some(Punct::LParen | Punct::LBrace | Punct::Star | Punct::Amp | Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang) => {
            all[open + 1].kind != TokenKind::Ident
        }
        Some(punct) => !matches!(punct, Punct::PlusPlus | Punct::MinusMinus),
        None => false,
    };
    value && inside && ends
}

/// Puts everything back; gives the declarations of the file, or nothing where a part could not be put anywhere.
pub(super) fn put_back(ast: &mut Ast, parts: &Parts) -> Option<Vec<DeclId>> {
    let mut back = Back { parts: FastMap::default(), placed: 0 };
    let mut own = Vec::new();
    for &decl in &ast.top_level().to_vec() {
        let found = match ast[decl] {
            Decl::Function { declarator, body, .. } => ast[declarator].name.map(|name| (name, Part::Block(body))),
            Decl::Var { declarators, .. } => match ast[declarators][..] {
                [only] => ast[only.declarator].name.zip(only.init).and_then(|(name, init)| match ast[init] {
                    Init::Expr(expr) => Some((name, Part::Group(expr))),
                    Init::List(_) => None,
                }),
                _ => None,
            },
            _ => None,
        };
        match found.filter(|(name, _)| parts.names.contains(name)) {
            Some((name, part)) => drop(back.parts.insert(name, part)),
            None => own.push(decl),
        }
    }
    let all = back.parts.len();
    for decl in &mut own {
        if let Decl::Function { specs, declarator, params, body } = ast[*decl] {
            let whole = back.stmt(ast, body);
            if whole != body {
                let span = ast.decl_span(*decl);
                *decl = ast.decl(Decl::Function { specs, declarator, params, body: whole }, span);
            }
        }
    }
    (back.placed == all && all == parts.names.len()).then_some(own)
}

#[derive(Clone, Copy)]
enum Part {
    Block(StmtId),
    Group(ExprId),
}

struct Back {
    parts: FastMap<Symbol, Part>,
    placed: usize,
}

impl Back {
    fn stmt(&mut self, ast: &mut Ast, id: StmtId) -> StmtId {
        let old = ast[id];
        let new = match old {
            Stmt::Goto(name) => match self.parts.get(&name) {
                Some(&Part::Block(body)) => {
                    self.placed += 1;
                    return self.stmt(ast, body);
                }
                _ => return id,
            },
            Stmt::Compound(list) => {
                let before = ast[list].to_vec();
                let after: Vec<StmtId> = before.iter().map(|&stmt| self.stmt(ast, stmt)).collect();
                if before == after {
                    return id;
                }
                Stmt::Compound(ast.add_stmt_list(&after))
            }
            Stmt::Expr(expr) => Stmt::Expr(self.expr(ast, expr)),
            Stmt::If { cond, then, otherwise } => {
                Stmt::If { cond: self.expr(ast, cond), then: self.stmt(ast, then), otherwise: otherwise.map(|stmt| self.stmt(ast, stmt)) }
            }
            Stmt::Switch { scrutinee, body } => Stmt::Switch { scrutinee: self.expr(ast, scrutinee), body: self.stmt(ast, body) },
            Stmt::While { cond, body } => Stmt::While { cond: self.expr(ast, cond), body: self.stmt(ast, body) },
            Stmt::DoWhile { body, cond } => Stmt::DoWhile { body: self.stmt(ast, body), cond: self.expr(ast, cond) },
            Stmt::For { init, cond, step, body } => Stmt::For {
                init: match init {
                    ForInit::Expr(expr) => ForInit::Expr(self.expr(ast, expr)),
                    other => other,
                },
                cond: cond.map(|expr| self.expr(ast, expr)),
                step: step.map(|expr| self.expr(ast, expr)),
                body: self.stmt(ast, body),
            },
            Stmt::Return(Some(value), attributes) => Stmt::Return(Some(self.expr(ast, value)), attributes),
            Stmt::Label { name, body, attrs } => Stmt::Label { name, body: body.map(|stmt| self.stmt(ast, stmt)), attrs },
            Stmt::Case { lo, hi, body } => Stmt::Case { lo, hi, body: body.map(|stmt| self.stmt(ast, stmt)) },
            Stmt::Default { body } => Stmt::Default { body: body.map(|stmt| self.stmt(ast, stmt)) },
            Stmt::Decl(decl) => Stmt::Decl(self.decl(ast, decl)),
            _ => return id,
        };
        if new == old { id } else { ast.stmt(new, ast.stmt_span(id)) }
    }

    /// A declaration whose initialisers are values.
    fn decl(&mut self, ast: &mut Ast, id: DeclId) -> DeclId {
        let Decl::Var { specs, declarators } = ast[id] else { return id };
        let before = ast[declarators].to_vec();
        let mut after = before.clone();
        for item in &mut after {
            if let Some(Init::Expr(expr)) = item.init.map(|init| ast[init]) {
                let whole = self.expr(ast, expr);
                if whole != expr {
                    item.init = Some(ast.add_init(Init::Expr(whole)));
                }
            }
        }
        if before == after {
            return id;
        }
        let declarators = ast.add_init_declarator_list(&after);
        ast.decl(Decl::Var { specs, declarators }, ast.decl_span(id))
    }

    fn expr(&mut self, ast: &mut Ast, id: ExprId) -> ExprId {
        let old = ast[id];
        let new = match old {
            Expr::Name(name) => match self.parts.get(&name) {
                Some(&Part::Group(inner)) => {
                    self.placed += 1;
                    return self.expr(ast, inner);
                }
                _ => return id,
            },
            Expr::Index { base, index } => Expr::Index { base: self.expr(ast, base), index: self.expr(ast, index) },
            Expr::Call { callee, args } => {
                let before = ast[args].to_vec();
                let after: Vec<ExprId> = before.iter().map(|&expr| self.expr(ast, expr)).collect();
                let callee = self.expr(ast, callee);
                Expr::Call { callee, args: if before == after { args } else { ast.add_expr_list(&after) } }
            }
            Expr::Member { base, name, arrow } => Expr::Member { base: self.expr(ast, base), name, arrow },
            Expr::Unary { op, operand } => Expr::Unary { op, operand: self.expr(ast, operand) },
            Expr::Binary { op, lhs, rhs } => Expr::Binary { op, lhs: self.expr(ast, lhs), rhs: self.expr(ast, rhs) },
            Expr::Assign { op, lhs, rhs } => Expr::Assign { op, lhs: self.expr(ast, lhs), rhs: self.expr(ast, rhs) },
            Expr::Cond { cond, then, otherwise } => {
                Expr::Cond { cond: self.expr(ast, cond), then: then.map(|expr| self.expr(ast, expr)), otherwise: self.expr(ast, otherwise) }
            }
            Expr::Comma { lhs, rhs } => Expr::Comma { lhs: self.expr(ast, lhs), rhs: self.expr(ast, rhs) },
            Expr::Cast { ty, operand } => Expr::Cast { ty, operand: self.expr(ast, operand) },
            Expr::Extension(inner) => Expr::Extension(self.expr(ast, inner)),
            Expr::StmtExpr(body) => Expr::StmtExpr(self.stmt(ast, body)),
            _ => return id,
        };
        if new == old { id } else { ast.expr(new, ast.expr_span(id)) }
    }
}
