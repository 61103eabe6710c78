//! `switch`: one edge for each label, or for labels that stand together.

use super::Class;
use super::body::{Body, End, Ends};
use super::walk::{Below, below_stmt};
use assay_base::{FastMap, Span};
use assay_cfa::{Operation, Origin};
use assay_term::Term;
use rucc_sema::{CaseList, ExprId, Stmt, StmtId};

/// So many labels of one statement become one edge. Fewer are told apart: that costs little, and domains of values
/// learn the value.
const MANY_LABELS: usize = 4;

impl Body<'_, '_> {
    pub(super) fn switch(&mut self, cond: ExprId, body: StmtId, cases: CaseList, default: Option<StmtId>, keyword: Span) {
        let class = self.class_of(cond);
        let value = self.scalar(cond);
        let source = (!self.is_dead()).then(|| self.here());
        self.ends.clear();
        self.statement = None;
        let mut others = Vec::new();
        let leaders = self.leaders(body);
        // The labels that share an edge, by the first one of them.
        let mut groups: Vec<(usize, Vec<(i128, i128)>)> = Vec::new();
        let mut known: FastMap<usize, usize> = FastMap::default();
        for (case, id) in self.unit.tast[cases].iter().copied().zip(cases.iter()) {
            others.push(self.in_range(value, class, case.low, case.high));
            let leader = leaders.get(&id.index()).copied().unwrap_or(id.index());
            let group = *known.entry(leader).or_insert_with(|| {
                groups.push((leader, vec![]));
                groups.len() - 1
            });
            groups[group].1.push((case.low, case.high));
        }
        for (leader, ranges) in groups {
            let location = self.fresh_location();
            self.cases.insert(leader << 1, location);
            if let Some(source) = source {
                let ranges = joined(ranges).into_iter().map(|(low, high)| self.in_range(value, class, low, high)).collect::<Vec<_>>();
                let condition = self.terms().or_all(ranges);
                let operation = Operation::Assume { condition };
                self.l.builder.edge(source, location, operation, keyword, Origin::Case { keyword });
            }
        }
        let condition = {
            let terms = self.terms();
            terms.and_all(others.iter().map(|&c| terms.not(c)))
        };
        let remaining = source.map(|source| End::Edge {
            source,
            operation: Operation::Assume { condition },
            span: keyword,
            origin: Origin::Case { keyword },
        });
        self.enter(false);
        let mut after: Ends = Vec::new();
        match default {
            Some(statement) => {
                let location = self.fresh_location();
                self.cases.insert(statement.index() << 1 | 1, location);
                self.ends = remaining.into_iter().collect();
                self.lead_to(location);
            }
            None => after.extend(remaining),
        }
        self.as_block(body);
        // The `continue`s in the body were filed with the loop around the `switch`.
        let (breaks, _) = self.leave();
        self.ends.extend(breaks);
        self.ends.extend(after);
    }

    fn in_range(&self, value: Term, class: Class, low: i128, high: i128) -> Term {
        let terms = self.terms();
        let width = terms.width(value);
        let number = |n: i128| terms.number(width, n as u128);
        if low == high {
            return terms.eq(value, number(low));
        }
        let (low, high) = (number(low), number(high));
        if class.is_signed() {
            terms.and(terms.sle(low, value), terms.sle(value, high))
        } else {
            terms.and(terms.ule(low, value), terms.ule(value, high))
        }
    }

    /// For the labels that share the edge of the first label of their statement: that first one, by the numbers of
    /// cases.
    fn leaders(&self, body: StmtId) -> FastMap<usize, usize> {
        let mut leaders = FastMap::default();
        if self.l.separate_cases {
            return leaders;
        }
        let mut work = vec![body];
        while let Some(statement) = work.pop() {
            let mut at = statement;
            let mut labels = Vec::new();
            while let Stmt::Case { case, body } = self.unit.tast[at] {
                labels.push(case.index());
                at = body;
            }
            if labels.len() >= MANY_LABELS {
                leaders.extend(labels.iter().map(|&label| (label, labels[0])));
            }
            let mut add = |below| {
                if let Below::Stmt(inner) = below {
                    work.push(inner);
                }
            };
            if labels.is_empty() { below_stmt(self.unit, at, &mut add) } else { add(Below::Stmt(at)) }
        }
        leaders
    }
}

/// Ranges without gaps between them become one.
fn joined(mut ranges: Vec<(i128, i128)>) -> Vec<(i128, i128)> {
    ranges.sort_unstable();
    let mut result: Vec<(i128, i128)> = Vec::new();
    for (low, high) in ranges {
        match result.last_mut() {
            Some(last) if last.1 + 1 >= low => last.1 = last.1.max(high),
            _ => result.push((low, high)),
        }
    }
    result
}
