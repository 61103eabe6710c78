//! A report as people read it: what stands above the verdict, the line of the verdict itself, and the figures of
//! `--stats`.

use crate::path;
use crate::{Chapter, InputOrigin, InputValue, Invariant, Outcome, Proof, Report, Verdict};
use assay_base::{AssumptionClass, Fact, ObstacleKind, Span, Stats};
use assay_cfa::{CType, Operation, Program, Property, Target, ValueSourceKind};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many inputs of a violation are listed for people.
const MAX_INPUTS: usize = 100;
/// So many open checks are listed.
const MOST_LISTED: usize = 10;

/// What a person wants to see above the verdict; `written` are the kinds and names of the files of evidence.
pub fn describe(report: &Report, written: &[(&str, String)], detail: path::Detail) -> String {
    let Report { program, properties, outcome, .. } = report;
    let mut text = String::new();
    let shown = |property: &Property| match property {
        Property::UnreachCall { function } if function == "__assert_fail" => "no assertion fails".to_string(),
        Property::UnreachCall { function } => format!("{function}() is never called"),
        Property::UnreachLabel { label } => format!("the label {label} is never reached"),
        other => other.name().to_string(),
    };
    let calls: Vec<String> = properties.iter().filter(|one| matches!(one, Property::UnreachCall { .. })).map(shown).collect();
    let parts = Property::default_words().collect::<Vec<_>>().join(", ");
    let everything = Property::defaults().all(|one| properties.contains(&one));
    let _ = match everything && properties.len() == Property::defaults().count() + calls.len() {
        true if calls.is_empty() => writeln!(text, "property: all ({parts})"),
        true => writeln!(text, "property: all ({}; {parts})", calls.join(", ")),
        false => writeln!(text, "property: {}", properties.iter().map(shown).collect::<Vec<_>>().join(", ")),
    };
    for (index, violation) in report.violations().enumerate() {
        let place = report.place(violation);
        let crate::Violation { program, counterexample } = violation;
        let _ = writeln!(text, "\nviolation of {}: {place}: {}", counterexample.target.name(), counterexample.what);
        if index == 0 {
            let _ = writeln!(text, "\n{}", path::render(program, counterexample, detail));
        }
        // Every value that was chosen, those that no variable of the path shows included.
        let mut shown = 0;
        let is_memory = |input: &crate::InputValue| {
            matches!(input.origin, crate::InputOrigin::Memory { .. }) && input.environment_address(program).is_none()
        };
        let alike = |a: &crate::InputValue, b: &crate::InputValue| a == b || is_memory(a) && is_memory(b) && a.bits == b.bits;
        for (line, same) in counterexample.inputs.chunk_by(alike).enumerate() {
            if line == MAX_INPUTS {
                let _ = writeln!(text, "input: … {} more", counterexample.inputs.len() - shown);
                break;
            }
            let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
            let _ = writeln!(text, "input: {}{times}", describe_input(program, &same[0]));
            shown += same.len();
        }
        let passed_over = counterexample.path.iter().any(|step| step.passed_over > 0);
        if passed_over && counterexample.inputs.last().is_some_and(|last| last.bits.is_zero()) {
            let _ = writeln!(text, "input: 0 wherever one is asked for in an iteration that is not listed");
        }
    }
    if let Verdict::True(Proof { invariants }) = &outcome.verdict {
        // What holds in models of the library, or always, tells nobody anything.
        let told = |one: &&Invariant| one.span.is_known() && one.span.line > 0 && one.expression != "1";
        let invariants: Vec<&Invariant> = invariants.iter().filter(told).collect();
        for invariant in invariants.iter().take(20) {
            let _ = writeln!(text, "invariant: {}: {}", program.sources.describe(invariant.span), invariant.expression);
        }
        if invariants.len() > 20 {
            let _ = writeln!(text, "invariant: … {} more", invariants.len() - 20);
        }
    }
    text.push_str(&warnings(program, outcome));
    if properties.len() > 1 || report.checks.places.is_empty() {
        text.push_str(&checks(report));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for (kind, file) in written {
        let _ = writeln!(text, "{kind}: {file}");
    }
    if let Verdict::Unknown(obstacle) = &outcome.verdict {
        text.push_str(&endings(&outcome.story));
        if let Some(seen) = outcome.how_far.describe(program) {
            let _ = writeln!(text, "so far: {seen}");
        }
        let _ = writeln!(text, "hint: {}", obstacle.kind.advice());
    }
    text
}

/// What was asked, and how it stands.
fn checks(report: &Report) -> String {
    let (program, checks) = (&report.program, &report.checks);
    let mut text = String::new();
    // Whether executions end is asked of no place.
    let endings = program.questions.contains(Target::Termination) && checks.places.is_empty();
    if checks.unread || endings {
        return text;
    }
    if checks.places.is_empty() {
        let _ = writeln!(
            text,
            "note: there is nothing to check: no error function is called, and no operation of the program can go wrong in a way that is \
             asked about"
        );
        return text;
    }
    let mut kinds: BTreeMap<Target, usize> = BTreeMap::new();
    checks.places.iter().for_each(|(kind, _)| *kinds.entry(*kind).or_default() += 1);
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{} {count}", kind.plural())).collect();
    let open = checks.open().count();
    let _ =
        writeln!(text, "checks: {} proved, {} violated, {open} open ({})", checks.proved.len(), checks.violated.len(), kinds.join(", "));
    if !checks.violated.is_empty() || !checks.proved.is_empty() {
        for (kind, span) in checks.open().take(MOST_LISTED) {
            let _ = writeln!(text, "open: {}: {}", at(program, *span), kind.plural());
        }
        if open > MOST_LISTED {
            let _ = writeln!(text, "open: … {} more", open - MOST_LISTED);
        }
    }
    text
}

/// How the parts of a portfolio ended, those that ended alike in one line; what stopped most of them comes first.
fn endings(story: &[Chapter]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = vec![];
    for chapter in story {
        let said = match &chapter.obstacle {
            Some(obstacle) if obstacle.kind == ObstacleKind::NothingToDo => continue,
            Some(obstacle) => &obstacle.text,
            None => &chapter.text,
        };
        let member = format!("{} {:.1} s", chapter.node, chapter.cpu.as_secs_f64());
        match groups.iter_mut().find(|(text, _)| *text == said) {
            Some((_, members)) => members.push(member),
            None => groups.push((said, vec![member])),
        }
    }
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let mut text = String::new();
    for (index, (said, members)) in groups.iter().enumerate() {
        let word = if index == 0 { "blocked" } else { "also" };
        let _ = writeln!(text, "{word}: {said} ({})", members.join(", "));
    }
    text
}

/// What the answer rests on: the same assumption in many places is one warning.
fn warnings(program: &Program, outcome: &Outcome) -> String {
    let mut groups: BTreeMap<(AssumptionClass, String), Vec<(String, String)>> = BTreeMap::new();
    for line in &outcome.assumptions {
        let place = if line.span.is_known() { program.sources.describe(line.span) } else { String::new() };
        // What is said of several functions is said once.
        let (name, text) = match &line.fact {
            Fact::NoBody { function, effect } => {
                (function.clone(), format!("functions without a body: each {}", Fact::what_it_may(effect)))
            }
            Fact::Sentence(text) => (String::new(), text.clone()),
        };
        groups.entry((line.class, text)).or_default().push((name, place));
    }
    let mut lines = String::new();
    for ((class, text), members) in groups {
        let word = match (class, &outcome.verdict) {
            (AssumptionClass::Rules, Verdict::True(_)) => "warning: assumed: ",
            // A body that is missing may be why nothing is known.
            (AssumptionClass::Rules, Verdict::Unknown(_)) if text.starts_with("functions without a body") => "note: ",
            (AssumptionClass::Rules, _) => continue,
            _ => "note: ",
        };
        let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        members.iter().for_each(|(name, place)| named.entry(name).or_default().push(place));
        let shown: Vec<String> = named
            .iter()
            .take(12)
            .map(|(name, places)| {
                let more = if places.len() > 3 { format!(", … {} more", places.len() - 3) } else { String::new() };
                let places = places.iter().take(3).filter(|place| !place.is_empty()).copied().collect::<Vec<_>>().join(", ");
                match (name.is_empty(), places.is_empty()) {
                    (true, _) => format!("{places}{more}"),
                    (false, true) => name.to_string(),
                    _ => format!("{name} ({places}{more})"),
                }
            })
            .filter(|shown| !shown.is_empty())
            .collect();
        let more = if named.len() > 12 { format!(", … {} more", named.len() - 12) } else { String::new() };
        let separator = if shown.is_empty() { "" } else { ": " };
        let _ = writeln!(lines, "{word}{text}{separator}{}{more}", shown.join(", "));
    }
    lines
}

/// What the analyses of a portfolio did, one a line.
pub fn story(outcome: &Outcome) -> String {
    let mut text = String::new();
    for chapter in &outcome.story {
        let Chapter { node, analysis, cpu, states, refinements, .. } = chapter;
        let name = if node == analysis { node.clone() } else { format!("{node} ({analysis})") };
        let _ = write!(text, "{name:<28} {:>8.3} s  {:<14}", cpu.as_secs_f64(), chapter.ending());
        for (count, what) in [(*states, "states"), (*refinements, "refinements")] {
            if count > 0 {
                let _ = write!(text, " {count} {what}");
            }
        }
        let _ = writeln!(text, "  {}", chapter.why);
    }
    text
}

/// Counters and times as a table.
pub fn statistics(statistics: &Stats) -> String {
    let mut text = String::new();
    for (name, count) in &statistics.counters {
        let _ = writeln!(text, "{name:<40} {count:>14}");
    }
    for (name, time) in &statistics.times {
        let _ = writeln!(text, "{name:<40} {:>12.3} s", time.as_secs_f64());
    }
    text
}

/// The last line of an answer, of bearable length.
pub fn verdict_line(verdict: &Verdict) -> String {
    let text: String = verdict.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(300) {
        Some((cut, _)) => format!("verdict: {}…)\n", &text[..cut]),
        None => format!("verdict: {text}\n"),
    }
}

/// One chosen value with its name and place.
fn describe_input(program: &Program, input: &InputValue) -> String {
    let place = if input.span.is_known() { format!(" at {}", program.sources.describe(input.span)) } else { String::new() };
    let name = input.name(program);
    let value = match input.origin {
        // A number of so many bytes says nothing; bytes do.
        InputOrigin::Memory { .. } => {
            let bytes = (0..input.bits.width() / 8).map(|at| format!("{:02x}", (input.bits.value() >> (8 * at)) as u8));
            bytes.collect::<Vec<_>>().join(" ")
        }
        InputOrigin::Source(_) => crate::value::describe(&input_type(program, input), input.bits),
    };
    let source = match input.origin {
        InputOrigin::Source(source) => program.value_sources.get(source).map(|source| source.kind),
        InputOrigin::Memory { .. } => None,
    };
    let unset = if source == Some(ValueSourceKind::Uninitialised) { " (never initialised)" } else { "" };
    format!("{name}{unset} = {value}{place}")
}

/// The type of the variable that takes the value; a signed number where there is none.
fn input_type(program: &Program, input: &InputValue) -> CType {
    let taken = program.edges.iter().find_map(|edge| match (&edge.operation, input.origin) {
        (Operation::Havoc { target, source }, InputOrigin::Source(wanted)) if *source == wanted => Some(&program.variables[*target].ctype),
        _ => None,
    });
    taken.cloned().unwrap_or(CType::Integer { width: input.bits.width(), signed: true, name: "" })
}

/// Where a check is; bodies that stand for functions of the library have no lines.
pub(crate) fn at(program: &Program, span: Span) -> String {
    if span.line == 0 { "in the C library".to_string() } else { program.sources.describe(span) }
}
