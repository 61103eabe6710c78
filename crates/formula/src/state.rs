//! The state of a program as terms: registers of frames, memory objects, and what the path here demands.

use crate::content::Content;
use assay_base::FastMap;
use assay_cfa::{FunctionId, SourceId};
use assay_semantics::state::{ObjectName, PersistentVec};
use assay_term::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A memory object of a state: what it is called, and how many of that name were made before it along the path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct ObjectKey {
    /// Of the variable or the allocation.
    pub name: ObjectName,
    /// From 0.
    pub occurrence: u32,
}

/// How long an object lives, and what may be done to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// As long as the program.
    Static,
    /// Never written: a string literal.
    Constant,
    /// Ends with the frame of this number.
    Frame(u32),
    /// Until it is freed.
    Heap,
}

/// A memory object of a state.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// The address of its first byte: an `Address` term of a symbol of its own.
    pub base: Term,
    /// In bytes, of pointer width.
    pub size: Term,
    /// When it ends.
    pub lifetime: Lifetime,
    /// Counts the objects made on a single path, as the interpreter does; 0 for globals.
    pub birth: u32,
    /// Whether it is alive, as a truth value.
    pub alive: Term,
    /// What it holds.
    pub content: Content,
    /// Bits of bytes that were never written are set; `None` where all were, or where that is not in question.
    pub unwritten: Option<Content>,
}

pub(crate) type Objects = BTreeMap<ObjectKey, Arc<Object>>;

/// One activation of a function. The slot of a memory local holds the address of its object.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub function: FunctionId,
    /// Counts the frames of a path, so that what is uninitialised in one is not confused with another's.
    pub number: u32,
    /// How many frames of the same function are below.
    pub level: u32,
    /// Whether registers without a value hold any value that has a name for good, instead of being uninitialised.
    pub open: bool,
    pub registers: PersistentVec<Option<Term>>,
    pub caller: Option<Arc<Frame>>,
}

impl Drop for Frame {
    /// Deep stacks are taken down without recursion.
    fn drop(&mut self) {
        let mut next = self.caller.take();
        while let Some(frame) = next {
            match Arc::try_unwrap(frame) {
                Ok(mut frame) => next = frame.caller.take(),
                Err(_) => break,
            }
        }
    }
}

/// A value that the path here left open, and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// A symbol; of array sort for the content of a large object.
    pub symbol: Term,
    /// Who chooses the value.
    pub place: InputPlace,
}

/// Who chooses a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputPlace {
    /// A source of the program.
    Source(SourceId),
    /// Memory that was never written. `birth` counts the objects made on a single path, as the interpreter does.
    Memory {
        /// Of the object.
        birth: u32,
        /// In bytes.
        offset: u64,
    },
}

/// A state. Clones share what did not change.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) globals: PersistentVec<Option<Term>>,
    pub(crate) frame: Option<Arc<Frame>>,
    pub(crate) objects: Arc<Objects>,
    /// How many objects of a name were made.
    pub(crate) occurrences: Arc<BTreeMap<ObjectName, u32>>,
    /// Memory outside of the objects, by address; only where the state begins in the middle of a program.
    pub(crate) rest: Option<Term>,
    /// Whether globals without a value are the program's own symbols.
    pub(crate) open: bool,
    /// When something was written where no object is: then nothing is known of memory. Only where there is memory
    /// outside of objects; elsewhere that is `undefined`.
    pub(crate) tainted: Term,
    pub(crate) frames: u32,
    pub(crate) births: u32,
    /// Numbers of fresh symbols and of instances.
    pub(crate) fresh: u32,
    pub(crate) conditions: Arc<Vec<Term>>,
    pub(crate) path: Term,
    pub(crate) undefined: Term,
    pub(crate) failing: Term,
    pub(crate) approximate: bool,
    /// Some access went through a pointer from outside. That such a pointer is elsewhere counts as undefined, though
    /// programs may do it.
    pub(crate) outside: bool,
    /// States with the same number come from one state by moves of which at most one can be taken, so that no run has
    /// several of them at one place. `None` where that is not known.
    pub(crate) origin: Option<u32>,
    pub(crate) inputs: Arc<Vec<Input>>,
    /// In the defined form: what instances stand for, over inputs.
    pub(crate) meanings: Arc<FastMap<Term, Term>>,
}

impl State {
    /// What the path here demands, in order; its conjunction is [`path`](Self::path).
    pub fn conditions(&self) -> &[Term] {
        &self.conditions
    }
    /// The conjunction of the conditions.
    pub fn path(&self) -> Term {
        self.path
    }
    /// When an access to memory along the path was outside of every live object. What follows such an access is not
    /// modelled: claims about the program need this to be unsatisfiable.
    pub fn undefined(&self) -> Term {
        self.undefined
    }
    /// When a marked check (division by zero and the like, not signed overflow) failed along the path.
    pub fn failing(&self) -> Term {
        self.failing
    }
    /// Some value is freer than the program's: there may be models that no run has, but no run is lost.
    pub fn is_approximate(&self) -> bool {
        self.approximate
    }
    /// Values that the program leaves open, in the order of their occurrence; on merged states, of either side.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }
    /// The object with this key, alive or not.
    pub fn object(&self, key: ObjectKey) -> Option<&Object> {
        self.objects.get(&key).map(|object| &**object)
    }
    /// All objects, ordered by their keys.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectKey, &Object)> {
        self.objects.iter().map(|(&key, object)| (key, &**object))
    }
    /// The number of frames on the stack.
    pub fn depth(&self) -> usize {
        std::iter::successors(self.frame.as_ref(), |frame| frame.caller.as_ref()).count()
    }

    /// The values alone: nothing is demanded, nothing was left open.
    pub(crate) fn without_history(&self, terms: &assay_term::Terms) -> State {
        let (path, never) = (terms.true_(), terms.false_());
        State { conditions: Arc::default(), inputs: Arc::default(), path, undefined: never, failing: never, ..self.clone() }
    }

    pub(crate) fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.frame.as_mut().map(Arc::make_mut)
    }
    pub(crate) fn change_object(&mut self, key: ObjectKey, change: impl FnOnce(&mut Object)) {
        if let Some(object) = Arc::make_mut(&mut self.objects).get_mut(&key) {
            change(Arc::make_mut(object));
        }
    }
}
