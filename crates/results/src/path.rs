//! The annotated source path of a counterexample: the lines that were executed, what changed on them and which way
//! branches went. Iterations of a loop that only repeat earlier ones are abbreviated.

use crate::value::describe;
use crate::{Counterexample, PathStep};
use assay_base::{FastMap, Id, Span};
use assay_cfa::Step;
use assay_cfa::{Edge, EdgeId, Operation, Origin, Program, Role, VarId};
use assay_term::Bits;

/// One executed source line, with everything that happened on it in one go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What is shown.
    pub kind: RowKind,
    /// The place in the source.
    pub span: Span,
    /// How many calls are active, the entry's not counted.
    pub depth: usize,
    /// The last value of each variable that was assigned, in the order of the assignments: name and value.
    pub values: Vec<(String, String)>,
    /// The ways that branches on the line took, in order.
    pub branches: Vec<bool>,
    /// How many iterations like the last one follow and are not listed.
    pub passed_over: u64,
}

/// What a row is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A line is executed.
    Line,
    /// A function is entered; the values are its parameters.
    Enter(String),
    /// A function returns; the one value, if any, is its result.
    Leave(String),
    /// The property is violated here.
    Violation,
}

/// The rows of the path, one a line and visit.
pub fn rows(program: &Program, counterexample: &Counterexample) -> Vec<Row> {
    let (mut rows, open, depth) = rows_of(program, &counterexample.path);
    if let Some(span) = target_span(program, counterexample) {
        match rows.last_mut() {
            Some(row) if open && row.span.line == span.line && row.span.file == span.file => row.kind = RowKind::Violation,
            _ => rows.push(Row { kind: RowKind::Violation, span, depth, values: vec![], branches: vec![], passed_over: 0 }),
        }
    }
    rows
}

/// The rows of some steps; whether the last one goes on, and how many calls are active at the end.
fn rows_of(program: &Program, steps: &[PathStep]) -> (Vec<Row>, bool, usize) {
    let mut rows: Vec<Row> = Vec::new();
    let mut depth = 0;
    // Whether the next step may join the last row.
    let mut open = false;
    let mut results: FastMap<usize, String> = FastMap::default();
    let mut passed_over = 0;
    for step in steps {
        if let Some(row) = rows.last_mut() {
            row.passed_over += std::mem::replace(&mut passed_over, step.passed_over);
        }
        let edge = &program.edges[step.step.edge()];
        let registers = || step.values.iter().filter_map(|&(variable, bits)| shown(program, variable, bits));
        let values = || registers().chain(step.notes.iter().cloned());
        match (step.step, &edge.operation) {
            // The function that the front end puts before `main` is not the program's.
            (_, Operation::Call { .. }) if is_start(program, edge) => {}
            (Step::Edge(_), Operation::Call { callee, .. }) => {
                push_line(&mut rows, &mut open, edge.span, depth);
                depth += 1;
                let name = program.functions[*callee].name.clone();
                rows.push(Row {
                    kind: RowKind::Enter(name),
                    span: edge.span,
                    depth,
                    values: values().collect(),
                    branches: vec![],
                    passed_over: 0,
                });
                open = false;
            }
            (Step::Return(_), Operation::Call { callee, .. }) => {
                let name = program.functions[*callee].name.clone();
                let result = results.remove(&depth).map(|value| (String::new(), value));
                rows.push(Row {
                    kind: RowKind::Leave(name),
                    span: edge.span,
                    depth,
                    values: result.into_iter().collect(),
                    branches: vec![],
                    passed_over: 0,
                });
                depth = depth.saturating_sub(1);
                open = false;
                let mut returned = values().peekable();
                if returned.peek().is_some() {
                    push_line(&mut rows, &mut open, edge.span, depth);
                    record(&mut rows, returned);
                }
            }
            _ => {
                for &(variable, bits) in &step.values {
                    if program.variables[variable].role == Role::Result {
                        results.insert(depth, describe(&program.variables[variable].ctype, bits));
                    }
                }
                let branch = match edge.origin {
                    Origin::Branch { taken, keyword, looping } => Some((taken, keyword, looping)),
                    _ => None,
                };
                let span = branch.map_or(edge.span, |(_, keyword, _)| keyword);
                let mut values = values().peekable();
                if !span.is_known() || (values.peek().is_none() && branch.is_none() && edge.origin == Origin::Internal) {
                    record(&mut rows, values);
                    continue;
                }
                // A loop on one line begins a new visit; several decisions of one condition (&&, ||) do not.
                let looping = branch.is_some_and(|(_, _, looping)| looping);
                let again = looping && rows.last().is_some_and(|row| open && !row.branches.is_empty() && row.span == span);
                open &= !again;
                push_line(&mut rows, &mut open, span, depth);
                record(&mut rows, values);
                if let (Some((taken, ..)), Some(row)) = (branch, rows.last_mut()) {
                    row.branches.push(taken);
                }
            }
        }
    }
    for row in &mut rows {
        row.values = with_texts(std::mem::take(&mut row.values));
    }
    (rows, open, depth)
}

