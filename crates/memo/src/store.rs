//! A store in a folder: segments of many records, each segment written whole under another name and then renamed, never
//! changed.
//!
//! That makes it safe against a crash at any time and against other processes: a segment is there with all of its
//! content or not at all, every record has a checksum, and keys are compared in full. Processes do not wait for each
//! other; each reads the segments that were there when it began. Segments of another version or with damage are named
//! and left alone.

use super::disk::Store;
use assay_base::FastMap;
use assay_base::hash::mix;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

const MAGIC: &[u8; 8] = b"ASSAYSUM";
/// Changes with the form of segments and of what is in them.
const FORMAT: u32 = 2;
const HEADER: u64 = 12;
/// The index is found from here: its offset, its number of entries, its checksum.
const FOOTER: u64 = 24;
/// One entry of the index: hash of the key, offset, length of the key, length of the value, checksum of both.
const ENTRY: usize = 40;
/// A segment is written when this much waits, or has waited this long.
const BATCH_BYTES: usize = 4 << 20;
const BATCH_TIME: Duration = Duration::from_secs(1);
/// With more segments than this, the small ones are put together.
const MANY_SEGMENTS: usize = 48;

/// A store of summaries in a folder: segments of records that are written whole.
pub struct FolderStore {
    folder: PathBuf,
    limit: u64,
    segments: Vec<Segment>,
    /// Where records are: by the hash of the key, the segment and the place in it.
    index: FastMap<u64, Vec<(u32, RecordPosition)>>,
    pending: Mutex<Pending>,
    serial: AtomicU64,
    /// What was noticed about the folder, for the user.
    notes: Mutex<Vec<String>>,
}

struct Segment {
    path: PathBuf,
    file: File,
    bytes: u64,
    used: AtomicBool,
}

#[derive(Clone, Copy, Debug)]
struct RecordPosition {
    offset: u64,
    key: u32,
    value: u32,
    checksum: u64,
}

struct Pending {
    records: Vec<(Vec<u8>, Vec<u8>)>,
    bytes: usize,
    since: Instant,
    failed: bool,
}

