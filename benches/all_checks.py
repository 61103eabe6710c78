#!/usr/bin/env python3
"""What a run over all checks costs: CPU time of `assay verify` without a property, and with each of its properties alone.

    benches/all_checks.py TASK.c... [--assay target/ci/assay] [--time 10] [--model LP64]
    benches/all_checks.py --folder DIR [--count 40]      every n-th program of a folder, so that there are so many
    benches/all_checks.py --folder DIR --part 1/2        the first half of them

Prints a table in Markdown, which names the slowest of the properties, and the sum over all tasks: the aim is that all checks cost at most 1.5 times the slowest property of each task.
Runs that find a violation look for more of them in the run over all checks (for half as long again); --max-violations 1 compares like
with like.
"""
import argparse
import pathlib
import re
import resource
import subprocess

PROPERTIES = ["unreach-call", "valid-memsafety", "no-overflow", "no-division-by-zero", "no-invalid-shift", "no-uninitialised-read"]


def run(options, task, prop):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    model = options.model
    match = re.search(r"data_model: *(\w+)", task.with_suffix(".yml").read_text()) if task.with_suffix(".yml").exists() else None
    model = match.group(1) if match else model
    command = [options.assay, "verify", "-p", prop, "--max-violations", "1", "--data-model", model, "--time-limit", f"{options.time}s", "--quiet", str(task)]
    result = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = [line for line in result.stdout.splitlines() if line.startswith("verdict: ")]
    verdict = lines[-1][9:].split("(")[0] if lines else "error"
    return verdict, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--assay", default="target/ci/assay")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--model", default="LP64")
    options = parser.parse_args()
    tasks = options.tasks
    if options.folder:
        every = sorted(path for path in options.folder.rglob("*") if path.suffix in (".c", ".i"))
        tasks = every[:: max(1, len(every) // options.count)][: options.count]
    part, parts = (int(number) for number in options.part.split("/"))
    tasks = tasks[(part - 1) * len(tasks) // parts : part * len(tasks) // parts]
    print("| task | slowest property | s | all checks | s | ratio |\n|---|---|---|---|---|---|")
    total, slowest, above = 0.0, 0.0, 0
    for task in tasks:
        single = [run(options, task, prop) for prop in PROPERTIES]
        verdict, time = run(options, task, "all")
        longest = max(seconds for _, seconds in single)
        which = next(index for index, (_, seconds) in enumerate(single) if seconds == longest)
        slow = f"{PROPERTIES[which].removeprefix('no-')}: {single[which][0]}"
        name = task.name if len(task.name) <= 50 else task.name[:49] + "…"
        print(f"| {name} | {slow} | {longest:.2f} | {verdict} | {time:.2f} | {time / longest:.2f} |", flush=True)
        total, slowest, above = total + time, slowest + longest, above + (time > 1.5 * longest and time - longest > 0.05)
    print(f"\n{len(tasks)} tasks: all checks {total:.1f} s, the slowest property of each {slowest:.1f} s, ratio {total / max(slowest, 0.001):.2f}; "
          f"{above} tasks above 1.5 (and 0.05 s)")


if __name__ == "__main__":
    main()