/// So many characters one after the other are a text.
const SHORTEST_TEXT: usize = 3;

/// Characters that are written one after the other, as one text.
fn with_texts(values: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = vec![];
    let mut rest = values.as_slice();
    while let Some(first) = rest.first() {
        let begin = element(first);
        let follows = |(at, value): &(usize, &(String, String))| match (begin, element(value)) {
            (Some((array, start, _)), Some((other, index, _))) => array == other && index == start + *at as u64,
            _ => false,
        };
        let run = rest.iter().enumerate().take_while(follows).count();
        match begin {
            Some((array, start, _)) if run >= SHORTEST_TEXT => {
                let text: String = rest[..run].iter().filter_map(element).map(|(.., text)| text.replace('"', "\\\"")).collect();
                let name = if start == 0 { array.to_string() } else { format!("{array}[{start}…]") };
                shown.push((name, format!("\"{text}\"")));
                rest = &rest[run..];
            }
            _ => {
                shown.push(first.clone());
                rest = &rest[1..];
            }
        }
    }
    shown
}

/// Array, index and character of an element that is one.
fn element((name, value): &(String, String)) -> Option<(&str, u64, &str)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    let text = value.strip_prefix('\'')?.strip_suffix('\'')?;
    Some((array, index.parse().ok()?, text))
}

fn is_start(program: &Program, edge: &Edge) -> bool {
    program.functions[program.locations[edge.source].function].name.starts_with('$')
}

/// The place of the violation: that of the last step that has one.
pub fn target_span(program: &Program, counterexample: &Counterexample) -> Option<Span> {
    counterexample.path.iter().rev().map(|step| program.edges[step.step.edge()].span).find(|span| span.is_known())
}

/// The edge of the last step, if there is one.
pub fn last_edge(counterexample: &Counterexample) -> Option<EdgeId> {
    counterexample.path.last().map(|step| step.step.edge())
}

fn push_line(rows: &mut Vec<Row>, open: &mut bool, span: Span, depth: usize) {
    let joins = *open && rows.last().is_some_and(|row| row.span.line == span.line && row.span.file == span.file && row.depth == depth);
    if !joins && span.is_known() {
        rows.push(Row { kind: RowKind::Line, span, depth, values: vec![], branches: vec![], passed_over: 0 });
    }
    *open = true;
}

fn record(rows: &mut [Row], values: impl Iterator<Item = (String, String)>) {
    let Some(row) = rows.last_mut() else { return };
    for (name, value) in values {
        match row.values.iter_mut().find(|(known, _)| *known == name) {
            Some(slot) => slot.1 = value,
            None => row.values.push((name, value)),
        }
    }
}

/// Name and value of a variable of the source; temporaries are not shown.
fn shown(program: &Program, variable: VarId, bits: Bits) -> Option<(String, String)> {
    let variable = &program.variables[variable];
    let visible = matches!(variable.role, Role::Source | Role::Parameter(_)) && !variable.source_name.is_empty();
    visible.then(|| (variable.source_name.clone(), describe(&variable.ctype, bits)))
}

