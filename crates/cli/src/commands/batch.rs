//! `assay batch`: many tasks, each in a process of its own, as many at a time as there are cores.

use crate::answer;
use crate::arguments::Arguments;
use crate::batch::journal::Journal;
use crate::batch::process::{self, Run};
use crate::batch::screen::Screen;
use crate::batch::{Finished, Task, list, output, remote, sources};
use crate::errors::Error;
use crate::options::Command;
use crate::progress::Mode;
use crate::words::{self, Seen};
use crate::{cluster, monitor};
use assay_cfa::DataModel;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// How often the table on the terminal is brought up to date.
const PERIOD: Duration = Duration::from_millis(200);
/// Where results go if nothing is said.
const FOLDER: &str = "assay-results";

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let model = arguments.choice("data-model", &words::MODELS).unwrap_or(DataModel::Lp64);
    let tasks = list::read(&arguments.operands, model)?;
    let folder = arguments.path("output").unwrap_or_else(|| FOLDER.into());
    let shared = Shared::from_arguments(arguments);
    let keys: Vec<String> = tasks.iter().map(|task| shared.key(task)).collect();
    let (mut journal, earlier) = Journal::open(&folder)?;
    let stop = Arc::new(AtomicBool::new(false));
    monitor::on_signal({
        let stop = stop.clone();
        move |_| stop.store(true, Ordering::SeqCst)
    });
    let screen = Screen::new(mode(arguments), tasks.len());
    let mut results: BTreeMap<usize, Finished> = BTreeMap::new();
    for (index, task) in tasks.iter().enumerate() {
        let known = earlier.get(&keys[index]).cloned();
        if let Some(finished) = known.or_else(|| task.refused.as_ref().map(Finished::error)) {
            screen.ends(task, &finished, true);
            results.insert(index, finished);
        }
    }
    let repeated = results.len();
    let open: Vec<usize> = (0..tasks.len()).filter(|index| !results.contains_key(index)).collect();
    if repeated > 0 && !arguments.flag("quiet") {
        eprintln!("assay: {repeated} of {} tasks are finished already (in {})", tasks.len(), folder.display());
    }
    let mut done = |index: usize, finished: Finished| {
        journal.add(&keys[index], &finished)?;
        results.insert(index, finished);
        Ok(())
    };
    let written = match cluster::access(arguments)? {
        Some(access) => {
            let connected = cluster::connect_patiently(&access)?;
            remote::on_cluster(&tasks, &keys, &open, &|task| shared.options(task), &connected, &screen, &stop, &mut done)
        }
        None => on_all_cores(&tasks, &open, &shared, &folder, &screen, &stop, &mut done),
    };
    screen.close();
    written?;
    let shown: Vec<(&Task, &Finished)> = results.iter().map(|(&index, finished)| (&tasks[index], finished)).collect();
    output::write(&folder, &shown)?;
    remove_leftovers(&folder);
    if stop.load(Ordering::SeqCst) {
        eprintln!("assay: stopped after {} of {} tasks; the same command goes on from here", shown.len(), tasks.len());
        return Ok(answer::UNKNOWN);
    }
    if !arguments.flag("quiet") {
        crate::print(&format!("{}results: {}\n", output::summary(&shown), folder.join("results.tsv").display()));
    }
    let any = |verdict: &str| shown.iter().any(|(_, finished)| finished.verdict == verdict);
    Ok(if any("false") { 10 } else { answer::UNKNOWN * i32::from(any("unknown") || any("error")) })
}

