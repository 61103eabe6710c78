//! The folder of summaries: what is put in comes out, or nothing does.

use assay_memo::{FolderStore, Store};
use std::fs;
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("assay-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }
    fn open(&self) -> FolderStore {
        FolderStore::open(&self.0, 1 << 30).expect("a folder")
    }
    fn segments(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("a file").path());
        files.filter(|path| path.extension().is_some_and(|e| e == "seg")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn key(number: u32) -> Vec<u8> {
    format!("key {number}").into_bytes()
}

fn value(number: u32) -> Vec<u8> {
    vec![number as u8; number as usize % 300]
}

fn fill(store: &FolderStore, numbers: std::ops::Range<u32>) {
    numbers.for_each(|number| store.put(key(number), value(number)));
}

/// Every answer is right; how many there are.
fn right_answers(store: &FolderStore, numbers: std::ops::Range<u32>) -> usize {
    numbers.filter_map(|number| store.get(&key(number)).map(|found| assert_eq!(found, value(number)))).count()
}

#[test]
fn a_later_run_finds_what_earlier_ones_wrote() {
    let folder = Folder::new("later");
    fill(&folder.open(), 0..1000);
    fill(&folder.open(), 1000..1100);
    let store = folder.open();
    assert_eq!((right_answers(&store, 0..1100), store.len(), store.notes()), (1100, 1100, vec![]));
    assert_eq!(store.get(b"key 5000"), None);
    assert_eq!(store.get(b"key 1 "), None);
}

#[test]
fn processes_do_not_disturb_each_other() {
    let folder = Folder::new("both");
    let (first, second) = (folder.open(), folder.open());
    fill(&first, 0..300);
    fill(&second, 200..500);
    drop(first);
    drop(second);
    assert_eq!(right_answers(&folder.open(), 0..500), 500);
}

#[test]
fn damage_is_noticed_at_every_byte() {
    let folder = Folder::new("damage");
    fill(&folder.open(), 0..20);
    let segment = folder.segments().remove(0);
    let whole = fs::read(&segment).expect("readable");
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&segment, &damaged).expect("writable");
        let store = folder.open();
        let found = right_answers(&store, 0..20);
        assert!(found < 20 && !store.notes().is_empty(), "byte {at}: {found} found");
        fs::write(&segment, &whole[..at]).expect("writable");
        let store = folder.open();
        assert!(right_answers(&store, 0..20) == 0 && !store.notes().is_empty(), "cut at {at}");
    }
    fs::write(&segment, b"something else altogether, and long enough to be looked at").expect("writable");
    assert!(folder.open().notes()[0].contains("no file of summaries"));
    let mut other = whole.clone();
    other[8] ^= 1;
    fs::write(&segment, &other).expect("writable");
    assert!(folder.open().notes()[0].contains("another version"));
}

#[test]
fn the_folder_stays_small() {
    let folder = Folder::new("small");
    for round in 0..60 {
        let store = FolderStore::open(&folder.0, 20_000).expect("a folder");
        fill(&store, round * 20..round * 20 + 20);
    }
    let bytes: u64 = folder.segments().iter().map(|path| fs::metadata(path).expect("a file").len()).sum();
    assert!(bytes <= 20_000 && bytes > 1000, "{bytes}");
    let merged = Folder::new("merged");
    for round in 0..60 {
        fill(&merged.open(), round * 10..round * 10 + 10);
    }
    assert!(merged.segments().len() < 55);
    assert_eq!(right_answers(&merged.open(), 0..600), 600);
}

#[test]
fn a_folder_that_cannot_be_one_is_an_error() {
    assert!(FolderStore::open(Path::new("/dev/null/cache"), 1).is_err());
}
