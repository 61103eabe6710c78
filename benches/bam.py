#!/usr/bin/env python3
"""Measures block-abstraction memoization on verification tasks; see benches/results/ for pages made from its tables.

    bam.py differential BINARY ROOT [--sample N]    verdicts: sequential, parallel with 1, 2 and 8 threads, without memoization
    bam.py one-thread   BINARY ROOT [--sample N]    CPU time and memory: parallel with one thread against sequential
    bam.py two-threads  BINARY ROOT                 wall time or jobs a second: two threads against one, beside two processes at once
    bam.py allocation   BINARY ROOT --other BINARY  CPU time of 1 and 2 threads with another allocator, and shares of allocation and cache
    bam.py reduction    BINARY ROOT [--sample N]    hits and time: real reduction against identity
    bam.py compare      BINARY ROOT [--sample N]    X and bam-X for each X of --configs on one sample over all categories: solved, kept, CPU, wins
    bam.py plain        BINARY ROOT [--sample N]    solved and time: memoization against none, by category
    bam.py schedules    BINARY ROOT                 recorded jobs on 1, 2, 4, 8, 16 and 64 simulated workers
    bam.py incremental  BINARY ROOT [--sample N]    scripted edits: work and verdicts with the cache of the first run, and fresh
    bam.py stops        BINARY ROOT [--sample N]    how soon all jobs have stopped at a limit, after Ctrl-C, and for a target
    bam.py kills        BINARY ROOT                 a run killed at 100 random moments, and what the next run does with its cache

    bam.py tables       BINARY ROOT --parallel ROOT  all experiments of the paper, as a page: one thread, two threads, schedules, reduction,
                                                    differential; --quick takes few tasks and little time

ROOT holds a tasks.tsv (category, property, task, expected_verdict, subproperty, architecture, bytes). Each command prints a table of
tab-separated values as it goes (--out also writes it, and an SVG plot beside it where there is something to plot) and a summary at
the end. ROOT may be several folders with commas between them. Only the standard library is used.
"""

import argparse
import csv
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What the verifier ends with where it does not understand how it was called.
USAGE = 2
VERDICT = re.compile(r"^verdict: (true|false|unknown)", re.M)


class Task:
    def __init__(self, root, row):
        self.name, self.category, self.expected = row["task"], row["category"], row["expected_verdict"]
        definition = (root / row["task"]).read_text()
        source = re.search(r"input_files:\s*['\"]?([^'\"\s\]\[]+)", definition).group(1)
        self.file = (root / row["task"]).parent / source
        self.model = "ILP32" if row["architecture"] == "32" else "LP64"
        self.property = root / "c" / "properties" / (row["property"] + ".prp")
        self.bytes = int(row["bytes"])


def tasks(arguments):
    """The tasks of the chosen names and categories; ROOT may be several folders with commas between them."""
    rows, seen = [], set()
    for root in map(Path, arguments.root.split(",")):
        with open(root / "tasks.tsv", newline="") as handle:
            for row in csv.DictReader(handle, delimiter="\t"):
                if row["property"] == "unreach-call" and row["task"] not in seen:
                    seen.add(row["task"])
                    rows.append({**row, "root": root})
    if arguments.task:
        rows = [row for row in rows if re.search(arguments.task, row["task"])]
    if arguments.category:
        rows = [row for row in rows if re.search(arguments.category, row["category"])]
    if arguments.sample and arguments.command == "compare":
        return [Task(row["root"], row) for row in spread(rows, arguments.sample, arguments.seed)]
    if arguments.sample:
        rows.sort(key=lambda row: hashlib.sha256((arguments.seed + row["task"]).encode()).hexdigest())
        rows = rows[: arguments.sample]
    return [Task(row["root"], row) for row in sorted(rows, key=lambda row: row["task"])]


def spread(rows, count, seed):
    """The same rows for the same seed, spread over the categories, as score.py draws them."""
    groups = {}
    for row in rows:
        groups.setdefault(row["category"], []).append(row)
    for group in groups.values():
        group.sort(key=lambda row: hashlib.sha256(f"{seed}:{row['task']}:{row['property']}".encode()).hexdigest())
    depth, chosen = 0, []
    while len(chosen) < count and any(depth < len(group) for group in groups.values()):
        layer = [group[depth] for group in groups.values() if depth < len(group)]
        chosen.extend(layer[: count - len(chosen)])
        depth += 1
    return chosen


def disputed(arguments):
    """Verdicts that are neither right nor wrong, because the label contradicts the program: (task, verdict)."""
    found = set()
    for file in [Path(root) / "disputed.tsv" for root in arguments.root.split(",")]:
        if file.exists():
            with open(file, newline="") as handle:
                rows = csv.DictReader(handle, delimiter="\t")
                found |= {(row["task"], row["verdict"]) for row in rows if row["property"] == "unreach-call"}
    return found


def command(arguments, task, config, threads, settings=(), more=(), file=None):
    line = [arguments.binary, "verify", "--property", str(task.property), "--data-model", task.model, "--time-limit",
            f"{arguments.time}s", "--memory-limit", f"{arguments.memory}GiB", "--threads", str(threads), "--config", config, "--stats"]
    for setting in [*settings, *arguments.set]:
        line += ["--set", setting]
    return line + list(more) + [str(file or task.file)]


