//! The toy domain: known values of registers, in frames; and a refiner by testing.

use assay_base::{ByteReader, ByteWriter, CancelToken, Decision, Fingerprint, Id, Ledger};
use assay_cfa::portable::Names;
use assay_cfa::{LocationId, Operation, Program, Scope, VarId};
use assay_cpa::{
    Adjustment, CallStacks, Domain, Environment, Forget, LocationOrders, Mark, Move, Position, PrecisionScope, Projection, Refinable,
    Refinement, Refiner, ScopedPrecision, StrongestPost, Successors, TargetPath, View,
};
use assay_memo::{BlockScope, KnownRule, Reduce, Summary, SummaryId};
use assay_term::{Bits, Op, SymbolId, Term, Terms, eval};
use std::collections::BTreeMap;

/// Global variables are in frame 0, those of the entry function in frame 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Values {
    pub known: BTreeMap<(u32, VarId), Bits>,
    pub depth: u32,
}

pub(crate) struct Constants<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub precision: ScopedPrecision<VarId>,
    /// Breaks when a value reaches this.
    pub break_at: Option<u128>,
    /// Marks what follows an assignment of this value as unresolved.
    pub unresolved_at: Option<u128>,
    pub look_up: bool,
    /// What reduction does wrong.
    pub lie: std::sync::Mutex<Lie>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lie {
    None,
    /// Exits are lost.
    Expand,
    /// All entries look the same.
    Reduce,
    /// Summaries are said to hold for every entry.
    Rule,
}

impl<'a> Constants<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        let terms = Terms::overlay(program.terms.clone());
        Constants {
            program,
            terms,
            precision: ScopedPrecision::everything(),
            break_at: None,
            unresolved_at: None,
            look_up: true,
            lie: std::sync::Mutex::new(Lie::None),
        }
    }
    pub(crate) fn lazy(program: &'a Program) -> Self {
        Constants { precision: ScopedPrecision::empty(), ..Self::new(program) }
    }
    fn key(&self, depth: u32, variable: VarId) -> (u32, VarId) {
        (if self.program.variables[variable].scope == Scope::Global { 0 } else { depth }, variable)
    }
    fn evaluate(&self, state: &Values, depth: u32, term: Term) -> Option<Bits> {
        eval::evaluate(&self.terms, term, &mut |node| match node.op {
            Op::Symbol => {
                let SymbolId(index) = node.symbol();
                state.known.get(&self.key(depth, VarId(index))).copied()
            }
            _ => None,
        })
    }
    fn set(&self, state: &mut Values, depth: u32, variable: VarId, value: Option<Bits>) {
        let key = self.key(depth, variable);
        match value {
            Some(value) => state.known.insert(key, value),
            None => state.known.remove(&key),
        };
    }
    fn apply(&self, state: &Values, step: &Move<'_>) -> Option<Values> {
        let mut next = state.clone();
        let depth = state.depth;
        match (&step.edge.operation, step.is_return()) {
            (Operation::Call { callee, result, .. }, true) => {
                let value = self.program.functions[*callee].result.and_then(|r| state.known.get(&(depth, r)).copied());
                next.known.retain(|&(frame, _), _| frame != depth);
                next.depth -= 1;
                if let Some(result) = result {
                    self.set(&mut next, depth - 1, *result, value);
                }
            }
            (Operation::Call { callee, arguments, .. }, false) => {
                next.depth += 1;
                for (&parameter, &argument) in self.program.functions[*callee].parameters.iter().zip(arguments) {
                    let value = self.evaluate(state, depth, argument);
                    self.set(&mut next, depth + 1, parameter, value);
                }
            }
            (Operation::Assign { target, value }, _) => {
                let value = self.evaluate(state, depth, *value);
                self.set(&mut next, depth, *target, value);
            }
            (Operation::Havoc { target, .. }, _) => self.set(&mut next, depth, *target, None),
            (Operation::Assume { condition }, _) => {
                let value = self.evaluate(state, depth, *condition);
                if value.is_some_and(|value| !value.is_true()) {
                    return None;
                }
            }
            _ => {}
        }
        Some(next)
    }
}

