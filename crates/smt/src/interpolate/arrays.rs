//! Craig interpolants where arrays or functions occur: both are taken out of the groups before the proof is made.
//!
//! A read of an array and an application of a function become symbols of their own, writes become choices, and an
//! equality of arrays becomes a truth value. What is lost by that are two laws: equal arguments give equal results, and
//! equal arrays agree at every index. Instances of the laws are added where a model of the groups without arrays breaks
//! them, until there is no model.
//!
//! An instance is added to a group at which all its symbols are alive, that is, between (or at) their first and last
//! occurrence. So a read stands on both sides of a cut only where its array and the symbols of its index do, and what
//! the proof says over shared symbols can be said over shared symbols with the reads put back. An index that is not
//! alive where an instance of it is needed is said there in other words: through the definitions of its symbols
//! (`i@5 = i@3 + 2`), or else as the number that it is in the model.

use super::{check, proof};
use crate::answer::{Answer, Budget, NoAnswer};
use crate::chain::parts::{Key, Splitter, key_of_value};
use crate::engine::Limits;
use crate::model::{Evaluator, Model};
use crate::solver::Solver;
use assay_base::{FastMap, FastSet};
use assay_term::{Bits, Op, Sort, SymbolId, Term, Terms};

/// So many models are looked at before it is given up. Indices that are any number at all need a model for each number.
const MAX_ROUNDS: usize = 100;
/// So many instances of laws are added.
const MAX_LAWS: usize = 4_000;
/// So many terms are rewritten.
const MAX_TERMS: usize = 200_000;
/// In so many ways an index is said.
const MAX_FORMS: usize = 32;

/// Interpolants for a contradictory sequence of groups. Those of arrays are checked.
pub(super) fn sequence(solver: &mut Solver, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
    if !has_arrays(terms, groups.iter().flatten().copied()) {
        return proof::sequence(terms, groups, budget);
    }
    let list = Elimination::of(terms, groups, budget).and_then(|mut elimination| elimination.interpolants(solver, budget));
    let list = list.and_then(|list| match check(terms, groups, &list, budget) {
        None => Ok(list),
        Some(broken) => Err(NoAnswer::WrongAnswer(broken)),
    });
    solver.count(if list.is_ok() { "interpolants: with arrays" } else { "interpolants: none with arrays" });
    list
}

fn has_arrays(terms: &Terms, list: impl IntoIterator<Item = Term>) -> bool {
    let mut found = false;
    terms.post_order(list, |_, node| found |= node.op == Op::Apply || node.sort.is_array());
    found
}

fn unsupported(what: &str) -> NoAnswer {
    NoAnswer::Unsupported(format!("{what} in an interpolation"))
}

/// A read of an array symbol or an application of a function.
#[derive(Clone)]
struct Read {
    function: SymbolId,
    is_array: bool,
    term: Term,
    arguments: Vec<Term>,
    plain_arguments: Vec<Term>,
    result: Term,
}

/// An equality of arrays.
#[derive(Clone)]
struct Equality {
    term: Term,
    left: Term,
    right: Term,
    /// The array symbols on both sides.
    arrays: Vec<SymbolId>,
    holds: Term,
}

/// Groups on their way to groups without arrays. Terms are said as they are given, unless they are called plain: then
/// they have no arrays and no functions.
struct Elimination<'a> {
    terms: &'a Terms,
    limits: Limits<'a>,
    splitter: Splitter,
    /// In which groups symbols occur first and last.
    spans: FastMap<Key, (usize, usize)>,
    /// Symbols that are equal to a term without arrays in the group in which they occur first.
    definitions: FastMap<SymbolId, Term>,
    forms: FastMap<Term, Vec<Term>>,
    plain: FastMap<Term, Term>,
    /// What the symbols that were made stand for.
    meanings: FastMap<SymbolId, Term>,
    reads: Vec<Read>,
    equalities: Vec<Equality>,
    /// Equalities of arrays with the indices at which they were used.
    used: FastSet<(usize, Term)>,
    laws: FastSet<Term>,
    /// The groups, plain, with instances of laws.
    groups: Vec<Vec<Term>>,
}