class Run:
    """One run of the verifier, with its verdict, times in seconds, memory in KiB and the counters that it printed."""

    def __init__(self, line, wait=None):
        begin = time.monotonic()
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.begin = begin
        if wait is None:
            self.finish()

    def finish(self):
        out, error = self.process.communicate()
        self.wall = time.monotonic() - self.begin
        self.out, self.counters = out, {}
        found = VERDICT.search(out)
        self.verdict = found.group(1) if found else "none"
        if self.process.returncode == USAGE:
            sys.exit(f"{shlex.join(self.process.args)}: {error.strip()}")
        for text in error.splitlines():
            match = re.match(r"^(.{40}) +([0-9.]+)( s)?$", text)
            if match:
                self.counters[match.group(1).strip()] = float(match.group(2))
        self.cpu = self.counters.get("total (CPU)", self.wall)
        self.total_wall = self.counters.get("total (wall)", self.wall)
        self.analysis_wall = self.total_wall - self.counters.get("reading the program", 0)
        self.memory = self.counters.get("memory at its peak (KiB)", 0)
        return self

    def count(self, name):
        return self.counters.get(name, 0)


class Table:
    """Rows that are printed as they come, and written at the end."""

    def __init__(self, arguments, *names):
        self.path, self.names, self.rows = arguments.out, names, []
        self.handle = open(self.path, "w") if self.path else None
        self.line(names)

    def line(self, cells):
        text = "\t".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells)
        print(text, flush=True)
        if self.handle:
            self.handle.write(text + "\n")
            self.handle.flush()

    def add(self, *cells):
        self.rows.append(cells)
        self.line(cells)


def median(values):
    return statistics.median(values) if values else float("nan")


def load():
    return os.getloadavg()[0]


def differential(arguments):
    ways = [("sequential", "bam-value", 1, ["engine=sequential"]), ("parallel-1", "bam-value", 1, ["engine=parallel"]),
            ("parallel-2", "bam-value", 2, []), ("parallel-8", "bam-value", 8, []), ("value", "value", 1, [])]
    if arguments.config:
        plain = arguments.config.removeprefix("bam-")
        ways = [(name, plain if name == "value" else arguments.config, threads, settings) for name, _, threads, settings in ways]
    table = Table(arguments, "task", "expected", *[name for name, *_ in ways], "agree")
    contradictions = wrong = both = 0
    for task in tasks(arguments):
        verdicts = [Run(command(arguments, task, config, threads, settings)).verdict for _, config, threads, settings in ways]
        said = {verdict for verdict in verdicts if verdict in ("true", "false")}
        solved = sum(verdict in ("true", "false") for verdict in verdicts)
        contradictions += len(said) > 1
        both += solved >= 2
        wrong += bool(said - {task.expected})
        table.add(task.name, task.expected, *verdicts, "yes" if len(said) <= 1 else "NO")
    print(f"# {len(table.rows)} tasks, {both} solved by two or more ways, {contradictions} contradictions, {wrong} with a wrong verdict")


def one_thread(arguments):
    table = Table(arguments, "task", "verdict", "sequential cpu", "parallel-1 cpu", "cpu ratio", "memory ratio", "load")
    for task in tasks(arguments):
        runs = []
        for engine in ["sequential", "parallel"]:
            line = command(arguments, task, arguments.config or "bam-value", 1, [f"engine={engine}"])
            again = [Run(line)]
            # A run that was cut by the limit takes as long every time.
            while len(again) < arguments.repeat and again[0].verdict != "unknown":
                again.append(Run(line))
            runs.append(min(again, key=lambda run: run.cpu))
        first, second = runs
        same = first.verdict if first.verdict == second.verdict else f"{first.verdict}/{second.verdict}"
        work = [max(run.count("states of summaries"), 1) for run in runs]
        # Runs that were cut by the limit did different amounts of work; they compare states a second.
        ratio = second.cpu / first.cpu if "unknown" not in same else (second.cpu / work[1]) / (first.cpu / work[0])
        table.add(task.name, same, first.cpu, second.cpu, ratio, second.memory / max(first.memory, 1), load())
    for kind in ["true", "false"]:
        rows = [row for row in table.rows if row[1] == kind]
        long = [row for row in rows if row[2] > 1]
        print(f"# {kind}: {len(rows)} tasks, median cpu ratio {median([row[4] for row in rows]):.3f}; over 1 s: {len(long)} tasks, median "
              f"{median([row[4] for row in long]):.3f}, largest {max([row[4] for row in long], default=float('nan')):.3f}; "
              f"median memory ratio {median([row[5] for row in rows]):.3f}, largest {max([row[5] for row in rows], default=0):.3f}")
    scatter(arguments, "CPU time: sequential and parallel with one thread", "sequential (s)", "parallel, one thread (s)",
            [(row[2], row[3]) for row in table.rows])


