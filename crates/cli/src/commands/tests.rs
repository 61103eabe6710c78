//! `assay tests`: writes a test suite in Test-Comp's format.

use crate::answer::{self, UNKNOWN};
use crate::arguments::Arguments;
use crate::errors::Error;
use crate::progress::{Mode, TerminalProgress};
use crate::request::request;
use crate::{monitor, print, worker};
use assay_base::CancelToken;
use assay_cfa::Property;
use assay_driver::{Asked, Choice, Request, Session, Suite};
use assay_results::text;
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The preset whose symbolic execution looks for branches.
const BRANCHES: &str = "symbolic";
/// How many open branches are listed for people.
const MAX_LISTED: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let mut request = request(arguments, Choice::new(None, &[] as &[&str])?, Asked::One(Property::CoverBranches))?;
    request.input.separate_cases = true;
    request.asked = request.asked.into_iter().map(coverage).collect();
    // A violation is found by any analysis, branches only by one that follows paths.
    let branches = request.asked.contains(&Asked::One(Property::CoverBranches));
    let default = branches.then_some(BRANCHES);
    request.choice = Choice::new(arguments.text("config").or(default), &arguments.texts("set"))?;
    let output = arguments.path("output").unwrap_or_else(|| PathBuf::from("test-suite"));
    let (json, quiet, mode) = (arguments.flag("json"), arguments.flag("quiet"), Mode::from_arguments(arguments));
    answer::set_form(if json { answer::Form::Json } else { answer::Form::Stopped });
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), request.limits);
    let folder = output.clone();
    let suite = worker::on_large_stack(move || make(&request, &folder, mode, &cancel)).map_err(Error::defect)??;
    if arguments.flag("stats") {
        eprint!("{}", text::statistics(&suite.statistics));
    }
    print(&if json { format!("{:#}\n", document(&suite, &output)) } else { described(&suite, &output, quiet) });
    Ok(if suite.done { 0 } else { UNKNOWN })
}

/// Who names what must not be reached wants a test that reaches it.
fn coverage(asked: Asked) -> Asked {
    let covered = |property: Property| match property {
        Property::UnreachCall { function } => Property::CoverCall { function },
        other => other,
    };
    match asked {
        Asked::ErrorCall => Asked::CoverErrorCall,
        Asked::One(property) => Asked::One(covered(property)),
        Asked::File(mut properties) => {
            properties.truncate(1);
            properties.pop().map_or(Asked::File(vec![]), |first| Asked::One(covered(first)))
        }
        other => other,
    }
}

fn make(request: &Request, output: &Path, mode: Mode, cancel: &CancelToken) -> Result<Suite, Error> {
    let session = Session::open(request.clone(), cancel.clone())?;
    let progress = TerminalProgress::new(mode);
    let suite = session.write_tests(output, &progress);
    progress.clear();
    Ok(suite?)
}

fn described(suite: &Suite, output: &Path, quiet: bool) -> String {
    let mut text = format!("tests: {} in {}\n", suite.tests, output.display());
    if let Some(branches) = &suite.branches {
        let share = if branches.all == 0 { 100.0 } else { 100.0 * branches.covered as f64 / branches.all as f64 };
        let _ = writeln!(text, "branches: {} of {} covered ({share:.1}%)", branches.covered, branches.all);
        if !quiet {
            for line in branches.open.iter().take(MAX_LISTED) {
                let _ = writeln!(text, "  not covered: {line}");
            }
            if branches.open.len() > MAX_LISTED {
                let _ = writeln!(text, "  … {} more", branches.open.len() - MAX_LISTED);
            }
        }
    }
    let _ = writeln!(text, "{}", suite.end);
    text
}

fn document(suite: &Suite, output: &Path) -> serde_json::Value {
    let mut document = json!({
        "property": suite.property, "output": output.display().to_string(), "tests": suite.tests, "end": suite.end,
        "counters": suite.statistics.counters,
    });
    if let Some(branches) = &suite.branches {
        document["branches"] = branches.all.into();
        document["covered"] = branches.covered.into();
        document["open"] = branches.open.clone().into();
    }
    document
}