impl<'a> Elimination<'a> {
    fn of(terms: &'a Terms, groups: &[Vec<Term>], budget: &'a Budget) -> Result<Self, NoAnswer> {
        let mut splitter = Splitter::default();
        let mut spans: FastMap<Key, (usize, usize)> = FastMap::default();
        let mut definitions = FastMap::default();
        for (group, constraints) in groups.iter().enumerate() {
            for &constraint in constraints {
                for &key in splitter.keys(terms, constraint).iter() {
                    spans.entry(key).or_insert((group, group)).1 = group;
                }
            }
            for &constraint in constraints {
                if let Some((symbol, value)) = definition(terms, constraint, &mut splitter)
                    && spans[&key_of_value(symbol)].0 == group
                {
                    definitions.entry(symbol).or_insert(value);
                }
            }
        }
        let mut elimination = Elimination {
            terms,
            limits: Limits::of(budget),
            splitter,
            spans,
            definitions,
            forms: FastMap::default(),
            plain: FastMap::default(),
            meanings: FastMap::default(),
            reads: Vec::new(),
            equalities: Vec::new(),
            used: FastSet::default(),
            laws: FastSet::default(),
            groups: Vec::new(),
        };
        for constraints in groups {
            let plain = constraints.iter().map(|&c| elimination.plain(c)).collect::<Result<_, _>>()?;
            elimination.groups.push(plain);
        }
        Ok(elimination)
    }

    fn interpolants(&mut self, solver: &mut Solver, budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
        for _ in 0..MAX_ROUNDS {
            let all: Vec<Term> = self.groups.iter().flatten().copied().collect();
            match solver.check(self.terms, &all, budget) {
                Answer::Unsat(core) => {
                    let list = proof::sequence(self.terms, &super::by_group(&self.groups, &core), budget)?;
                    return Ok(list.into_iter().map(|term| self.with_arrays(term)).collect());
                }
                Answer::Unknown(reason) => return Err(reason),
                Answer::Sat(model) => {
                    if !self.refute(&model)? {
                        return Err(unsupported("arrays that need laws which no step can speak of"));
                    }
                }
            }
        }
        Err(unsupported("arrays that need too many laws"))
    }

    /// The term with arrays and functions for one without.
    fn with_arrays(&self, plain: Term) -> Term {
        self.terms.substitute(plain, &mut |node| match node.op {
            Op::Symbol => self.meanings.get(&node.symbol()).copied(),
            _ => None,
        })
    }

    fn fresh(&mut self, width: u32, meaning: Term) -> Term {
        let symbol = self.terms.intern_symbol(&format!("!taken.{}.{width}", self.meanings.len()), Sort::bv(width));
        self.meanings.insert(symbol, meaning);
        self.terms.symbol(symbol)
    }