def two_threads(arguments):
    table = Table(arguments, "task", "verdict", "1 thread", "2 threads", "speed-up", "ceiling", "work/span", "unit", "load")
    for task in tasks(arguments):
        config = arguments.config or "bam-value"
        one = command(arguments, task, config, 1, ["engine=parallel"])
        # The limit is CPU time, so two threads get twice of it.
        two = command(arguments, task, config, 2)
        two[two.index("--time-limit") + 1] = f"{2 * arguments.time}s"
        best = lambda line: min((Run(line) for _ in range(arguments.repeat)), key=lambda run: run.analysis_wall)
        single, double = best(one), best(two)
        pair = [Run(one, wait=False) for _ in range(2)]
        pair = [run.finish() for run in pair]
        finished = single.verdict != "unknown" or single.count("states of summaries") == 0
        if finished:
            unit = "seconds"
            walls = (single.analysis_wall, double.analysis_wall, max(run.analysis_wall for run in pair))
            measure = [max(wall, 0.001) for wall in walls]
            speedup, ceiling = measure[0] / measure[1], 2 * measure[0] / measure[2]
        else:
            unit = "states/s"
            covered = lambda run: run.count("states explored") + run.count("states that rules saved")
            rate = lambda run: covered(run) / max(run.analysis_wall, 0.001)
            measure = [rate(single), rate(double)]
            speedup, ceiling = measure[1] / max(measure[0], 1), sum(rate(run) for run in pair) / max(measure[0], 1)
        bound = double.count("work") / double.count("critical path") if double.count("critical path") else float("nan")
        table.add(task.name, double.verdict, measure[0], measure[1], speedup, ceiling, bound, unit, load())
    long = [row for row in table.rows if row[7] == "states/s" or row[2] >= 1]
    for name, rows in [("all", table.rows), ("at least 1 s or cut by the limit", long)]:
        print(f"# {name}: {len(rows)} tasks, median speed-up {median([row[4] for row in rows]):.2f}, median ceiling {median([row[5] for row in rows]):.2f}")
    bars(arguments, "Speed-up of two threads, and of two processes (grey)", [(row[0], row[4], row[5]) for row in table.rows])


# Functions by what they do, in a profile.
ALLOCATION = re.compile(r"\bmi_|\b_mi_|\bmalloc\b|\bcfree\b|\b_int_(malloc|free)|malloc_consolidate|\brealloc\b|\bcalloc\b|unlink_chunk|tcache|alloc::alloc::|__rust_(de)?alloc")
CACHE = re.compile(r"bam::cache::|bam::parallel::|bam::shared::|base::crew::|crossbeam")
KERNEL = re.compile(r"\[k\]")


