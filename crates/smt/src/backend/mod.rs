//! Other solvers, found at run time: Z3 as a library, and any program that speaks SMT-LIB. Their models are checked
//! like our own; a back end that dies, hangs or talks nonsense leads to an unknown answer with its reason.

pub mod process;
pub mod z3;

use crate::answer::{Answer, Budget, NoAnswer};
use crate::engine::{Engine, EngineAnswer, Limits};
use crate::model::{Model, ModelData};
use crate::solver::Config;
use assay_term::{Term, Terms};

/// What a solver can do; abilities are data, so that nobody needs to know which solver it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities {
    /// Understands float operators.
    pub floats: bool,
    /// Understands arrays.
    pub arrays: bool,
    /// Understands uninterpreted functions.
    pub functions: bool,
    /// Mathematical integers.
    pub integers: bool,
    /// Work of a shared prefix is kept between queries.
    pub incremental: bool,
    /// Says which constraints contradict each other.
    pub cores: bool,
    /// Gives interpolants.
    pub interpolants: bool,
}

/// A solver as `assay solvers` lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// As options name it.
    pub name: String,
    /// As the solver itself says.
    pub version: String,
    /// Where it was found; empty for the embedded engine.
    pub location: String,
    /// What it can do.
    pub abilities: Abilities,
}

/// A solver for conjunctions of terms.
///
/// The minimum is `description` and `check`. Laws: a `Sat` answer's model was evaluated on every constraint
/// ([`verify`] does that); a core names constraints of the query; the budget's token ends a query soon after it is
/// stopped. One instance is used by one thread at a time and may be moved between threads.
pub trait Backend: Send {
    /// Who it is.
    fn description(&self) -> &Description;
    /// Whether the constraints can hold together.
    fn check(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer;
    /// Interpolants of a contradictory sequence of groups, one for each cut, where [`Abilities::interpolants`] says so.
    /// They are checked by whoever asks.
    ///
    /// # Errors
    /// Why there are none.
    fn interpolants(&mut self, _terms: &Terms, _groups: &[Vec<Term>], _budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
        Err(NoAnswer::Unsupported(format!("interpolants with {}", self.description().name)))
    }
}

/// A solver that was looked for: its description, or how to get it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// As options name it.
    pub name: String,
    /// How it would be reached.
    pub kind: Kind,
    /// The solver, or how to get it.
    pub found: Result<Description, String>,
}

/// How a solver is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A part of this program.
    Embedded,
    /// Loaded at run time.
    Library,
    /// An SMT-LIB program that is started for the query.
    Process,
}

impl Listed {
    /// The solver, ready to be asked.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn open(&self) -> Result<Box<dyn Backend>, String> {
        let description = self.found.as_ref().map_err(Clone::clone)?;
        Ok(match self.kind {
            Kind::Embedded => Box::new(Embedded::new(Config::default().small_conflicts)),
            Kind::Library => Box::new(z3::Z3::new(z3::Library::open(std::path::Path::new(&description.location))?)),
            Kind::Process => Box::new(process::Process::described(description.clone())),
        })
    }
}

/// The embedded engine and whatever else is found on this machine.
pub fn list_backends() -> Vec<Listed> {
    let mut list = vec![Listed { name: "embedded".into(), kind: Kind::Embedded, found: Ok(Embedded::new(0).description) }];
    let candidates = z3::candidates();
    let mut found = false;
    for path in candidates {
        if let Ok(library) = z3::Library::open(&path) {
            found = true;
            list.push(Listed { name: "z3".into(), kind: Kind::Library, found: Ok(library.description()) });
        }
    }
    if !found {
        let help = "install Debian's libz3-4, or `pip install z3-solver`, or set ASSAY_Z3 to the path of libz3.so";
        list.push(Listed { name: "z3".into(), kind: Kind::Library, found: Err(help.into()) });
    }
    for known in &process::KNOWN {
        let found = process::find(known).ok_or_else(|| known.help.to_string());
        list.push(Listed { name: format!("{}-process", known.name), kind: Kind::Process, found });
    }
    list
}

/// The model as an answer, if every constraint evaluates to true in it; else an unknown one.
pub fn verify(terms: &Terms, constraints: &[Term], data: ModelData, who: &str) -> Answer {
    let model = Model::from(data);
    let mut evaluator = model.evaluator(terms);
    for &constraint in constraints {
        match evaluator.holds(constraint) {
            Some(true) => {}
            Some(false) => {
                return Answer::Unknown(NoAnswer::WrongAnswer(format!("{who} gave a model that does not satisfy the query")));
            }
            None => return Answer::Unknown(NoAnswer::Unsupported(format!("a model of {who} that cannot be checked"))),
        }
    }
    Answer::Sat(model)
}

/// The embedded engine as a back end, without the chain before it.
pub struct Embedded {
    engine: Engine,
    store: u64,
    description: Description,
}

impl Embedded {
    /// `small_conflicts` is the limit of the small search, as in [`Config`].
    pub fn new(small_conflicts: u64) -> Self {
        let abilities =
            Abilities { floats: true, arrays: true, functions: true, integers: false, incremental: true, cores: true, interpolants: true };
        let description =
            Description { name: "embedded".into(), version: env!("CARGO_PKG_VERSION").into(), location: String::new(), abilities };
        Embedded { engine: Engine::new(small_conflicts), store: 0, description }
    }
}

impl Backend for Embedded {
    fn description(&self) -> &Description {
        &self.description
    }
    fn check(&mut self, terms: &Terms, constraints: &[Term], budget: &Budget) -> Answer {
        if self.store != terms.identity() {
            self.engine.reset();
            self.store = terms.identity();
        }
        match self.engine.check(terms, constraints, &mut Limits::of(budget)) {
            EngineAnswer::Sat(data) => verify(terms, constraints, data, "the embedded engine"),
            EngineAnswer::Unsat(core) => Answer::Unsat(core),
            EngineAnswer::Unknown(reason) => Answer::Unknown(reason),
        }
    }
    fn interpolants(&mut self, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
        crate::interpolate::of_proof(terms, groups, budget)
    }
}