/// What processes that were killed left in the folder.
fn remove_leftovers(folder: &Path) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("running-") && name.ends_with(".sarif") {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A table on a terminal, lines elsewhere: a batch takes long enough that its log is worth having.
fn mode(arguments: &Arguments) -> Mode {
    match arguments.choice("progress", &words::PROGRESS).unwrap_or(Seen::Auto) {
        Seen::Plain => Mode::Plain,
        Seen::Nothing => Mode::Nothing,
        Seen::Auto if arguments.flag("quiet") => Mode::Nothing,
        Seen::Auto if std::io::stderr().is_terminal() => Mode::Line,
        Seen::Auto => Mode::Plain,
    }
}

/// What all tasks have in common.
struct Shared {
    /// Options of `assay verify`, without dashes.
    options: Vec<(String, Option<String>)>,
    jobs: usize,
    /// What a task here may use if nothing is said: no part of what was asked.
    memory: Option<u64>,
    time_limit: Option<Duration>,
    build: String,
}

impl Shared {
    fn from_arguments(arguments: &Arguments) -> Shared {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = arguments.number("jobs").map_or(cores, |jobs| jobs as usize);
        // What is shown here is not for the processes.
        let own = ["progress", "quiet", "help", "cluster", "creds", "nkey", "tls-ca", "tls-cert", "tls-key"];
        let mut options: Vec<_> =
            arguments.shared_with(Command::Verify).into_iter().filter(|(name, _)| !own.contains(&name.as_str())).collect();
        if !options.iter().any(|(name, _)| name == "threads") {
            options.push(("threads".to_string(), Some("1".to_string())));
        }
        let memory = assay_driver::usage::memory_of_machine()
            .map(|bytes| bytes / jobs as u64)
            .filter(|_| !options.iter().any(|(name, _)| name == "memory-limit"));
        Shared { options, jobs, memory, time_limit: arguments.duration("time-limit"), build: assay_analyses::this_build() }
    }

    /// The options of one task: those of its own come before those of all, but for what adds up.
    fn options(&self, task: &Task) -> Vec<(String, Option<String>)> {
        let adds = |name: &str| ["include", "define", "set"].contains(&name);
        let replaced = |name: &str| !adds(name) && task.options.iter().any(|(own, _)| own == name);
        let common = self.options.iter().filter(|(name, _)| !replaced(name)).cloned();
        common.chain(task.options.iter().map(|(name, value)| (name.clone(), Some(value.clone())))).collect()
    }

    /// The words of the command line of a task's process.
    fn words(&self, task: &Task) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![];
        for (name, value) in self.options(task) {
            words.push(match value {
                Some(value) => format!("--{name}={value}").into(),
                None => format!("--{name}").into(),
            });
        }
        words.extend(self.memory.map(|bytes| OsString::from(format!("--memory-limit={bytes}"))));
        words.push("--".into());
        words.extend(task.inputs.iter().map(|input| input.clone().into_os_string()));
        words
    }

    /// What a result depends on: the build, the options, and the content of every file that they and the program name.
    fn key(&self, task: &Task) -> String {
        let mut text = format!("{}\n{}\n", self.build, task.id);
        let mut named: Vec<PathBuf> = vec![];
        let mut include: Vec<PathBuf> = vec![];
        for (name, value) in self.options(task) {
            let value = value.unwrap_or_default();
            text.push_str(&format!("{name}={value}\n"));
            match name.as_str() {
                "include" => include.push(value.into()),
                "property" | "config" if Path::new(&value).is_file() => named.push(value.into()),
                "models" => named.extend(sources::c_files(Path::new(&value))),
                _ => {}
            }
        }
        named.extend(task.inputs.iter().cloned());
        match sources::closure(&named, &include) {
            Ok(files) => {
                for (path, content) in files {
                    text.push_str(&format!("{} {}\n", path.display(), assay_results::task::sha256(&content)));
                }
            }
            // It will fail, and say why.
            Err(error) => text.push_str(&error.to_string()),
        }
        assay_results::task::sha256(text.as_bytes())
    }
}

/// Runs the open tasks; whoever is free takes the next. `done` is called here, in the order in which tasks end.
fn on_all_cores(
    tasks: &[Task],
    open: &[usize],
    shared: &Shared,
    folder: &Path,
    screen: &Screen,
    stop: &AtomicBool,
    done: &mut dyn FnMut(usize, Finished) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let folder = sources::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    std::thread::scope(|scope| {
        for slot in 0..shared.jobs.min(open.len()) {
            let (sender, next, folder) = (sender.clone(), &next, &folder);
            scope.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    let Some(&index) = open.get(next.fetch_add(1, Ordering::SeqCst)) else { break };
                    let task = &tasks[index];
                    screen.begins(&task.id);
                    let words = shared.words(task);
                    let sarif = folder.join(format!("running-{slot}.sarif"));
                    let run = Run { words: &words, folder: Path::new("."), time_limit: shared.time_limit, sarif: &sarif };
                    let finished = process::run(&run, &mut |_| !stop.load(Ordering::SeqCst));
                    // What was cut off by a signal is not finished.
                    if stop.load(Ordering::SeqCst) || sender.send((index, finished)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut problem = Ok(());
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok((index, finished)) => {
                    screen.ends(&tasks[index], &finished, false);
                    if let Err(error) = done(index, finished) {
                        // Without a journal there is no point in going on.
                        stop.store(true, Ordering::SeqCst);
                        problem = Err(error);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => screen.refresh(),
                Err(mpsc::RecvTimeoutError::Disconnected) => return problem,
            }
        }
    })
}
