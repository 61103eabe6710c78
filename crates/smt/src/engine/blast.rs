//! From terms to literals, once per term and instance. Reads of arrays and applications of functions become fresh
//! words; that equal arguments give equal results is added on demand by the engine.

use super::circuit::Circuit;
use super::lit::{Lit, Var};
use super::operators::{self, Unsupported};
use super::words::Word;
use assay_base::{CancelToken, FastMap, WorkTime};
use assay_term::{Bits, Node, Op, Sort, SymbolId, Term, Terms};

/// What a free variable of the circuit is a bit of.
#[derive(Clone, Debug)]
pub(crate) enum Owner {
    Symbol {
        symbol: SymbolId,
        bits: Word,
    },
    Address {
        symbol: SymbolId,
        bits: Word,
    },
    /// A read of an array symbol or an application of a function; it depends on the equalities of its lemmas.
    Application {
        function: SymbolId,
        /// The index of a read; none for a function.
        index: Option<Term>,
        arguments: Vec<Word>,
        result: Word,
        depends: Word,
    },
    /// The truth value of an equality of arrays, which depends on reads at an index where they differ.
    ArrayEquality {
        left: Term,
        right: Term,
        equal: Lit,
        depends: Word,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Term(Term),
    Read(Term, Term),
}

#[derive(Default)]
pub(crate) struct Blaster {
    pub circuit: Circuit,
    pub owners: Vec<Owner>,
    /// By variable: one more than the owner's index, or 0.
    owner_of: Vec<u32>,
    words: Vec<Lit>,
    memo: FastMap<Term, u32>,
    reads: FastMap<(Term, Term), u32>,
    /// Facts of the theories, true in every model.
    pub lemmas: Vec<Vec<Lit>>,
    pub has_arrays: bool,
    /// When to give up, which leaves what is done as it is.
    pub until: Option<(CancelToken, Option<WorkTime>)>,
    stack: Vec<Item>,
}

/// A circuit grows by at most some ten thousand gates between two looks at the clock.
const LOOK_AFTER: u32 = 32;
/// Formulas with more gates are not built.
const MAX_CIRCUIT: usize = 30_000_000;

impl Blaster {
    /// The literal of a truth value.
    pub(crate) fn literal(&mut self, terms: &Terms, root: Term) -> Result<Lit, Unsupported> {
        debug_assert_eq!(terms.sort(root), Sort::BOOL);
        if let Some(&start) = self.memo.get(&root) {
            return Ok(self.words[start as usize]);
        }
        Ok(self.word(terms, root)?[0])
    }

    /// The word of a bit-vector term.
    pub(crate) fn word(&mut self, terms: &Terms, root: Term) -> Result<Word, Unsupported> {
        self.run(terms, Item::Term(root))?;
        Ok(self.known(terms, root).to_vec())
    }

    /// The word of an array's element.
    pub(crate) fn read(&mut self, terms: &Terms, array: Term, index: Term) -> Result<Word, Unsupported> {
        self.run(terms, Item::Read(array, index))?;
        let width = terms.sort(array).width() as usize;
        let start = self.reads[&(array, index)] as usize;
        Ok(self.words[start..start + width].to_vec())
    }

    /// Every truth value that has a literal.
    pub(crate) fn truths(&self, terms: &Terms) -> Vec<(Term, Lit)> {
        let is_truth = |term: &Term| terms.sort(*term) == Sort::BOOL;
        self.memo.iter().filter(|(term, _)| is_truth(term)).map(|(&term, &start)| (term, self.words[start as usize])).collect()
    }

    pub(crate) fn owner(&self, var: Var) -> Option<usize> {
        match self.owner_of.get(var as usize) {
            None | Some(0) => None,
            Some(&index) => Some(index as usize - 1),
        }
    }

    fn known(&self, terms: &Terms, term: Term) -> &[Lit] {
        let start = self.memo[&term] as usize;
        &self.words[start..start + terms.width(term) as usize]
    }

    fn keep(&mut self, word: &[Lit]) -> u32 {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(word);
        start
    }

    fn add_owner(&mut self, owner: Owner, bits: &[Lit]) {
        self.owners.push(owner);
        for lit in bits {
            let var = lit.var() as usize;
            if self.owner_of.len() <= var {
                self.owner_of.resize(var + 1, 0);
            }
            self.owner_of[var] = self.owners.len() as u32;
        }
    }

    /// Adds a clause that holds in every model.
    pub(crate) fn add_lemma(&mut self, clause: &[Lit]) {
        self.circuit.sat.add_clause(clause);
        self.lemmas.push(clause.to_vec());
    }

