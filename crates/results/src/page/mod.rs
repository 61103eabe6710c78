//! A self-contained HTML page about one run: verdict, annotated path, automaton, invariants, ledger and statistics. It
//! loads nothing from elsewhere and is well-formed XML after its first line.

mod blocks;
mod layout;

use crate::path::{self, Row, RowKind};
use crate::task::{Producer, Task, iso_time};
use crate::{Outcome, Proof, Verdict};
use assay_base::{AssumptionClass, FastSet, Id};
use assay_cfa::{FunctionId, LocationId, Program};
use std::fmt::Write;

/// Long paths and large programs are cut, so that browsers can show the page.
const MAX_ROWS: usize = 2000;
const MAX_FUNCTIONS: usize = 12;
const MAX_SOURCE_LINES: usize = 5000;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --hit: #4a90d933; --bad: #d0454533; --good: #2e9e5b33; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; margin-top: 1.6em; }
table { border-collapse: collapse; } td, th { padding: .15em .7em; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
code, pre, .mono { font: 13px/1.4 ui-monospace, monospace; }
.verdict { padding: .5em .8em; border-radius: .4em; display: inline-block; font-weight: 600; }
.true { background: var(--good); } .false { background: var(--bad); } .unknown { background: var(--line); }
.num { text-align: right; opacity: .6; } .scroll { overflow: auto; max-height: 40em; }
tr.enter td, tr.leave td { opacity: .75; font-style: italic; } tr.violation { background: var(--bad); }
tr.visited { background: var(--hit); }
svg text { font: 12px ui-monospace, monospace; fill: currentColor; } svg rect { fill: none; stroke: currentColor; stroke-opacity: .5; }
svg rect.visited { fill: var(--hit); } svg rect.target { fill: var(--bad); } svg path { fill: none; stroke: currentColor; stroke-opacity: .55; }
svg path.back { stroke-dasharray: 4 3; } svg path.visited { stroke: #4a90d9; stroke-width: 2; stroke-opacity: 1; }
";

/// The page.
pub fn page(program: &Program, task: &Task, producer: &Producer, outcome: &Outcome) -> String {
    let files: Vec<&str> = task.input_files.iter().map(|file| file.name.as_str()).collect();
    let class = match outcome.verdict {
        Verdict::True(_) => "true",
        Verdict::False(_) => "false",
        Verdict::Unknown(_) => "unknown",
    };
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>Assay: {title}</title><style>{STYLE}</style></head><body>\n\
         <main>\n<h1>{title}</h1>\n<p class=\"verdict {class}\">{}</p>\n<p>{}</p>\n",
        escaped(&outcome.verdict.to_string()),
        escaped(&in_words(program, outcome)),
        title = escaped(&files.join(", ")),
    );
    table(
        &mut page,
        &[
            ("property", task.specification()),
            ("data model", task.model.name().to_string()),
            ("configuration", producer.configuration.clone()),
            ("tool", format!("{} {}", producer.name, producer.version)),
            ("time", iso_time(producer.time)),
        ],
    );
    let mut visited = FastSet::default();
    match &outcome.verdict {
        Verdict::False(violations) => {
            let counterexample = &violations.first;
            for step in &counterexample.path {
                let edge = &program.edges[step.step.edge()];
                visited.extend([edge.source, edge.target]);
            }
            let rows = path::rows(program, counterexample);
            counterexample_table(&mut page, program, &rows);
            inputs_table(&mut page, program, counterexample);
            source_listing(&mut page, program, &rows);
        }
        Verdict::True(Proof { invariants }) if !invariants.is_empty() => {
            page.push_str("<h2>Invariants</h2>\n<table><tr><th>place</th><th>invariant</th></tr>\n");
            for invariant in invariants {
                let place = program.sources.describe(invariant.span);
                let mark = if invariant.weakened { " (weakened)" } else { "" };
                let _ = writeln!(
                    page,
                    "<tr><td class=\"mono\">{}</td><td><code>{}</code>{mark}</td></tr>",
                    escaped(&place),
                    escaped(&invariant.expression)
                );
            }
            page.push_str("</table>\n");
        }
        _ => {}
    }
    automaton(&mut page, program, &visited);
    ledger(&mut page, program, outcome);
    story(&mut page, outcome);
    statistics(&mut page, outcome);
    page.push_str("</main></body></html>\n");
    page
}

/// The verdict as a sentence.
fn in_words(program: &Program, outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::True(_) if outcome.assumptions.is_empty() => "The property holds in every run.".to_string(),
        Verdict::True(_) => "The property holds in every run, under the assumptions below.".to_string(),
        Verdict::False(violations) => {
            let counterexample = &violations.first;
            let place = path::target_span(program, counterexample).map_or_else(String::new, |span| program.sources.describe(span));
            format!("The property is violated at {place}: {}", counterexample.what)
        }
        Verdict::Unknown(obstacle) => {
            let seen = outcome.how_far.describe(program).map_or_else(String::new, |seen| format!(" So far: {seen}."));
            format!("It is not known whether the property holds.{seen} What may help: {}.", obstacle.kind.advice())
        }
    }
}