    /// The term without arrays and functions.
    fn plain(&mut self, root: Term) -> Result<Term, NoAnswer> {
        let t = self.terms;
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.plain.contains_key(&term) {
                stack.pop();
                continue;
            }
            if self.plain.len() > MAX_TERMS {
                return Err(unsupported("arrays of too many writes"));
            }
            let node = t.node(term);
            if node.sort.is_array() || node.sort.is_integer() {
                return Err(unsupported("an array or an integer where a bit-vector is needed"));
            }
            let is_equality = node.op == Op::Eq && t.sort(node.operand(0)).is_array();
            // What a read is the same as, unless it is one of a symbol.
            let element = if node.op == Op::Select { self.element(node.operand(0), node.operand(1))? } else { None };
            let operands: Vec<Term> = match (element, node.op) {
                (Some(element), _) => vec![element],
                (None, Op::Select) => vec![node.operand(1)],
                _ if is_equality => vec![],
                _ => t.operands_of(&node).collect(),
            };
            let waiting = stack.len();
            stack.extend(operands.iter().copied().filter(|operand| !self.plain.contains_key(operand)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let parts: Vec<Term> = operands.iter().map(|operand| self.plain[operand]).collect();
            let result = match node.op {
                _ if element.is_some() => parts[0],
                _ if is_equality => self.equality(term, node.operand(0), node.operand(1)),
                Op::Select => self.read(t.node(node.operand(0)).symbol(), true, term, operands, parts),
                Op::Apply => self.read(node.symbol(), false, term, operands, parts),
                _ if parts.is_empty() => term,
                _ => t.rebuild(&node, &parts),
            };
            self.plain.insert(term, result);
        }
        Ok(self.plain[&root])
    }

    /// What a read of an array that is no symbol is the same as: a read of what lies below, or another value.
    fn element(&self, array: Term, index: Term) -> Result<Option<Term>, NoAnswer> {
        let t = self.terms;
        let node = t.node(array);
        match node.op {
            Op::Symbol => Ok(None),
            Op::ConstArray => Ok(Some(node.operand(0))),
            Op::Store => Ok(Some(t.ite(t.eq(node.operand(1), index), node.operand(2), t.select(node.operand(0), index)))),
            Op::Ite => Ok(Some(t.ite(node.operand(0), t.select(node.operand(1), index), t.select(node.operand(2), index)))),
            op => Err(unsupported(&format!("an array made by {op:?}"))),
        }
    }

    fn read(&mut self, function: SymbolId, is_array: bool, term: Term, arguments: Vec<Term>, plain_arguments: Vec<Term>) -> Term {
        let result = self.fresh(self.terms.width(term), term);
        self.reads.push(Read { function, is_array, term, arguments, plain_arguments, result });
        result
    }

    fn equality(&mut self, term: Term, left: Term, right: Term) -> Term {
        let mut arrays = Vec::new();
        self.terms.post_order([left, right], |_, node| {
            if node.op == Op::Symbol && node.sort.is_array() {
                arrays.push(node.symbol());
            }
        });
        let holds = self.fresh(1, term);
        self.equalities.push(Equality { term, left, right, arrays, holds });
        holds
    }

    /// Adds laws that a model breaks, or may break; false if there are none to add.
    fn refute(&mut self, model: &Model) -> Result<bool, NoAnswer> {
        let t = self.terms;
        let mut values = model.evaluator(t);
        let mut found = self.differences(&mut values)?;
        // Reads that are added here are looked at in their turn.
        let mut next = 0;
        while next < self.reads.len() {
            let read = self.reads[next].clone();
            next += 1;
            for equality in self.equal_arrays(&read, &mut values) {
                for index in self.forms(read.arguments[0]) {
                    found |= self.agree(equality, index)?;
                }
            }
        }
        let apart = self.congruence(&mut values, &mut found)?;
        if found {
            return Ok(true);
        }
        // What cannot be said of indices can be said of numbers.
        let before = self.reads.len();
        for &read in &apart {
            let read = self.reads[read].clone();
            let numbers: Option<Vec<Term>> = read.plain_arguments.iter().map(|&a| values.value(a).map(|v| t.constant(v))).collect();
            if let Some(numbers) = numbers {
                let node = t.node(read.term);
                let same = if read.is_array { t.select(node.operand(0), numbers[0]) } else { t.apply(read.function, &numbers, node.sort) };
                self.plain(same)?;
            }
        }
        let mut next = 0;
        while next < self.reads.len() {
            let read = self.reads[next].clone();
            next += 1;
            for equality in self.equal_arrays(&read, &mut values) {
                if let Some(number) = values.value(read.plain_arguments[0]) {
                    found |= self.agree(equality, t.constant(number))?;
                }
            }
        }
        self.congruence(&mut values, &mut found)?;
        Ok(found || self.reads.len() > before)
    }

    /// The equalities that hold in the model and speak of the array that is read.
    fn equal_arrays(&self, read: &Read, values: &mut Evaluator<'_>) -> Vec<usize> {
        let speaks = |e: &Equality, values: &mut Evaluator<'_>| e.arrays.contains(&read.function) && values.holds(e.holds) == Some(true);
        let list = self.equalities.iter().enumerate().filter(|(_, e)| read.is_array && speaks(e, values));
        list.map(|(place, _)| place).collect()
    }

    /// Arrays that are not equal differ at an index, which has a name in one group only.
    fn differences(&mut self, values: &mut Evaluator<'_>) -> Result<bool, NoAnswer> {
        let t = self.terms;
        let mut found = false;
        for place in 0..self.equalities.len() {
            let Equality { term, left, right, holds, .. } = self.equalities[place];
            if values.holds(holds) != Some(false) || !self.used.insert((place, term)) {
                continue;
            }
            let width = t.sort(left).index_width();
            let index = t.intern_symbol(&format!("!difference.{place}.{width}"), Sort::bv(width));
            let Some(group) = self.place(term) else { continue };
            self.spans.insert(key_of_value(index), (group, group));
            let index = t.symbol(index);
            found |= self.add(t.or(term, t.ne(t.select(left, index), t.select(right, index))))?;
        }
        Ok(found)
    }

    /// Equal arrays agree at an index.
    fn agree(&mut self, equality: usize, index: Term) -> Result<bool, NoAnswer> {
        if !self.used.insert((equality, index)) {
            return Ok(false);
        }
        let t = self.terms;
        let Equality { term, left, right, .. } = self.equalities[equality];
        if t.width(index) != t.sort(left).index_width() {
            return Ok(false);
        }
        self.add(t.or(t.not(term), t.eq(t.select(left, index), t.select(right, index))))
    }

    /// Equal arguments give equal results. Says which reads break that and have no group in common.
    fn congruence(&mut self, values: &mut Evaluator<'_>, found: &mut bool) -> Result<Vec<usize>, NoAnswer> {
        let t = self.terms;
        let mut classes: FastMap<(SymbolId, Vec<Bits>), Vec<usize>> = FastMap::default();
        let mut apart = Vec::new();
        for place in 0..self.reads.len() {
            let read = self.reads[place].clone();
            let arguments: Option<Vec<Bits>> = read.plain_arguments.iter().map(|&a| values.value(a)).collect();
            let (Some(arguments), Some(result)) = (arguments, values.value(read.result)) else { continue };
            let class = classes.entry((read.function, arguments)).or_default();
            for &other in class.iter() {
                let before = self.reads[other].clone();
                if values.value(before.result) == Some(result) {
                    continue;
                }
                let same = t.and_all(read.arguments.iter().zip(&before.arguments).map(|(&a, &b)| t.eq(a, b)));
                let law = t.or(t.not(same), t.eq(read.term, before.term));
                if self.place(law).is_none() {
                    apart.extend([other, place]);
                } else {
                    *found |= self.add(law)?;
                }
            }
            class.push(place);
        }
        apart.sort_unstable();
        apart.dedup();
        Ok(apart)
    }

    /// Adds an instance of a law to a group that can speak of it. False if it was there, or no group can.
    fn add(&mut self, law: Term) -> Result<bool, NoAnswer> {
        let Some(group) = self.place(law) else { return Ok(false) };
        if !self.laws.insert(law) {
            return Ok(false);
        }
        if let Some(reason) = self.limits.stopped() {
            return Err(reason);
        }
        if self.laws.len() > MAX_LAWS {
            return Err(unsupported("arrays that need too many laws"));
        }
        let plain = self.plain(law)?;
        self.groups[group].push(plain);
        Ok(!self.terms.is_true(plain))
    }

    /// The first group at which all symbols of a term are alive.
    fn place(&mut self, term: Term) -> Option<usize> {
        let (mut first, mut last) = (0, usize::MAX);
        for key in self.splitter.keys(self.terms, term).iter() {
            let &(from, to) = self.spans.get(key)?;
            (first, last) = (first.max(from), last.min(to));
        }
        (first <= last).then_some(first)
    }

    /// An index in the words of ever earlier groups: the symbol that begins last is replaced by its definition.
    fn forms(&mut self, index: Term) -> Vec<Term> {
        if let Some(known) = self.forms.get(&index) {
            return known.clone();
        }
        let t = self.terms;
        let mut list = vec![index];
        let mut current = index;
        while list.len() < MAX_FORMS {
            let keys = self.splitter.keys(t, current);
            let defined = keys.iter().filter_map(|key| {
                let symbol = SymbolId(key >> 1);
                let value = self.definitions.get(&symbol).filter(|_| key & 1 == 0)?;
                Some((self.spans.get(key)?.0, t.symbol_name(symbol), symbol, *value))
            });
            let Some((_, _, symbol, value)) = defined.max_by_key(|&(first, name, ..)| (first, name)) else { break };
            current = t.substitute(current, &mut |node| (node.op == Op::Symbol && node.symbol() == symbol).then_some(value));
            list.push(current);
        }
        self.forms.insert(index, list.clone());
        list
    }
}

/// A symbol, and what a constraint says that it equals. Without arrays on both sides: reads in an index of a read in an
/// index lead nowhere.
fn definition(terms: &Terms, constraint: Term, splitter: &mut Splitter) -> Option<(SymbolId, Term)> {
    let node = terms.node(constraint);
    if node.op != Op::Eq {
        return None;
    }
    if has_arrays(terms, [constraint]) {
        return None;
    }
    [(node.operand(0), node.operand(1)), (node.operand(1), node.operand(0))].into_iter().find_map(|(side, value)| {
        let side = terms.node(side);
        let is_free = side.op == Op::Symbol && !splitter.keys(terms, value).contains(&key_of_value(side.symbol()));
        is_free.then(|| (side.symbol(), value))
    })
}
