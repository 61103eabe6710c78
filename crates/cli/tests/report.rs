//! The HTML report and a SARIF file in a real browser, where there is one: `ASSAY_BROWSER`, or a Chromium on the path.
//! Without one, the tests say so, and fail where `ASSAY_REQUIRE` asks for it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn browser(test: &str) -> Option<PathBuf> {
    let found = find_browser();
    if found.is_none() {
        let required = std::env::var("ASSAY_REQUIRE").is_ok_and(|tools| tools.split(',').any(|tool| tool == "chromium"));
        assert!(!required, "{test}: ASSAY_REQUIRE asks for a browser, and there is none");
        println!("{test}: skipped, no browser was found (set ASSAY_BROWSER, or install chromium)");
    }
    found
}

fn find_browser() -> Option<PathBuf> {
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
    let Some(browser) = browser("reports_open_in_a_browser") else { return };
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

/// A page that shows a SARIF file as viewers do: what it says, where, and each step of the way there. What it cannot
/// follow it lists as wrong.
const VIEWER: &str = r#"<!doctype html><meta charset="utf-8"><title>SARIF</title><ol id="results"></ol><ul id="wrong"></ul><script>
const wrong = text => { const li = document.createElement("li"); li.textContent = "WRONG " + text; document.getElementById("wrong").append(li); };
const place = location => {
  const physical = location.physicalLocation, uri = physical.artifactLocation.uri;
  if (/\s/.test(uri) || decodeURIComponent(new URL(uri, "file:///base/").pathname) === "") wrong("address " + uri);
  if (!(physical.region.startLine > 0)) wrong("line of " + uri);
  return decodeURIComponent(uri) + ":" + physical.region.startLine + ":" + physical.region.startColumn;
};
for (const run of log.runs) {
  const rules = new Map(run.tool.driver.rules.map(rule => [rule.id, rule]));
  for (const result of run.results) {
    const rule = rules.get(result.ruleId);
    if (!rule || !rule.help || !rule.shortDescription) wrong("rule " + result.ruleId);
    const li = document.createElement("li");
    li.textContent = "RESULT " + result.ruleId + " " + place(result.locations[0]) + " " + result.message.text;
    const flow = ((result.codeFlows || [])[0] || {threadFlows: [{locations: []}]}).threadFlows[0].locations;
    for (const step of flow) {
      if (!step.location.message || !step.location.message.text) wrong("a step without text");
      const p = document.createElement("p");
      p.textContent = "STEP " + place(step.location) + " " + (step.location.message || {}).text;
      li.append(p);
    }
    if (flow.length === 0) wrong("no way to " + result.ruleId);
    document.getElementById("results").append(li);
  }
}
</script>"#;

#[test]
fn sarif_is_shown_by_a_viewer_in_a_browser() {
    let Some(browser) = browser("sarif_is_shown_by_a_viewer_in_a_browser") else { return };
    let folder = std::env::temp_dir().join(format!("assay-sarif-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = "int main(void) {\n  int a[2] = {1, 2}, x;\n  int i = 2;\n  if (a[i] > 1)\n    return 1;\n  return x > 0 ? 1 : 0;\n}\n";
    std::fs::write(folder.join("with a space.c"), program).expect("a program");
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .current_dir(&folder)
        .args(["verify", "--time-limit", "20s", "--sarif", "log.sarif", "with a space.c"])
        .output()
        .expect("assay runs");
    let log = std::fs::read_to_string(folder.join("log.sarif")).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let page = folder.join("viewer.html");
    std::fs::write(&page, VIEWER.replace("<script>", &format!("<script>\nconst log = {log};\n"))).expect("a page");
    let (document, complaints) = open(&browser, &page, &folder.join("profile"));
    let expected = ["RESULT valid-deref with a space.c:4:", "`a` has 8 bytes", "STEP with a space.c:4:"];
    for part in expected {
        assert!(document.contains(part), "{part}: {complaints}\n{document}");
    }
    assert!(!document.contains("<li>WRONG") && !complaints.contains("CONSOLE"), "{complaints}\n{document}");
    let _ = std::fs::remove_dir_all(&folder);
}
