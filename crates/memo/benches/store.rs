//! Where summaries are kept on disk: the segments of this crate against an embedded database (redb) and against one
//! file for each record. `cargo bench -p assay-cpa --bench store` prints a table; see benches/results/ for a page made
//! from it.
//!
//! Keys have 200 to 1600 and values 100 to 2000 bytes, the larger ones among those that real runs write. A commit is
//! what a run does once a second or every four megabytes.

use assay_base::hash::mix;
use assay_memo::{FolderStore, Store};
use redb::{Database, ReadableTableMetadata, TableDefinition};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const TABLE: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("summaries");
/// Records between two commits.
const BATCH: usize = 1000;

/// One of the stores, as the benchmark sees them.
trait Subject: Sized {
    const NAME: &'static str;
    /// `None` if another process holds it.
    fn open(folder: &Path) -> Option<Self>;
    fn write(&mut self, records: &[(Vec<u8>, Vec<u8>)]);
    fn read(&self, key: &[u8]) -> Option<Vec<u8>>;
    fn close(self) {}
}

struct Segments(FolderStore);

impl Subject for Segments {
    const NAME: &'static str = "segments";
    fn open(folder: &Path) -> Option<Self> {
        FolderStore::open(folder, 10 << 30).ok().map(Segments)
    }
    fn write(&mut self, records: &[(Vec<u8>, Vec<u8>)]) {
        records.iter().for_each(|(key, value)| self.0.put(key.clone(), value.clone()));
    }
    fn read(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(key)
    }
}

/// The same with every segment forced to the disk, so that it survives a crash of the machine.
struct Synced {
    store: FolderStore,
    folder: PathBuf,
    done: HashSet<PathBuf>,
}

impl Synced {
    fn sync(&mut self) {
        for entry in fs::read_dir(&self.folder).expect("a folder").flatten() {
            if entry.path().extension().is_some_and(|e| e == "seg") && self.done.insert(entry.path()) {
                File::open(entry.path()).and_then(|file| file.sync_all()).expect("a sync");
            }
        }
        File::open(&self.folder).and_then(|folder| folder.sync_all()).expect("a sync");
    }
}

impl Subject for Synced {
    const NAME: &'static str = "segments, synced";
    fn open(folder: &Path) -> Option<Self> {
        let store = FolderStore::open(folder, 10 << 30).ok()?;
        Some(Synced { store, folder: folder.to_path_buf(), done: HashSet::new() })
    }
    fn write(&mut self, records: &[(Vec<u8>, Vec<u8>)]) {
        records.iter().for_each(|(key, value)| self.store.put(key.clone(), value.clone()));
        self.sync();
    }
    fn read(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.store.get(key)
    }
    fn close(mut self) {
        // The rest is written when the store is dropped.
        self.store = FolderStore::open(&self.folder, 10 << 30).expect("the folder");
        self.sync();
    }
}

/// redb with the durability that a cache needs: a commit survives a crash of the process; with `DURABLE` also one of
/// the machine.
struct Redb<const DURABLE: bool>(Database);

impl<const DURABLE: bool> Subject for Redb<DURABLE> {
    const NAME: &'static str = if DURABLE { "redb, synced" } else { "redb" };
    fn open(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).expect("a folder");
        Database::create(folder.join("summaries.redb")).ok().map(Redb)
    }
    fn write(&mut self, records: &[(Vec<u8>, Vec<u8>)]) {
        let mut transaction = self.0.begin_write().expect("a transaction");
        if !DURABLE {
            transaction.set_durability(redb::Durability::Eventual);
        }
        {
            let mut table = transaction.open_table(TABLE).expect("a table");
            for (key, value) in records {
                table.insert(key.as_slice(), value.as_slice()).expect("room");
            }
        }
        transaction.commit().expect("a commit");
    }
    fn read(&self, key: &[u8]) -> Option<Vec<u8>> {
        let transaction = self.0.begin_read().ok()?;
        let table = transaction.open_table(TABLE).ok()?;
        table.get(key).ok()?.map(|value| value.value().to_vec())
    }
    fn close(self) {
        let transaction = self.0.begin_read().expect("a transaction");
        assert!(transaction.open_table(TABLE).is_ok_and(|table| table.len().is_ok()));
    }
}

