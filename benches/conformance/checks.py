"""Pairs of a violating and a clean program for each check, against the sanitizers of gcc and clang.

A pair is one text: `«violating¦clean»` stands where the two differ. Assay is asked for the check alone, with any input in the range
of the pair; the sanitizers see each input of it. What no sanitizer looks for has an expected answer, for the reason that the row of
`docs/checks.md` names. Counted are verdicts: `right`, `unknown`, `wrong`; and whether a sanitizer agreed with the expected answer
(`seen`), looked for nothing of the kind (`unseen`) or contradicts it (`disputed`, which ends the run with status 1, as `wrong` does).
"""

import re
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from conformance.kinds.checks import PAIRS

GCC = ["gcc", "-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero,bounds-strict", "-fsanitize-recover=all"]
# clang looks for what gcc does not; traps need no library, and say no more than that something is wrong.
CLANG = {"no-unsigned-wrap": "unsigned-integer-overflow", "no-lossy-conversion": "implicit-conversion"}
MEMORY = ["clang", "-fsanitize=memory"]

# What of a sanitizer's words is a report of a check. What it reports of another check is no matter of the pair.
REPORTS = {
    "no-overflow": r"signed integer overflow|negation of|cannot be represented in type '(int|long|long long)'|left shift of",
    "no-division-by-zero": r"division by zero",
    "no-invalid-shift": r"shift exponent",
    "no-uninitialised-read": r"use-of-uninitialized-value",
    "valid-deref": r"buffer-overflow|buffer-underflow|use-after-free|use-after-return|use-after-scope|SEGV|null pointer|stack-overflow",
    "valid-free": r"attempting double-free|attempting free",
    "valid-memtrack": r"LEAK",
    "no-builtin-unreachable": r"unreachable",
    "no-bit-count-of-zero": r"passing zero",
    "valid-array-size": r"variable length array bound",
    "no-float-to-integer-overflow": r"outside the range of representable",
    "no-shift-of-negative": r"left shift of negative",
    "no-index-out-of-bounds": r"index -?\d+ out of bounds|out of bounds for type",
    "no-misaligned-access": r"misaligned address",
    "no-unsigned-wrap": r"signal 4",
    "no-lossy-conversion": r"signal 4",
    "no-overlapping-copy": r"param-overlap",
}