impl Domain for Constants<'_> {
    type State = Values;
    type Precision = ScopedPrecision<VarId>;
    type Worker = ();

    fn worker(&self) {}
    fn initial(&self, _: &mut ()) -> Values {
        let zero = |v: VarId| (v.symbol(), self.program.variables[v].register_width().unwrap_or(1));
        let globals = self.program.globals.iter().map(|&v| ((0, v), Bits::new(zero(v).1, 0)));
        Values { known: globals.collect(), depth: 1 }
    }
    fn initial_precision(&self) -> Self::Precision {
        self.precision.clone()
    }
    fn transfer(&self, _: &mut (), state: &Values, _: &Self::Precision, step: &Move<'_>, _: &mut dyn View, out: &mut Successors<Values>) {
        if let Some(next) = self.apply(state, step) {
            let bad = self.unresolved_at.is_some_and(|value| next.known.values().any(|v| v.value() == value));
            match bad {
                true => out.push_marked(next, Mark::Unresolved("a value that the toy cannot bear".into())),
                false => out.push(next),
            }
        }
    }
    fn adjust(&self, _: &mut (), state: &mut Values, precision: &Self::Precision, at: &Position<'_>) -> Adjustment {
        let function = self.program.locations[at.head.location].function;
        let depth = state.depth;
        state.known.retain(|&(frame, v), _| (frame != 0 && frame != depth) || precision.tracks(at.head.location, function, &v));
        match self.break_at {
            Some(value) if state.known.values().any(|v| v.value() == value) => Adjustment::Break("too large".into()),
            _ => Adjustment::Continue,
        }
    }
    fn covers(&self, _: &mut (), smaller: &Values, larger: &Values) -> bool {
        larger.known.iter().all(|(key, value)| smaller.known.get(key) == Some(value))
    }
    fn join(&self, _: &mut (), new: &Values, old: &Values, _: &Self::Precision, _: &Position<'_>) -> Option<Values> {
        let mut joined = old.clone();
        joined.known.retain(|key, value| new.known.get(key) == Some(value));
        Some(joined)
    }
    fn hash(&self, state: &Values) -> u64 {
        state.known.iter().fold(0, |sum: u64, (k, v)| sum.wrapping_add(assay_base::hash::mix(k.1.index() as u64 + (v.value() as u64) * 31)))
    }
    fn shape(&self, state: &Values) -> u64 {
        if !self.look_up {
            return 0;
        }
        state.known.keys().fold(0, |sum: u64, k| sum.wrapping_add(assay_base::hash::mix(k.1.index() as u64)))
    }
    fn project(&self, state: &Values, like: &Values) -> Projection {
        if !self.look_up {
            return Projection::Scan;
        }
        let mut sum = 0u64;
        for key in like.known.keys() {
            let Some(value) = state.known.get(key) else { return Projection::Never };
            sum = sum.wrapping_add(assay_base::hash::mix(key.1.index() as u64 + (value.value() as u64) * 31));
        }
        Projection::Hash(sum)
    }
    fn size(&self, state: &Values) -> usize {
        state.known.len()
    }
    fn describe(&self, state: &Values) -> String {
        format!("{:?}", state.known.iter().map(|(k, v)| (k.1, v.value())).collect::<Vec<_>>())
    }
    fn value_of(&self, _: &mut (), state: &Values, term: Term) -> Option<Bits> {
        self.evaluate(state, state.depth, term)
    }
}

impl StrongestPost for Constants<'_> {
    fn post(&self, _: &mut (), state: &Values, step: &Move<'_>) -> Option<Values> {
        self.apply(state, step)
    }
}