/// A row, or an iteration that is repeated.
#[derive(Clone, Debug)]
enum Item {
    Row(Row),
    /// The first and the last of `count` iterations that visit the same lines.
    Repeat {
        first: Vec<Item>,
        last: Vec<Item>,
        count: u64,
    },
    /// What happened in a call that has returned.
    Folded {
        depth: usize,
        lines: usize,
    },
}

/// How many equal iterations are worth abbreviating.
const MIN_REPEATS: usize = 4;
/// The longest loop body, in rows, that is looked for.
const MAX_PERIOD: usize = 40;
/// More rows than this are printed only where everything is asked for.
const MAX_ROWS: usize = 600;
/// In paths of more rows than this, calls that have returned before the violation are folded.
const LONG_PATH: usize = 60;
/// Calls of fewer rows stay as they are.
const LONG_CALL: usize = 8;

/// How much of a path is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Rounds of loops that only repeat and long calls that have returned are folded.
    Folded,
    /// Every row.
    Full,
}

/// The path as text; of one that never ends, the path to the loop, and then the loop.
pub fn render(program: &Program, counterexample: &Counterexample, detail: Detail) -> String {
    let path = &counterexample.path;
    match &counterexample.lasso {
        Some(lasso) if lasso.start < path.len() => {
            let stem = render_rows(program, rows_of(program, &path[..lasso.start]).0, detail);
            let again = render_rows(program, rows_of(program, &path[lasso.start..]).0, detail);
            format!("{stem}for ever ({}):\n{again}", lasso.why)
        }
        _ => render_rows(program, rows(program, counterexample), detail),
    }
}

fn render_rows(program: &Program, rows: Vec<Row>, detail: Detail) -> String {
    let long = rows.len() > LONG_PATH && detail == Detail::Folded;
    let mut items: Vec<Item> = if long { fold_calls(rows) } else { rows.into_iter().map(Item::Row).collect() };
    // Each pass folds one more level of nested loops.
    for _ in 0..if detail == Detail::Folded { 4 } else { 0 } {
        let before = items.len();
        items = fold(items);
        if items.len() == before {
            break;
        }
    }
    let mut lines = Vec::new();
    let mut last_file = None;
    for item in &items {
        print(program, item, &mut last_file, &mut lines);
    }
    if lines.len() > MAX_ROWS && detail == Detail::Folded {
        let cut = lines.len() - MAX_ROWS;
        lines.splice(MAX_ROWS / 2..MAX_ROWS / 2 + cut, [format!("        … {cut} lines are not shown (--path full) …")]);
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Long calls that have returned become one line between the call and its result.
fn fold_calls(rows: Vec<Row>) -> Vec<Item> {
    // For each row that enters a function, the row that leaves it again.
    let mut ends: FastMap<usize, usize> = FastMap::default();
    let mut open = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        match row.kind {
            RowKind::Enter(_) => open.push(index),
            RowKind::Leave(_) => {
                if let Some(start) = open.pop() {
                    ends.insert(start, index);
                }
            }
            _ => {}
        }
    }
    let mut items = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let end = ends.get(&at).copied().filter(|end| end - at > LONG_CALL);
        items.push(Item::Row(rows[at].clone()));
        if let Some(end) = end {
            items.push(Item::Folded { depth: rows[at].depth, lines: end - at - 1 });
            at = end;
        } else {
            at += 1;
        }
    }
    items
}

fn key(item: &Item) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = assay_base::hash::FastHasher::default();
    match item {
        Item::Row(row) => (row.span, row.depth, &row.branches, std::mem::discriminant(&row.kind)).hash(&mut hasher),
        Item::Repeat { first, .. } => first.iter().for_each(|inner| key(inner).hash(&mut hasher)),
        Item::Folded { depth, .. } => depth.hash(&mut hasher),
    }
    hasher.finish()
}