    fn is_done(&self, item: Item) -> bool {
        match item {
            Item::Term(term) => self.memo.contains_key(&term),
            Item::Read(array, index) => self.reads.contains_key(&(array, index)),
        }
    }

    fn run(&mut self, terms: &Terms, root: Item) -> Result<(), Unsupported> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        let mut result = Ok(());
        let mut steps = 0u32;
        while let Some(&item) = stack.last() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(LOOK_AFTER)
                && let Err(error) = self.may_go_on()
            {
                result = Err(error);
                break;
            }
            if self.is_done(item) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let step = match item {
                Item::Term(term) => self.step(terms, term, &mut stack),
                Item::Read(array, index) => self.step_read(terms, array, index, &mut stack),
            };
            match step {
                Ok(Some(word)) => {
                    debug_assert!(stack.len() == waiting);
                    stack.pop();
                    let start = self.keep(&word);
                    match item {
                        Item::Term(term) => self.memo.insert(term, start),
                        Item::Read(array, index) => self.reads.insert((array, index), start),
                    };
                }
                Ok(None) => debug_assert!(stack.len() > waiting),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.stack = stack;
        result
    }

    /// Whether there is time and space for more.
    fn may_go_on(&self) -> Result<(), Unsupported> {
        let stopped = self.until.as_ref().is_some_and(|(cancel, deadline)| cancel.is_stopped() || deadline.is_some_and(WorkTime::is_over));
        if stopped {
            return Err(Unsupported("a formula that could not be built in time".into()));
        }
        match self.circuit.var_count() > MAX_CIRCUIT {
            true => Err(Unsupported("a formula of more than 30 million gates".into())),
            false => Ok(()),
        }
    }

    /// Pushes what is not done yet; true if nothing was.
    fn ready(&self, stack: &mut Vec<Item>, items: impl IntoIterator<Item = Item>) -> bool {
        let waiting = stack.len();
        stack.extend(items.into_iter().filter(|&item| !self.is_done(item)));
        stack.len() == waiting
    }

    /// One step of a term: its word, or what it waits for on the stack.
    fn step(&mut self, terms: &Terms, term: Term, stack: &mut Vec<Item>) -> Result<Option<Word>, Unsupported> {
        let node = terms.node(term);
        let width = node.width();
        if node.sort.is_integer() {
            return Err(Unsupported("mathematical integers, which only other solvers have (see `assay solvers`)".into()));
        }
        if node.sort.is_array() {
            return Err(Unsupported("an array where a bit-vector is needed".into()));
        }
        match node.op {
            Op::Symbol => {
                let bits = self.circuit.input_word(width);
                self.add_owner(Owner::Symbol { symbol: node.symbol(), bits: bits.clone() }, &bits);
                Ok(Some(bits))
            }
            Op::Address => {
                let bits = self.circuit.input_word(width);
                self.add_owner(Owner::Address { symbol: node.symbol(), bits: bits.clone() }, &bits);
                self.add_lemma(&bits);
                Ok(Some(bits))
            }
            Op::Apply => self.step_apply(terms, &node, stack),
            Op::Select => {
                let (array, index) = (node.operand(0), node.operand(1));
                if !self.ready(stack, [Item::Read(array, index)]) {
                    return Ok(None);
                }
                let start = self.reads[&(array, index)] as usize;
                Ok(Some(self.words[start..start + width as usize].to_vec()))
            }
            Op::Eq if terms.sort(node.operand(0)).is_array() => self.step_array_equality(terms, &node, stack),
            _ => {
                let (operands, arity) = node.operands();
                if !self.ready(stack, operands[..arity].iter().map(|&o| Item::Term(o))) {
                    return Ok(None);
                }
                let mut words: [&[Lit]; 3] = [&[]; 3];
                for i in 0..arity {
                    let start = self.memo[&operands[i]] as usize;
                    words[i] = &self.words[start..start + terms.width(operands[i]) as usize];
                }
                operators::apply(&mut self.circuit, &node, &words[..arity]).map(Some)
            }
        }
    }

    fn step_apply(&mut self, terms: &Terms, node: &Node, stack: &mut Vec<Item>) -> Result<Option<Word>, Unsupported> {
        let arguments = terms.arguments(node);
        if node.width() > Bits::MAX_WIDTH || arguments.iter().any(|&a| terms.sort(a).is_array() || terms.width(a) > Bits::MAX_WIDTH) {
            return Err(Unsupported("a function of arrays or of words wider than 128 bits".into()));
        }
        if !self.ready(stack, arguments.iter().map(|&a| Item::Term(a))) {
            return Ok(None);
        }
        let arguments: Vec<Word> = arguments.iter().map(|&a| self.known(terms, a).to_vec()).collect();
        Ok(Some(self.application(node.symbol(), None, arguments, node.width())))
    }