impl Forget for Constants<'_> {
    type Item = (u32, VarId);
    fn remembered(&self, state: &Values, out: &mut Vec<Self::Item>) {
        out.extend(state.known.keys().copied());
    }
    fn forget(&self, _: &mut (), state: &mut Values, item: &Self::Item) {
        state.known.remove(item);
    }
}

impl Refinable for Constants<'_> {
    fn track(&self, precision: &mut Self::Precision, at: LocationId, scope: PrecisionScope, item: &Self::Item) -> bool {
        precision.track(self.program, at, scope, &item.1)
    }
}

/// Inductive interpolation by testing.
pub(crate) struct ToyRefiner {
    pub scope: PrecisionScope,
    /// Claims infeasibility without adding anything.
    pub useless: bool,
    /// Gives up on the first so many paths.
    pub give_up: u32,
    pub paths: u32,
}

impl ToyRefiner {
    pub(crate) fn new(scope: PrecisionScope) -> Self {
        ToyRefiner { scope, useless: false, give_up: 0, paths: 0 }
    }
}

pub(crate) fn moves<'a, D: Domain>(path: &TargetPath<'_, 'a, D>) -> Vec<Move<'a>> {
    let program = path.environment.program;
    let step = |i: usize| {
        let step = path.steps[i];
        let edge = match step {
            assay_cpa::Step::Edge(edge) | assay_cpa::Step::Return(edge) => &program.edges[edge],
        };
        Move { program, step, edge, source: path.heads[i], target: path.heads[i + 1] }
    };
    (0..path.steps.len()).map(step).collect()
}

impl<D: Refinable> Refiner<D> for ToyRefiner {
    type Evidence = usize;
    fn refine(
        &mut self,
        worker: &mut D::Worker,
        path: &TargetPath<'_, '_, D>,
        precision: &mut D::Precision,
    ) -> Decision<usize, Refinement> {
        self.paths += 1;
        if self.paths <= self.give_up {
            return Decision::Open(assay_base::Obstacle::unconfirmed("given up"));
        }
        let domain = path.domain;
        let moves = moves(path);
        let contradicts = |worker: &mut D::Worker, state: &D::State, from: usize| {
            let mut state = state.clone();
            for step in &moves[from..] {
                match domain.post(worker, &state, step) {
                    Some(next) => state = next,
                    None => return true,
                }
            }
            false
        };
        let mut state = domain.initial(worker);
        if !contradicts(worker, &state, 0) {
            return Decision::Feasible(moves.len());
        }
        if self.useless {
            return Decision::Infeasible(Refinement::Extended { cut: 1, grew: false });
        }
        let (mut cut, mut grew) = (None, false);
        for position in 0..=moves.len() {
            if position > 0 {
                match domain.post(worker, &state, &moves[position - 1]) {
                    Some(next) => state = next,
                    None => break,
                }
            }
            let mut items = Vec::new();
            domain.remembered(&state, &mut items);
            for item in &items {
                let mut weaker = state.clone();
                domain.forget(worker, &mut weaker, item);
                if contradicts(worker, &weaker, position) {
                    state = weaker;
                }
            }
            items.clear();
            domain.remembered(&state, &mut items);
            for item in &items {
                grew |= domain.track(precision, path.heads[position].location, self.scope, item);
                cut.get_or_insert(position);
            }
        }
        Decision::Infeasible(Refinement::Extended { cut: cut.unwrap_or(0), grew })
    }
}

/// What an exploration needs besides its domain.
pub(crate) struct Surroundings<'a> {
    pub program: &'a Program,
    pub stacks: CallStacks,
    pub orders: LocationOrders<'a>,
    pub ledger: Ledger,
    pub cancel: CancelToken,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(program: &'a Program, bound: Option<u32>) -> Self {
        Surroundings {
            program,
            stacks: CallStacks::new(bound),
            orders: LocationOrders::new(program),
            ledger: Ledger::new(),
            cancel: CancelToken::new(),
        }
    }
    pub(crate) fn environment(&self) -> Environment<'_> {
        Environment { program: self.program, stacks: &self.stacks, orders: &self.orders, ledger: &self.ledger, cancel: &self.cancel }
    }
}