fn table(page: &mut String, rows: &[(&str, String)]) {
    page.push_str("<table>");
    for (name, value) in rows {
        let _ = writeln!(page, "<tr><th>{name}</th><td class=\"mono\">{}</td></tr>", escaped(value).replace('\n', "<br/>"));
    }
    page.push_str("</table>\n");
}

fn counterexample_table(page: &mut String, program: &Program, rows: &[Row]) {
    page.push_str("<h2>Path to the violation</h2>\n<div class=\"scroll\"><table class=\"mono\">\n");
    for row in rows.iter().take(MAX_ROWS) {
        let source = program.sources.files.get(row.span.file).and_then(|file| file.line(row.span.line)).unwrap_or_default().trim();
        let values: Vec<String> = row.values.iter().map(|(name, value)| join(name, value)).collect();
        let mut notes = values.join(", ");
        for taken in &row.branches {
            let _ = write!(notes, " [{taken}]");
        }
        if row.passed_over > 0 {
            let _ = write!(notes, " … {} more iterations like the last one", row.passed_over);
        }
        let (class, text) = match &row.kind {
            RowKind::Enter(name) => ("enter", format!("→ {name}")),
            RowKind::Leave(name) => ("leave", format!("← {name}")),
            RowKind::Line => ("line", source.to_string()),
            RowKind::Violation => ("violation", source.to_string()),
        };
        if row.kind == RowKind::Violation {
            notes.push_str(" ◄ violation");
        }
        let indent = row.depth.min(20) * 2;
        let _ = writeln!(
            page,
            "<tr class=\"{class}\"><td class=\"num\"><a href=\"#{}\">{}</a></td><td style=\"padding-left:{indent}ch\">{}</td><td>{}</td></tr>",
            anchor(row.span.file.index(), row.span.line),
            row.span.line,
            escaped(&text),
            escaped(notes.trim())
        );
    }
    page.push_str("</table></div>\n");
    if rows.len() > MAX_ROWS {
        let _ = writeln!(page, "<p>{} further lines are not shown.</p>", rows.len() - MAX_ROWS);
    }
}

fn join(name: &str, value: &str) -> String {
    if name.is_empty() { format!("returns {value}") } else { format!("{name} = {value}") }
}

fn inputs_table(page: &mut String, program: &Program, counterexample: &crate::Counterexample) {
    if counterexample.inputs.is_empty() {
        return;
    }
    page.push_str("<details><summary>Inputs</summary><table class=\"mono\"><tr><th>from</th><th>place</th><th>value</th></tr>\n");
    for input in counterexample.inputs.iter().take(MAX_ROWS) {
        let place = if input.span.is_known() { program.sources.describe(input.span) } else { String::new() };
        let (name, place) = (escaped(&input.name(program)), escaped(&place));
        let _ = writeln!(page, "<tr><td>{name}</td><td>{place}</td><td>{} ({:#x})</td></tr>", input.bits.signed(), input.bits.value());
    }
    page.push_str("</table></details>\n");
}