    fn application(&mut self, function: SymbolId, index: Option<Term>, arguments: Vec<Word>, width: u32) -> Word {
        let result = self.circuit.input_word(width);
        self.add_owner(Owner::Application { function, index, arguments, result: result.clone(), depends: Vec::new() }, &result);
        self.has_arrays = true;
        result
    }

    /// One step of a read: through writes and choices down to the symbol.
    fn step_read(&mut self, terms: &Terms, array: Term, index: Term, stack: &mut Vec<Item>) -> Result<Option<Word>, Unsupported> {
        let node = terms.node(array);
        let width = node.sort.width();
        if width > Bits::MAX_WIDTH || node.sort.index_width() > Bits::MAX_WIDTH {
            return Err(Unsupported("arrays of words wider than 128 bits".into()));
        }
        match node.op {
            Op::Symbol => {
                if !self.ready(stack, [Item::Term(index)]) {
                    return Ok(None);
                }
                let word = self.known(terms, index).to_vec();
                Ok(Some(self.application(node.symbol(), Some(index), vec![word], width)))
            }
            Op::ConstArray => {
                let value = node.operand(0);
                if !self.ready(stack, [Item::Term(value)]) {
                    return Ok(None);
                }
                Ok(Some(self.known(terms, value).to_vec()))
            }
            Op::Store => {
                let (below, place, value) = (node.operand(0), node.operand(1), node.operand(2));
                // The comparison is a term, so that the simplifier sees indices that differ by a constant.
                let same = terms.eq(place, index);
                if terms.is_true(same) {
                    if !self.ready(stack, [Item::Term(value)]) {
                        return Ok(None);
                    }
                    return Ok(Some(self.known(terms, value).to_vec()));
                }
                if !self.ready(stack, [Item::Term(same), Item::Read(below, index)]) {
                    return Ok(None);
                }
                let condition = self.known(terms, same)[0];
                let start = self.reads[&(below, index)] as usize;
                let otherwise = self.words[start..start + width as usize].to_vec();
                if condition == Lit::FALSE {
                    return Ok(Some(otherwise));
                }
                if !self.ready(stack, [Item::Term(value)]) {
                    return Ok(None);
                }
                let value = self.known(terms, value).to_vec();
                Ok(Some(self.circuit.mux_word(condition, &value, &otherwise)))
            }
            Op::Ite => {
                let (condition, then, otherwise) = (node.operand(0), node.operand(1), node.operand(2));
                if !self.ready(stack, [Item::Term(condition), Item::Read(then, index), Item::Read(otherwise, index)]) {
                    return Ok(None);
                }
                let condition = self.known(terms, condition)[0];
                let word = |start: u32| self.words[start as usize..(start + width) as usize].to_vec();
                let (a, b) = (word(self.reads[&(then, index)]), word(self.reads[&(otherwise, index)]));
                Ok(Some(self.circuit.mux_word(condition, &a, &b)))
            }
            op => Err(Unsupported(format!("an array made by {op:?}"))),
        }
    }

    /// Equal arrays agree everywhere (on demand); different ones differ at an index of their own.
    fn step_array_equality(&mut self, terms: &Terms, node: &Node, stack: &mut Vec<Item>) -> Result<Option<Word>, Unsupported> {
        let (left, right) = (node.operand(0), node.operand(1));
        let sort = terms.sort(left);
        let name = format!("!difference.{:016x}.{:016x}", terms.node(left).fingerprint, terms.node(right).fingerprint);
        let index = terms.named(&name, Sort::bv(sort.index_width()));
        if !self.ready(stack, [Item::Read(left, index), Item::Read(right, index)]) {
            return Ok(None);
        }
        let word = |blaster: &Self, array: Term| {
            let start = blaster.reads[&(array, index)] as usize;
            blaster.words[start..start + sort.width() as usize].to_vec()
        };
        let (a, b) = (word(self, left), word(self, right));
        let same_there = self.circuit.equal_words(&a, &b);
        let equal = self.circuit.input();
        self.add_owner(Owner::ArrayEquality { left, right, equal, depends: vec![same_there] }, &[equal]);
        self.has_arrays = true;
        self.add_lemma(&[equal, !same_there]);
        self.add_lemma(&[!equal, same_there]);
        Ok(Some(vec![equal]))
    }
}
