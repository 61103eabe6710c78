//! Random programs of csmith: the checksum that the interpreter computes must be the one of the compiler's executable.
//! `ASSAY_CSMITH` sets how many are tried (3 by default, and none where csmith or the compiler is missing),
//! `ASSAY_CSMITH_FIRST` the first seed.

use assay_base::CancelToken;
use assay_c::{Options, compile};
use assay_cfa::{DataModel, Operation};
use assay_semantics::interpreter::{ListOracle, Stop, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const END: &str = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);";

/// The compiler's checksum; `None` for programs that do not compile or do not end soon.
fn native(source: &Path, executable: &Path, model: DataModel) -> Option<String> {
    let width = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let compiled =
        Command::new("cc").args(["-w", "-O0", width, "-I/usr/include/csmith", "-o"]).arg(executable).arg(source).output().ok()?;
    if !compiled.status.success() {
        return None;
    }
    let mut child = Command::new(executable).stdout(std::process::Stdio::piped()).spawn().ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > Duration::from_secs(5) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split("checksum = ").nth(1).map(|rest| rest.trim().to_string())
}

#[test]
fn checksums_of_random_programs_agree() {
    let count: u32 = std::env::var("ASSAY_CSMITH").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let folder: PathBuf = std::env::temp_dir().join(format!("assay-csmith-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, executable) = (folder.join("random.c"), folder.join("random"));
    let first: u32 = std::env::var("ASSAY_CSMITH_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut compared, mut unfinished, mut refused, mut mismatches) = (0, 0, 0, Vec::new());
    for seed in first..first + count {
        let arguments = ["--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "6", "--max-array-dim", "2", "--no-argc"];
        let Ok(made) = Command::new("csmith").current_dir(&folder).args(["--seed", &seed.to_string()]).args(arguments).output() else {
            let required = std::env::var("ASSAY_REQUIRE").is_ok_and(|tools| tools.split(',').any(|tool| tool == "csmith"));
            assert!(!required, "ASSAY_REQUIRE asks for csmith, and there is none");
            break;
        };
        let text = String::from_utf8_lossy(&made.stdout).into_owned();
        let model = if seed % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        std::fs::write(&source, &text).unwrap();
        let Some(checksum) = native(&source, &executable, model) else { continue };
        let check = format!("if ((uint32_t)(crc32_context ^ 0xFFFFFFFFUL) != 0x{checksum}U) __VERIFIER_error();");
        std::fs::write(&source, format!("void __VERIFIER_error(void);\n{}", text.replace(END, &check))).unwrap();
        let mut options = Options::new(model);
        options.include_dirs.push(PathBuf::from("/usr/include/csmith"));
        let program = compile(std::slice::from_ref(&source), &options).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let result = run(&program, &mut ListOracle::default(), 20_000_000, &CancelToken::new(), &mut |_, _, _| {});
        match result.stop {
            Stop::Finished => compared += 1,
            Stop::Limit => unfinished += 1,
            // Its expressions are full of operators that a compiler knows the value of.
            Stop::Unsupported(edge) if matches!(&program.edges[edge].operation, Operation::Unsupported { what } if what.contains("order")) =>
            {
                refused += 1;
            }
            other => mismatches.push(format!("seed {seed}, {}: {other:?}", model.name())),
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    println!(
        "{compared} checksums compared, {unfinished} programs too long for the interpreter, {refused} with an order that is not followed"
    );
    assert!(mismatches.is_empty(), "{mismatches:#?}");
}
