#!/usr/bin/env python3
"""Hunts wrong verdicts: random small C programs with loops, calls, arrays and pointers, whose inputs are so few that a compiled
program tries all of them. A verdict that contradicts the trial is printed with its program and ends the run with status 1.

    fuzz_verdicts.py ASSAY [--count N] [--seed S] [--config NAME]… [--keep FOLDER]

Programs whose trial does not end within a bound of steps are compared for *false* only where the trial found the error. Needs a C
compiler as `cc`.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

INPUTS = 4  # values of one input: 0 .. INPUTS-1
READS = 5  # inputs that a program reads at most

TYPES = ["int", "unsigned", "unsigned char", "short", "long long", "signed char"]


class Maker:
    """Makes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.scalars = []
        self.counter = 0
        self.functions = []

    def pick(self, items):
        return self.random.choice(items)

    def expression(self, depth=2):
        r = self.random.random()
        if depth == 0 or r < 0.3:
            return self.pick(self.scalars)
        if r < 0.5:
            return str(self.pick([0, 1, 2, 3, 4, 5, 7, 8, 10, 255, -1, -2]))
        if r < 0.58:
            return f"a[({self.expression(depth - 1)}) & 3]"
        if r < 0.64:
            return "*p"
        if r < 0.70 and self.functions:
            return f"{self.pick(self.functions)}({self.expression(depth - 1)})"
        op = self.pick(["+", "-", "+", "-", "*", "&", "|", "^", "<", "<=", "==", "!="])
        return f"({self.expression(depth - 1)} {op} {self.expression(depth - 1)})"

    def condition(self):
        op = self.pick(["<", "<=", "==", "!=", ">", ">="])
        return f"{self.expression(1)} {op} {self.expression(1)}"

    def statement(self, indent, depth):
        pad = "  " * indent
        r = self.random.random()
        if r < 0.30:
            return [f"{pad}{self.pick(self.scalars)} = {self.expression()};"]
        if r < 0.45:
            return [f"{pad}{self.pick(self.scalars)} {self.pick(['+=', '-=', '^='])} {self.pick(['1', '1', '2', '3', self.expression(1)])};"]
        if r < 0.53:
            return [f"{pad}a[({self.expression(1)}) & 3] = {self.expression(1)};"]
        if r < 0.58:
            return [f"{pad}p = {self.pick(['&v0', '&v1', '&a[1]', '&a[2]', '&g'])};"]
        if r < 0.63:
            return [f"{pad}*p = {self.expression(1)};"]
        if r < 0.69:
            return [f"{pad}{self.pick(self.scalars)} = input();"]
        if depth == 0:
            return [f"{pad}{self.pick(self.scalars)}++;"]
        if r < 0.82:
            lines = [f"{pad}if ({self.condition()}) {{"] + self.block(indent + 1, depth - 1, 2)
            if self.random.random() < 0.5:
                lines += [f"{pad}}} else {{"] + self.block(indent + 1, depth - 1, 2)
            return lines + [f"{pad}}}"]
        body = self.block(indent + 1, depth - 1, 3)
        if self.random.random() < 0.2:
            body.append(f"{'  ' * (indent + 1)}if ({self.condition()}) {self.pick(['break', 'continue'])};")
        kind = self.random.random()
        if kind < 0.45:
            self.counter += 1
            name = f"i{self.counter}"
            bound = self.pick([str(self.random.randint(1, 6)), "input()", "(input() + 2)", "1000"])
            return [f"{pad}int n{name} = {bound};", f"{pad}for (int {name} = 0; {name} < n{name}; {name}++) {{", f"{pad}  TICK;"] + body + [f"{pad}}}"]
        if kind < 0.75:
            return [f"{pad}while ({self.condition()}) {{", f"{pad}  TICK;"] + body + [f"{pad}}}"]
        if kind < 0.9:
            return [f"{pad}while (input()) {{", f"{pad}  TICK;"] + body + [f"{pad}}}"]
        return [f"{pad}do {{", f"{pad}  TICK;"] + body + [f"{pad}}} while ({self.condition()});"]

    def block(self, indent, depth, most):
        lines = []
        for _ in range(self.random.randint(1, most)):
            lines += self.statement(indent, depth)
        return lines

    def check(self, indent):
        return f"{'  ' * indent}if ({self.condition()}) reach_error();"

    def program(self):
        declarations = ["int g;", "int a[4];"]
        helpers = []
        self.scalars = ["g", "x"]
        if self.random.random() < 0.5:
            helpers += ["static int f(int x) {", "  int *p = &g;"] + [
                line.replace("v0", "g").replace("v1", "g") for line in self.block(1, 1, 2)
            ] + ["  (void)p;", "  return x;", "}"]
        count = self.random.randint(2, 4)
        locals_ = [f"v{i}" for i in range(count)]
        self.scalars = ["g"] + locals_
        if helpers:
            self.functions = ["f"]
        body = []
        for index, name in enumerate(locals_):
            kind = "int" if index < 2 else self.pick(TYPES)
            body.append(f"  {kind} {name} = {self.pick(['0', '0', '1', '3', 'input()'])};")
        body.append("  int *p = &g;")
        for _ in range(self.random.randint(1, 3)):
            body += self.statement(1, 2)
            if self.random.random() < 0.4:
                body.append(self.check(1))
        body.append(self.check(1))
        return "\n".join(declarations + helpers + ["int main(void) {"] + body + ["  (void)p;", "  return 0;", "}"]) + "\n"