fn source_listing(page: &mut String, program: &Program, rows: &[Row]) {
    let visited: FastSet<(usize, u32)> = rows.iter().map(|row| (row.span.file.index(), row.span.line)).collect();
    for (id, file) in program.sources.files.iter_ids() {
        if !visited.iter().any(|(index, _)| *index == id.index()) {
            continue;
        }
        let _ = writeln!(
            page,
            "<details><summary>Source of {}, executed lines marked</summary><div class=\"scroll\"><table class=\"mono\">",
            escaped(&file.name)
        );
        for (index, line) in file.text.lines().take(MAX_SOURCE_LINES).enumerate() {
            let number = index as u32 + 1;
            // Without colour, an arrow marks what was executed.
            let (class, mark) = if visited.contains(&(id.index(), number)) { (" class=\"visited\"", "▸") } else { ("", "") };
            let _ = writeln!(
                page,
                "<tr{class} id=\"{}\"><td class=\"num\">{number}</td><td>{mark}</td><td><pre style=\"margin:0\">{}</pre></td></tr>",
                anchor(id.index(), number),
                escaped(line)
            );
        }
        page.push_str("</table></div></details>\n");
    }
}

/// The name of a line of the listing.
fn anchor(file: usize, line: u32) -> String {
    format!("f{file}-{line}")
}

/// Functions on the path, or the entry where there is no path.
fn automaton(page: &mut String, program: &Program, visited: &FastSet<LocationId>) {
    let mut functions: Vec<FunctionId> = visited.iter().map(|location| program.locations[*location].function).collect();
    functions.push(program.entry);
    functions.sort();
    functions.dedup();
    page.push_str("<h2>Control flow</h2>\n");
    if functions.len() > MAX_FUNCTIONS {
        let _ = writeln!(page, "<p>The first {MAX_FUNCTIONS} of {} functions.</p>", functions.len());
    }
    for function in functions.into_iter().take(MAX_FUNCTIONS) {
        let open = if function == program.entry { " open=\"open\"" } else { "" };
        let _ = writeln!(
            page,
            "<details{open}><summary>{}</summary><div class=\"scroll\">{}</div></details>",
            escaped(&program.functions[function].name),
            blocks::svg(program, function, visited)
        );
    }
}

fn ledger(page: &mut String, program: &Program, outcome: &Outcome) {
    if outcome.assumptions.is_empty() {
        return;
    }
    page.push_str("<h2>Assumptions</h2>\n<table><tr><th>class</th><th>place</th><th>assumption</th></tr>\n");
    for line in &outcome.assumptions {
        let class = match line.class {
            AssumptionClass::Over => "over-approximation",
            AssumptionClass::Under => "under-approximation",
            AssumptionClass::Rules => "rules",
        };
        let place = if line.span.is_known() { program.sources.describe(line.span) } else { String::new() };
        let _ = writeln!(
            page,
            "<tr><td>{class}</td><td class=\"mono\">{}</td><td>{}</td></tr>",
            escaped(&place),
            escaped(&line.fact.to_string())
        );
    }
    page.push_str("</table>\n");
}

/// What the analyses of a portfolio did.
fn story(page: &mut String, outcome: &Outcome) {
    if outcome.story.is_empty() {
        return;
    }
    page.push_str("<h2>Analyses</h2>\n<table><tr><th>node</th><th>analysis</th><th>CPU time</th><th>ended</th><th>why it was chosen</th><th>what it said</th></tr>\n");
    for chapter in &outcome.story {
        let _ = writeln!(
            page,
            "<tr><td class=\"mono\">{}</td><td class=\"mono\">{}</td><td>{:.3} s</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&chapter.node),
            escaped(&chapter.analysis),
            chapter.cpu.as_secs_f64(),
            chapter.ending(),
            escaped(&chapter.why),
            escaped(&chapter.text)
        );
    }
    page.push_str("</table>\n");
}

fn statistics(page: &mut String, outcome: &Outcome) {
    let stats = &outcome.statistics;
    if stats.counters.is_empty() && stats.times.is_empty() {
        return;
    }
    page.push_str("<h2>Statistics</h2>\n<table>\n");
    for (name, count) in &stats.counters {
        let _ = writeln!(page, "<tr><td>{}</td><td class=\"num\">{count}</td></tr>", escaped(name));
    }
    for (name, time) in &stats.times {
        let _ = writeln!(page, "<tr><td>{}</td><td class=\"num\">{:.3} s</td></tr>", escaped(name), time.as_secs_f64());
    }
    page.push_str("</table>\n");
}

/// Text for elements and attributes; control characters, which XML forbids, become spaces.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\n' => result.push('\n'),
            c if c.is_control() => result.push(' '),
            c => result.push(c),
        }
    }
    result
}
