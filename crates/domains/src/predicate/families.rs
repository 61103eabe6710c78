//! Variables that the program tells apart by many constants, such as the state of a state machine. Where one of its constants
//! matters the others will, one refinement for each; so a predicate brings those of its family with it.

use assay_base::FastMap;
use assay_cfa::{Operation, Program};
use assay_term::{Op, SymbolId, Term, Terms};

/// A variable with fewer constants is no family: they are found one by one.
const FEWEST: usize = 4;
/// With more, most of them do not matter.
const MOST: usize = 48;

/// By variable: what it is compared with, or becomes.
pub struct Families(FastMap<SymbolId, Vec<Term>>);

impl Families {
    pub fn none() -> Self {
        Families(FastMap::default())
    }

    pub fn of(program: &Program, terms: &Terms) -> Self {
        let mut constants: FastMap<SymbolId, Vec<Term>> = FastMap::default();
        let mut add = |symbol: SymbolId, constant: Term| {
            let list = constants.entry(symbol).or_default();
            if !list.contains(&constant) {
                list.push(constant);
            }
        };
        let mut conditions = Vec::new();
        for edge in program.edges.iter() {
            match &edge.operation {
                Operation::Assume { condition } => conditions.push(*condition),
                Operation::Assign { target, value } if terms.as_constant(*value).is_some() => add(target.symbol(), *value),
                _ => {}
            }
        }
        terms.post_order(conditions, |_, node| {
            if node.op == Op::Eq {
                for (one, other) in [(0, 1), (1, 0)] {
                    let variable = terms.node(node.operand(one));
                    if variable.op == Op::Symbol && terms.width(node.operand(one)) > 1 && terms.as_constant(node.operand(other)).is_some() {
                        add(variable.symbol(), node.operand(other));
                    }
                }
            }
        });
        constants.retain(|_, list| (FEWEST..=MOST).contains(&list.len()));
        Families(constants)
    }

    /// The other predicates of an equality's family, if it has one.
    pub fn others(&self, terms: &Terms, predicate: Term) -> Vec<Term> {
        let node = terms.node(predicate);
        let node = if node.op == Op::Not { terms.node(node.operand(0)) } else { node };
        if node.op != Op::Eq {
            return vec![];
        }
        for (one, other) in [(0, 1), (1, 0)] {
            let (variable, constant) = (terms.node(node.operand(one)), node.operand(other));
            if variable.op == Op::Symbol
                && terms.as_constant(constant).is_some()
                && let Some(list) = self.0.get(&variable.symbol())
            {
                return list.iter().map(|&other| terms.eq(node.operand(one), other)).collect();
            }
        }
        vec![]
    }
}
