//! Variables and fields that the program tells apart by many constants, such as the state of a state machine. Where one
//! of its constants matters the others will, one refinement for each; so a predicate brings those of its family with
//! it.

use assay_base::FastMap;
use assay_cfa::{Operation, Program};
use assay_formula::{Encoder, Stable};
use assay_term::{Node, Op, SymbolId, Term, Terms};

/// What has fewer constants is no family: they are found one by one.
const FEWEST: usize = 4;
/// With more, most of them do not matter.
const MOST: usize = 48;

/// Constants that something is compared with, or becomes.
#[derive(Default)]
pub(super) struct Families {
    variables: FastMap<SymbolId, Vec<Term>>,
    /// By offset from a pointer, and bytes.
    fields: FastMap<(u64, u32), Vec<Term>>,
}

impl Families {
    pub(super) fn of(program: &Program, terms: &Terms) -> Self {
        let mut families = Families::default();
        let mut loaded: FastMap<SymbolId, Vec<(u64, u32)>> = FastMap::default();
        let mut conditions = Vec::new();
        for edge in program.edges.iter() {
            match &edge.operation {
                Operation::Assume { condition } => conditions.push(*condition),
                Operation::Assign { target, value } if terms.as_constant(*value).is_some() => {
                    add(families.variables.entry(target.symbol()).or_default(), *value);
                }
                Operation::Load { target, address } => {
                    let bytes = program.variables[*target].register_width().unwrap_or(0) / 8;
                    add(loaded.entry(target.symbol()).or_default(), (offset(terms, *address), bytes));
                }
                Operation::Store { address, value } if terms.as_constant(*value).is_some() => {
                    let field = (offset(terms, *address), terms.width(*value) / 8);
                    add(families.fields.entry(field).or_default(), *value);
                }
                _ => {}
            }
        }
        terms.post_order(conditions, |_, node| {
            let Some((variable, constant)) = comparison(terms, node) else { return };
            let variable = terms.node(variable);
            if variable.op != Op::Symbol {
                return;
            }
            let symbol = variable.symbol();
            add(families.variables.entry(symbol).or_default(), constant);
            for &field in loaded.get(&symbol).map_or(&[][..], Vec::as_slice) {
                add(families.fields.entry(field).or_default(), constant);
            }
        });
        families.variables.retain(|_, list| (FEWEST..=MOST).contains(&list.len()));
        families.fields.retain(|_, list| (FEWEST..=MOST).contains(&list.len()));
        families
    }

    /// The other predicates of an equality's family, if it has one.
    pub(super) fn others(&self, encoder: &Encoder<'_>, predicate: Term) -> Vec<Term> {
        let terms = encoder.terms;
        let node = terms.node(predicate);
        let node = if node.op == Op::Not { terms.node(node.operand(0)) } else { node };
        let Some((thing, _)) = comparison(terms, &node) else { return vec![] };
        let (symbol, index) = match terms.node(thing) {
            node if node.op == Op::Symbol => (node.symbol(), None),
            node => match (terms.node(node.operand(0)), terms.as_constant(node.operand(1))) {
                (array, Some(index)) if array.op == Op::Symbol => (array.symbol(), Some(index)),
                _ => return vec![],
            },
        };
        let list = match (encoder.stable_of(symbol, Op::Symbol), index) {
            (Some(Stable::Cell { offset, bytes, .. }), None) => self.fields.get(&(offset, bytes)),
            (Some(Stable::Array { bytes, .. }), Some(index)) => self.fields.get(&(index.value() as u64, bytes)),
            (Some(Stable::Register { variable, .. }), None) => self.variables.get(&variable.symbol()),
            _ => None,
        };
        list.map_or_else(Vec::new, |list| list.iter().map(|&other| terms.eq(thing, other)).collect())
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    // What has too many constants is dropped at the end, so the list need not grow further.
    if list.len() <= MOST && !list.contains(&item) {
        list.push(item);
    }
}

/// A symbol, or an element of an array, that is compared with a constant for equality.
fn comparison(terms: &Terms, node: &Node) -> Option<(Term, Term)> {
    if node.op != Op::Eq {
        return None;
    }
    [(0, 1), (1, 0)].into_iter().find_map(|(one, other)| {
        let (thing, constant) = (node.operand(one), node.operand(other));
        let fits =
            matches!(terms.node(thing).op, Op::Symbol | Op::Select) && terms.width(thing) > 1 && terms.as_constant(constant).is_some();
        fits.then_some((thing, constant))
    })
}

/// What is added to a pointer.
fn offset(terms: &Terms, address: Term) -> u64 {
    let node = terms.node(address);
    if node.op != Op::Add {
        return 0;
    }
    let number = [node.operand(0), node.operand(1)].into_iter().find_map(|operand| terms.as_constant(operand));
    number.map_or(0, |bits| bits.value() as u64)
}
