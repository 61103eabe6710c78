#!/usr/bin/env python3
"""Checks what the binary is made of: every package's licence is permissive, no package comes from outside of the registry, and every
direct dependency is in the table of ARCHITECTURE.md with its reason. What cargo-deny does with `licenses`, `sources` and `bans`, in a second
and without building it; known vulnerabilities are not looked for."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PERMISSIVE = {"MIT", "MIT-0", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "BSL-1.0", "Unicode-3.0",
              "Unlicense", "CC0-1.0", "0BSD", "CDLA-Permissive-2.0"}


def allowed(expression):
    """Whether an SPDX expression can be satisfied by permissive licences alone."""
    expression = expression.replace("/", " OR ").replace("(", " ( ").replace(")", " ) ")
    words = re.findall(r"\(|\)|\bOR\b|\bAND\b|[\w.+-]+(?: WITH [\w.-]+)?", expression)
    python = " ".join({"OR": "or", "AND": "and"}.get(w, w if w in "()" else str(w in PERMISSIVE)) for w in words)
    return bool(words) and eval(python)


def main():
    metadata = json.loads(subprocess.check_output(["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT))
    table = (ROOT / "ARCHITECTURE.md").read_text().split("## Dependencies and their reasons")[1]
    reasons = re.findall(r"`([\w*-]+)`", table)
    explained = lambda name: any(re.fullmatch(reason.replace("*", ".*"), name) for reason in reasons)
    members, problems = set(metadata["workspace_members"]), []
    for package in metadata["packages"]:
        if package["id"] in members:
            direct = {dependency["name"] for dependency in package["dependencies"] if not dependency["name"].startswith("assay-")}
            problems += [f"{package['name']}: {name} has no line in ARCHITECTURE.md" for name in sorted(direct) if not explained(name)]
            continue
        if not allowed(package["license"] or ""):
            problems.append(f"{package['name']} {package['version']}: licence {package['license']}")
        if not (package["source"] or "").startswith("registry+"):
            problems.append(f"{package['name']} {package['version']}: comes from {package['source']}")
    print("\n".join(problems) or f"{len(metadata['packages']) - len(members)} packages, all with permissive licences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
