//! Questions and answers between a run and those who sit ready for it, as plain messages: a question takes less time
//! than an entry in the queue would. Nothing is kept: a message that is lost is noticed by the silence that follows,
//! and the caller that asked does the work itself.

use super::client::{Cluster, chain};
use crate::{ClusterError, MOST_QUESTION_BYTES};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How often something at work, or ready for it, says so.
const BEAT: Duration = Duration::from_millis(500);
/// After so long without a word something is not there any more.
const SILENCE: Duration = Duration::from_secs(3);
/// How often the caller that waits for an answer looks whether it is still wanted.
const PERIOD: Duration = Duration::from_millis(10);

/// The side that asks.
pub struct Asking {
    cluster: Cluster,
    prefix: String,
    heard: Arc<Heard>,
    next: AtomicU64,
}

#[derive(Default)]
struct Heard {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Who is ready, and when that was heard.
    ready: BTreeMap<String, Instant>,
    /// Questions that are open.
    open: BTreeMap<u64, Open>,
}

struct Open {
    seat: String,
    heard: Instant,
    answer: Option<Vec<u8>>,
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }

    fn hear(&self, kind: &str, seat: &str, payload: &[u8]) {
        let mut state = self.lock();
        match (kind, number_of(payload)) {
            ("ready", _) if !state.open.values().any(|open| open.seat == seat) => {
                state.ready.insert(seat.to_string(), Instant::now());
            }
            ("beat", Some((id, _))) => {
                if let Some(open) = state.open.get_mut(&id).filter(|open| open.seat == seat) {
                    open.heard = Instant::now();
                }
            }
            ("answer", Some((id, answer))) => {
                match state.open.get_mut(&id).filter(|open| open.seat == seat) {
                    Some(open) => open.answer = Some(answer.to_vec()),
                    // Nothing waits for it any more, but the caller that had it is ready again.
                    None => {
                        state.ready.insert(seat.to_string(), Instant::now());
                    }
                }
            }
            _ => {}
        }
        drop(state);
        self.changed.notify_all();
    }
}

/// The number at the beginning of a message, and the rest.
fn number_of(payload: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = payload.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}

fn message(id: u64, rest: &[u8]) -> Vec<u8> {
    let mut bytes = id.to_le_bytes().to_vec();
    bytes.extend_from_slice(rest);
    bytes
}

impl Cluster {
    fn seats(&self, run: &str) -> String {
        format!("assay.seats.{}.{run}", self.inner.build)
    }

    /// Begins to listen to those who sit ready for a run.
    ///
    /// # Errors
    /// The server is away.
    pub fn asking(&self, run: &str) -> Result<Asking, ClusterError> {
        let (prefix, heard) = (self.seats(run), Arc::new(Heard::default()));
        let subscribe = self.inner.client.subscribe(format!("{prefix}.up.*.*"));
        let mut messages = self.inner.runtime.block_on(subscribe).map_err(|error| ClusterError::Server(chain(&error)))?;
        let listener = heard.clone();
        self.inner.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let mut words = message.subject.rsplit('.');
                if let (Some(seat), Some(kind)) = (words.next(), words.next()) {
                    listener.hear(kind, seat, &message.payload);
                }
            }
        });
        Ok(Asking { cluster: self.clone(), prefix, heard, next: AtomicU64::new(0) })
    }

    /// Sits ready for the questions of a run.
    ///
    /// # Errors
    /// The server is away.
    pub fn seat(&self, run: &str, name: &str) -> Result<Seat, ClusterError> {
        let prefix = self.seats(run);
        let (sender, questions) = mpsc::channel();
        let subscribe = self.inner.client.subscribe(format!("{prefix}.down.*.{name}"));
        let mut messages = self.inner.runtime.block_on(subscribe).map_err(|error| ClusterError::Server(chain(&error)))?;
        let at_work = Arc::new(AtomicU64::new(u64::MAX));
        let unwanted = Arc::new(AtomicU64::new(u64::MAX));
        let told = unwanted.clone();
        self.inner.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let Some((id, question)) = number_of(&message.payload) else { continue };
                if message.subject.contains(".down.stop.") {
                    told.store(id, Ordering::SeqCst);
                } else if sender.send((id, question.to_vec())).is_err() {
                    break;
                }
            }
        });
        let (cluster, busy, name_of) = (self.clone(), at_work.clone(), (prefix.clone(), name.to_string()));
        self.inner.runtime.spawn(async move {
            // Until the process ends: a seat lives as long as it.
            loop {
                let id = busy.load(Ordering::SeqCst);
                let kind = if id == u64::MAX { "ready" } else { "beat" };
                let subject = format!("{}.up.{kind}.{}", name_of.0, name_of.1);
                let _ = cluster.inner.client.publish(subject, message(id, &[]).into()).await;
                tokio::time::sleep(BEAT).await;
            }
        });
        Ok(Seat { cluster: self.clone(), prefix, name: name.to_string(), questions: Mutex::new(questions), at_work, unwanted })
    }
}

