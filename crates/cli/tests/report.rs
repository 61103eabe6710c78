//! The HTML report in a real browser, where there is one: `ASSAY_BROWSER`, or a Chromium on the path. Without one, the
//! test says so.

use std::path::{Path, PathBuf};
use std::process::Command;

fn browser() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("ASSAY_BROWSER") {
        return Some(path.into());
    }
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name))).find(|path| path.is_file())
}

/// What the browser makes of a page: the document after it was laid out, and what it complained about.
fn open(browser: &Path, page: &Path, profile: &Path) -> (String, String) {
    let url = format!("file://{}", page.display());
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(url)
        .output()
        .expect("the browser runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn reports_open_in_a_browser() {
    let Some(browser) = browser() else {
        println!("reports_open_in_a_browser: skipped, no browser was found (set ASSAY_BROWSER, or install chromium)");
        return;
    };
    let folder = std::env::temp_dir().join(format!("assay-report-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the pages");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, verdict, seen) in [("lock_bug.c", "false(unreach-call)", "class=\"violation\""), ("lock.c", "true", "<h2>Invariants</h2>")] {
        let page = folder.join(format!("{name}.html"));
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(["verify", "--time-limit", "20s", "--report"])
            .arg(&page)
            .arg(examples.join(name))
            .output()
            .expect("assay runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("verdict: {verdict}")), "{name}: {text}");
        let (document, complaints) = open(&browser, &page, &folder.join("profile"));
        assert!(document.contains(verdict) && document.contains(seen), "{name}: {complaints}\n{document}");
        assert!(document.contains("<svg") && document.contains("<h2>Control flow</h2>"), "{name}: no drawing\n{document}");
        // A page that a browser has to mend has text where it does not belong, or says so on its console.
        assert!(!document.contains("parsererror") && !complaints.contains("CONSOLE"), "{name}: {complaints}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
