//! One task as a process of its own: `assay verify --json`, with its answer, what it used, and an end in any case.

use super::Finished;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a running process is looked at: at first often, so that short tasks lose no time, then less.
const PERIODS: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];
/// How often its CPU time is read.
const READING: Duration = Duration::from_millis(200);
/// A process keeps its limit itself; past it by this much, it is ended.
const GRACE: Duration = Duration::from_secs(5);
/// More output than this is not kept.
const MOST_OUTPUT: u64 = 64 << 20;

/// The reason of a run that somebody stopped.
pub(crate) const CANCELLED: &str = "cancelled";

/// What one run of the command is.
pub(crate) struct Run<'a> {
    /// The words after `verify --json`.
    pub(crate) words: &'a [OsString],
    /// Where it runs.
    pub(crate) folder: &'a Path,
    pub(crate) time_limit: Option<Duration>,
    /// Where the SARIF document goes, for the time of the run.
    pub(crate) sarif: &'a Path,
}

/// Runs to the end; `watch` is told the CPU time now and then, and stops the run by answering false.
pub(crate) fn run(run: &Run<'_>, watch: &mut dyn FnMut(Duration) -> bool) -> Finished {
    let begin = Instant::now();
    let mut child = match start(run) {
        Ok(child) => child,
        Err(error) => return Finished::error(format!("no process can be started: {error}")),
    };
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let id = child.id() as libc::pid_t;
    let mut stopped = None;
    let mut read_at = begin;
    let (status, usage) = loop {
        if let Some(ended) = reap(id) {
            break ended;
        }
        if read_at.elapsed() >= READING {
            read_at = Instant::now();
            let cpu = cpu_of(id);
            let past = run.time_limit.is_some_and(|limit| cpu > limit + GRACE);
            if past || !watch(cpu) {
                stopped.get_or_insert(if past { "past its time limit" } else { CANCELLED });
                kill_group(id);
            }
        }
        std::thread::sleep(PERIODS[usize::from(begin.elapsed() > Duration::from_millis(300))]);
    };
    // What it left behind, and with it whoever holds its pipes.
    kill_group(id);
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let mut finished = match stopped {
        Some(why) => Finished { verdict: "unknown".to_string(), detail: why.to_string(), ..Finished::default() },
        None => answer(&out, &err, status),
    };
    if let Ok(text) = std::fs::read(run.sarif) {
        finished.sarif = serde_json::from_slice(&text).unwrap_or(Value::Null);
        let _ = std::fs::remove_file(run.sarif);
    }
    finished.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    finished.wall_seconds = begin.elapsed().as_secs_f64();
    finished.memory_bytes = u64::try_from(usage.ru_maxrss).unwrap_or(0) << 10;
    finished
}

fn start(run: &Run<'_>) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["verify", "--json", "--sarif"]).arg(run.sarif).args(run.words).current_dir(run.folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let parent = std::process::id() as libc::pid_t;
    // SAFETY: prctl, getppid and _exit are safe between fork and exec. A process whose parent is gone has nobody to
    // answer to.
    unsafe {
        command.pre_exec(move || {
            #[cfg(target_os = "linux")]
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != parent {
                libc::_exit(1);
            }
            Ok(())
        });
    }
    command.spawn()
}

fn collect(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = vec![];
        if let Some(mut stream) = stream {
            let _ = stream.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            // A process that goes on writing is not kept waiting.
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
        bytes
    })
}

/// The status and what was used, once the process has ended.
fn reap(id: libc::pid_t) -> Option<(i32, libc::rusage)> {
    // SAFETY: a zeroed rusage is a valid value, and both pointers are to live values.
    unsafe {
        let (mut status, mut usage) = (0, std::mem::zeroed());
        let ended = libc::wait4(id, &mut status, libc::WNOHANG, &mut usage);
        (ended == id || ended < 0).then_some((status, usage))
    }
}

fn kill_group(id: libc::pid_t) {
    // SAFETY: the group is that of a process which this one started and has as its own.
    unsafe { libc::kill(-id, libc::SIGKILL) };
}

/// CPU time so far, of the process and of its finished children.
fn cpu_of(id: libc::pid_t) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields: Vec<u64> = text.rsplit(')').next().unwrap_or_default().split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
    // SAFETY: sysconf has no preconditions.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
    let sum: u64 = fields.iter().skip(11).take(4).sum();
    Duration::from_millis(sum * 1000 / ticks)
}

/// What the run said, if its words and its status agree.
fn answer(out: &[u8], err: &[u8], status: i32) -> Finished {
    let document: Value = serde_json::from_slice(out).unwrap_or(Value::Null);
    let code = if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 };
    let text = |key: &str| document[key].as_str().unwrap_or_default().to_string();
    let (verdict, expected, detail) = match document["verdict"].as_str() {
        Some("true") => ("true", 0, String::new()),
        Some("false") => ("false", 10, text("violated")),
        Some("unknown") => ("unknown", 20, text("reason")),
        _ => ("error", code, String::new()),
    };
    if verdict == "error" || expected != code {
        let lines = String::from_utf8_lossy(err);
        let line = lines.lines().find(|line| line.contains("error")).or(lines.lines().next()).unwrap_or_default();
        let how =
            if libc::WIFSIGNALED(status) { format!("ended by signal {}", libc::WTERMSIG(status)) } else { format!("exit status {code}") };
        let detail = if line.is_empty() { how } else { line.chars().take(300).collect() };
        // An input that is not accepted is an error; a process that died is a verdict that is not known.
        let verdict = if libc::WIFSIGNALED(status) || expected != code { "unknown" } else { "error" };
        return Finished { verdict: verdict.to_string(), detail, ..Finished::default() };
    }
    let kept = [
        "tool",
        "files",
        "property",
        "properties",
        "data_model",
        "config",
        "violations",
        "checks",
        "assumptions",
        "notes",
        "so_far",
        "portfolio",
        "ending",
    ];
    let evidence = match &document["evidence"] {
        // The path can be found again from the inputs.
        Value::Object(evidence) => json!({"inputs": evidence.get("inputs")}),
        other => other.clone(),
    };
    let mut document: serde_json::Map<String, Value> = kept.iter().map(|key| (key.to_string(), document[*key].clone())).collect();
    document.insert("evidence".to_string(), evidence);
    Finished { verdict: verdict.to_string(), detail, document: Value::Object(document), sarif: json!(null), ..Finished::default() }
}
