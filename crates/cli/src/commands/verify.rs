//! `assay verify`: one session of the driver, and one verdict line whatever happens to it.

use crate::answer;
use crate::arguments::{Arguments, UsageError};
use crate::cluster::blocks::Session as Seat;
use crate::cluster::nodes::{Nodes, Slots};
use crate::errors::{Error, Fault};
use crate::options::Command;
use crate::progress::{Mode, TerminalProgress};
use crate::request::{check_writable, choice, request};
use crate::{cluster, monitor, worker};
use assay_base::{CancelToken, Obstacle};
use assay_driver::{Asked, Request, Session};
use assay_results::{Activity, ProgressSink, Report, Verdict, json, path, text};
use serde_json::json;
use std::sync::Arc;

/// How the answer is shown.
#[derive(Clone, Copy)]
struct Shown {
    json: bool,
    stats: bool,
    quiet: bool,
    path: path::Detail,
    progress: Mode,
}

/// Never returns normally once the program has been read: the verdict ends the process.
pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let mut request = request(arguments, choice(arguments)?, Asked::All)?;
    let shown = Shown {
        json: arguments.flag("json"),
        stats: arguments.flag("stats"),
        quiet: arguments.flag("quiet"),
        path: arguments.detail(),
        progress: Mode::from_arguments(arguments),
    };
    check_writable(&request)?;
    if let Some(access) = cluster::access(arguments)? {
        let connected = cluster::connect(&access)?;
        if let Some(run) = arguments.text("serve") {
            request.choice.serve(Arc::new(Seat::new(connected, run)?));
        } else {
            let nodes = nodes(arguments, &request, connected)?;
            let own = arguments.number("threads").map_or(1, |n| n as usize);
            request.threads = if request.choice.shares_blocks() { own } else { nodes.slots };
            request.choice.run_on(Arc::new(Slots(Arc::new(nodes))));
        }
    } else if arguments.text("serve").is_some() {
        return Err(UsageError("--serve needs --cluster URL".to_string()).into());
    }
    answer::set_form(if shown.json { answer::Form::Json } else { answer::Form::Verdict });
    let cancel = CancelToken::new();
    monitor::start(cancel.clone(), request.limits);
    let (text, status) = match worker::on_large_stack(move || verify(&request, &shown, &cancel)) {
        // What is our fault is no reason to go without a verdict.
        Ok(Err(Error::Fault(Fault::Defect(text)))) | Err(text) => without_report(&shown, text),
        Ok(answer) => answer?,
    };
    answer::give(&text, status)
}

fn verify(request: &Request, shown: &Shown, cancel: &CancelToken) -> Result<(String, i32), Error> {
    let progress = TerminalProgress::new(shown.progress);
    progress.begin(&Activity { name: "reading", why: "the program and what it includes", next: "", token: cancel });
    // The C library does not ask whether to stop: until it is done, somebody else answers for it, of a program with
    // nothing in it.
    let unread = Arc::new(Session::unread(request.clone(), cancel.clone()));
    answers_when_stopped(&unread, *shown, &progress);
    let session = match Session::open(request.clone(), cancel.clone()) {
        Err(Fault::Stopped(reason)) => return answer(&unread, &unread.stopped(reason, |_| {}), shown),
        session => Arc::new(session?),
    };
    answers_when_stopped(&session, *shown, &progress);
    progress.has_read(session.program());
    let report = session.run(&progress);
    progress.clear();
    answer(&session, &report?, shown)
}

/// From now on a run that does not react is answered by what is known so far, in all files that were asked for.
fn answers_when_stopped(session: &Arc<Session>, shown: Shown, progress: &TerminalProgress) {
    let (session, so_far) = (session.clone(), progress.so_far());
    answer::set_fallback(move |reason| {
        let report = session.stopped(reason, |outcome| so_far.tell(outcome));
        answer(&session, &report, &shown).map_or(String::new(), |(text, _)| text)
    });
}

/// Writes what is asked for; gives the text to print and the status of the process.
fn answer(session: &Session, report: &Report, shown: &Shown) -> Result<(String, i32), Error> {
    // A file that cannot be written is no reason to go without a verdict.
    let (written, unwritten) = match session.write_evidence(report) {
        Ok(written) => (written, None),
        Err(error) => (vec![], Some(error)),
    };
    let outcome = &report.outcome;
    if shown.stats {
        eprint!("{}{}", text::story(outcome), text::statistics(&outcome.statistics));
    }
    let text = if shown.json {
        format!("{:#}\n", json::document(report, &written))
    } else {
        let above = if shown.quiet { String::new() } else { text::describe(report, &written, shown.path) };
        format!("{above}{}", text::verdict_line(&outcome.verdict))
    };
    if let Some(error) = unwritten {
        eprintln!("{error}");
        return Ok((text, crate::errors::OUTPUT));
    }
    Ok((text, exit_status(&outcome.verdict)))
}

/// The answer where a defect left no report.
fn without_report(shown: &Shown, defect: String) -> (String, i32) {
    let reason = Obstacle::failed(defect);
    let text = match shown.json {
        true => format!("{:#}\n", json!({"verdict": "unknown", "reason": reason.to_string()})),
        false => text::verdict_line(&Verdict::Unknown(reason)),
    };
    (text, answer::UNKNOWN)
}

fn exit_status(verdict: &Verdict) -> i32 {
    match verdict {
        Verdict::True(_) => 0,
        Verdict::False(_) => 10,
        Verdict::Unknown(_) => answer::UNKNOWN,
    }
}

/// The run as jobs of a cluster. The rest of a program, without what is violated already, cannot be sent: one violation
/// is looked for.
fn nodes(arguments: &Arguments, request: &Request, connected: assay_cluster::Cluster) -> Result<Nodes, Error> {
    if request.max_violations.is_some_and(|most| most > 1) {
        return Err(UsageError("--cluster looks for one violation: leave out --max-violations".to_string()).into());
    }
    let portfolio = request.choice.portfolio().is_some();
    let own = ["time-limit", "threads", "max-violations"];
    // What is written, shown or stored here is no concern of workers.
    let kept = |name: &str| cluster::packed::travels(name) && !own.contains(&name) && !(portfolio && name == "config");
    let shared: Vec<_> = arguments.shared_with(Command::Verify).into_iter().filter(|(name, _)| kept(name)).collect();
    Nodes::new(connected, &shared, &request.input.files)
}
