//! One function's body in the making: the current point of control, edges, temporaries.
//!
//! The point of control is a set of open ends: edges whose target is not chosen yet. An empty set is code that is
//! never reached; nothing is emitted for it. No location is made before it is needed, so there are no chains of
//! empty edges to clean up.

use super::{Class, Lowering};
use crate::adapter::Unit;
use assay_base::{AssumptionClass, FastMap, FastSet, Span};
use assay_cfa::{CType, FunctionId, LocationId, Mark, MarkKind, Operation, Origin, ValueSource, ValueSourceKind, VarId};
use assay_term::{Term, Terms};
use rucc_sema::ExprId;

/// An open end of control.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Location(LocationId),
    Edge { source: LocationId, operation: Operation, span: Span, origin: Origin },
}

pub(crate) type Ends = Vec<End>;

/// A value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Void,
    Scalar(Term),
    /// The value lies in the object at this address.
    Aggregate(Term),
}

/// The widths to which gcc cuts the operands of an operator because its result is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cut {
    /// By a cast: before gcc chooses the order of the operands.
    pub cast: Option<u32>,
    /// By an assignment, a call or a `return`, which convert what has been folded: gcc then chooses once more.
    pub folded: Option<u32>,
    /// Whether there is another operator between the two.
    pub is_nested: bool,
}

impl Cut {
    pub(super) fn only_if(self, wanted: bool) -> Cut {
        if wanted { self } else { Cut::default() }
    }
}

/// Where `break` and `continue` lead.
pub(crate) struct Enclosing {
    pub is_loop: bool,
    pub breaks: Ends,
    pub continues: Ends,
    /// How many block scopes were open outside.
    pub depth: usize,
}

/// Where computed jumps with the same open blocks go on from.
pub(crate) struct ComputedJump {
    /// The register with the address of the label.
    pub target: VarId,
    pub from: LocationId,
    pub open: Vec<usize>,
}

/// How the function returns its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultPlace {
    None,
    Register(VarId, Class),
    /// The caller gives the address of the object that takes the value.
    Object(VarId, u64),
}

/// A `goto` whose label may be still to come.
pub(crate) struct Jump {
    pub ends: Ends,
    pub label: usize,
    /// The blocks that were open at the jump.
    pub open: Vec<usize>,
    pub span: Span,
    pub statement: Option<Span>,
    /// What was to be called when blocks end; none where a jump leaves them without it.
    pub cleanups: Option<Vec<super::cleanup::Cleanup>>,
}

/// What becomes of the result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Wanted {
    #[default]
    Value,
    /// Only whether it is zero, or less or more than that.
    Sign,
    /// Only whether it is zero.
    Truth,
    Nothing,
}

pub(crate) struct Body<'l, 'a> {
    pub l: &'l mut Lowering<'a>,
    pub unit: &'a Unit,
    pub unit_index: usize,
    pub function: FunctionId,
    pub ends: Ends,
    /// Under which condition the code is evaluated, where that is no branch: checks count there only.
    pub guard: Option<Term>,
    /// Locals by declaration index.
    pub locals: FastMap<u32, VarId>,
    pub labels: FastMap<usize, LocationId>,
    /// Values that are computed once and used in several places of the tree.
    pub shared: FastMap<usize, Value>,
    /// Operators whose right operand is evaluated first, because gcc turns them around.
    pub turned: FastSet<usize>,
    /// Whether the order in an expression is open because gcc may regroup its operators, where that was asked.
    pub regrouped: FastMap<usize, bool>,
    /// The declaration by which a variable length is computed, by the length's expression.
    pub length_owners: FastMap<usize, rucc_sema::DeclId>,
    pub result: ResultPlace,
    /// Where the hidden list of variable arguments is.
    pub varargs: Option<VarId>,
    pub enclosing: Vec<Enclosing>,
    /// The open blocks, by number.
    pub scopes: Vec<usize>,
    /// The memory locals of every block, by its number.
    pub scope_objects: Vec<Vec<VarId>>,
    /// The blocks in which each label lies.
    pub label_scopes: FastMap<usize, Vec<usize>>,
    /// Jumps, which may leave blocks.
    pub jumps: Vec<Jump>,
    /// Where each case label of the open `switch` statements is, by statement.
    pub cases: FastMap<usize, LocationId>,
    pub span: Span,
    /// Set at the start of a statement and taken by its first edge.
    pub statement: Option<Span>,
    /// Addresses of labels that were taken, for computed jumps.
    pub label_addresses: Vec<(usize, Term)>,
    /// The symbols of temporaries, which are written once before they are read.
    pub kept: assay_base::FastSet<assay_term::SymbolId>,
    /// Commas whose left side has been evaluated.
    pub hoisted: assay_base::FastSet<usize>,
    /// The width to which the operator that is evaluated next is cut.
    pub cut: Cut,
    pub computed: Vec<ComputedJump>,
    /// What becomes of the result of the call that is lowered next.
    pub wanted: Wanted,
    /// What the pointer that is wanted leads to, where the value is that of a call.
    pub pointee: Option<rucc_types::TypeId>,
    /// Registers with the addresses of variables of the function around this one, by declaration index.
    pub captured: FastMap<u32, VarId>,
    /// The variables in scope with something to be called when their blocks end.
    pub cleanups: Vec<super::cleanup::Cleanup>,
    /// Those in scope at each label.
    pub label_cleanups: FastMap<usize, Vec<super::cleanup::Cleanup>>,
    /// The places to which jumps from below may lead.
    pub return_places: Vec<super::jumps::ReturnPlace>,
    /// Whether only the address of the place that is lowered next is taken, and nothing accessed there.
    pub only_address: bool,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn terms(&self) -> &Terms {
        &self.l.builder.terms
    }

