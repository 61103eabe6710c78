//! Z3 as an optional back end, opened at run time; nothing of it is needed to build or to run.

mod api;
mod translate;

pub use api::{Library, candidates};

use super::{Backend, Description, verify};
use crate::answer::{Answer, Budget, NoAnswer};
use crate::model::{ArrayValue, ModelData};
use api::{Object, text};
use assay_base::{FastMap, FastSet};
use assay_term::integer::bits_of_integer;
use assay_term::{Bits, Op, Sort, Term, Terms};
use std::ffi::{CString, c_int, c_uint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use translate::Translator;

/// A context is started afresh when it holds so many expressions.
const MAX_EXPRESSIONS: usize = 200_000;
/// Until then a query runs without a thread that watches the token.
const UNWATCHED: Duration = Duration::from_millis(200);

/// One Z3 context with a solver whose stack follows the prefix of the queries.
pub struct Z3 {
    library: Library,
    description: Description,
    context: Option<Context>,
    store: u64,
}

impl Z3 {
    /// The context is made by the first query.
    pub fn new(library: Library) -> Self {
        let description = library.description();
        Z3 { library, description, context: None, store: 0 }
    }

    /// The first library that can be opened.
    pub fn find() -> Option<Z3> {
        candidates().iter().find_map(|path| Library::open(path).ok()).map(Z3::new)
    }
}

impl Backend for Z3 {
    fn description(&self) -> &Description {
        &self.description
    }

    fn check(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer {
        let stale = self.context.as_ref().is_some_and(|c| c.translator.len() > MAX_EXPRESSIONS || c.broken);
        if stale || self.store != terms.identity() {
            self.context = None;
            self.store = terms.identity();
        }
        let library = &self.library;
        let context = self.context.get_or_insert_with(|| Context::new(library.clone()));
        context.check(terms, constraints, budget)
    }
}

extern "C" fn ignore_error(_context: Object, _code: c_int) {}

struct Context {
    library: Library,
    context: Object,
    solver: Object,
    translator: Translator,
    /// The constraints on the solver's stack, one level each.
    stack: Vec<Term>,
    /// Tracking literals, by level.
    trackers: Vec<Object>,
    broken: bool,
}

// Safety: a Z3 context may be used by any thread, one at a time; `&mut` on every call sees to that.
unsafe impl Send for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        let f = self.library.functions();
        // Safety: both were made in `new` and are not used afterwards.
        unsafe {
            (f.solver_dec_ref)(self.context, self.solver);
            (f.del_context)(self.context);
        }
    }
}

impl Context {
    fn new(library: Library) -> Context {
        let f = library.functions();
        // Safety: plain construction as Z3's manual has it; errors are asked for, not thrown.
        let (context, solver) = unsafe {
            let config = (f.mk_config)();
            let context = (f.mk_context)(config);
            (f.del_config)(config);
            (f.set_error_handler)(context, ignore_error);
            let solver = (f.mk_solver)(context);
            (f.solver_inc_ref)(context, solver);
            (context, solver)
        };
        let translator = Translator::new(library.clone(), context);
        let mut made = Context { library, context, solver, translator, stack: Vec::new(), trackers: Vec::new(), broken: false };
        made.set_parameter("smt.relevancy", 0);
        made
    }

    fn set_parameter(&mut self, name: &str, value: c_uint) {
        let f = self.library.functions();
        let Ok(name) = CString::new(name) else { return };
        // Safety: the context is alive; Z3 copies name and parameters.
        unsafe {
            let params = (f.mk_params)(self.context);
            (f.params_inc_ref)(self.context, params);
            (f.params_set_uint)(self.context, params, (f.mk_string_symbol)(self.context, name.as_ptr()), value);
            (f.solver_set_params)(self.context, self.solver, params);
            (f.params_dec_ref)(self.context, params);
        }
    }

    fn error(&self) -> Option<String> {
        let f = self.library.functions();
        // Safety: the context is alive.
        unsafe {
            let code = (f.get_error_code)(self.context);
            (code != 0).then(|| text((f.get_error_msg)(self.context, code)))
        }
    }

