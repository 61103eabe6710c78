#!/usr/bin/env python3
"""Writes `benches/README.md`: one page with what the scoreboard measured, made from the rows in `benches/results/` (files that
`score.py --out` wrote), and a list of the pages there. Nothing on the page is written by hand: `python3 benches/scores.py` after new
rows or pages are there."""
import csv
import pathlib
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = {"id", "category", "expected", "verdict", "result", "cpu_s", "memory_mb"}


def rows_of(path):
    with open(path, newline="") as file:
        reader = csv.DictReader(file, delimiter="\t")
        return list(reader) if FIELDS <= set(reader.fieldnames or []) else []


def line(name, rows):
    count = lambda word: sum(row["result"] == word for row in rows)
    wrong = sum(row["result"].startswith("wrong") for row in rows)
    times = sorted(float(row["cpu_s"] or 0) for row in rows)
    memory = max(float(row["memory_mb"] or 0) for row in rows)
    solved = 100 * (count("correct true") + count("correct false")) / len(rows)
    return (f"| [{name.removesuffix('.tsv')}] | {len(rows)} | {count('correct true')} | {count('correct false')} | {wrong} | {solved:.0f}% "
            f"| {sum(times):.0f} | {times[len(times) // 2]:.2f} | {memory:.0f} |")


def main():
    text = ["# Scores", "", "Made by `benches/scores.py` from the rows in `benches/results/`; do not edit. The name of a file says the day,",
            "the configuration, the tasks and the CPU time a task; the page of that day beside it has the command and what was",
            "learned. *Wrong* counts labels that we dispute, too (`docs/disputed-labels.md`).", "",
            "| rows | tasks | true | false | wrong | solved | CPU s | median s | most MB |", "|---|---|---|---|---|---|---|---|---|"]
    names = []
    for path in sorted(HERE.glob("results/**/*.tsv"), reverse=True):
        rows = rows_of(path)
        if rows:
            names.append(path.relative_to(HERE / "results").as_posix())
            text.append(line(names[-1], rows))
    text += ["", "## Pages", "", "What was measured, with the commands; the newest first.", ""]
    for path in sorted(HERE.glob("results/**/*.md"), reverse=True):
        title = path.read_text().splitlines()[0].lstrip("# ")
        name = path.relative_to(HERE / "results").as_posix()
        names.append(name)
        text += [f"- [{name}]:", *textwrap.wrap(title, 118, initial_indent="  ", subsequent_indent="  ")]
    text += ["", *(f"[{name.removesuffix('.tsv')}]: results/{name}" for name in names)]
    (HERE / "README.md").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