HEAD = """#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

DRIVER = """#include <unistd.h>
#include <sys/wait.h>
const char *__asan_default_options(void) { return "leak_check_at_exit=0:detect_stack_use_after_return=1:symbolize=0:abort_on_error=0"; }
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
static void wipe(void) { volatile char room[20000]; for (int i = 0; i < (int)sizeof room; i++) room[i] = 0; }
static void one(int number, int (*run)(int), int from, int to) {
  for (int x = from; x <= to; x++) {
    fprintf(stderr, "\\nCASE %d %d\\n", number, x);
    fflush(stderr);
    if (fork() == 0) {
      alarm(5);
      int result = run(x);
      wipe();
      if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check()) fprintf(stderr, "LEAK\\n");
      _exit(result & 1);
    }
    int status;
    wait(&status);
    if (WIFSIGNALED(status)) fprintf(stderr, "SEGV signal %d\\n", WTERMSIG(status));
  }
}
"""


@dataclass
class Program:
    """One half of a pair."""

    number: int
    check: str
    text: str
    low: int
    high: int
    violating: bool

    def named(self):
        return self.text.replace("@", f"k{self.number}_")


def programs():
    """All halves of all pairs, numbered."""
    found = []
    for check, texts in PAIRS.items():
        for text, low, high in texts:
            for violating in (True, False):
                half = re.sub(r"«(.*?)¦(.*?)»", lambda match: match.group(1 if violating else 2), text, flags=re.DOTALL)
                found.append(Program(len(found), check, half, low, high, violating))
    return found


def arguments(parser):
    parser.add_argument("--check", help="only this one")
    parser.add_argument("--time-limit", default="5s")
    parser.add_argument("--jobs", type=int, default=1)


def verdict(options, bench, program):
    """What Assay says about a program: true, false or unknown, and its words."""
    main = (f"extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int x = __VERIFIER_nondet_int();\n"
            f"  if (x < {program.low} || x > {program.high}) return 0;\n  return k{program.number}_run(x) & 1;\n}}\n")
    path = bench.write(f"case{program.number}.c", HEAD + program.named() + main)
    command = [bench.assay, "verify", "-p", program.check, "-m", bench.model, "--time-limit", options.time_limit, "--memory-limit", "3GiB",
               "--threads", "1", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
    found = re.search(r"verdict: (true|false|unknown)", done.stdout)
    if found and found.group(1) == "false" and f"false({program.check})" not in done.stdout:
        return "other", done.stdout
    return (found.group(1) if found else "error"), done.stdout + done.stderr


def sanitized(bench, compiler, batch):
    """The reports by number of the program; None where it cannot be compiled."""
    calls = "".join(f"  one({p.number}, k{p.number}_run, {p.low}, {p.high});\n" for p in batch)
    path = bench.write("batch.c", HEAD + DRIVER + "".join(p.named() + "\n" for p in batch) + f"int main(void) {{\n{calls}  return 0;\n}}\n")
    executable, messages = bench.compile(compiler[0], [path], compiler[1:])
    if executable is None:
        if len(batch) > 1:
            middle = len(batch) // 2
            return sanitized(bench, compiler, batch[:middle]) | sanitized(bench, compiler, batch[middle:])
        print(f"--- not compiled: {batch[0].check} {batch[0].number}: {messages[:300]}")
        return {}
    done = subprocess.run([str(executable)], capture_output=True, text=True, errors="replace", timeout=600)
    reports = {p.number: "" for p in batch}
    for part in done.stderr.split("\nCASE ")[1:]:
        reports[int(part.split()[0])] += part
    return reports


def run(options, bench):
    chosen = [p for p in programs() if options.check in (None, p.check)]
    reports = {}
    asked = [(GCC, [p for p in chosen if p.check not in CLANG and p.check != "no-uninitialised-read"])]
    if bench.clang:
        asked += [(["clang", f"-fsanitize={name}", "-fsanitize-trap=all"], [p for p in chosen if p.check == check]) for check, name in CLANG.items()]
        # Where its library is installed.
        if bench.compile("clang", [bench.write("empty.c", "int main(void) { return 0; }\n")], ["-fsanitize=memory"])[0]:
            asked.append((MEMORY, [p for p in chosen if p.check == "no-uninitialised-read"]))
    for compiler, looked in asked:
        for at in range(0, len(looked), options.batch):
            for number, report in sanitized(bench, compiler, looked[at:at + options.batch]).items():
                reports[number] = reports.get(number, "") + report
    with ThreadPoolExecutor(options.jobs) as pool:
        verdicts = list(pool.map(lambda program: verdict(options, bench, program), chosen))
    counts, failed = Counter(), False
    for program, (said, words) in zip(chosen, verdicts):
        expected = "false" if program.violating else "true"
        word = "right" if said == expected else "unknown" if said in ("unknown", "error") else "wrong"
        counts[(program.check, word)] += 1
        pattern = REPORTS.get(program.check) if program.number in reports else None
        reported = bool(pattern and re.search(pattern, reports.get(program.number, "")))
        seen = "seen" if pattern and reported == program.violating else "disputed" if reported else "unseen"
        counts[(program.check, seen)] += 1
        if word != "right" or seen == "disputed":
            failed |= word == "wrong" or seen == "disputed"
            print(f"--- {program.check} {program.number} ({'violating' if program.violating else 'clean'}): {word}, {seen}\n{program.named()}")
            print("\n".join(line for line in words.splitlines() if line.startswith(("verdict", "violation", "error", "unknown"))))
    columns = ("right", "unknown", "wrong", "seen", "unseen", "disputed")
    print("| check | pairs | " + " | ".join(columns) + " |\n|---|---|" + "---|" * len(columns))
    checks = list(dict.fromkeys(p.check for p in chosen))
    for check in checks:
        pairs = sum(1 for p in chosen if p.check == check) // 2
        print(f"| {check} | {pairs} | " + " | ".join(str(counts[(check, column)]) for column in columns) + " |")
    totals = [sum(counts[(check, column)] for check in checks) for column in columns]
    print(f"| all | {len(chosen) // 2} | " + " | ".join(map(str, totals)) + " |", flush=True)
    return 1 if failed else 0
