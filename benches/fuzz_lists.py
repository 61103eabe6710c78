#!/usr/bin/env python3
"""Hunts wrong proofs of shape analysis: random C programs over linked lists. A program that `shape` proves and another
preset refutes is printed and kept, and ends the run with status 1.

    fuzz_lists.py ASSAY [--count N] [--seed S] [--time SECONDS] [--keep FOLDER]
"""

import argparse
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

HEAD = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define IN() (__VERIFIER_nondet_int() != 0)
#define ERR reach_error()
"""
NAMES = ["a", "b", "c"]


class Maker:
    """Makes one program over three pointers into lists of one type."""

    def __init__(self, chance):
        self.chance = chance
        self.back = chance.random() < 0.4
        self.lines = []

    def line(self, text, depth=1):
        self.lines.append("  " * depth + text)

    def name(self):
        return self.chance.choice(NAMES)

    def number(self):
        return self.chance.randrange(3)

    def if_back(self, text):
        return text if self.back else ""

    def statement(self, depth):
        x, y = self.name(), self.name()
        front = self.if_back(f"n->prev = 0; if ({x}) {x}->prev = n; ")
        after = self.if_back(f"n->prev = {x}; if (n->next) n->next->prev = n; ")
        end = self.chance.choice(["free(n);", "free(n);", f"n->next = {y}; {y} = n;"])
        turned = self.if_back(f"if (res) res->prev = {x}; {x}->prev = 0; ")
        kinds = [
            f"{{ N *n = malloc(sizeof *n); n->d = {self.number()}; n->next = {x}; {front}{x} = n; }}",
            f"{{ N *n = malloc(sizeof *n); n->d = {self.number()}; n->next = {x}; {front}{x} = n; }}",
            f"if ({x}) {{ N *n = {x}; {x} = n->next; {self.if_back(f'if ({x}) {x}->prev = 0; ')}{end} }}",
            f"{x} = {y};",
            f"if ({x}) {x} = {x}->next;",
            f"if ({x} && {x}->next) {{ N *n = {x}->next; {x}->next = n->next; "
            f"{self.if_back(f'if (n->next) n->next->prev = {x}; ')}free(n); }}",
            f"if ({x}) {x}->d = {self.number()};",
            f"if ({x} && {x}->d == {self.number()}) {y} = {x}->next;",
            f"if ({x} && {x}->next && {x}->next->d == {self.number()} && {x}->d == {self.number()}) ERR;",
            f"if ({x} && {x} == {y} && {x}->next == {self.name()}) ERR;",
            f"if ({x}) {{ N *n = malloc(sizeof *n); n->d = {self.number()}; n->next = {x}->next; {after}{x}->next = n; }}",
            f"if ({x} && {x}->prev) {x} = {x}->prev;"
            if self.back
            else f"if ({x} && {x} != {y}) {{ N *t = {x}; while (t->next && IN()) t = t->next; t->next = {y}; }}",
            f"{{ N *t = {x}; while (t && t->d != {self.number()}) t = t->next; if (t) {y} = t; }}",
            f"{{ N *res = 0; while ({x}) {{ N *n = {x}->next; {x}->next = res; {turned}res = {x}; {x} = n; }} {x} = res; }}",
        ]
        self.line(self.chance.choice(kinds), depth)

    def program(self):
        members = "int d; struct node *next; " + self.if_back("struct node *prev; ")
        self.lines = [HEAD + f"typedef struct node {{ {members}}} N;", "int main(void) {", "  N *a = 0, *b = 0, *c = 0;"]
        for _ in range(self.chance.randrange(2, 5)):
            if self.chance.random() < 0.6:
                self.line("while (IN()) {")
                for _ in range(self.chance.randrange(1, 4)):
                    self.statement(2)
                self.line("}")
            else:
                self.statement(1)
        x = self.name()
        third = self.chance.choice(["0", x, self.name()])
        questions = [
            f"for (N *p = {x}; p; p = p->next) if (p->d == {self.number()}) ERR;",
            f"if ({x} && {x}->next && {x}->next->next && {x}->next->next->next == {third}) ERR;",
            f"for (N *p = {x}; p; p = p->next) if (p->next && p->next->d > p->d) ERR;",
            f"int n = 0; for (N *p = {x}; p && n < 6; p = p->next) n++; if (n == {self.chance.randrange(1, 6)}) ERR;",
        ]
        self.line(self.chance.choice(questions))
        if self.chance.random() < 0.3:
            self.line(f"while ({x}) {{ N *n = {x}->next; free({x}); {x} = n; }}")
        return "\n".join([*self.lines, "  return 0;", "}", ""])


def verdict(assay, config, prop, file, seconds):
    command = [assay, "verify", "--config", config, "-p", prop, "--time-limit", f"{seconds}s", "--memory-limit", "3GiB", file]
    out = subprocess.run(command, capture_output=True, text=True).stdout
    lines = [line for line in out.splitlines() if line.startswith("verdict: ")]
    return lines[-1].removeprefix("verdict: ").split("(")[0] if lines else "none"


def hunt(description, maker, preset, properties):
    """Runs the preset on random programs, and others on what it proves."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=float, default=0.7)
    parser.add_argument("--keep", type=Path, default=Path(f"/tmp/fuzz_{preset}"))
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    counts, wrong = Counter(), 0
    for number in range(options.count):
        chance = random.Random(options.seed * 100_000 + number)
        file = options.keep / f"{preset}_{options.seed}_{number}.c"
        file.write_text(maker(chance).program())
        prop = chance.choice(properties)
        answer = verdict(options.assay, preset, prop, file, options.time)
        counts[answer] += 1
        if answer == "true":
            refuting = [c for c in ("symbolic", "fuzz", "bmc") if verdict(options.assay, c, prop, file, options.time) == "false"]
            if refuting:
                print(f"WRONG: {file}: {preset} proves {prop}, {', '.join(refuting)} refutes it", flush=True)
                wrong += 1
                continue
        file.unlink()
    print(f"{options.count} programs: " + ", ".join(f"{count} {answer}" for answer, count in counts.items()) + f"; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(hunt(__doc__, Maker, "shape", ["unreach-call", "unreach-call", "valid-memsafety"]))