    pub(super) fn pointer_width(&self) -> u32 {
        self.l.builder.pointer_width()
    }

    /// A constant of pointer width.
    pub(super) fn word(&self, value: u64) -> Term {
        self.terms().number(self.pointer_width(), u128::from(value))
    }

    pub(super) fn is_dead(&self) -> bool {
        self.ends.is_empty()
    }

    /// The current location; it is made here if several ends, or an edge, lead to it.
    pub(super) fn here(&mut self) -> LocationId {
        if let [End::Location(location)] = self.ends[..] {
            return location;
        }
        let location = self.l.builder.location(self.function);
        self.lead_to(location);
        self.ends = vec![End::Location(location)];
        location
    }

    /// Leads all open ends to a location; the code after that is not reached.
    pub(super) fn lead_to(&mut self, target: LocationId) {
        for end in std::mem::take(&mut self.ends) {
            match end {
                End::Edge { source, operation, span, origin } => {
                    self.l.builder.edge(source, target, operation, span, origin);
                }
                End::Location(source) => {
                    let origin = self.statement.take().map_or(Origin::Internal, |_| Origin::Statement);
                    self.l.builder.edge(source, target, Operation::Skip, self.span, origin);
                }
            }
        }
    }

    /// Marks this place as one that a property may name.
    pub(super) fn mark(&mut self, kind: MarkKind, name: &str, origin: Origin) {
        if !self.is_dead() {
            let location = self.here();
            self.l.builder.marks.places.push(Mark { kind, name: name.to_string(), location, span: self.span, origin });
        }
    }

    /// Goes on at a location to which jumps lead too.
    pub(super) fn go_on_at(&mut self, location: LocationId) {
        self.lead_to(location);
        self.ends = vec![End::Location(location)];
    }

    pub(super) fn fresh_location(&mut self) -> LocationId {
        self.l.builder.location(self.function)
    }

    fn origin(&mut self) -> Origin {
        match self.statement.take() {
            Some(span) => {
                self.span = span;
                Origin::Statement
            }
            None => Origin::Internal,
        }
    }

    pub(super) fn emit(&mut self, operation: Operation) {
        let origin = self.origin();
        self.emit_as(operation, origin);
    }

    pub(super) fn emit_as(&mut self, operation: Operation, origin: Origin) {
        if self.is_dead() {
            return;
        }
        let source = self.here();
        self.ends = vec![End::Edge { source, operation, span: self.span, origin }];
    }