/// The iterations that a row does not list, which are counted elsewhere from now on.
fn take_passed_over(item: &mut Item) -> u64 {
    match item {
        Item::Row(row) => std::mem::take(&mut row.passed_over),
        // Those of inner loops are counted there.
        Item::Repeat { .. } | Item::Folded { .. } => 0,
    }
}

fn fold(mut items: Vec<Item>) -> Vec<Item> {
    let keys: Vec<u64> = items.iter().map(key).collect();
    let mut result = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let found = (1..=MAX_PERIOD.min((items.len() - at) / MIN_REPEATS)).find_map(|period| {
            let body = &keys[at..at + period];
            let count = 1 + keys[at + period..].chunks_exact(period).take_while(|chunk| *chunk == body).count();
            (count >= MIN_REPEATS).then_some((period, count))
        });
        match found {
            Some((period, count)) => {
                let last_start = at + (count - 1) * period;
                let end = last_start + period;
                let all = count as u64 + items[at..end].iter_mut().map(take_passed_over).sum::<u64>();
                let (first, last) = (items[at..at + period].to_vec(), items[last_start..end].to_vec());
                result.push(Item::Repeat { first, last, count: all });
                at = end;
            }
            None => {
                result.push(items[at].clone());
                at += 1;
            }
        }
    }
    result
}

fn print(program: &Program, item: &Item, last_file: &mut Option<usize>, lines: &mut Vec<String>) {
    match item {
        Item::Row(row) => {
            print_row(program, row, last_file, lines);
            if row.passed_over > 0 {
                lines.push(format!("        … {} more iterations like the last one", row.passed_over));
            }
        }
        Item::Folded { depth, lines: count } => {
            lines.push(format!("      | {}… {count} lines (--path full)", "  ".repeat((*depth).min(20))));
        }
        Item::Repeat { first, last, count } => {
            first.iter().for_each(|inner| print(program, inner, last_file, lines));
            lines.push(format!("        … {} more iterations like this, the last one:", count - 1));
            last.iter().for_each(|inner| print(program, inner, last_file, lines));
        }
    }
}

fn print_row(program: &Program, row: &Row, last_file: &mut Option<usize>, lines: &mut Vec<String>) {
    let indent = "  ".repeat(row.depth.min(20));
    let joined = |separator: &str| {
        let texts: Vec<String> = row.values.iter().map(|(name, value)| format!("{name}{separator}{value}")).collect();
        texts.join(", ")
    };
    let Some(file) = program.sources.files.get(row.span.file) else { return };
    match &row.kind {
        RowKind::Enter(name) => lines.push(format!("      | {indent}→ {name}({})", joined(" = "))),
        RowKind::Leave(name) => {
            let value = joined("");
            let value = if value.is_empty() { String::new() } else { format!(" returns {value}") };
            lines.push(format!("      | {indent}← {name}{value}"));
        }
        RowKind::Line | RowKind::Violation => {
            if *last_file != Some(row.span.file.index()) && program.sources.files.len() > 1 {
                lines.push(format!("{}:", file.name));
                *last_file = Some(row.span.file.index());
            }
            let text: String = file.line(row.span.line).unwrap_or_default().trim().chars().take(100).collect();
            let mut notes: Vec<String> = Vec::new();
            if !row.values.is_empty() {
                notes.push(joined(" = "));
            }
            if !row.branches.is_empty() {
                let ways: Vec<&str> = row.branches.iter().map(|&taken| if taken { "true" } else { "false" }).collect();
                notes.push(format!("[{}]", ways.join(", ")));
            }
            if row.kind == RowKind::Violation {
                notes.push("◄ violation".to_string());
            }
            let note = notes.join("  ");
            let left = format!("{:>5} | {indent}{text}", row.span.line);
            let padding = " ".repeat(56usize.saturating_sub(left.chars().count()));
            lines.push(if note.is_empty() { left } else { format!("{left}{padding}  {note}") });
        }
    }
}
