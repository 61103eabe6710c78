//! The tools that tests compare with. What is missing is installed where that is possible; afterwards a missing one is
//! an error, because tests that are skipped do not count as passed.

use std::process::{Command, Stdio};

/// Each tool with the command that finds it, and its Debian packages.
const TOOLS: &[(&str, &str, &str)] = &[
    ("z3", r#"PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | grep -q 'libz3\.so' || [ -n "${ASSAY_Z3:-}" ]"#, "libz3-4"),
    ("csmith", "command -v csmith >/dev/null && [ -d /usr/include/csmith ]", "csmith libcsmith-dev"),
    ("cc32", "echo 'int main(void) { return sizeof(void *) != 4; }' | cc -m32 -x c - -o /dev/null 2>/dev/null", "gcc-multilib"),
    ("chromium", r#"[ -n "${ASSAY_BROWSER:-}" ] || command -v chromium >/dev/null"#, "chromium"),
    ("nats", "command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ]", "nats-server"),
];

/// The names that `ASSAY_REQUIRE` asks for: all, where it is not set.
pub(crate) fn required() -> Vec<String> {
    let all = || TOOLS.iter().map(|(name, ..)| name.to_string()).collect();
    let split = |names: String| names.split(',').filter(|name| !name.is_empty()).map(str::to_string).collect();
    std::env::var("ASSAY_REQUIRE").map_or_else(|_| all(), split)
}

fn shell(script: &str) -> bool {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs what is missing.
pub(crate) fn provide() -> Result<String, String> {
    let mut missing = vec![];
    for name in required() {
        let Some((_, find, packages)) = TOOLS.iter().find(|(tool, ..)| *tool == name) else {
            return Err(format!("ASSAY_REQUIRE names `{name}`, which is no tool of the tests"));
        };
        if shell(find) {
            continue;
        }
        let install = format!("timeout 300 apt-get install -y -qq --no-install-recommends {packages}");
        shell(&format!("[ $(id -u) -eq 0 ] && {{ {install} || {{ timeout 120 apt-get update -qq; {install}; }}; }}"));
        if !shell(find) {
            missing.push(name);
        }
    }
    match missing.as_slice() {
        [] => Ok(String::new()),
        missing => Err(format!("missing: {} (ASSAY_REQUIRE= runs the gate without them)", missing.join(" "))),
    }
}