impl Asking {
    /// How many sit ready.
    pub fn ready(&self) -> usize {
        self.heard.lock().ready.values().filter(|heard| heard.elapsed() < SILENCE).count()
    }

    /// Asks one of those who are ready, or the one of this name as soon as it is, and waits. The answer comes with the
    /// name of the caller that gave it; `None` where nothing is ready, where the caller that was asked falls silent, or
    /// where `wanted` says so.
    pub fn ask(&self, whom: Option<&str>, question: &[u8], wanted: &dyn Fn() -> bool) -> Option<(String, Vec<u8>)> {
        if question.len() > MOST_QUESTION_BYTES {
            return None;
        }
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let mut state = self.heard.lock();
        let begin = Instant::now();
        let seat = loop {
            state.ready.retain(|_, heard| heard.elapsed() < SILENCE);
            match whom {
                None => break state.ready.pop_first()?.0,
                Some(name) if state.ready.remove(name).is_some() => break name.to_string(),
                Some(_) if begin.elapsed() >= SILENCE || !wanted() => return None,
                Some(_) => state = self.heard.changed.wait_timeout(state, PERIOD).unwrap_or_else(|error| error.into_inner()).0,
            }
        };
        state.open.insert(id, Open { seat: seat.clone(), heard: Instant::now(), answer: None });
        drop(state);
        self.say("ask", &seat, message(id, question));
        let answer = loop {
            let state = self.heard.lock();
            let (state, _) = self.heard.changed.wait_timeout(state, PERIOD).unwrap_or_else(|error| error.into_inner());
            let Some(open) = state.open.get(&id) else { break None };
            if open.answer.is_some() {
                break open.answer.clone();
            }
            if open.heard.elapsed() >= SILENCE {
                break None;
            }
            drop(state);
            if !wanted() {
                break None;
            }
        };
        let mut state = self.heard.lock();
        state.open.remove(&id);
        if answer.is_some() {
            state.ready.insert(seat.clone(), Instant::now());
        }
        drop(state);
        if answer.is_none() {
            self.say("stop", &seat, message(id, &[]));
        }
        self.opened(&answer?).map(|bytes| (seat, bytes))
    }

    fn say(&self, kind: &str, seat: &str, payload: Vec<u8>) {
        let subject = format!("{}.down.{kind}.{seat}", self.prefix);
        // What is not heard is noticed by the silence.
        let _ = self.cluster.inner.runtime.block_on(self.cluster.inner.client.publish(subject, payload.into()));
    }

    /// An answer is in the message, or content whose name is.
    fn opened(&self, answer: &[u8]) -> Option<Vec<u8>> {
        match answer.split_first()? {
            (0, bytes) => Some(bytes.to_vec()),
            (1, name) => self.cluster.content(&String::from_utf8_lossy(name)).ok().map(|content| content.to_vec()),
            _ => None,
        }
    }
}

/// The side that answers.
pub struct Seat {
    cluster: Cluster,
    prefix: String,
    name: String,
    questions: Mutex<Receiver<(u64, Vec<u8>)>>,
    /// The question that is being answered, and the latest one that nothing wants any more.
    at_work: Arc<AtomicU64>,
    unwanted: Arc<AtomicU64>,
}

impl Seat {
    /// The next question, if one comes within the time, with its number.
    ///
    /// # Errors
    /// The connection is over.
    pub fn next(&self, wait: Duration) -> Result<Option<(u64, Vec<u8>)>, ClusterError> {
        let questions = self.questions.lock().unwrap_or_else(|error| error.into_inner());
        match questions.recv_timeout(wait) {
            Ok((id, question)) => {
                self.at_work.store(id, Ordering::SeqCst);
                Ok(Some((id, question)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(ClusterError::Server("the connection is over".to_string())),
        }
    }

    /// Whether a question was taken back.
    pub fn is_unwanted(&self, id: u64) -> bool {
        self.unwanted.load(Ordering::SeqCst) == id
    }

    /// Answers a question.
    pub fn answer(&self, id: u64, answer: &[u8]) {
        let mut bytes = vec![u8::from(answer.len() > MOST_QUESTION_BYTES)];
        if answer.len() > MOST_QUESTION_BYTES {
            match self.cluster.put_content(answer) {
                Ok(name) => bytes.extend(name.into_bytes()),
                Err(_) => bytes = vec![u8::MAX],
            }
        } else {
            bytes.extend_from_slice(answer);
        }
        self.at_work.store(u64::MAX, Ordering::SeqCst);
        let subject = format!("{}.up.answer.{}", self.prefix, self.name);
        let _ = self.cluster.inner.runtime.block_on(self.cluster.inner.client.publish(subject, message(id, &bytes).into()));
    }
}