VERIFIED = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);
#define TICK
static int input(void) {
  int value = __VERIFIER_nondet_int();
  if (value < 0 || value >= %d) abort();
  return value;
}
""" % INPUTS

# The trial: every sequence of inputs, up to READS of them; a run that wants more is cut, one that ticks too often is given up.
TRIED = """#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf out;
static int sequence[%(reads)d], used, cut, endless;
static long ticks;
#define TICK do { if (++ticks > 20000) { endless = 1; longjmp(out, 2); } } while (0)
static int input(void) {
  if (used == %(reads)d) { cut = 1; longjmp(out, 2); }
  return sequence[used++];
}
static void reach_error(void) { longjmp(out, 1); }
#define main program
""" % {"reads": READS}

DRIVER = """#undef main
int main(void) {
  static int a0[4];
  for (;;) {
    used = 0; ticks = 0;
    g = 0; memcpy(a, a0, sizeof a);
    switch (setjmp(out)) {
      case 0: program(); break;
      case 1: puts("error"); return 0;
    }
    int at = used - 1;
    while (at >= 0 && sequence[at] == %d - 1) sequence[at--] = 0;
    if (at < 0) break;
    sequence[at]++;
    for (int i = at + 1; i < %d; i++) sequence[i] = 0;
  }
  puts(cut || endless ? "cut" : "safe");
  return 0;
}
""" % (INPUTS, READS)


def trial(folder, program):
    """`error`, `safe`, `cut` (no error as far as was tried) or None where the program is not fit for a trial."""
    source = folder / "trial.c"
    source.write_text(TRIED + program + DRIVER)
    flags = ["-O1", "-fwrapv", "-w", "-fno-strict-aliasing"]
    if subprocess.run(["cc", *flags, "-o", folder / "trial", source], capture_output=True).returncode:
        return None
    try:
        return subprocess.run([folder / "trial"], capture_output=True, text=True, timeout=10).stdout.strip() or None
    except subprocess.TimeoutExpired:
        return None


def verdict(binary, source, config, time):
    command = [binary, "verify", "--time-limit", f"{time}s", *(["--config", config] if config else []), source]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    found = re.search(r"^verdict: (\w+)", output, re.M)
    return found.group(1) if found else "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", action="append")
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--keep")
    options = parser.parse_args()
    wrong, tally = 0, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(options.seed, options.seed + options.count):
            program = Maker(seed).program()
            truth = trial(folder, program)
            if truth is None:
                continue
            source = folder / "program.c"
            source.write_text(VERIFIED + program)
            for config in options.config or [None]:
                said = verdict(options.assay, source, config, options.time)
                tally[truth, said] = tally.get((truth, said), 0) + 1
                if (truth == "error" and said == "true") or (truth == "safe" and said == "false") or said == "none":
                    wrong += 1
                    print(f"seed {seed}, config {config}: tried {truth}, said {said}", flush=True)
                    if options.keep:
                        Path(options.keep).mkdir(parents=True, exist_ok=True)
                        (Path(options.keep) / f"{seed}-{config}.c").write_text(VERIFIED + program)
                    else:
                        print(program)
    for (truth, said), count in sorted(tally.items()):
        print(f"{truth:6} {said:8} {count}")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
