#!/usr/bin/env python3
"""Compares a run for all checks with the runs for each property alone: no check that one of them decides may be open
or decided otherwise in the run for all.

    benches/compare_checks.py ASSAY [--programs N] [--time S] [--jobs J] FILE_OR_FOLDER...

The run for all gets the sum of the times of the others. Each line that is printed is a difference; the last line counts
them. The status is 1 where there is a contradiction (violated here, proved there, each for the same kind of check)."""

import argparse, concurrent.futures, json, pathlib, random, subprocess, sys

PROPERTIES = ["unreach-call", "valid-memsafety", "no-overflow", "no-division-by-zero", "no-invalid-shift", "no-uninitialised-read"]
KINDS = {
    "unreach-call": {"unreach-call"},
    "valid-memsafety": {"valid-deref", "valid-free", "valid-memtrack"},
    "no-overflow": {"no-overflow"},
    "no-division-by-zero": {"no-division-by-zero"},
    "no-invalid-shift": {"no-invalid-shift"},
    "no-uninitialised-read": {"no-uninitialised-read"},
}


def run(assay, program, name, seconds):
    command = [assay, "verify", "--json", "--progress", "none", "--threads", "1", "--memory-limit", "3GiB"]
    command += ["--time-limit", f"{seconds}s", "-p", name, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds * 20 + 120)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def compare(assay, program, seconds):
    found = {name: run(assay, program, name, seconds) for name in PROPERTIES}
    together = run(assay, program, "all", seconds * len(PROPERTIES))
    if together is None or None in found.values():
        return program, None, []
    checks = together["checks"]
    violated = {one["check"] for one in checks["violated"]}
    still_open = {one["check"] for one in checks["open"]}
    lines = []
    for name, alone in found.items():
        kinds = KINDS[name]
        # A run for all asks about all error functions, and a run for one property about the first.
        if alone["verdict"] == "false":
            if alone["violated"] not in violated:
                word = "open" if alone["violated"] in still_open else "CONTRADICTION: proved"
                lines.append(f"{name} alone is false({alone['violated']}), together it is {word}")
        elif alone["verdict"] == "true" and violated & kinds and name != "unreach-call":
            lines.append(f"{name} alone is true, together CONTRADICTION: violated")
        elif alone["verdict"] == "true" and still_open & kinds and name != "unreach-call":
            lines.append(f"{name} alone is true, together it is open")
    return program, together["verdict"], lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("places", nargs="+")
    parser.add_argument("--programs", type=int, default=100, help="so many programs are chosen, by a fixed seed")
    parser.add_argument("--time", type=int, default=5, help="seconds of CPU time for a property")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    programs = []
    for place in map(pathlib.Path, arguments.places):
        programs += sorted([*place.rglob("*.c"), *place.rglob("*.i")]) if place.is_dir() else [place]
    random.Random(1).shuffle(programs)
    programs = programs[: arguments.programs]
    counts = {"compared": 0, "not read": 0, "open together": 0, "contradictions": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(compare, arguments.assay, program, arguments.time) for program in programs]
        for job in concurrent.futures.as_completed(jobs):
            program, verdict, lines = job.result()
            counts["compared" if verdict else "not read"] += 1
            for line in lines:
                counts["contradictions" if "CONTRADICTION" in line else "open together"] += 1
                print(f"{program}: {line}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(1 if counts["contradictions"] else 0)


if __name__ == "__main__":
    main()
