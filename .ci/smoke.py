#!/usr/bin/env python3
"""A small score on verification tasks, without those whose label is disputed (docs/disputed-labels.md): `smoke.py BINARY`."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


def disputed():
    """Pairs of task and property, from the rows of the table."""
    text = (ROOT / "docs" / "disputed-labels.md").read_text()
    return set(re.findall(r"^\| `([^`]+)` \| ([\w-]+) \|", text, re.MULTILINE))


def main():
    out = disputed()
    header, *rows = (SHARED / "tasks" / "tasks.tsv").read_text().splitlines()
    columns = header.split("\t")
    task, property_ = columns.index("task"), columns.index("property")

    def kept(row):
        cells = row.split("\t")
        return (cells[task].removeprefix("c/").removesuffix(".yml"), cells[property_]) not in out

    chosen = [row for row in rows if kept(row)]
    print(f"{len(rows) - len(chosen)} tasks with a disputed label are left out")
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as listed:
        listed.write("\n".join([header, *chosen]) + "\n")
        listed.flush()
        command = [sys.executable, SHARED / "tools" / "score.py", sys.argv[1], "--list", listed.name, "--root", SHARED / "tasks"]
        return subprocess.run(command + ["--sample", "40", "--time", "10", "--memory", "2", "--jobs", "2"]).returncode


if __name__ == "__main__":
    sys.exit(main())
