//! Traversals with explicit stacks: post-order, free symbols, substitution, size.

use crate::node::{Node, Op, SymbolId, Term};
use crate::store::Terms;
use assay_base::{FastMap, FastSet};

impl Terms {
    /// The operands of a node, an `Apply` node's arguments included.
    pub fn children(&self, node: &Node) -> Vec<Term> {
        if node.op == Op::Apply {
            return self.arguments(node).to_vec();
        }
        let (operands, arity) = node.operands();
        operands[..arity].to_vec()
    }

    /// As [`children`](Self::children), without a list of its own.
    pub fn operands_of<'a>(&'a self, node: &'a Node) -> impl DoubleEndedIterator<Item = Term> + 'a {
        let arguments = if node.op == Op::Apply { self.arguments(node) } else { &[] };
        let (operands, arity) = node.operands();
        arguments.iter().copied().chain((0..arity).map(move |i| operands[i]))
    }

    /// Calls `visit` once for every distinct sub-term, operands before their users.
    pub fn post_order(&self, roots: impl IntoIterator<Item = Term>, mut visit: impl FnMut(Term, &Node)) {
        let mut done: FastSet<Term> = FastSet::default();
        let mut stack: Vec<(Term, bool)> = roots.into_iter().map(|t| (t, false)).collect();
        stack.reverse();
        while let Some((term, expanded)) = stack.pop() {
            if done.contains(&term) {
                continue;
            }
            let node = self.node(term);
            if expanded || node.op.arity() == 0 && node.op != Op::Apply {
                done.insert(term);
                visit(term, &node);
                continue;
            }
            stack.push((term, true));
            for child in self.operands_of(&node).rev() {
                if !done.contains(&child) {
                    stack.push((child, false));
                }
            }
        }
    }

    /// The symbols that occur as values (not through `Address`), each once, in order of first occurrence.
    pub fn free_symbols(&self, root: Term) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        self.post_order([root], |_, node| {
            if node.op == Op::Symbol {
                symbols.push(node.symbol());
            }
        });
        symbols
    }

    /// The parts of a conjunction (and of a negated disjunction), each once, in order; none for `true`.
    pub fn conjuncts(&self, root: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut seen: FastSet<(Term, bool)> = FastSet::default();
        let mut stack = vec![(root, true)];
        while let Some((term, positive)) = stack.pop() {
            if !seen.insert((term, positive)) {
                continue;
            }
            let node = self.node(term);
            match (node.op, positive) {
                (Op::And, true) | (Op::Or, false) => stack.extend([(node.operand(1), positive), (node.operand(0), positive)]),
                (Op::Not, _) if node.width() == 1 => stack.push((node.operand(0), !positive)),
                (Op::Const, _) if node.constant() == positive as u128 => {}
                _ => parts.push(if positive { term } else { self.not(term) }),
            }
        }
        parts
    }

    /// A term of another store as a term of this one; symbols keep their names. The memo serves several terms of
    /// the same two stores.
    pub fn import(&self, from: &Terms, root: Term, memo: &mut FastMap<Term, Term>) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = from.node(term);
            let waiting = stack.len();
            stack.extend(from.operands_of(&node).filter(|c| !memo.contains_key(c)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let symbol = |node: &Node| {
                let info = from.symbol_info(node.symbol());
                self.intern_symbol(&info.name, info.sort)
            };
            let copy = match node.op {
                Op::Const => self.intern(node.op, node.round, node.sort, [node.a, node.b, node.c, node.d]),
                Op::Symbol => self.symbol(symbol(&node)),
                Op::Address => self.address(symbol(&node), node.width()),
                Op::Apply => {
                    let arguments: Vec<Term> = from.operands_of(&node).map(|c| memo[&c]).collect();
                    self.apply(symbol(&node), &arguments, node.sort)
                }
                _ => {
                    let (mut operands, arity) = node.operands();
                    for operand in &mut operands[..arity] {
                        *operand = memo[operand];
                    }
                    self.rebuild(&node, &operands[..arity])
                }
            };
            memo.insert(term, copy);
        }
        memo[&root]
    }

    /// How many distinct nodes a term has.
    pub fn dag_size(&self, root: Term) -> usize {
        let mut count = 0;
        self.post_order([root], |_, _| count += 1);
        count
    }

    /// Replaces leaves (`Symbol`, `Address`) for which `replace` gives a term; simplifies on the way.
    pub fn substitute(&self, root: Term, replace: &mut dyn FnMut(&Node) -> Option<Term>) -> Term {
        let mut memo: FastMap<Term, Term> = FastMap::default();
        self.substitute_with(root, replace, &mut memo)
    }

    /// As [`substitute`](Self::substitute), with a memo that can serve several roots.
    pub fn substitute_with(&self, root: Term, replace: &mut dyn FnMut(&Node) -> Option<Term>, memo: &mut FastMap<Term, Term>) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = self.node(term);
            let waiting = stack.len();
            stack.extend(self.operands_of(&node).filter(|c| !memo.contains_key(c)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let result = if matches!(node.op, Op::Symbol | Op::Address) {
                replace(&node).unwrap_or(term)
            } else if self.operands_of(&node).all(|c| memo[&c] == c) {
                term
            } else if node.op == Op::Apply {
                let arguments: Vec<Term> = self.operands_of(&node).map(|c| memo[&c]).collect();
                self.rebuild(&node, &arguments)
            } else {
                let (mut operands, arity) = node.operands();
                for operand in &mut operands[..arity] {
                    *operand = memo[operand];
                }
                self.rebuild(&node, &operands[..arity])
            };
            memo.insert(term, result);
        }
        memo[&root]
    }
}
