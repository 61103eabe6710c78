#!/usr/bin/env python3
"""Checks every *false* the hard way: compiles the program together with its harness and runs it.

    check_harnesses.py BINARY RESULTS.tsv ROOT [--time 30] [--limit N] [-- options of the verifier]

RESULTS.tsv is a results file of the scoreboard; its rows with the verdict false are verified again with --harness, compiled with
`-O0 -fwrapv` (and the sanitizer that the property needs) and run. Functions that neither the program nor the harness defines
get a body that returns zero. ROOT is the folder that holds the tasks' `c/`. Prints a line a task that does not
reach its violation, and the ratio. Only the standard library is used.
"""

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SANITIZERS = {"no-overflow": ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"],
              "valid-deref": ["-fsanitize=address"], "valid-free": ["-fsanitize=address"],
              "valid-memtrack": ["-fsanitize=address"], "valid-memcleanup": ["-fsanitize=address"]}


def input_files(task):
    if task.suffix != ".yml":
        return [str(task)]
    names = re.search(r"^input_files:\s*(.+)$", task.read_text(), re.M).group(1)
    return [str(task.parent / name.strip(" '\"")) for name in names.strip("[] ").split(",")]


def compile_program(files, harness, folder, model, flags):
    """Compiles; adds bodies for undefined functions until the linker is content. Returns an error text or None."""
    stubs = folder / "stubs.c"
    names = set()
    for _ in range(4):
        stubs.write_text("".join(f"long {name}() {{ return 0; }}\n" for name in sorted(names)))
        command = ["cc", "-w", "-O0", "-fwrapv", "-fno-builtin", "-finstrument-functions", "-m32" if model == "ILP32" else "-m64",
                   *flags, *files, str(harness), str(stubs), "-o", str(folder / "a.out"), "-lm"]
        if "-fsanitize=signed-integer-overflow" in flags:
            command.remove("-fwrapv")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return None
        missing = set(re.findall(r"undefined reference to `(\w+)'", done.stderr)) - names
        if not missing:
            return (done.stderr.strip().splitlines() or ["?"])[0]
        names |= missing
    return "functions stay undefined"


def reached(done, detail):
    output = done.stdout + done.stderr
    if detail == "unreach-call":
        return done.returncode < 0 or "was reached" in output or "Assertion" in output
    return done.returncode != 0 and ("Sanitizer" in output or "runtime error" in output)


def check(row, args, folder):
    name, prop = row["id"].rsplit(":", 1)
    task = args.root / name
    prp = args.root / "c" / "properties" / f"{prop}.prp"
    files = input_files(task)
    harness = folder / "harness.c"
    harness.unlink(missing_ok=True)
    model = args.models.get(row["id"], "ILP32")
    subprocess.run([args.binary, "verify", "--quiet", "--property", str(prp), "--data-model", model, "--time-limit", f"{args.time}s",
                    "--harness", str(harness), *args.options, *files], capture_output=True)
    if not harness.exists():
        return "no harness: the verdict was not repeated"
    note = " (depends on uninitialised values)" if "cannot choose them" in harness.read_text() else ""
    error = compile_program(files, harness, folder, model, SANITIZERS.get(row["detail"], []))
    if error:
        return f"does not compile: {error}{note}"
    try:
        done = subprocess.run([str(folder / "a.out")], capture_output=True, timeout=20, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return f"runs for more than 20 s{note}"
    return None if reached(done, row["detail"]) else f"ends with status {done.returncode} without the violation{note}"


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("results")
    parser.add_argument("root", type=Path)
    parser.add_argument("--time", type=int, default=30)
    parser.add_argument("--limit", type=int, default=0)
    args = parser.parse_args(words[:cut])
    args.options = words[cut + 1:]
    with open(args.root / "tasks.tsv", newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t")
        args.models = {f"{r['task']}:{r['property']}": "LP64" if r["architecture"] == "64" else "ILP32" for r in rows}
    with open(args.results, newline="") as handle:
        falses = [row for row in csv.DictReader(handle, delimiter="\t") if row["verdict"] == "false"]
    falses = falses[: args.limit or None]
    good = 0
    with tempfile.TemporaryDirectory() as folder:
        for row in falses:
            problem = check(row, args, Path(folder))
            good += problem is None
            if problem:
                print(f"{row['id']}: {problem}", flush=True)
    print(f"{good} of {len(falses)} violations are reached by the compiled program")
    sys.exit(0 if good == len(falses) else 1)


if __name__ == "__main__":
    main()
