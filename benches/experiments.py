#!/usr/bin/env python3
"""The experiments of Lemberger's thesis (Efficient Symbolic Execution using CEGAR over Two Abstract Domains, 2015), one command each.

    benches/experiments.py 7.1 [7.2 …]      measures the variants of these tables and writes their pages
    benches/experiments.py queries          who answered the satisfiability queries, and the solver's share of the time
    benches/experiments.py refinements      kinds of refinement x domains: solved, refinements, assertions that did, solver time
    benches/experiments.py portfolio        single analyses, the sequential and the dynamic portfolio, by category (figures 5.4 to 5.6 of the
                                            report on portfolios in Theta, 2021); --sample 0 --time 30 for the whole of it
    benches/experiments.py monitoring       refinement with and without those who watch it (Algs. 4.1 and 4.2 of that report)
    benches/experiments.py page             writes the pages anew from what was measured

Variants are presets or settings of `assay`; the scoreboard (score.py) runs them on one fixed sample, and a variant that several tables share
is measured once. An interrupted measurement goes on where it was. Results are one TSV a variant, and one Markdown page with SVG plots
for all tables, which puts the thesis' figures beside ours. Only the standard library is used.
"""

import argparse
import concurrent.futures
import csv
import importlib.util
import json
import math
import os
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
THESIS = ["-c", "symbolic-thesis"]


def thesis(*settings):
    return THESIS + [word for setting in settings for word in ("-s", setting)]


# Every variant: its name in file names and tables, and the options of `assay verify`.
VARIANTS = {
    "symbolic": ["-c", "symbolic"],
    "symbolic-cegar": ["-c", "symbolic-cegar"],
    "thesis": THESIS,
    "values-first": thesis("interpolation=values-first"),
    "values-only": thesis("interpolation=values-only"),
    "location": thesis("constraint-precision=location"),
    "variables": thesis("constraint-precision=variables"),
    "implication": thesis("coverage=implication"),
    "renamed": thesis("coverage=renamed"),
    "aliased": thesis("coverage=aliased"),
    "location-implication": thesis("constraint-precision=location", "coverage=implication"),
    "delegation": thesis("delegate-to-values=true"),
    "delegation-domain-good-short": thesis("delegate-to-values=true", "prefix-preference=domain-good-short"),
    "predicates-domain-good-short": thesis("constraint-precision=variables", "refinement=sequence", "prefix-preference=domain-good-short"),
    "value-domain-good-short": ["-c", "value-cegar", "-s", "prefix-preference=domain-good-short"],
    "predicate": ["-c", "predicate"],
}
PREFERENCES = {
    "random": "Random", "length-short": "Length short", "domain-good-short": "DG short", "domain-good-long": "DG long",
    "domain-good-narrow-short": "DGN short", "assignments-fewest-short": "AmF short", "assignments-fewest-long": "AmF long",
    "assumptions-fewest-short": "AtF short", "assumptions-fewest-long": "AtF long", "assumptions-most-short": "AtM short",
    "assumptions-most-long": "AtM long", "pivot-shallow-short": "PS short", "pivot-shallow-long": "PS long",
}
VARIANTS.update({f"prefix-{name}": thesis(f"prefix-preference={name}") for name in PREFERENCES})

# Of the report on portfolios: what runs, under which name, and on what.
PORTFOLIOS = ["expl", "pred", "sequential", "theta-2021", "auto"]
PORTFOLIO_CATEGORIES = ["ControlFlow", "BitVectors", "ECA", "Loops", "Sequentialized"]
VARIANTS.update({f"portfolio-{name}": ["-c", name] for name in PORTFOLIOS})
MONITORED = {"value": ["-c", "value-cegar"], "predicate": ["-c", "predicate"]}
MONITORS = ["off", "repetition", "all"]
VARIANTS.update({f"monitor-{domain}-{monitor}": [*options, "-s", f"monitor={monitor}"]
                 for domain, options in MONITORED.items() for monitor in MONITORS})


