#!/usr/bin/env python3
"""Which order of analyses solves most within a time, from measured runs of single presets; judged on families that were left out.

    benches/portfolio_fit.py --time 5 PRESET=RESULTS.tsv [PRESET=RESULTS.tsv …]

RESULTS.tsv are rows of score.py, one file a preset, all on the same tasks. A stage of the portfolio runs a preset for a slice of the time, going
on where its last stage stopped, and solves what the preset alone solved by then. Stages are chosen greedily (most tasks solved by second of
slice); the time that is left goes to all presets in equal parts. For each family of tasks (tasks.tsv) the choice is made on all other families
and counted on this one. Only the standard library is used.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path

SLICES = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


def load(path):
    with open(path, newline="") as file:
        return {row["id"]: float(row["cpu_s"]) if row["result"].startswith("correct") else None
                for row in csv.DictReader(file, delimiter="\t")}


def families(tasks):
    with open(tasks, newline="") as file:
        return {f"{row['task']}:{row['property']}": row["family"] for row in csv.DictReader(file, delimiter="\t")}


def solved_by(runs, stages, task):
    """The time after which the stages have solved the task, or nothing."""
    used, had = 0.0, defaultdict(float)
    for preset, part in stages:
        time = runs[preset].get(task)
        if time is not None and time <= had[preset] + part:
            return used + time - had[preset]
        used += part
        had[preset] += part
    return None


def choose(runs, tasks, limit):
    """Stages that fit the limit, best gain for each second first."""
    stages, left, open_tasks, had = [], limit, set(tasks), defaultdict(float)
    while left > 0.05:
        best = None
        for preset, times in runs.items():
            for part in [s for s in SLICES if s <= left] or [left]:
                gain = sum(1 for task in open_tasks if times.get(task) is not None and times[task] <= had[preset] + part)
                key = (gain / part, -part, preset)
                if gain and (best is None or key > best[0]):
                    best = (key, preset, part)
        if best is None:
            break
        _, preset, part = best
        stages.append((preset, part))
        had[preset] += part
        open_tasks = {task for task in open_tasks if not (runs[preset].get(task) is not None and runs[preset][task] <= had[preset])}
        left -= part
    return stages + [(preset, left / len(runs)) for preset in runs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--time", type=float, default=5.0)
    parser.add_argument("--beside", action="append", default=[], help="NAME=RESULTS.tsv of a portfolio, counted on the same tasks")
    parser.add_argument("--tasks", type=Path, default=Path(__file__).resolve().parents[2] / "shared/tasks/tasks.tsv")
    args = parser.parse_args()
    runs = {name: load(path) for name, path in (word.split("=", 1) for word in args.runs)}
    tasks = set.intersection(*(set(rows) for rows in runs.values()))
    family_of = families(args.tasks)
    groups = defaultdict(set)
    for task in tasks:
        groups[family_of.get(task, task)].add(task)
    stages = choose(runs, tasks, args.time)
    print("all families:", ", ".join(f"{preset} {part:g} s" for preset, part in stages))
    fitted = sum(1 for task in tasks if solved_by(runs, stages, task) is not None)
    held_out = 0
    for members in groups.values():
        other = choose(runs, tasks - members, args.time)
        held_out += sum(1 for task in members if solved_by(runs, other, task) is not None)
    any_preset = sum(1 for task in tasks if any(rows[task] is not None and rows[task] <= args.time for rows in runs.values()))
    print(f"{len(tasks)} tasks of {len(groups)} families: fitted {fitted}, on families left out {held_out}, by any preset {any_preset}")
    for preset, rows in runs.items():
        alone = sum(1 for task in tasks if rows[task] is not None and rows[task] <= args.time)
        print(f"  {preset} alone: {alone}")
    for name, path in (word.split("=", 1) for word in args.beside):
        rows = load(path)
        print(f"  {name}: {sum(1 for task in tasks if rows.get(task) is not None and rows[task] <= args.time)}")


if __name__ == "__main__":
    main()