    /// Splits control on a condition of width 1; gives the ends where it holds and where it does not.
    pub(super) fn split(&mut self, condition: Term, keyword: Option<(Span, bool)>) -> (Ends, Ends) {
        if self.is_dead() {
            return (vec![], vec![]);
        }
        if self.terms().is_true(condition) {
            return (std::mem::take(&mut self.ends), vec![]);
        }
        if self.terms().is_false(condition) {
            return (vec![], std::mem::take(&mut self.ends));
        }
        let source = self.here();
        self.ends.clear();
        self.statement = None;
        let origin = |taken| match keyword {
            Some((keyword, looping)) => Origin::Branch { taken, keyword, looping },
            None => Origin::Internal,
        };
        let negated = self.terms().not(condition);
        let end = |condition, taken| {
            vec![End::Edge { source, operation: Operation::Assume { condition }, span: self.span, origin: origin(taken) }]
        };
        (end(condition, true), end(negated, false))
    }

    /// A register for an intermediate value.
    pub(super) fn temporary(&mut self, width: u32, ctype: CType) -> VarId {
        let span = self.span;
        let register = self.l.builder.temporary(self.function, width, ctype, span);
        let symbol = self.terms().node(self.read(register)).symbol();
        self.kept.insert(symbol);
        register
    }

    pub(super) fn word_temporary(&mut self) -> VarId {
        let width = self.pointer_width();
        self.temporary(width, CType::Pointer)
    }

    pub(super) fn read(&self, variable: VarId) -> Term {
        self.l.builder.read(variable)
    }

    pub(super) fn assign(&mut self, target: VarId, value: Term) {
        debug_assert_eq!(self.l.builder.variables[target].register_width(), Some(self.terms().width(value)));
        self.emit(Operation::Assign { target, value });
    }

    /// Keeps a value as it is now, whatever happens to the variables in it.
    pub(super) fn snapshot(&mut self, value: Term) -> Term {
        if self.is_stable(value) {
            return value;
        }
        let width = self.terms().width(value);
        let kept = self.temporary(width, CType::Integer { width, signed: false, name: "unsigned int" });
        self.assign(kept, value);
        self.read(kept)
    }

    /// Whether nothing that is evaluated later can change the value: it reads temporaries only.
    fn is_stable(&self, value: Term) -> bool {
        let symbols = self.terms().free_symbols(value);
        symbols.iter().all(|symbol| self.kept.contains(symbol))
    }

    pub(super) fn source(&mut self, kind: ValueSourceKind, name: &str) -> assay_cfa::SourceId {
        let span = self.span;
        self.l.builder.value_source(ValueSource { kind, name: name.to_string(), span })
    }

    /// A register with any value.
    pub(super) fn unknown(&mut self, width: u32, ctype: CType, kind: ValueSourceKind, name: &str) -> Term {
        let target = self.temporary(width, ctype);
        let source = self.source(kind, name);
        self.emit(Operation::Havoc { target, source });
        self.read(target)
    }

    /// Any value that the over-approximation of a construct stands for.
    pub(super) fn approximation(&mut self, width: u32, what: &str) -> Term {
        self.unknown(width, CType::Integer { width, signed: false, name: "unsigned int" }, ValueSourceKind::Approximation, what)
    }

    /// Marks a construct that is not modelled; a value of the given width stands for its result.
    pub(super) fn unsupported(&mut self, what: impl Into<String>) {
        self.emit(Operation::Unsupported { what: what.into() });
    }

    pub(super) fn note(&mut self, class: AssumptionClass, text: impl Into<String>) {
        let span = self.span;
        self.l.builder.note(class, span, text);
    }

    pub(super) fn load(&mut self, address: Term, width: u32, ctype: CType) -> Term {
        let target = self.temporary(width, ctype);
        self.emit(Operation::Load { target, address });
        self.read(target)
    }

    pub(super) fn store(&mut self, address: Term, value: Term) {
        debug_assert_eq!(self.terms().width(value) % 8, 0);
        self.emit(Operation::Store { address, value });
    }

    pub(super) fn copy(&mut self, destination: Term, source: Term, size: u64) {
        if size > 0 && destination != source {
            let size = self.word(size);
            self.emit(Operation::Copy { destination, source, size });
        }
    }

    /// The address that many bytes further.
    pub(super) fn offset(&self, address: Term, bytes: u64) -> Term {
        if bytes == 0 { address } else { self.terms().add(address, self.word(bytes)) }
    }

    pub(super) fn set_span(&mut self, expr: ExprId) {
        let span = self.unit.span(self.unit.tast.expr_span(expr));
        if span.is_known() {
            self.span = span;
        }
    }
}