def figures(false, true, wrong_false, wrong_true, unsolved):
    return {"false": false, "true": true, "wrong false": wrong_false, "wrong true": wrong_true, "unsolved": unsolved}


# A table: what it asks, and its columns (title, our variant, the thesis' figures of 4,092 tasks: 1,181 with an error, 2,911 without).
TABLES = {
    "7.1": ("with and without CEGAR", [
        ("without CEGAR", "symbolic", figures(598, 163, 44, 0, 3287)),
        ("with CEGAR", "thesis", figures(376, 1702, 83, 1, 1930)),
        ("with CEGAR, our best options", "symbolic-cegar", None)]),
    "7.2": ("the order of interpolation", [
        ("values only", "values-only", figures(378, 1702, 83, 1, 1928)),
        ("values first", "values-first", figures(376, 1703, 83, 1, 1929)),
        ("constraints first", "thesis", figures(376, 1702, 83, 1, 1930))]),
    "7.3": ("the precision of constraints", [
        ("by constraint", "thesis", figures(376, 1702, 83, 1, 1930)),
        ("by location", "location", figures(384, 1699, 83, 1, 1925)),
        ("by variables", "variables", None)]),
    "7.4": ("coverage, precision by constraint", [
        ("subset", "thesis", figures(376, 1702, 83, 1, 1930)),
        ("implication", "implication", figures(376, 1702, 83, 1, 1930)),
        ("renamed (sound aliases)", "renamed", None)]),
    "7.5": ("coverage, precision by location", [
        ("subset", "location", figures(384, 1699, 83, 1, 1925)),
        ("implication", "location-implication", figures(384, 1695, 83, 1, 1929))]),
    "7.6": ("preferences among sliced prefixes", [
        (title, f"prefix-{name}", figures(*row, None)) for (name, title), row in zip(PREFERENCES.items(), [
            (488, 1806, 88, 1), (454, 1738, 93, 1), (476, 2000, 94, 1), (466, 1949, 93, 1), (482, 1988, 93, 1), (459, 1688, 82, 1),
            (407, 1691, 84, 1), (475, 1624, 93, 1), (412, 1672, 82, 1), (522, 1843, 93, 1), (391, 1827, 92, 1), (447, 1812, 94, 1),
            (516, 1810, 88, 1)])]),
    "7.7": ("delegation to values, without prefixes", [
        ("no delegation", "thesis", figures(376, 1702, 83, 1, 1930)),
        ("delegation", "delegation", figures(423, 1658, 84, 1, 1927))]),
    "7.8": ("delegation to values, domain good, short", [
        ("no delegation", "prefix-domain-good-short", figures(476, 2000, 94, 1, 1521)),
        ("delegation", "delegation-domain-good-short", figures(462, 1955, 86, 1, 1936))]),
    "7.9": ("precision from predicate refinement (Alg. 9), domain good, short", [
        ("own refinement", "prefix-domain-good-short", figures(476, 2000, 93, 1, 1521)),
        ("from predicates", "predicates-domain-good-short", figures(384, 1825, 12, 0, 1871))]),
    "7.10": ("against value analysis, domain good, short", [
        ("value analysis", "value-domain-good-short", figures(798, 2016, 294, 0, 984)),
        ("symbolic execution", "prefix-domain-good-short", figures(476, 2000, 94, 1, 1521))]),
    "7.11": ("against predicate analysis (in its default configuration), domain good, short", [
        ("predicate analysis", "predicate", figures(620, 2057, 21, 3, 1337)),
        ("symbolic execution", "prefix-domain-good-short", figures(476, 2000, 94, 1, 1521))]),
}


