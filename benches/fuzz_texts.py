#!/usr/bin/env python3
"""Hunts wrong proofs about texts: random C programs that look for the ends of short texts, copy, append and clear them.
A program that `arrays` proves and another preset refutes is printed and kept, and ends the run with status 1.

    fuzz_texts.py ASSAY [--count N] [--seed S] [--time SECONDS] [--keep FOLDER]
"""

import sys

from fuzz_lists import hunt

HEAD = """extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
"""


class Maker:
    """Makes one program over two texts of lengths n and m."""

    def __init__(self, chance):
        self.chance = chance

    def pick(self, *choices):
        return self.chance.choice(choices)

    def fill(self, name, length):
        end = self.pick(length, length, f"{length} - 1")
        value = self.pick("__VERIFIER_nondet_char()", "__VERIFIER_nondet_char()", "'x'")
        return f"for (int i = {self.pick('0', '0', '1')}; i < {end}; i++) {name}[i] = {value};"

    def put(self, name, length):
        place = self.pick(f"{length} - 1", f"{length} - 1", f"{length} - 1", "k", f"{length} / 2", "0")
        return f"{name}[{place}] = {self.pick('0', '0', '0', '0', 'c')};"

    def walk(self):
        name, other = self.pick(("a", "b"), ("b", "a"))
        p = f"char *p = {name}{self.pick('', '', '', ' + 1', ' + k')};"
        q = f"char *q = {other}{self.pick('', '', '', ' + k')};"
        length = "n" if name == "a" else "m"
        return self.pick(
            f"{p} while (*p) p++;",
            f"{p} while (*p != 0) ++p; {self.pick('', '*p = 1;', '*p-- = c;')}",
            f"{p} while (*p++) ;",
            f"{p} {q} while ((*p++ = *q++) != 0) ;",
            f"{p} {q} for (; (*p = *q) != 0; ++p, ++q) ;",
            f"{p} while (*p) p++; {q} while ((*p++ = *q++) != 0) ;",
            f"{p} {q} int l = {length}; while (l-- && (*p++ = *q++) != 0) ;",
            f"{p} unsigned l = {self.pick(length, length, f'{length} - 1', 'k')}; while (l--) *p++ = {self.pick('0', 'c')};",
            f"{p} {q} while (*p && *p == *q) p++, q++;",
            f"{p} while (*p) p++; {self.pick(name, other)}[p - {name}{self.pick('', '', ' + 1')}] = 1;",
            f"{p} while (*p) p++; int l = (int)(p - {name}); for (int i = 0; i {self.pick('<', '<=')} l; i++) {self.pick(name, other)}[i] = c;",
            f"int l = 0; while ({name}[l]) l++; {name}[{self.pick('l', 'l + 1', 'l / 2')}] = 1;",
            f"int l = {length} - 1; while (l >= 0 && {name}[l] != c) l--; {self.pick('', f'{name}[l] = 1;')}",
        )

    def program(self):
        lines = [HEAD, "int main(void) {", "  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();",
                 "  char c = __VERIFIER_nondet_char();",
                 f"  if (n < 1 || n > 5 || m < {self.pick('1', 'n')} || m > 5 || k < 0 || k >= {self.pick('n', 'n', 'm')}) return 0;",
                 f"  char a[{self.pick('n', 'n', 'n + 1')}], b[{self.pick('m', 'm', 'n + m')}];"]
        steps = [self.fill("a", "n"), self.fill("b", "m")]
        puts = [self.put(name, length) for name, length in (("a", "n"), ("b", "m")) for _ in range(self.chance.randrange(1, 3))]
        self.chance.shuffle(puts)
        steps += puts
        if self.chance.random() < 0.15:
            self.chance.shuffle(steps)
        steps += [self.walk() for _ in range(self.chance.randrange(1, 3))]
        return "\n".join([*lines, *(f"  {{ {step} }}" for step in steps), "  return 0;", "}", ""])


if __name__ == "__main__":
    sys.exit(hunt(__doc__, Maker, "arrays", ["valid-memsafety"]))