/// A hash of bytes for look-up and against damage, not against malice.
pub(super) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut state = mix(seed ^ bytes.len() as u64);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        state = mix(state ^ u64::from_le_bytes(chunk.try_into().unwrap_or_default())).rotate_left(5);
    }
    let mut last = [0; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    mix(state ^ u64::from_le_bytes(last))
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl FolderStore {
    /// Opens the folder, made if it is not there. At most `limit` bytes are kept in it.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn open(folder: &Path, limit: u64) -> io::Result<FolderStore> {
        fs::create_dir_all(folder)?;
        let pending = Pending { records: Vec::new(), bytes: 0, since: Instant::now(), failed: false };
        let mut store = FolderStore {
            folder: folder.to_path_buf(),
            limit,
            segments: Vec::new(),
            index: FastMap::default(),
            pending: Mutex::new(pending),
            serial: AtomicU64::new(0),
            notes: Mutex::default(),
        };
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            match path.extension().and_then(|e| e.to_str()) {
                Some("seg") => store.add_segment(path),
                Some("part") => remove_if_old(&path),
                _ => store.note(format!("{} in the cache is not ours and was left alone", path.display())),
            }
        }
        Ok(store)
    }

    fn note(&self, text: String) {
        self.notes.lock().unwrap_or_else(|e| e.into_inner()).push(text);
    }
    /// What was noticed so far.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
    /// How many records there were when it was opened.
    pub fn len(&self) -> usize {
        self.index.values().map(Vec::len).sum()
    }
    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    fn add_segment(&mut self, path: PathBuf) {
        match read_index(&path) {
            Ok((file, bytes, entries)) => {
                let number = self.segments.len() as u32;
                self.segments.push(Segment { path, file, bytes, used: AtomicBool::new(false) });
                for (hash, place) in entries {
                    self.index.entry(hash).or_default().push((number, place));
                }
            }
            // Another process may have put it together with others in the meantime.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.note(format!("the cache file {} was not used: {error}", path.display())),
        }
    }

    fn read(&self, segment: u32, place: RecordPosition) -> Option<Vec<u8>> {
        let segment = &self.segments[segment as usize];
        let mut bytes = vec![0; place.key as usize + place.value as usize];
        let read = segment.file.read_exact_at(&mut bytes, place.offset);
        if read.is_err() || hash(2, &bytes) != place.checksum {
            self.note(format!("a record of the cache file {} is damaged and was not used", segment.path.display()));
            return None;
        }
        segment.used.store(true, Ordering::Relaxed);
        Some(bytes)
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn flush(&self, pending: &mut Pending) {
        let records = std::mem::take(&mut pending.records);
        (pending.bytes, pending.since) = (0, Instant::now());
        if records.is_empty() || pending.failed {
            return;
        }
        let parts = records.iter().map(|(key, value)| (key.as_slice(), value.as_slice()));
        if let Err(error) = self.write_segment(parts) {
            pending.failed = true;
            self.note(format!("the cache {} cannot be written: {error}", self.folder.display()));
        }
    }

    fn write_segment<'r>(&self, records: impl Iterator<Item = (&'r [u8], &'r [u8])>) -> io::Result<()> {
        let (mut bytes, mut entries, mut count) = (MAGIC.to_vec(), Vec::new(), 0u64);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        for (key, value) in records {
            let offset = bytes.len();
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(value);
            let numbers = [hash(1, key), offset as u64, key.len() as u64, value.len() as u64, hash(2, &bytes[offset..])];
            numbers.iter().for_each(|number| entries.extend_from_slice(&number.to_le_bytes()));
            count += 1;
        }
        let at = bytes.len() as u64;
        let checksum = hash(3, &entries);
        bytes.extend_from_slice(&entries);
        [at, count, checksum].iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let name = format!("{now:024x}-{:x}-{:x}", std::process::id(), self.serial.fetch_add(1, Ordering::Relaxed));
        let (part, whole) = (self.folder.join(format!("{name}.part")), self.folder.join(format!("{name}.seg")));
        let mut file = File::create(&part)?;
        file.write_all(&bytes)?;
        fs::rename(&part, &whole)
    }

    /// Puts small segments together and keeps the folder below its limit. The caller that reads a removed segment still
    /// can.
    fn tidy(&self) {
        if self.segments.len() > MANY_SEGMENTS {
            self.merge();
        }
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if let Ok(data) = entry.metadata()
                && entry.path().extension().is_some_and(|e| e == "seg")
            {
                files.push((data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len(), entry.path()));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|file| file.1).sum();
        for (_, bytes, path) in files {
            if total <= self.limit {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }

    fn merge(&self) {
        let small: Vec<usize> = (0..self.segments.len()).filter(|&i| self.segments[i].bytes < (BATCH_BYTES * 4) as u64).collect();
        let mut records = Vec::new();
        for &(segment, place) in self.index.values().flatten() {
            if small.contains(&(segment as usize))
                && let Some(bytes) = self.read(segment, place)
            {
                records.push((place.key as usize, bytes));
            }
        }
        records.sort();
        records.dedup();
        if self.write_segment(records.iter().map(|(key, bytes)| bytes.split_at(*key))).is_ok() {
            for index in small {
                let _ = fs::remove_file(&self.segments[index].path);
            }
        }
    }
}

impl Store for FolderStore {
    fn find(&self, key: &[u8], accept: &mut dyn FnMut(Vec<u8>) -> bool) {
        // Later segments are younger.
        for &(segment, place) in self.index.get(&hash(1, key)).into_iter().flatten().rev() {
            if place.key as usize == key.len()
                && let Some(mut bytes) = self.read(segment, place)
                && bytes.starts_with(key)
                && accept(bytes.split_off(key.len()))
            {
                return;
            }
        }
    }

    fn put(&self, key: Vec<u8>, value: Vec<u8>) {
        let mut pending = self.pending();
        pending.bytes += key.len() + value.len();
        pending.records.push((key, value));
        if pending.bytes >= BATCH_BYTES || pending.since.elapsed() >= BATCH_TIME {
            self.flush(&mut pending);
        }
    }
}

impl Drop for FolderStore {
    /// Writes what waits, and tidies up.
    fn drop(&mut self) {
        let mut pending = self.pending();
        self.flush(&mut pending);
        drop(pending);
        for segment in self.segments.iter().filter(|segment| segment.used.load(Ordering::Relaxed)) {
            let _ = segment.file.set_modified(SystemTime::now());
        }
        self.tidy();
    }
}

/// The places of the records of a segment.
fn read_index(path: &Path) -> io::Result<(File, u64, Vec<(u64, RecordPosition)>)> {
    let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut header = [0; HEADER as usize];
    let mut footer = [0; FOOTER as usize];
    if length < HEADER + FOOTER {
        return Err(damaged("it is too short"));
    }
    file.read_exact_at(&mut header, 0)?;
    if header[..8] != *MAGIC {
        return Err(damaged("it is no file of summaries"));
    }
    if header[8..] != FORMAT.to_le_bytes() {
        return Err(damaged("it is of another version"));
    }
    file.read_exact_at(&mut footer, length - FOOTER)?;
    let (at, count, checksum) = (word(&footer, 0), word(&footer, 8), word(&footer, 16));
    let size = count.checked_mul(ENTRY as u64).filter(|size| at.checked_add(*size) == Some(length - FOOTER));
    let Some(size) = size else { return Err(damaged("it is damaged")) };
    let mut entries = vec![0; size as usize];
    file.read_exact_at(&mut entries, at)?;
    if hash(3, &entries) != checksum {
        return Err(damaged("it is damaged"));
    }
    let place = |entry: &[u8]| {
        let lengths = (u32::try_from(word(entry, 16)).ok()?, u32::try_from(word(entry, 24)).ok()?);
        let place = RecordPosition { offset: word(entry, 8), key: lengths.0, value: lengths.1, checksum: word(entry, 32) };
        let end = place.offset.checked_add(u64::from(place.key) + u64::from(place.value))?;
        (end <= at).then_some((word(entry, 0), place))
    };
    let places: Option<Vec<_>> = entries.chunks_exact(ENTRY).map(place).collect();
    Ok((file, length, places.ok_or_else(|| damaged("it is damaged"))?))
}

/// What a crash left behind. What another process is writing just now is young.
fn remove_if_old(path: &Path) {
    let age = fs::metadata(path).and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
    if age.is_some_and(|age| age > Duration::from_secs(600)) {
        let _ = fs::remove_file(path);
    }
}