/// One file for each record, written under another name and renamed; the name is a hash of the key, the key is in the
/// file.
struct Files(PathBuf);

impl Files {
    fn path(&self, key: &[u8]) -> PathBuf {
        let name = key.chunks(8).fold([1u64, 2], |hash, chunk| {
            let word = chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            [mix(hash[0] ^ word), mix(hash[1].rotate_left(9) ^ word)]
        });
        self.0.join(format!("{:02x}", name[0] & 0xff)).join(format!("{:016x}{:016x}", name[0], name[1]))
    }
}

impl Subject for Files {
    const NAME: &'static str = "a file each";
    fn open(folder: &Path) -> Option<Self> {
        for number in 0..256 {
            fs::create_dir_all(folder.join(format!("{number:02x}"))).ok()?;
        }
        Some(Files(folder.to_path_buf()))
    }
    fn write(&mut self, records: &[(Vec<u8>, Vec<u8>)]) {
        for (key, value) in records {
            let path = self.path(key);
            let part = path.with_extension(format!("{}.part", std::process::id()));
            let mut file = File::create(&part).expect("a file");
            file.write_all(&(key.len() as u64).to_le_bytes()).and_then(|()| file.write_all(key)).expect("room");
            file.write_all(value).expect("room");
            drop(file);
            fs::rename(part, path).expect("a rename");
        }
    }
    fn read(&self, key: &[u8]) -> Option<Vec<u8>> {
        let bytes = fs::read(self.path(key)).ok()?;
        let (length, rest) = bytes.split_at_checked(8)?;
        let length = u64::from_le_bytes(length.try_into().ok()?) as usize;
        let (stored, value) = rest.split_at_checked(length)?;
        (stored == key).then(|| value.to_vec())
    }
}

/// Records whose contents repeat as those of summaries do: names and small numbers.
fn records(first: u64, count: u64) -> Vec<(Vec<u8>, Vec<u8>)> {
    let part = |seed: u64, length: usize| -> Vec<u8> {
        let mut state = seed;
        let mut bytes = Vec::with_capacity(length + 16);
        while bytes.len() < length {
            state = mix(state);
            bytes.extend_from_slice(format!("f{}::x{}", state % 40, state >> 8 & 0xff).as_bytes());
            bytes.extend_from_slice(&state.to_le_bytes()[..3]);
        }
        bytes.truncate(length);
        bytes
    };
    let record = |number: u64| {
        let random = mix(number ^ 0x5eed);
        let (key, value) = (200 + random as usize % 1400, 100 + (random >> 20) as usize % 1900);
        // Keys of one run begin alike.
        let mut bytes = vec![7; 64];
        bytes.extend(number.to_le_bytes());
        bytes.extend(part(random, key - 72));
        (bytes, part(mix(random), value))
    };
    (first..first + count).map(record).collect()
}

fn bytes_in(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |path: PathBuf| match fs::metadata(&path) {
        Ok(data) if data.is_dir() => bytes_in(&path),
        // What the file system uses, in blocks.
        Ok(data) => std::os::unix::fs::MetadataExt::blocks(&data) * 512,
        Err(_) => 0,
    };
    entries.flatten().map(|entry| size(entry.path())).sum()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-store-bench-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

fn measure<S: Subject>(count: u64) {
    let folder = Folder::new(&S::NAME.replace([' ', ','], "-"));
    let all = records(0, count);
    let payload: u64 = all.iter().map(|(key, value)| (key.len() + value.len()) as u64).sum();
    let begin = Instant::now();
    let mut store = S::open(&folder.0).expect("an empty folder");
    let created = begin.elapsed();
    let begin = Instant::now();
    all.chunks(BATCH).for_each(|batch| store.write(batch));
    store.close();
    let written = begin.elapsed();
    let begin = Instant::now();
    let store = S::open(&folder.0).expect("the folder");
    let opened = begin.elapsed();
    let begin = Instant::now();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&index| mix(index as u64));
    for &index in &order {
        assert_eq!(store.read(&all[index].0).as_ref(), Some(&all[index].1));
    }
    let found = begin.elapsed();
    let others = records(count, count);
    let begin = Instant::now();
    assert!(others.iter().all(|(key, _)| store.read(key).is_none()));
    let missed = begin.elapsed();
    store.close();
    let each = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e6 / count as f64);
    println!(
        "{}\t{count}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.2}\t{}\t{}",
        S::NAME,
        milliseconds(created),
        milliseconds(written),
        each(written),
        milliseconds(opened),
        each(found),
        each(missed),
        bytes_in(&folder.0) as f64 / payload as f64,
        two_at_once::<S>(),
        after_a_kill::<S>(),
    );
}

