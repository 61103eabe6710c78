//! What an earlier run leaves beside summaries: the inputs of its violation, whoever found it, which are run in the
//! interpreter before anything else, and its precision, with which refinement begins. Nothing depends on what is in
//! these records: a violation is what a run of this program shows, and every precision is sound.

use crate::cache::SummaryCache;
use crate::random::touches_environment;
use assay_base::{ByteReader, ByteWriter, CancelToken, FastMap};
use assay_cfa::portable::Names;
use assay_cfa::{Program, SourceId, Target};
use assay_memo::{Reduce, Store};
use assay_results::replay::{Recorder, replay};
use assay_results::{Analysis, Counterexample, InputOrigin, Outcome, RunContext};
use assay_semantics::environment::ENVIRONMENT_BIRTH;
use assay_semantics::interpreter::{Oracle, Stop, run as interpret};
use assay_term::Bits;
use std::collections::VecDeque;

const VIOLATION: &str = "violation";
/// Of several records the youngest ones are tried.
const TRIES: usize = 3;
/// A changed program may take more steps, but not much more.
const MORE_STEPS: u64 = 10_000;

/// The analysis, with a folder of what earlier runs left. `keeps_summaries` says whether it uses the folder itself.
pub fn remembering(inner: Box<dyn Analysis>, folder: &str, megabytes: u64, keeps_summaries: bool) -> Box<dyn Analysis> {
    Box::new(Remembering { inner, folder: folder.to_string(), megabytes, keeps_summaries })
}

struct Remembering {
    inner: Box<dyn Analysis>,
    folder: String,
    megabytes: u64,
    keeps_summaries: bool,
}

impl Analysis for Remembering {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        let cache = SummaryCache::open(&self.folder, self.megabytes);
        if let Some(found) = cache.store().and_then(|store| earlier_violation(store, program, context.cancel)) {
            let mut outcome = Outcome::violation(found).sealed(context.ledger, &program.assumptions);
            outcome.notes.push("the inputs of an earlier run's violation violate the property again".to_string());
            outcome.statistics.add("violations of earlier runs found again", 1);
            return outcome;
        }
        drop(cache);
        let mut outcome = self.inner.run(program, context);
        // What the analysis has written is there now.
        let cache = SummaryCache::open(&self.folder, self.megabytes);
        if let (Some(store), Some(found)) = (cache.store(), outcome.counterexample()) {
            keep(store, program, found);
        }
        if !self.keeps_summaries {
            outcome.notes.extend(cache.trouble());
            let name = self.inner.name();
            outcome.notes.push(format!("`{name}` explores no blocks, so that the cache keeps nothing but violations that it finds"));
        }
        outcome
    }
}

/// Gives values by what is asked for them, in order. What an edit adds elsewhere does not shift them.
#[derive(Clone)]
struct ByName<'p> {
    program: &'p Program,
    values: FastMap<String, VecDeque<Bits>>,
    /// Whether memory of the environment was asked for.
    environment: bool,
}

/// A program by its files: others may use the same folder.
pub(crate) fn key(program: &Program, what: &str) -> Vec<u8> {
    let mut out = ByteWriter::default();
    out.text(what);
    out.text(program.model.name());
    program.questions.iter().map(Target::name).for_each(|name| out.text(name));
    program.sources.files.iter().for_each(|file| out.text(&file.name));
    out.bytes
}

fn source_name(program: &Program, source: SourceId) -> String {
    program.value_sources.get(source).map_or_else(String::new, |source| format!("{:?} {}", source.kind, source.name))
}

fn memory_name(birth: u32, offset: u64) -> String {
    format!("memory {birth} {offset}")
}

impl Oracle for ByName<'_> {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let value = self.values.get_mut(&source_name(self.program, source)).and_then(VecDeque::pop_front);
        Bits::new(width, value.map_or(0, Bits::value))
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        self.environment |= birth == ENVIRONMENT_BIRTH;
        let value = self.values.get_mut(&memory_name(birth, offset)).and_then(VecDeque::pop_front);
        Bits::new(width, value.map_or(0, Bits::value))
    }
}

/// Keeps a violation for later runs.
fn keep(store: &dyn Store, program: &Program, found: &Counterexample) {
    let mut out = ByteWriter::default();
    out.number(found.path.len() as u64);
    out.number(found.inputs.len() as u64);
    for input in &found.inputs {
        out.text(&match input.origin {
            InputOrigin::Source(source) => source_name(program, source),
            InputOrigin::Memory { birth, offset } => memory_name(birth, offset),
        });
        out.number(u64::from(input.bits.width()));
        out.bytes.extend_from_slice(&input.bits.value().to_le_bytes());
    }
    store.put(key(program, VIOLATION), out.bytes);
}

/// The precision with which a run came to its verdict, by the configuration of the run.
fn precision_key(program: &Program, context: &str) -> Vec<u8> {
    key(program, &format!("precision {context}"))
}

/// Keeps a precision for later runs.
pub(crate) fn keep_precision<D: Reduce>(store: &dyn Store, domain: &D, precision: &D::Precision, names: &Names<'_>, context: &str) {
    let mut out = ByteWriter::default();
    let key = precision_key(names.program, context);
    if domain.save_precision(precision, names, &mut out).is_some() && store.get(&key).is_none_or(|there| there != out.bytes) {
        store.put(key, out.bytes);
    }
}

/// The precision of the last run with this configuration, and what it tracks.
pub(crate) fn precision<D: Reduce>(store: &dyn Store, domain: &D, names: &Names<'_>, context: &str) -> Option<(D::Precision, Vec<String>)> {
    let bytes = store.get(&precision_key(names.program, context))?;
    domain.restore_precision(names, &mut ByteReader::new(&bytes)).filter(|(_, tracked)| !tracked.is_empty())
}

fn read<'p>(program: &'p Program, bytes: &[u8]) -> Option<(u64, ByName<'p>)> {
    let mut from = ByteReader::new(bytes);
    let steps = from.number()?;
    let mut values: FastMap<String, VecDeque<Bits>> = FastMap::default();
    for _ in 0..from.number()? {
        let name = from.text()?.to_string();
        let width = from.small().filter(|width| (1..=128).contains(width))?;
        let value = u128::from_le_bytes(from.raw(16)?.try_into().ok()?);
        values.entry(name).or_default().push_back(Bits::new(width, value));
    }
    from.is_at_end().then_some((steps, ByName { program, values, environment: false }))
}

/// The violation of an earlier run, if this program has it, too.
fn earlier_violation(store: &dyn Store, program: &Program, cancel: &CancelToken) -> Option<Counterexample> {
    let mut records = Vec::new();
    store.find(&key(program, VIOLATION), &mut |value| {
        records.push(value);
        records.len() == TRIES
    });
    records.iter().find_map(|record| violation_by(program, read(program, record)?, cancel))
}

fn violation_by(program: &Program, (steps, oracle): (u64, ByName<'_>), cancel: &CancelToken) -> Option<Counterexample> {
    let limit = steps.saturating_mul(2).saturating_add(MORE_STEPS);
    let mut first = oracle.clone();
    let ended = interpret(program, &mut first, limit, cancel, &mut |_, _, _| {});
    // An address into the memory of the environment was chosen for another program.
    if !matches!(ended.stop, Stop::Target(..)) || first.environment || touches_environment(&ended.state) {
        return None;
    }
    let mut oracle = oracle;
    let mut recorder = Recorder::new(program, &mut oracle);
    recorder.run(limit, cancel);
    replay(program, &recorder.asked, limit, cancel).ok()
}
