#!/usr/bin/env python3
"""Measures the front end on a task set against gcc.

    benches/front_end.py BINARY TASKS [--out FILE.tsv] [--limit N]

Every input of TASKS (a folder with tasks.tsv, as benchmark runs use it) becomes a verified automaton (`assay cfa --format summary`,
which compiles, verifies and names unsupported constructs), and is checked by `gcc -fsyntax-only`, one after the other in the same
run. Times are processor times of the processes; memory is the peak resident size. An input counts as good if no unsupported
construct is reachable from main; inline assembly, threads and setjmp are excepted.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

EXCEPTED = re.compile(r"unsupported: (threads|setjmp|inline assembly|asm)")


def inputs_of(tasks):
    """The inputs, each once, with the word size of the first task that names it."""
    seen = {}
    lines = (tasks / "tasks.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t")))
        description = tasks / row["task"]
        found = re.search(r"input_files:\s*['\"]?([^'\"\n\]\[]+)", description.read_text())
        if not found:
            sys.exit(f"{description} names no input")
        path = (description.parent / found.group(1).strip().strip("'\"")).resolve()
        seen.setdefault(path, row["architecture"])
    return list(seen.items())


def run(command, output):
    """Exit status, processor seconds and peak kilobytes of a command."""
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def text_of(output):
    output.seek(0)
    text = output.read().decode(errors="replace")
    output.seek(0)
    output.truncate()
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("--out")
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    inputs = inputs_of(options.tasks)
    if options.limit:
        inputs = inputs[: options.limit]
    rows = []
    with tempfile.TemporaryFile() as output:
        for path, bits in inputs:
            size = path.stat().st_size
            model = "ILP32" if bits == "32" else "LP64"
            status, ours, memory = run([options.binary, "cfa", "--format", "summary", "--data-model", model, str(path)], output)
            text = text_of(output)
            gcc_status, theirs, _ = run(["gcc", "-fsyntax-only", "-w", "-m" + bits, str(path)], output)
            text_of(output)
            markers = [line for line in text.splitlines() if line.startswith("unsupported: ")]
            serious = [line for line in markers if not EXCEPTED.match(line)]
            if status != 0:
                verdict = "rejected: " + (text.strip().splitlines() or ["no message"])[0].replace(str(options.tasks) + "/", "")
            elif serious:
                verdict = serious[0].replace(str(options.tasks.resolve()) + "/", "")
            else:
                verdict = "good"
            budget = size * 100 / 1000 + 50_000
            name = path.relative_to(options.tasks.resolve())
            rows.append((str(name), bits, size, verdict, len(markers), ours, theirs, gcc_status, memory * 1.024, budget))
    report(rows, options.out)


def report(rows, out):
    if out:
        with open(out, "w") as file:
            file.write("input\tbits\tbytes\tresult\tmarkers\tassay_s\tgcc_s\tgcc_status\tpeak_kB\tbudget_kB\n")
            for row in rows:
                file.write("\t".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row) + "\n")
    good = sum(row[3] == "good" for row in rows)
    ours, theirs = sum(row[5] for row in rows), sum(row[6] for row in rows)
    both = [row for row in rows if row[7] == 0]
    over = [row for row in rows if row[8] > row[9]]
    worst = max(rows, key=lambda row: row[8] / row[9])
    print("| what | figure |\n|---|---|")
    print(f"| inputs | {len(rows)}, {sum(row[2] for row in rows) / 1e6:.1f} MB |")
    print(f"| a verified automaton without unsupported construct | {good} ({100 * good / len(rows):.1f}%) |")
    print(f"| rejected | {sum(row[3].startswith('rejected') for row in rows)} |")
    print(f"| processor time, assay | {ours:.1f} s |")
    print(f"| processor time, gcc -fsyntax-only | {theirs:.1f} s |")
    print(f"| ratio | {ours / theirs:.2f} |")
    print(f"| ratio on the {len(both)} inputs that gcc accepts | {sum(r[5] for r in both) / sum(r[6] for r in both):.2f} |")
    print(f"| inputs above 100 bytes an input byte plus 50 MB | {len(over)} |")
    print(f"| nearest to that limit | {worst[0]}: {worst[8] / 1000:.1f} of {worst[9] / 1000:.1f} MB |")
    for row in rows:
        if row[3] != "good":
            print(f"- {row[0]}: {row[3]}")


if __name__ == "__main__":
    main()