    fn check(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer {
        if let Err(what) = self.assert_all(terms, constraints) {
            return Answer::Unknown(NoAnswer::Unsupported(format!("{what} (Z3)")));
        }
        match self.run(budget) {
            Ok(1) => self.model(terms, constraints),
            Ok(-1) => self.core(constraints),
            Ok(_) => {
                // A context whose search was cut short may refuse whatever is asked of it next (4.8 hands out null
                // pointers then).
                self.broken = true;
                // Safety: the context is alive.
                let why = unsafe { text((self.library.functions().solver_get_reason_unknown)(self.context, self.solver)) };
                Answer::Unknown(NoAnswer::Backend(format!("Z3 gave up: {why}")))
            }
            Err(reason) => {
                self.broken = true;
                Answer::Unknown(reason)
            }
        }
    }

    fn assert_all(&mut self, terms: &Terms, constraints: &[Term]) -> Result<(), String> {
        let library = self.library.clone();
        let f = library.functions();
        let shared = self.stack.iter().zip(constraints).take_while(|(a, b)| a == b).count();
        if shared < self.stack.len() {
            // Safety: so many levels were pushed.
            unsafe { (f.solver_pop)(self.context, self.solver, (self.stack.len() - shared) as c_uint) };
            self.stack.truncate(shared);
        }
        for (level, &constraint) in constraints.iter().enumerate().skip(shared) {
            let expression = self.translator.expression(terms, constraint)?;
            let addresses = self.addresses(terms, constraint)?;
            // Safety: all objects belong to this context.
            unsafe {
                while self.trackers.len() <= level {
                    let symbol = (f.mk_int_symbol)(self.context, self.trackers.len() as c_int);
                    self.trackers.push((f.mk_const)(self.context, symbol, (f.mk_bool_sort)(self.context)));
                }
                (f.solver_push)(self.context, self.solver);
                let mut all = vec![expression];
                all.extend(addresses);
                let expression = (f.mk_and)(self.context, all.len() as c_uint, all.as_ptr());
                (f.solver_assert_and_track)(self.context, self.solver, expression, self.trackers[level]);
            }
            self.stack.push(constraint);
            if let Some(error) = self.error() {
                self.broken = true;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Addresses are not null.
    fn addresses(&mut self, terms: &Terms, constraint: Term) -> Result<Vec<Object>, String> {
        let mut leaves = Vec::new();
        terms.post_order([constraint], |term, node| {
            if node.op == Op::Address {
                leaves.push(term);
            }
        });
        let f = self.library.functions();
        let mut facts = Vec::new();
        for leaf in leaves {
            let zero = self.translator.number(terms.width(leaf), 0);
            let object = self.translator.expression(terms, leaf)?;
            // Safety: all objects belong to this context.
            facts.push(unsafe { (f.mk_not)(self.context, (f.mk_eq)(self.context, object, zero)) });
        }
        Ok(facts)
    }

    /// Runs the solver: 1 satisfiable, -1 not, 0 unknown.
    fn run(&mut self, budget: &Budget) -> Result<c_int, NoAnswer> {
        if let Some(reason) = budget.cancel.stopped() {
            return Err(NoAnswer::Stopped(reason));
        }
        let start = Instant::now();
        let first = budget.time.unwrap_or(Duration::MAX).min(UNWATCHED);
        let mut result = self.run_for(first);
        if result == 0 && budget.time.is_none_or(|t| t > UNWATCHED) && start.elapsed() >= UNWATCHED {
            result = self.run_watched(budget, start);
        }
        if result == 0 {
            if let Some(reason) = budget.cancel.stopped() {
                return Err(NoAnswer::Stopped(reason));
            }
            if budget.time.is_some_and(|t| start.elapsed() >= t) {
                return Err(NoAnswer::Time);
            }
        }
        Ok(result)
    }

    fn run_for(&mut self, time: Duration) -> c_int {
        self.set_parameter("timeout", time.as_millis().clamp(1, u32::MAX as u128) as c_uint);
        // Safety: the solver is alive.
        unsafe { (self.library.functions().solver_check)(self.context, self.solver) }
    }

    fn run_watched(&mut self, budget: &Budget, start: Instant) -> c_int {
        let done = AtomicBool::new(false);
        let left = budget.time.map_or(Duration::from_secs(1 << 20), |t| t.saturating_sub(start.elapsed()));
        let library = self.library.clone();
        let context = self.context as usize;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    if budget.cancel.is_stopped() {
                        // Safety: interrupting is the one call that other threads may make; the context outlives the
                        // scope.
                        unsafe { (library.functions().interrupt)(context as Object) };
                    }
                    std::thread::park_timeout(Duration::from_millis(20));
                }
            });
            let result = self.run_for(left);
            done.store(true, Ordering::Release);
            result
        })
    }

    fn core(&self, constraints: &[Term]) -> Answer {
        let f = self.library.functions();
        let mut core = Vec::new();
        // Safety: the vector is kept while it is read.
        unsafe {
            let vector = (f.solver_get_unsat_core)(self.context, self.solver);
            (f.ast_vector_inc_ref)(self.context, vector);
            for i in 0..(f.ast_vector_size)(self.context, vector) {
                let tracker = (f.ast_vector_get)(self.context, vector, i);
                core.extend(self.trackers.iter().take(constraints.len()).position(|&t| t == tracker));
            }
            (f.ast_vector_dec_ref)(self.context, vector);
        }
        core.sort_unstable();
        core.dedup();
        if core.is_empty() && !constraints.is_empty() {
            return Answer::Unknown(NoAnswer::Backend("Z3 gave an empty core".into()));
        }
        Answer::Unsat(core)
    }

    fn model(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let f = self.library.functions();
        // Safety: the model is kept while it is read.
        let model = unsafe {
            let model = (f.solver_get_model)(self.context, self.solver);
            if model.is_null() {
                return Answer::Unknown(NoAnswer::Backend("Z3 gave no model".into()));
            }
            (f.model_inc_ref)(self.context, model);
            model
        };
        let data = self.read_model(terms, constraints, model);
        // Safety: as above.
        unsafe { (self.library.functions().model_dec_ref)(self.context, model) };
        match data {
            Ok(data) => verify(terms, constraints, data, "Z3"),
            Err(what) => Answer::Unknown(NoAnswer::Backend(format!("Z3's model has no value for {what}"))),
        }
    }

    fn read_model(&mut self, terms: &Terms, constraints: &[Term], model: Object) -> Result<ModelData, String> {
        let mut data = ModelData::default();
        let mut leaves = Vec::new();
        let mut indices: FastMap<u32, Vec<Term>> = FastMap::default();
        terms.post_order(constraints.iter().copied(), |term, node| match node.op {
            Op::Symbol | Op::Address | Op::Apply => leaves.push(term),
            Op::Select | Op::Store => indices.entry(terms.width(node.operand(1))).or_default().push(node.operand(1)),
            _ => {}
        });
        for leaf in leaves {
            let node = terms.node(leaf);
            let symbol = node.symbol();
            if node.sort.is_array() {
                let value = self.read_array(terms, leaf, indices.get(&node.sort.index_width()), model)?;
                data.arrays.insert(symbol, value);
                continue;
            }
            if node.width() > Bits::MAX_WIDTH {
                return Err("a word wider than 128 bits".into());
            }
            let value = self.value(terms, leaf, model)?;
            match node.op {
                Op::Symbol => {
                    data.symbols.insert(symbol, value);
                }
                Op::Address => {
                    data.addresses.insert(symbol, value);
                }
                _ => {
                    let arguments: Result<Vec<Bits>, String> =
                        terms.arguments(&node).iter().map(|&a| self.value(terms, a, model)).collect();
                    data.functions.entry(symbol).or_default().insert(arguments?, value);
                }
            }
        }
        Ok(data)
    }

    /// The elements at all indices that the query names.
    fn read_array(&mut self, terms: &Terms, array: Term, indices: Option<&Vec<Term>>, model: Object) -> Result<ArrayValue, String> {
        let sort = terms.sort(array);
        let mut value = ArrayValue::new(Bits::new(sort.width(), 0));
        let mut seen: FastSet<Bits> = FastSet::default();
        for &index in indices.into_iter().flatten() {
            let place = self.value(terms, index, model)?;
            if !seen.insert(place) {
                continue;
            }
            let object = self.translator.expression(terms, array)?;
            let f = self.library.functions();
            let number = self.translator.number(place.width(), place.value());
            // Safety: all objects belong to this context.
            let read = unsafe { (f.mk_select)(self.context, object, number) };
            value.set(place, self.value_of(read, Sort::bv(sort.width()), false, model)?);
        }
        Ok(value)
    }

    fn value(&mut self, terms: &Terms, term: Term, model: Object) -> Result<Bits, String> {
        let object = self.translator.expression(terms, term)?;
        let sort = terms.sort(term);
        self.value_of(object, sort, sort == Sort::BOOL, model)
    }

    fn value_of(&self, object: Object, sort: Sort, is_truth: bool, model: Object) -> Result<Bits, String> {
        const NUMERAL: c_int = 0;
        let f = self.library.functions();
        // Safety: all objects belong to this context; the string is copied before the next call.
        unsafe {
            let mut value: Object = std::ptr::null_mut();
            if !(f.model_eval)(self.context, model, object, true, &mut value) || value.is_null() {
                return Err("a term".into());
            }
            if is_truth {
                return Ok(Bits::from_bool((f.get_bool_value)(self.context, value) == 1));
            }
            if (f.get_ast_kind)(self.context, value) != NUMERAL {
                return Err("a term that is no number".into());
            }
            let digits = text((f.get_numeral_string)(self.context, value));
            if sort.is_integer() {
                return digits.parse().map(bits_of_integer).map_err(|_| format!("the integer {digits}"));
            }
            let number: u128 = digits.parse().map_err(|_| format!("the number {digits}"))?;
            Ok(Bits::new(sort.width(), number))
        }
    }
}