impl Constants<'_> {
    /// The part of a state that a block can touch, with its frame as the lowest.
    fn part(&self, state: &Values, block: &BlockScope<'_>, touched: bool) -> Values {
        let depth = state.depth;
        let inside = |&(frame, v): &(u32, VarId)| (frame == 0 || frame == depth) && block.touches(v);
        let kept = state.known.iter().filter(|(key, _)| inside(key) == touched);
        let moved = kept.map(|(&(frame, v), &value)| ((if touched && frame == depth { 1 } else { frame }, v), value));
        Values { known: moved.collect(), depth: if touched { 1 } else { depth } }
    }
}

impl Reduce for Constants<'_> {
    type Rule = Vec<Values>;

    fn generalise(
        &self,
        _: &mut (),
        summary: &Summary<'_, Self>,
        _: &BlockScope<'_>,
        _: &dyn Fn(SummaryId) -> Option<KnownRule<Vec<Values>>>,
    ) -> Option<Vec<Values>> {
        let lies = *self.lie.lock().expect("no panic") == Lie::Rule;
        lies.then(|| summary.exits.iter().map(|exit| exit.state.clone()).collect())
    }
    fn by_rule(&self, _: &mut (), exits: &Vec<Values>, _: &Values) -> Option<Vec<Values>> {
        Some(exits.clone())
    }

    fn reduce(&self, _: &mut (), state: &Values, block: &BlockScope<'_>) -> Values {
        if *self.lie.lock().expect("no panic") == Lie::Reduce {
            let mut same = self.part(state, block, true);
            same.known.values_mut().for_each(|value| *value = Bits::new(value.width(), 1));
            return same;
        }
        self.part(state, block, true)
    }
    fn expand(&self, _: &mut (), outer: &Values, exit: &Values, _: &Position<'_>, block: &BlockScope<'_>) -> Option<Values> {
        assert_eq!(exit.depth, 1, "a block ends in the frame in which it began");
        if *self.lie.lock().expect("no panic") == Lie::Expand {
            return None;
        }
        let mut whole = self.part(outer, block, false);
        whole.known.extend(exit.known.iter().map(|(&(frame, v), &value)| ((if frame == 1 { outer.depth } else { frame }, v), value)));
        Some(whole)
    }
    fn reduce_precision(&self, precision: &Self::Precision, block: &BlockScope<'_>) -> Self::Precision {
        precision.restricted(|f| block.executes_in(f), |l| block.executes(l), |&v| block.touches(v))
    }
    fn precision_fingerprint(&self, precision: &Self::Precision) -> Fingerprint {
        Fingerprint(u128::from(precision.fingerprint(|v| v.index() as u64)))
    }
    fn write_state(&self, _: &Values, state: &Values, names: &Names<'_>, _: &BlockScope<'_>, out: &mut ByteWriter) -> Option<()> {
        out.number(u64::from(state.depth));
        out.number(state.known.len() as u64);
        for (&(frame, variable), value) in &state.known {
            out.number(u64::from(frame));
            out.text(&names.program.variables[variable].name);
            out.number(u64::from(value.width()));
            out.number(value.value() as u64);
        }
        Some(())
    }
    fn read_state(&self, _: &mut (), _: &Values, names: &Names<'_>, _: &BlockScope<'_>, from: &mut ByteReader<'_>) -> Option<Values> {
        let (depth, mut known) = (from.small()?, BTreeMap::new());
        for _ in 0..from.number()? {
            let key = (from.small()?, names.variable(from.text()?)?);
            known.insert(key, Bits::new(from.small()?, u128::from(from.number()?)));
        }
        Some(Values { known, depth })
    }
}