def load_score(path):
    spec = importlib.util.spec_from_file_location("score", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def result_file(args, variant):
    return args.out / f"{args.date}-thesis-{variant}.tsv"


def measure(args, variant):
    """Runs the scoreboard's tasks with a variant; rows that are there stay."""
    target, score = result_file(args, variant), load_score(args.score)
    # The wall time of rows is not measured (0). CPU time is what is limited: on a busy machine a limit of wall time would cut off runs that have most of it left.
    unlimited = 1e9
    score.time = argparse.Namespace(monotonic=lambda: unlimited)
    options = argparse.Namespace(binary=str(args.binary), time=args.time, memory=args.memory, threads=1, options=VARIANTS[variant],
                                 any_exit=False)
    rows = rows_of(args, variant)
    left = [task for task in tasks_of(args, score) if task["id"] not in rows]
    print(f"== {variant}: {' '.join(VARIANTS[variant])}: {len(left)} tasks", flush=True)
    with open(target, "a", newline="") as handle, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        writer = csv.DictWriter(handle, score.FIELDS, delimiter="\t", lineterminator="\n")
        if not rows:
            writer.writeheader()
        for row in pool.map(lambda task: score.run_one(task, options), left):
            writer.writerow(row)
            handle.flush()
            if row["result"].startswith("wrong"):
                print(f"WRONG {row['id']}: said {row['verdict']}, expected {row['expected']}", flush=True)
    anonymise(args, target)


def tasks_of(args, score):
    root = args.score.resolve().parent.parent / "tasks"
    tasks = score.load_tasks(root, root / "tasks.tsv", [args.category], ["unreach-call"])
    if args.expected:
        tasks = [task for task in tasks if task["expected"] == args.expected]
    return score.sample(tasks, args.sample, "assay") if args.sample else tasks


def anonymise(args, target):
    """Results name tasks, not places on a machine."""
    root = str(args.score.resolve().parent.parent)
    text = target.read_text()
    clean = text.replace(root + "/tasks/", "").replace(root, "")
    if clean != text:
        target.write_text(clean)


def rows_of(args, variant):
    target = result_file(args, variant)
    if not target.exists():
        return {}
    with open(target, newline="") as handle:
        return {row["id"]: row for row in csv.DictReader(handle, delimiter="\t")}


def summary(rows, tasks):
    count = Counter(rows[task]["result"] for task in tasks)
    return {"false": count["correct false"], "true": count["correct true"], "wrong false": count["wrong false"],
            "wrong true": count["wrong true"], "unsolved": count["unknown"]}


def solved(rows, tasks):
    return {task for task in tasks if rows[task]["result"].startswith("correct")}


def table_text(args, name):
    """One table as Markdown, or nothing where no variant was measured."""
    question, columns = TABLES[name]
    measured = {variant: rows_of(args, variant) for _, variant, _ in columns}
    present = [column for column in columns if measured[column[1]]]
    if len(present) < 2:
        return ""
    tasks = sorted(set.intersection(*(set(measured[variant]) for _, variant, _ in present)))
    unsafe = sum(measured[present[0][1]][task]["expected"] == "false" for task in tasks)
    lines = [f"## Table {name}: {question}", "",
             f"Ours: {len(tasks)} tasks ({unsafe} with an error). The thesis: 4,092 tasks (1,181 with an error), 900 s.", "",
             "| | correct | false | true | only here | wrong false | wrong true | no result | CPU s | thesis: correct | false | true | wrong |",
             "|---|" + "---|" * 12]
    solved_sets = {variant: solved(measured[variant], tasks) for _, variant, _ in present}
    for title, variant, theirs in present:
        ours = summary(measured[variant], tasks)
        others = set().union(*(solved_sets[other] for _, other, _ in present if other != variant))
        cpu = sum(float(measured[variant][task]["cpu_s"]) for task in tasks)
        good = ours["false"] + ours["true"]
        cells = [f"{title} (`{variant}`)", f"{good} ({100 * good / len(tasks):.1f}%)", ours["false"], ours["true"],
                 len(solved_sets[variant] - others), ours["wrong false"], ours["wrong true"], ours["unsolved"], f"{cpu:.0f}"]
        if theirs:
            their = theirs["false"] + theirs["true"]
            cells += [f"{their} ({100 * their / 4092:.1f}%)", theirs["false"], theirs["true"], theirs["wrong false"] + theirs["wrong true"]]
        else:
            cells += ["–"] * 4
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    missing = [f"{title} (`{variant}`)" for title, variant, _ in columns if not measured[variant]]
    if missing:
        lines += ["", "Not measured: " + ", ".join(missing) + "."]
    for file, text in plots(args, name, present, measured, tasks):
        (args.out / file).write_text(text)
        lines += ["", f"![{name}]({file})"]
    return "\n".join(lines) + "\n"


COLOURS = ["#1f5fa8", "#c0392b", "#2e8b57", "#8e5ea2", "#b8860b", "#444444", "#e377c2", "#17becf", "#7f7f7f", "#bcbd22", "#ff7f0e",
           "#9467bd", "#8c564b"]


def plots(args, name, present, measured, tasks):
    cactus = {title: sorted(float(measured[variant][task]["cpu_s"]) for task in solved(measured[variant], tasks))
              for title, variant, _ in present}
    yield f"{args.date}-thesis-{name}-cactus.svg", cactus_svg(cactus, args.time)
    (left, one, _), (right, two, _) = present[0], present[1]
    pairs = [(float(measured[one][task]["cpu_s"]), float(measured[two][task]["cpu_s"]),
              measured[one][task]["result"].startswith("correct"), measured[two][task]["result"].startswith("correct")) for task in tasks]
    if len(present) <= 3:
        yield f"{args.date}-thesis-{name}-scatter.svg", scatter_svg(pairs, left, right, args.time)


def axis(limit):
    """Logarithmic from 10 ms to the limit: a function to 0..1, and the ticks."""
    low, high = math.log10(0.01), math.log10(limit)
    ticks = [t for t in (0.01, 0.1, 1, 10, 100, 1000) if t <= limit]
    return lambda value: (math.log10(min(max(value, 0.01), limit)) - low) / (high - low), ticks


def frame(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="11">\n<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n")


def cactus_svg(series, limit):
    """For each variant: the n-th fastest solved task against its CPU time."""
    width, height, left, bottom, top = 620, 360, 50, 40, 15
    scale, ticks = axis(limit)
    most = max([len(times) for times in series.values()] + [1])
    x = lambda n: left + n / most * (width - left - 180)
    y = lambda seconds: height - bottom - scale(seconds) * (height - bottom - top)
    body = [f'<line x1="{left}" y1="{height - bottom}" x2="{x(most)}" y2="{height - bottom}" stroke="black"/>',
            f'<line x1="{left}" y1="{top}" x2="{left}" y2="{height - bottom}" stroke="black"/>']
    for tick in ticks:
        body.append(f'<line x1="{left - 4}" y1="{y(tick):.1f}" x2="{x(most):.1f}" y2="{y(tick):.1f}" stroke="#dddddd"/>'
                    f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in range(0, most + 1, max(1, most // 6)):
        body.append(f'<text x="{x(tick):.1f}" y="{height - bottom + 16}" text-anchor="middle">{tick}</text>')
    for index, (title, times) in enumerate(series.items()):
        colour = COLOURS[index % len(COLOURS)]
        points = " ".join(f"{x(n + 1):.1f},{y(t):.1f}" for n, t in enumerate(times))
        body.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
                    f'<rect x="{width - 170}" y="{top + 18 * index}" width="12" height="4" fill="{colour}"/>'
                    f'<text x="{width - 152}" y="{top + 6 + 18 * index}">{title} ({len(times)})</text>')
    body.append(f'<text x="{(left + x(most)) / 2:.1f}" y="{height - 8}" text-anchor="middle">solved tasks</text>'
                f'<text transform="translate(13,{height / 2}) rotate(-90)" text-anchor="middle">CPU seconds</text>')
    return frame(width, height, body)


def scatter_svg(pairs, left_title, right_title, limit):
    size, margin, top = 360, 50, 15
    scale, ticks = axis(limit)
    x = lambda seconds: margin + scale(seconds) * (size - margin - top)
    y = lambda seconds: size - margin - scale(seconds) * (size - margin - top)
    body = [f'<line x1="{x(0.01)}" y1="{y(0.01)}" x2="{x(limit)}" y2="{y(limit)}" stroke="#999999" stroke-dasharray="4 3"/>']
    for tick in ticks:
        body.append(f'<line x1="{x(tick):.1f}" y1="{y(0.01)}" x2="{x(tick):.1f}" y2="{y(limit)}" stroke="#dddddd"/>'
                    f'<line x1="{x(0.01)}" y1="{y(tick):.1f}" x2="{x(limit)}" y2="{y(tick):.1f}" stroke="#dddddd"/>'
                    f'<text x="{x(tick):.1f}" y="{size - margin + 16}" text-anchor="middle">{tick:g}</text>'
                    f'<text x="{margin - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for a, b, first, second in pairs:
        if first or second:  # what has no result takes the whole time
            colour = COLOURS[2] if first and second else COLOURS[1]
            body.append(f'<circle cx="{x(a if first else limit):.1f}" cy="{y(b if second else limit):.1f}" r="3" fill="{colour}" '
                        'fill-opacity="0.6"/>')
    body.append(f'<text x="{size / 2}" y="{size - 12}" text-anchor="middle">CPU s: {left_title}</text>'
                f'<text transform="translate(13,{size / 2}) rotate(-90)" text-anchor="middle">CPU s: {right_title}</text>')
    return frame(size, size, body)


def write_page(args):
    for variant in VARIANTS:
        if result_file(args, variant).exists():
            anonymise(args, result_file(args, variant))
    parts = [text for text in (table_text(args, name) for name in TABLES) if text]
    queries = args.out / f"{args.date}-thesis-queries.tsv"
    if queries.exists():
        with open(queries, newline="") as handle:
            parts.append(queries_text(list(csv.DictReader(handle, delimiter="\t"))))
    if not parts:
        print("nothing is measured yet")
        return
    head = (f"Made by `benches/experiments.py`; the sample is `score.py --property unreach-call --category '{args.category}' --sample "
            f"{args.sample}` with {args.time} s of CPU time and {args.memory} GiB a task. The thesis measured CPAchecker on SV-COMP 2015's tasks "
            "(other tasks than ours, some categories shared) with 900 s, so only the differences between columns compare. *Only here*: "
            "solved by no other column of the table. A point on the border of a scatter plot has no result there. Rows of single tasks "
            f"are in `{args.date}-thesis-*.tsv`.{' ' + args.note if args.note else ''}")
    head = f"# The experiments of the thesis, {args.date}\n\n{textwrap.fill(head, 120)}\n\n"
    page = args.out / f"{args.date}-thesis.md"
    page.write_text(head + "\n".join(parts))
    print(f"wrote {page}")


ANSWERS = ["queries answered by simplification", "queries answered by the parent's model", "queries answered by a remembered model",
           "queries answered by a known contradiction", "queries answered by a cached result", "queries answered by the solver",
           "queries without an answer", "queries put off"]


def portfolio(args):
    """Measures portfolios and single analyses, and writes one page: solved tasks and CPU time by category."""
    args.category = "^ReachSafety-(" + "|".join(PORTFOLIO_CATEGORIES) + ")$"
    known = subprocess.run([args.binary, "configs"], capture_output=True, text=True, check=True).stdout
    names = [name for name in PORTFOLIOS if any(line.split()[:1] == [name] for line in known.splitlines())]
    for name in names:
        measure(args, f"portfolio-{name}")
    runs = {name: rows_of(args, f"portfolio-{name}") for name in names}
    lines = [f"# Portfolios beside single analyses: {args.time} s a task", "", args.note, "",
             f"    benches/experiments.py portfolio --sample {args.sample} --time {args.time}", "",
             f"Solved tasks (wrong ones after a minus) and CPU time of all tasks in seconds. Rows: `{args.date}-thesis-portfolio-*.tsv`.", "",
             "| category | tasks | " + " | ".join(names) + " |", "|---" * (len(names) + 2) + "|"]
    for category in [*PORTFOLIO_CATEGORIES, "all"]:
        cells = []
        for rows in runs.values():
            here = [row for row in rows.values() if category in ("all", row["category"].removeprefix("ReachSafety-"))]
            right = sum(row["result"].startswith("correct") for row in here)
            wrong = sum(row["result"].startswith("wrong") for row in here)
            cpu = sum(float(row["cpu_s"]) for row in here)
            cells.append(f"{right}{f' - {wrong}' if wrong else ''} ({cpu:.0f} s)")
            count = len(here)
        lines.append(f"| {category} | {count} | " + " | ".join(cells) + " |")
    target = args.out / f"{args.date}-portfolio.md"
    target.write_text("\n".join(lines) + "\n")
    print(target)


def monitoring(args):
    """Measures refinement with every monitor, and writes one page: solved tasks, time, and what watching costs and brings."""
    args.category = "^ReachSafety-(" + "|".join(PORTFOLIO_CATEGORIES) + ")$"
    lines = [f"# Monitoring of refinement: {args.time} s a task", "", args.note, "",
             f"    benches/experiments.py monitoring --sample {args.sample} --time {args.time}", "",
             f"Compared with `off`. *The same solved* is the CPU time of the tasks that both solve. Rows: `{args.date}-thesis-monitor-*.tsv`.", "",
             "| domain | monitor | solved | wrong | gained | lost | CPU s, all tasks | CPU s, the same solved | stopped early |",
             "|---|---|---|---|---|---|---|---|---|"]
    for domain in MONITORED:
        for monitor in MONITORS:
            measure(args, f"monitor-{domain}-{monitor}")
        base = rows_of(args, f"monitor-{domain}-off")
        for monitor in MONITORS:
            rows = rows_of(args, f"monitor-{domain}-{monitor}")
            ours, theirs = solved(rows, rows), solved(base, base)
            cpu = lambda of, tasks: sum(float(of[task]["cpu_s"]) for task in tasks)
            wrong = sum(row["result"].startswith("wrong") for row in rows.values())
            early = sum(base[task]["detail"] == "time limit" and row["result"] == "unknown" and row["detail"] != "time limit"
                        for task, row in rows.items() if task in base)
            both = ours & theirs
            lines.append(f"| {domain} | {monitor} | {len(ours)} of {len(rows)} | {wrong} | {len(ours - theirs)} | {len(theirs - ours)} | "
                         f"{cpu(rows, rows):.0f} | {cpu(rows, both):.1f} ({cpu(base, both):.1f} with `off`) | {early} |")
    target = args.out / f"{args.date}-monitoring.md"
    target.write_text("\n".join(lines) + "\n")
    print(target)


def measure_queries(args):
    """Runs every task once with --json and keeps the counters of its satisfiability queries."""
    score = load_score(args.score)
    tasks = tasks_of(args, score)
    target = args.out / f"{args.date}-thesis-queries.tsv"
    fields = ["id", "verdict", "expected", "queries", *ANSWERS, "solver_s", "engine_s", "cpu_s", "wall_s", "constraints"]

    def one(task):
        command = [str(args.binary), "verify", "--json", "--property", task["prp"], "--data-model", task["model"], "--time-limit",
                   f"{args.time}s", "--memory-limit", f"{args.memory}GiB", *VARIANTS[args.variant], *task["inputs"]]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        try:
            document = json.loads(text)
        except ValueError:
            document = {}
        counters, seconds = document.get("counters", {}), document.get("seconds", {})
        row = {name: counters.get(name, 0) for name in ANSWERS}
        row.update({"id": task["id"], "verdict": document.get("verdict", "unknown"), "expected": task["expected"],
                    "queries": counters.get("satisfiability queries", 0), "solver_s": f"{seconds.get('solver', 0):.3f}",
                    "engine_s": f"{seconds.get('solver: engine', 0):.3f}", "cpu_s": f"{seconds.get('total (CPU)', 0):.3f}", "wall_s": f"{seconds.get('total (wall)', 0):.3f}",
                    "constraints": counters.get("precision: constraints", 0)})
        return row

    with open(target, "w", newline="") as handle, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        writer = csv.DictWriter(handle, fields, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for row in pool.map(one, tasks):
            writer.writerow(row)
            handle.flush()
    with open(target, newline="") as handle:
        print(queries_text(list(csv.DictReader(handle, delimiter="\t"))))


def queries_text(rows):
    total = lambda chosen, name: sum(float(row[name]) for row in chosen)
    lines = ["## Who answers the satisfiability queries", "",
             "A query is an assumption that still has a symbolic identifier after simplification. The thesis spent up to 95% of its time in "
             "the solver.", "", "| tasks | queries | " + " | ".join(name.removeprefix("queries ") for name in ANSWERS) +
             " | without the solver | time in the solver layer | in the engine |", "|---|" + "---|" * (len(ANSWERS) + 4)]
    many = [row for row in rows if int(row["queries"]) >= 1000]
    done = [row for row in rows if row["verdict"] in ("true", "false")]
    for title, chosen in [("all", rows), ("solved", done), ("with at least 1,000 queries", many)]:
        queries = max(1, total(chosen, "queries"))
        # The solver's time is wall time, as the total that it is compared with; processor time would not do on a busy machine.
        wall = max(0.001, total(chosen, "wall_s")) if rows and rows[0].get("wall_s") else None
        share = lambda name: f"{100 * total(chosen, name) / wall:.1f}%" if wall else "not measured"
        asked = total(chosen, "queries answered by the solver") + total(chosen, "queries without an answer")
        cells = [f"{title}: {len(chosen)}", f"{total(chosen, 'queries'):.0f}"]
        cells += [f"{100 * total(chosen, name) / queries:.1f}%" for name in ANSWERS]
        cells += [f"{100 - 100 * asked / queries:.1f}%", share("solver_s"), share("engine_s")]
        lines.append("| " + " | ".join(cells) + " |")
    proved = [row for row in done if row["verdict"] == "true"]
    tracked = sum(int(row["constraints"]) > 0 for row in proved)
    lines += ["", f"Of {len(proved)} proofs, {tracked} end with a precision that holds constraints."]
    return "\n".join(lines) + "\n"


# Kinds of refinement, and the domains that they refine.
KINDS = ["testing", "atoms", "sequence", "binary-forward", "binary-backward", "newton-sp-core-live", "newton-wp-core-live", "unsat-core"]
REFINED = {"value": ["-c", "value-cegar"], "symbolic": [*THESIS, "-s", "constraint-precision=variables"],
           "predicate": ["-c", "predicate"], "value-predicate": ["-c", "value-predicate"]}


def measure_refinements(args):
    """One row for each kind and domain; all with the same tasks, and a table of those that were measured."""
    score = load_score(args.score)
    tasks = tasks_of(args, score)
    fields = ["domain", "kind", "id", "expected", "verdict", "refinements", "traced", "by_trace", "registers", "predicates", "solver_s", "cpu_s"]
    target = args.out / f"{args.date}-refinements.tsv"
    rows = []
    if target.exists():
        with open(target, newline="") as handle:
            rows = list(csv.DictReader(handle, delimiter="\t"))
    there = {(row["domain"], row["kind"], row["id"]) for row in rows}
    with open(target, "a", newline="") as handle:
        writer = csv.DictWriter(handle, fields, delimiter="\t", lineterminator="\n")
        if not rows:
            writer.writeheader()
        for domain, kind, task in ((d, k, t) for d in args.domains.split(",") for k in args.kinds.split(",") for t in tasks):
            if (domain, kind, task["id"]) in there:
                continue
            command = [str(args.binary), "verify", "--json", "--property", task["prp"], "--data-model", task["model"], "--time-limit",
                       f"{args.time}s", "--memory-limit", f"{args.memory}GiB", *REFINED[domain], "-s", f"refinement={kind}", *task["inputs"]]
            text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
            try:
                document = json.loads(text)
            except ValueError:
                document = {}
            counters, seconds = document.get("counters", {}), document.get("seconds", {})
            # The solver's time is by the clock: its share of the whole tells its CPU time, whatever else the machine does.
            cpu = seconds.get("total (CPU)", 0)
            solver = cpu * min(1, seconds.get("solver", 0) / max(seconds.get("total (wall)", 0), 0.001))
            row = {"domain": domain, "kind": kind, "id": task["id"], "expected": task["expected"], "verdict": document.get("verdict", "unknown"),
                   "refinements": counters.get("refinements", 0), "traced": counters.get("refinement: paths with assertions", 0),
                   "by_trace": counters.get("refinement: refuted by what assertions speak of", 0),
                   "registers": counters.get("precision: registers", 0) + counters.get("precision: memory cells", 0),
                   "predicates": counters.get("predicates found", 0),
                   "solver_s": f"{solver:.3f}", "cpu_s": f"{cpu:.3f}"}
            writer.writerow(row)
            handle.flush()
            rows.append({name: str(value) for name, value in row.items()})
            if row["verdict"] in ("true", "false") and row["verdict"] != task["expected"]:
                print(f"WRONG {task['id']}: {domain}, {kind}: said {row['verdict']}", flush=True)
    lines = ["| domain | refinement | tasks | correct | wrong | refinements | paths with assertions | refuted by them | tracked | predicates | solver s | CPU s |",
             "|---|" + "---|" * 11]
    for domain, kind in dict.fromkeys((row["domain"], row["kind"]) for row in rows):
        mine = [row for row in rows if (row["domain"], row["kind"]) == (domain, kind)]
        answered = [row for row in mine if row["verdict"] in ("true", "false")]
        good = sum(row["verdict"] == row["expected"] for row in answered)
        total = lambda name: sum(float(row[name]) for row in mine)
        lines.append(f"| {domain} | `{kind}` | {len(mine)} | {good} | {len(answered) - good} | {total('refinements'):.0f} | {total('traced'):.0f} | "
                     f"{total('by_trace'):.0f} | {total('registers'):.0f} | "
                     f"{sum(float(row.get('predicates') or 0) for row in mine):.0f} | {total('solver_s'):.1f} | {total('cpu_s'):.1f} |")
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=[*TABLES, "queries", "refinements", "portfolio", "monitoring", "page"], metavar="TABLE")
    parser.add_argument("--binary", type=Path, default=HERE.parent / "target" / "release" / "assay")
    parser.add_argument("--score", type=Path, default=HERE.parent.parent / "shared" / "tools" / "score.py")
    parser.add_argument("--category", default="^ReachSafety|Systems")
    parser.add_argument("--sample", type=int, default=120, help="how many tasks; 0 for all")
    parser.add_argument("--expected", choices=["true", "false"], help="only tasks with this verdict")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--memory", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--variant", default="symbolic-cegar", choices=sorted(VARIANTS), help="for `queries`")
    parser.add_argument("--kinds", default=",".join(KINDS), help="for `refinements`, separated by commas")
    parser.add_argument("--domains", default="value,symbolic", help="of " + ", ".join(REFINED) + ": for `refinements`, separated by commas")
    parser.add_argument("--date", default="2026-11-15", help="the first part of the names of results")
    parser.add_argument("--note", default="", help="a sentence for the head of the page: machine, build, load")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    args = parser.parse_args()
    if args.what != ["page"] and not (os.access(args.binary, os.X_OK) and args.score.exists()):
        parser.error("--binary and --score must name the verifier and the scoreboard")
    measured = []
    for name in args.what:
        if name == "queries":
            measure_queries(args)
        if name == "refinements":
            measure_refinements(args)
            return
        if name == "portfolio":
            portfolio(args)
        if name == "monitoring":
            monitoring(args)
        for _, variant, _ in TABLES.get(name, ("", []))[1]:
            if variant not in measured:
                measured.append(variant)
                measure(args, variant)
                write_page(args)
    if not set(args.what) <= {"portfolio", "monitoring"}:
        write_page(args)


if __name__ == "__main__":
    main()