/// Two processes that write at the same time: how long until both are done, and how many of their records are there
/// afterwards.
fn two_at_once<S: Subject>() -> String {
    let folder = Folder::new(&format!("two-{}", S::NAME.replace([' ', ','], "-")));
    let count = 2000;
    let begin = Instant::now();
    let mut children: Vec<_> = [0, count].map(|first| child(S::NAME, &folder.0, first, count)).into_iter().collect();
    let fine = children.iter_mut().filter_map(|child| child.wait().ok()).filter(|status| status.success()).count();
    let time = begin.elapsed();
    let Some(store) = S::open(&folder.0) else { return "cannot be opened".to_string() };
    let there = records(0, 2 * count).iter().filter(|(key, value)| store.read(key).as_ref() == Some(value)).count();
    format!("{fine} of 2, {there} of {} records, {} ms", 2 * count, milliseconds(time))
}

/// Kills a process that writes, at several moments: how many records are there, and whether one is wrong.
fn after_a_kill<S: Subject>() -> String {
    let (mut kept, mut broken, mut opening) = (0, 0, Duration::ZERO);
    let iterations = 10;
    for iteration in 0..iterations {
        let folder = Folder::new(&format!("kill-{}", S::NAME.replace([' ', ','], "-")));
        let mut writer = child(S::NAME, &folder.0, 0, 1_000_000);
        std::thread::sleep(Duration::from_millis(120 + 40 * iteration));
        let _ = writer.kill();
        let _ = writer.wait();
        let begin = Instant::now();
        match S::open(&folder.0) {
            Some(store) => {
                opening += begin.elapsed();
                let all = records(0, 20_000);
                let found = all.iter().filter(|(key, value)| match store.read(key) {
                    Some(read) if read == *value => true,
                    Some(_) => {
                        broken += 1;
                        false
                    }
                    None => false,
                });
                kept += found.count();
            }
            None => broken += 1,
        }
    }
    format!("{} kept, {broken} broken, opened in {} ms", kept / iterations as usize, milliseconds(opening / iterations as u32))
}

fn child(name: &str, folder: &Path, first: u64, count: u64) -> std::process::Child {
    let program = std::env::current_exe().expect("this program");
    let numbers = [first.to_string(), count.to_string()];
    Command::new(program).args(["writer", name]).arg(folder).args(numbers).spawn().expect("a process")
}

fn writer<S: Subject>(folder: &Path, first: u64, count: u64) {
    // Another process may hold it for as long as it runs.
    let begin = Instant::now();
    let mut store = loop {
        match S::open(folder) {
            Some(store) => break store,
            None if begin.elapsed() > Duration::from_secs(20) => std::process::exit(1),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let mut at = first;
    while at < first + count {
        let batch = (BATCH as u64).min(first + count - at);
        store.write(&records(at, batch));
        at += batch;
    }
    store.close();
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, what, name, folder, first, count] = arguments.as_slice()
        && what == "writer"
    {
        let (folder, first, count) = (Path::new(folder), first.parse().unwrap_or(0), count.parse().unwrap_or(0));
        match name.as_str() {
            "segments" => writer::<Segments>(folder, first, count),
            "segments, synced" => writer::<Synced>(folder, first, count),
            "redb" => writer::<Redb<false>>(folder, first, count),
            "redb, synced" => writer::<Redb<true>>(folder, first, count),
            _ => writer::<Files>(folder, first, count),
        }
        return;
    }
    println!(
        "store\trecords\tcreate ms\twrite ms\twrite us each\topen ms\tread us each\tmiss us each\tsize/payload\ttwo writers\tkilled writer"
    );
    for count in [2_000, 20_000] {
        measure::<Segments>(count);
        measure::<Synced>(count);
        measure::<Redb<false>>(count);
        measure::<Redb<true>>(count);
        measure::<Files>(count);
    }
}