def profile(line):
    """Shares of the samples of a run, in percent: allocation, cache and scheduling, the kernel; nothing where there is no profiler."""
    if not shutil.which("perf"):
        return [float("nan")] * 3
    with tempfile.NamedTemporaryFile(suffix=".perf") as data:
        subprocess.run(["perf", "record", "-q", "-F", "499", "-o", data.name, *line], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text = subprocess.run(["perf", "report", "-q", "-i", data.name, "--no-children", "--sort", "symbol"], capture_output=True, text=True).stdout
    shares = [0.0, 0.0, 0.0]
    for percent, symbol in re.findall(r"^\s*([0-9.]+)%\s+(.*)$", text, re.M):
        for index, kind in enumerate([ALLOCATION, CACHE, KERNEL]):
            if kind.search(symbol):
                shares[index] += float(percent)
                break
    return shares


def allocation(arguments):
    """What allocation and the cache cost with one thread and with two: by a profile, and by another allocator."""
    table = Table(arguments, "task", "threads", "CPU us a state", "other allocator", "ratio", "wall us a state", "other wall", "allocation %", "cache %", "kernel %", "load")
    for task in tasks(arguments):
        for threads in (1, 2):
            costs = []
            for binary in (arguments.binary, arguments.other):
                chosen = argparse.Namespace(**{**vars(arguments), "binary": binary})
                line = command(chosen, task, arguments.config or "bam-value", threads, ["engine=parallel"])
                again = [Run(line) for _ in range(arguments.repeat)]
                states = lambda run: max(run.count("states of summaries"), 1)
                costs.append((min(run.cpu / states(run) for run in again), min(run.analysis_wall / states(run) for run in again)))
            line = command(arguments, task, arguments.config or "bam-value", threads, ["engine=parallel"])
            (mine, wall), (other, other_wall) = costs
            table.add(task.name, threads, 1e6 * mine, 1e6 * other, other / mine, 1e6 * wall, 1e6 * other_wall, *profile(line), load())
    for threads in (1, 2):
        rows = [row for row in table.rows if row[1] == threads]
        print(f"# {threads} thread(s): {len(rows)} tasks, the other allocator takes {median([row[4] for row in rows]):.2f} times the CPU time; "
              f"allocation {median([row[7] for row in rows]):.1f}%, cache and scheduling {median([row[8] for row in rows]):.1f}%, kernel {median([row[9] for row in rows]):.1f}% of the samples")
    pairs = [(one, two) for one in table.rows for two in table.rows if one[0] == two[0] and (one[1], two[1]) == (1, 2)]
    print(f"# CPU time a state of two threads against one: {median([two[2] / one[2] for one, two in pairs]):.3f}, with the other allocator "
          f"{median([two[3] / one[3] for one, two in pairs]):.3f}; speed-up {median([one[5] / two[5] for one, two in pairs]):.2f} and "
          f"{median([one[6] / two[6] for one, two in pairs]):.2f}")


def reduction(arguments):
    table = Table(arguments, "task", "real verdict", "identity verdict", "real hits", "real summaries", "identity hits", "identity summaries",
                  "real cpu", "identity cpu")
    for task in tasks(arguments):
        runs = [Run(command(arguments, task, arguments.config or "bam-value", 1, ["engine=sequential", f"reduction={kind}"])) for kind in ["real", "identity"]]
        counts = [(run.count("summaries used again"), run.count("block summaries")) for run in runs]
        table.add(task.name, runs[0].verdict, runs[1].verdict, *[int(n) for pair in counts for n in pair], runs[0].cpu, runs[1].cpu)
    for name, hits, made, verdict, cpu in [("real", 3, 4, 1, 7), ("identity", 5, 6, 2, 8)]:
        total_hits, total = sum(row[hits] for row in table.rows), sum(row[made] for row in table.rows)
        solved = sum(row[verdict] != "unknown" for row in table.rows)
        both = sum(row[cpu] for row in table.rows if row[1] != "unknown" and row[2] != "unknown")
        print(f"# {name}: {solved} solved, hit rate {total_hits / max(total + total_hits, 1):.3f}, {both:.1f} s on tasks that both solve")


def plain(arguments):
    table = Table(arguments, "task", "category", "expected", "bam verdict", "plain verdict", "bam cpu", "plain cpu")
    config = arguments.config or "bam-value"
    for task in tasks(arguments):
        runs = [Run(command(arguments, task, name, 1, settings)) for name, settings in [(config, ["engine=sequential"]), (config.removeprefix("bam-"), [])]]
        table.add(task.name, task.category, task.expected, runs[0].verdict, runs[1].verdict, runs[0].cpu, runs[1].cpu)
    for category in sorted({row[1] for row in table.rows}):
        rows = [row for row in table.rows if row[1] == category]
        solved = [sum(row[column] == row[2] for row in rows) for column in [3, 4]]
        wrong = [sum(row[column] not in (row[2], "unknown", "none") for row in rows) for column in [3, 4]]
        both = [row for row in rows if row[3] == row[4] == row[2]]
        times = [sum(row[column] for row in both) for column in [5, 6]]
        print(f"# {category}: {len(rows)} tasks, solved {solved[0]} with memoization and {solved[1]} without, wrong {wrong[0]} and {wrong[1]}; "
              f"{times[0]:.1f} s and {times[1]:.1f} s on {len(both)} that both solve")


PLAIN = "value,value-cegar,symbolic,symbolic-cegar,interval,bdd"
# Where the same code is entered again and again.
REPEATS = re.compile("ECA|ProductLines|Sequentialized|Drivers")


def compare(arguments):
    """X and bam-X, one thread. --plain takes the runs of X that solved nothing from the table of an earlier comparison."""
    table = Table(arguments, "X", "task", "category", "expected", "X verdict", "bam-X verdict", "X cpu", "bam-X cpu", "blocks", "summaries", "hits", "given up")
    known, excused, chosen = {}, disputed(arguments), tasks(arguments)
    if arguments.plain:
        with open(arguments.plain) as handle:
            for row in csv.DictReader((line for line in handle if not line.startswith("#")), delimiter="\t"):
                if row["X verdict"] != row["expected"]:
                    known[row["X"], row["task"]] = (row["X verdict"], float(row["X cpu"]))
    for config in arguments.configs.split(","):
        for task in chosen:
            if (config, task.name) in known:
                verdict, cpu = known[config, task.name]
            else:
                run = Run(command(arguments, task, config, 1))
                verdict, cpu = run.verdict, run.cpu
            if arguments.kept and verdict != task.expected and not REPEATS.search(task.category):
                table.add(config, task.name, task.category, task.expected, verdict, "not run", cpu, 0.0, 0, 0, 0, 0)
                continue
            bam = Run(command(arguments, task, "bam-" + config, 1))
            counts = [int(bam.count(name)) for name in ("blocks", "block summaries", "summaries used again", "blocks given up")]
            table.add(config, task.name, task.category, task.expected, verdict, bam.verdict, cpu, bam.cpu, *counts)
        judged(config, [row for row in table.rows if row[0] == config], excused)


def judged(config, rows, excused):
    right = lambda row, column: row[column] == row[3]
    wrong = lambda row, column: row[column] in ("true", "false") and row[column] != row[3] and (row[1], row[column]) not in excused
    plain, bam = [sum(right(row, column) for row in rows) for column in (4, 5)]
    both = [row for row in rows if right(row, 4) and right(row, 5)]
    kept = len(both) / max(plain, 1)
    ratio = lambda some: f"{median([row[7] / max(row[6], 0.001) for row in some]):.2f}"
    long = [row for row in both if row[6] > 1]
    contradictions = [row[1] for row in rows if {row[4], row[5]} == {"true", "false"}]
    print(f"# {config}: {len(rows)} tasks, X solves {plain}, bam-X {bam}, kept {len(both)} ({100 * kept:.1f}%); median ratio of CPU time {ratio(both)} of {len(both)}, "
          f"over 1 s {ratio(long)} of {len(long)}; wrong {sum(wrong(row, 4) for row in rows)} and {sum(wrong(row, 5) for row in rows)}, contradictions {len(contradictions)} {contradictions}")
    again = [row for row in rows if REPEATS.search(row[2])]
    both = [row for row in again if right(row, 4) and right(row, 5)]
    long = [row for row in both if row[6] > 1]
    print(f"#   where blocks repeat: {len(again)} tasks, X solves {sum(right(row, 4) for row in again)}, bam-X {sum(right(row, 5) for row in again)}; "
          f"over 1 s: ratio of all CPU time {sum(row[7] for row in long) / max(sum(row[6] for row in long), 0.001):.2f} of {len(long)}")
    for name, column, other in [("lost", 4, 5), ("won", 5, 4)]:
        print(f"#   {name}: " + ", ".join(f"{Path(row[1]).stem} ({row[column + 2]:.1f} s)" for row in rows if right(row, column) and not right(row, other)), flush=True)


def schedules(arguments):
    workers = [int(n) for n in arguments.workers.split(",")]
    cost = (arguments.message / 1e3, arguments.own / 1e6)
    table = Table(arguments, "task", "verdict", "slices", "work s", "span s", *[f"speed-up {n}" for n in workers])
    for task in tasks(arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trace.json"
            run = Run(command(arguments, task, arguments.config or "bam-value", 1, ["engine=parallel"], ["--trace-jobs", str(file)]))
            if not file.exists():
                continue
            slices = [event["args"] | {"length": event["dur"] / 1e6} for event in json.loads(file.read_text())["traceEvents"]]
        if not slices:
            continue
        work, span = sum(s["length"] for s in slices), simulate(slices, len(slices))
        table.add(task.name, run.verdict, len(slices), work, span, *[work / max(simulate(slices, n, *cost), 1e-9) for n in workers])
    long = [row for row in table.rows if row[3] >= arguments.least]
    medians = ", ".join(f"{n} workers {median([row[5 + i] for row in long]):.2f}" for i, n in enumerate(workers))
    print(f"# {len(long)} tasks with at least {arguments.least} s of work: median speed-up {medians}")
    lines(arguments, "Simulated speed-up of recorded jobs", workers, [(row[0], row[5:]) for row in long])


def simulate(slices, workers, message=0.0, reading=0.0):
    """The time in which workers that take the oldest ready slice are done. A slice is ready when the summaries that it used are
    finished and the slice that made its job has come so far. Slices of one job exclude each other, but their order is free: which
    summary comes first depends on the schedule. On machines, what a slice has found is known to others a message later, and the one
    that asked reads one answer after the other, each in the time `reading`."""
    import heapq
    numbers = {s["slice"]: index for index, s in enumerate(slices)}
    job, needs = list(range(len(slices))), []
    for index in sorted(range(len(slices)), key=lambda i: slices[i]["slice"]):
        own = [(numbers[n], after) for n, after in slices[index]["needs"] if n in numbers]
        # The first need of a later slice is the slice before it of the same job.
        if own and own[0][1] is None:
            job[index] = job[own[0][0]]
            own = own[1:]
        needs.append((index, own))
    needs = [own for _, own in sorted(needs)]
    waiting, users = [len(n) for n in needs], [[] for _ in slices]
    for index, list_of in enumerate(needs):
        for need, after in list_of:
            users[need].append((index, after))
    ready = [index for index, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    events, free, now, last, owned, held, read = [], workers, 0.0, 0.0, set(), {}, 0.0
    while ready or events:
        while ready and free:
            index = heapq.heappop(ready)
            if job[index] in owned:
                held.setdefault(job[index], []).append(index)
                continue
            owned.add(job[index])
            free -= 1
            length = slices[index]["length"]
            heapq.heappush(events, (now + length, -1, index))
            known = message
            if reading:
                read = max(read, now + length + message) + reading
                known = read - now - length
            for user, after in users[index]:
                heapq.heappush(events, (now + (length + known if after is None else min(after / 1e6, length) + message), user, index))
        now, user, index = heapq.heappop(events)
        if user < 0:
            free, last = free + 1, now
            owned.discard(job[index])
            for other in held.pop(job[index], []):
                heapq.heappush(ready, other)
            continue
        waiting[user] -= 1
        if waiting[user] == 0:
            heapq.heappush(ready, user)
    return last


# Edits of C text, each from a random generator; None where the text offers no place.
def changed_constant(text, rng):
    places = [m for m in re.finditer(r"(=\s*)(\d{1,4})(\s*;)", text) if not text[: m.start()].rstrip().endswith(("for", "("))]
    if not places:
        return None
    place = rng.choice(places)
    return text[: place.start(2)] + str(int(place.group(2)) + 1) + text[place.end(2):]


def statement_places(text):
    return [m.end() for m in re.finditer(r"\n\s+[A-Za-z_]\w*\s*=\s*[^;{}\n]+;(?=\s*\n)", text)]


def new_branch(text, rng):
    places = statement_places(text)
    if not places:
        return None
    at = rng.choice(places)
    return text[:at] + " if (sizeof(int) == 3) { while (1) { } }" + text[at:]


def address_taken(text, rng):
    places = [m for m in re.finditer(r"\n\s+int ([a-z_]\w*)\s*(=[^;{}\n]*)?;(?=\s*\n)", text)]
    if not places:
        return None
    place = rng.choice(places)
    return text[: place.end()] + f" int *assay_address_{place.group(1)} = &{place.group(1)};" + text[place.end():]


def changed_layout(text, rng):
    places = [m for m in re.finditer(r"\nstruct \w+\s*\{", text)]
    if not places:
        return text + "\nstruct assay_new_struct { int a; char b; };\n"
    place = rng.choice(places)
    return text[: place.end()] + " int assay_new_member; " + text[place.end():]


def introduced_bug(text, rng):
    name = "__VERIFIER_error" if "__VERIFIER_error" in text else "reach_error"
    places = [m.end() for m in re.finditer(r"\nint main\s*\([^)]*\)\s*\{", text)] or [m.end() for m in re.finditer(r"\bmain\s*\([^)]*\)\s*\n?\{", text)]
    if not places:
        return None
    return text[: places[0]] + f" if (sizeof(int) == 4) {{ {name}(); }} " + text[places[0]:]


EDITS = [("changed constant", changed_constant), ("new branch", new_branch), ("address taken", address_taken),
         ("changed layout", changed_layout), ("introduced bug", introduced_bug)]


def incremental(arguments):
    """The first run fills a cache; the edited program is verified with it and without; then the edit is taken back (a fixed bug).
    Tasks that the first run does not solve, or that have fewer blocks than --blocks, are passed over, until --count are done."""
    table = Table(arguments, "task", "edit", "first verdict", "fresh verdict", "cached verdict", "first states", "fresh states", "cached states",
                  "share of first", "summaries reused", "undone verdict", "undone share", "not portable", "violation again", "of other code", "other state")
    config, done = arguments.config or "bam-value", 0
    drawn = lambda task: hashlib.sha256((arguments.seed + task.name).encode()).hexdigest()
    for task in sorted(tasks(arguments), key=drawn):
        if done == arguments.count:
            break
        text, rng = task.file.read_text(errors="replace"), random.Random(arguments.seed + task.name)
        with tempfile.TemporaryDirectory() as folder:
            file, filled = Path(folder) / ("edited" + task.file.suffix), Path(folder) / "cache"
            verify = lambda more=(): Run(command(arguments, task, config, 1, [], more, file))
            file.write_text(text)
            first = verify(["--cache", str(filled)])
            if first.verdict not in ("true", "false") or first.count("blocks") < arguments.blocks:
                continue
            done += 1
            for name, edit in EDITS:
                changed = edit(text, rng)
                if changed is None or changed == text:
                    continue
                cache = Path(folder) / name.replace(" ", "-")
                shutil.copytree(filled, cache)
                file.write_text(changed)
                cached, fresh = verify(["--cache", str(cache)]), verify()
                file.write_text(text)
                undone = verify(["--cache", str(cache)])
                states = [run.count("states explored") for run in (first, fresh, cached, undone)]
                table.add(task.name, name, first.verdict, fresh.verdict, cached.verdict, int(states[0]), int(states[1]), int(states[2]),
                          states[2] / max(states[0], 1), int(cached.count("summaries from the cache")), undone.verdict,
                          states[3] / max(states[0], 1), int(cached.count("summaries that no other run could read")),
                          int(cached.count("violations of earlier runs found again")), int(cached.count("summaries of other code")),
                          int(cached.count("summaries not in the cache")))
    solved = [row for row in table.rows if "unknown" not in row[2:5] and "none" not in row[2:5]]
    differ = [row for row in table.rows if {row[3], row[4]} == {"true", "false"} or {row[2], row[10]} == {"true", "false"}]
    lost = [row for row in table.rows if row[3] in ("true", "false") and row[4] not in ("true", "false")]
    for name in ["all"] + [name for name, _ in EDITS]:
        rows = [row for row in solved if name in ("all", row[1])]
        low = sum(row[8] <= 0.3 for row in rows)
        print(f"# {name}: {len(rows)} edits of {len({row[0] for row in rows})} tasks solved each time: median share of the first run's states "
              f"{median([row[8] for row in rows]):.2f}, at most 30% in {low}; after the edit is taken back {median([row[11] for row in rows]):.2f}")
    print(f"# of {len(table.rows)} edits, {len(differ)} verdicts differ from a fresh run's, {len(lost)} are lost")


def stops(arguments):
    """How soon all jobs have stopped: at the time limit, after Ctrl-C at a random moment, and when a target is found."""
    table = Table(arguments, "task", "threads", "why", "verdict", "until all jobs had stopped ms", "signal to exit ms")
    rng = random.Random(arguments.seed)
    for task in tasks(arguments):
        for threads in (1, 2, 8):
            line = command(arguments, task, arguments.config or "bam-value", threads, ["engine=parallel"])
            run = Run(line)
            why = "limit" if run.verdict == "unknown" else "target" if run.verdict == "false" else "proof"
            stopped = run.counters.get("until all jobs had stopped")
            if stopped is not None:
                table.add(task.name, threads, why, run.verdict, 1000 * stopped, "")
            if run.wall < 0.3:
                continue
            wall, run = run.wall, Run(line, wait=False)
            time.sleep(rng.uniform(0.1, 0.8 * wall))
            begin = time.monotonic()
            run.process.send_signal(signal.SIGINT)
            run.finish()
            taken = time.monotonic() - begin
            stopped = run.counters.get("until all jobs had stopped")
            if "interrupted" in run.out:
                table.add(task.name, threads, "signal", run.verdict, 1000 * stopped if stopped is not None else "none", 1000 * taken)
    for why in sorted({row[2] for row in table.rows}):
        values = [row[4] for row in table.rows if row[2] == why and row[4] != "none"]
        late = sum(row[2] == why and row[4] == "none" for row in table.rows)
        print(f"# {why}: {len(values)} stops, median {median(values):.1f} ms, largest {max(values, default=0):.1f} ms, {late} that were not in time to say")


def kills(arguments):
    """Kills a run with a cache at random moments; whatever is left must not change the verdict of the next run."""
    table = Table(arguments, "task", "kill after s", "segments left", "verdict after", "expected", "reused", "complaints")
    rng, chosen, bad = random.Random(arguments.seed), tasks(arguments), 0
    for number in range(arguments.count):
        task = chosen[number % len(chosen)]
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "cache"
            line = command(arguments, task, arguments.config or "bam-value", 2, [], ["--cache", str(cache)])
            moment = rng.uniform(0.01, arguments.time / 2)
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if number % 3 == 2 and cache.exists():
                damage(cache, rng)
            left = len(list(cache.glob("*.seg"))) if cache.exists() else 0
            run = Run(line)
        wrong = run.verdict not in (task.expected, "unknown")
        bad += wrong
        table.add(task.name, moment, left, run.verdict, task.expected, int(run.count("summaries from the cache")), len(re.findall("was not used", run.out)))
    print(f"# {len(table.rows)} kills, {bad} wrong verdicts afterwards, {sum(row[5] > 0 for row in table.rows)} runs reused something")


def damage(cache, rng):
    """What a failing disk does: a changed byte, a cut file, a foreign file."""
    for file in list(cache.glob("*.seg")):
        data = bytearray(file.read_bytes())
        kind = rng.randrange(3)
        if kind == 0 and data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data = data[: rng.randrange(len(data) + 1)]
        else:
            data = bytearray(rng.randbytes(200))
        file.write_bytes(data)


# Plots: plain SVG, so that nothing is needed to make or to see them.
def svg(arguments, width, height, body):
    if arguments.out:
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">'
        Path(arguments.out).with_suffix(".svg").write_text(head + '<rect width="100%" height="100%" fill="white"/>' + "".join(body) + "</svg>\n")


def scatter(arguments, title, x_name, y_name, points):
    import math
    size, edge, low = 420, 50, 0.01
    high = max([max(p) for p in points] + [1]) * 1.2
    place = lambda v: (math.log10(max(v, low)) - math.log10(low)) / (math.log10(high) - math.log10(low)) * (size - 2 * edge)
    body = [f'<text x="{edge}" y="20">{title}</text>', f'<text x="{size / 2}" y="{size - 8}">{x_name}</text>',
            f'<text x="12" y="{size / 2}" transform="rotate(-90 12 {size / 2})">{y_name}</text>',
            f'<line x1="{edge}" y1="{size - edge}" x2="{size - edge}" y2="{edge}" stroke="grey"/>']
    for x, y in points:
        body.append(f'<circle cx="{edge + place(x):.1f}" cy="{size - edge - place(y):.1f}" r="2.5" fill="steelblue" fill-opacity="0.6"/>')
    value = low
    while value <= high:
        body.append(f'<text x="{edge + place(value):.1f}" y="{size - edge + 14}">{value:g}</text><text x="{edge - 30}" y="{size - edge - place(value):.1f}">{value:g}</text>')
        value *= 10
    svg(arguments, size, size, body)


def bars(arguments, title, rows):
    width, body = 760, [f'<text x="10" y="18">{title}</text>']
    for index, (name, value, ceiling) in enumerate(rows):
        y = 30 + index * 16
        body.append(f'<text x="10" y="{y + 10}">{Path(name).stem}</text><rect x="220" y="{y}" width="{ceiling * 200:.1f}" height="12" fill="#ddd"/>'
                    f'<rect x="220" y="{y + 2}" width="{value * 200:.1f}" height="8" fill="steelblue"/><text x="{230 + max(value, ceiling) * 200:.0f}" y="{y + 10}">{value:.2f}</text>')
    svg(arguments, width, 40 + 16 * len(rows), body)


def lines(arguments, title, xs, rows):
    import math
    width, height, edge = 520, 420, 50
    high = max([max(ys) for _, ys in rows] + [2])
    at = lambda x, y: (edge + math.log2(x) / math.log2(xs[-1]) * (width - 2 * edge), height - edge - math.log2(max(y, 1)) / math.log2(max(high, 2)) * (height - 2 * edge))
    body = [f'<text x="{edge}" y="20">{title} (both axes logarithmic; dashed: linear)</text>']
    body += [f'<text x="{at(x, 1)[0]:.0f}" y="{height - edge + 16}">{x}</text><text x="{edge - 25}" y="{at(1, x)[1]:.0f}">{x if x <= high else ""}</text>' for x in xs]
    ends = [at(x, x) for x in xs if x <= high]
    body.append('<polyline fill="none" stroke="grey" stroke-dasharray="4" points="' + " ".join(f"{a:.1f},{b:.1f}" for a, b in ends) + '"/>')
    for _, ys in rows:
        body.append('<polyline fill="none" stroke="steelblue" stroke-opacity="0.6" points="' + " ".join("%.1f,%.1f" % at(x, y) for x, y in zip(xs, ys)) + '"/>')
    svg(arguments, width, height, body)


class Tee:
    """Prints, and keeps what summaries say."""

    def __init__(self, out):
        self.out, self.kept, self.rest = out, [], ""

    def write(self, text):
        self.out.write(text)
        *lines, self.rest = (self.rest + text).split("\n")
        self.kept += [line[2:] for line in lines if line.startswith("# ")]

    def flush(self):
        self.out.flush()


def paper(arguments):
    """The experiments of the paper, one after the other; the page has what each of them says at its end."""
    quick = arguments.quick
    parallel = arguments.parallel or arguments.root
    experiments = [
        ("One thread of the parallel algorithm against the sequential one", one_thread, arguments.root, dict(sample=20 if quick else 120, time=1 if quick else 3, repeat=1 if quick else 3)),
        ("Two threads against one, values", two_threads, parallel, dict(config="bam-value", time=1 if quick else 5, memory=12, repeat=1, sample=3 if quick else 0)),
        ("Two threads against one, symbolic execution with refinement", two_threads, parallel,
         dict(config="bam-symbolic-cegar", time=1 if quick else 5, memory=12, repeat=1, sample=3 if quick else 0)),
        ("Recorded jobs on simulated workers", schedules, parallel, dict(time=1 if quick else 3, sample=3 if quick else 0)),
        ("Real reduction against identity", reduction, arguments.root, dict(sample=10 if quick else 50, time=1 if quick else 3)),
        ("Sequential, parallel with 1, 2 and 8 threads, and no memoization", differential, arguments.root, dict(sample=8 if quick else 40, time=1)),
    ]
    page = ["# The experiments with memoization", "", f"`{' '.join(['bam.py'] + sys.argv[1:])}`, load {load():.1f} at the start.", ""]
    for title, run, root, settings in experiments:
        chosen = argparse.Namespace(**{**vars(arguments), **settings, "root": root, "out": None})
        tee = Tee(sys.stdout)
        sys.stdout = tee
        try:
            run(chosen)
        finally:
            sys.stdout = tee.out
        words = ", ".join(f"{name} {value}" for name, value in settings.items() if value)
        page += [f"## {title}", "", f"Settings: {words}.", ""] + [f"- {line}" for line in tee.kept] + [""]
        if arguments.out:
            Path(arguments.out).write_text("\n".join(page))


COMMANDS = {"tables": paper, "differential": differential, "one-thread": one_thread, "two-threads": two_threads, "allocation": allocation, "reduction": reduction, "plain": plain, "compare": compare,
            "schedules": schedules, "incremental": incremental, "stops": stops, "kills": kills}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("binary")
    parser.add_argument("root")
    parser.add_argument("--category", help="a regular expression")
    parser.add_argument("--task", help="a regular expression")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", default="bam")
    parser.add_argument("--config", help="the preset with memoization; bam-value where nothing is said")
    parser.add_argument("--time", type=float, default=10, help="CPU seconds for one run and thread")
    parser.add_argument("--memory", type=float, default=4, help="GiB")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting for every run; may be repeated")
    parser.add_argument("--other", help="the binary with another allocator (cargo build --release --features system-allocator)")
    parser.add_argument("--repeat", type=int, default=1, help="runs of which the fastest counts")
    parser.add_argument("--count", type=int, default=100, help="how many kills, or tasks with edits")
    parser.add_argument("--blocks", type=int, default=4, help="tasks with fewer blocks are not edited")
    parser.add_argument("--workers", default="1,2,4,8,16,64", help="for schedules")
    parser.add_argument("--message", type=float, default=0, help="for schedules: ms from the end of a slice until others know of it")
    parser.add_argument("--own", type=float, default=0, help="for schedules: us in which the one that asks reads an answer")
    parser.add_argument("--least", type=float, default=0.2, help="seconds of work for the summary of schedules")
    parser.add_argument("--parallel", help="for tables: the folder with the tasks for the parallel experiments")
    parser.add_argument("--quick", action="store_true", help="for tables: few tasks and little time")
    parser.add_argument("--configs", default=PLAIN, help="for compare: each X, with commas between them")
    parser.add_argument("--kept", action="store_true", help="for compare: bam-X runs only where X solves the task, or blocks repeat")
    parser.add_argument("--plain", help="for compare: the table of an earlier comparison, from which the runs of X that solved nothing are taken")
    parser.add_argument("--out", help="a file for the table")
    arguments = parser.parse_args()
    print("# " + " ".join(["bam.py"] + [Path(a).name if os.sep in a else a for a in sys.argv[1:]]), flush=True)
    COMMANDS[arguments.command](arguments)


if __name__ == "__main__":
    main()
