#!/usr/bin/env python3
"""Hunts wrong proofs of watched cells: random C programs that walk over short arrays. A program that `arrays` proves and
another preset refutes is printed and kept, and ends the run with status 1.

    fuzz_arrays.py ASSAY [--count N] [--seed S] [--time SECONDS] [--keep FOLDER]
"""

import sys

from fuzz_lists import hunt

HEAD = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
"""
NAMES = ["a", "b", "c"]
SIZE = 6


class Maker:
    """Makes one program over three arrays: loops that write, loops that compute a flag, and a loop that checks."""

    def __init__(self, chance):
        self.chance = chance
        self.any_length = chance.random() < 0.3
        self.members = chance.random() < 0.2
        self.lines = []
        self.writes = []

    def pick(self, *choices):
        return self.chance.choice(choices)

    def bound(self):
        return "n" if self.any_length else str(SIZE)

    def index(self, written=False):
        last = f"{self.bound()} - 1 - i"
        # What is behind the end is never accessed.
        return self.pick("i", "i", "i", "i", last, "i / 2", "0") if written else self.pick("i", "i", "i", "i", last, "i / 2", "1")

    def element(self, index=None):
        member = self.pick(".x", ".y") if self.members else ""
        return f"{self.pick(*NAMES)}[{index or self.index()}]{member}"

    def value(self):
        return self.pick("__VERIFIER_nondet_int()", "i", "0", "1", "f", self.element(), f"{self.element()} + 1", f"{self.element()} + i", "z")

    def test(self):
        x = self.element()
        other = self.pick(self.element(), "0", "1", "i", "z", "f")
        return f"{x} {self.pick('==', '!=', '<', '>=')} {other}"

    def guard(self):
        return self.pick("", "", "", f"if ({self.test()}) ", "if (i != z) ", "if (i % 2 == 0) ", "if (f) ")

    def write(self):
        guard, target, value = self.guard(), self.element(self.index(True)), self.value()
        self.writes.append((guard, target, value))
        return f"{guard}{target} = {value};"

    def check(self):
        """Often that something written before is still there, which is true until something else changes it."""
        known = [write for write in self.writes if "nondet" not in write[2] and "f" not in write[2]]
        if not known or self.chance.random() < 0.2:
            both = self.pick("", f" && {self.test()}", " && f", " && i != z")
            return f"{self.test()}{both}"
        guard, target, value = self.chance.choice(known)
        same = guard.removeprefix("if (").removesuffix(") ") or "1"
        return f"{same} && {target} != {value}" if self.chance.random() < 0.85 else f"{target} != {value}"

    def loop(self, statements):
        head = self.pick(*[f"for (int i = 0; i < {self.bound()}; i++)"] * 4, f"for (int i = {self.bound()} - 1; i >= 0; i--)",
                         f"for (int i = 0; i < {self.bound()} / 2; i++)", f"for (int i = 1; i < {self.bound()}; i += 2)")
        self.lines += [f"  {head} {{", *(f"    {statement}" for statement in statements), "  }"]

    def program(self):
        kind = "struct { int x, y; }" if self.members else "int"
        length = "n" if self.any_length else str(SIZE)
        self.lines = [HEAD, "int main(void) {", f"  int f = {self.pick('0', '1')}, z = {self.pick('2', '__VERIFIER_nondet_int()')};"]
        if self.any_length:
            self.lines += ["  int n = __VERIFIER_nondet_int();", f"  if (n < 2 || n > {SIZE}) return 0;"]
        self.lines.append(f"  {kind} a[{length}], b[{length}], c[{length}];")
        members = [".x", ".y"] if self.members else [""]
        first = [f"{name}[i]{member} = {self.pick('__VERIFIER_nondet_int()', '0', 'i')};" for name in NAMES for member in members]
        self.lines += [f"  for (int i = 0; i < {length}; i++) {{", *(f"    {line}" for line in first), "  }"]
        for _ in range(self.chance.randrange(1, 3)):
            flag = f"if ({self.test()}) f = {self.pick('0', '1')};"
            self.loop([self.pick(self.write(), self.write(), flag) for _ in range(self.chance.randrange(1, 3))])
        if self.chance.random() < 0.3:
            self.loop([f"if ({self.check()}) f = 2;"])
            self.lines.append("  if (f == 2) reach_error();")
        else:
            self.loop([f"if ({self.check()}) reach_error();"])
        return "\n".join([*self.lines, "  return 0;", "}", ""])


if __name__ == "__main__":
    sys.exit(hunt(__doc__, Maker, "arrays", ["unreach-call", "unreach-call", "unreach-call", "valid-memsafety"]))
