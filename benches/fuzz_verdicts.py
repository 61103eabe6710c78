#!/usr/bin/env python3
"""Hunts wrong verdicts: random small C programs whose inputs are so few that a compiled program tries all of them. A verdict that
contradicts the trial is printed with its program and ends the run with status 1.

    fuzz_verdicts.py ASSAY [--kind reach|overflow|recursion|machine|memory] [--model LP64|ILP32] [--count N] [--seed S] [--config NAME]… [--keep FOLDER]
                           [--edits N]

With --edits all runs use one cache of summaries, and each program is verified again after N edits of it, one upon the other: constants that
change, statements that are doubled or gone. What was kept of another version, or of another program, must not show.

The programs come from `fuzz_programs.py`. Trials that do not end within a bound of steps, or want more inputs than are tried, are `cut`:
they contradict only a proof, and only where they found a violation. Needs a C compiler as `cc`, with `-m32` for ILP32.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz_programs import Maker

INPUTS = 4  # values of one input: 0 .. INPUTS-1
READS = 5  # inputs that a program reads at most

VERIFIED = """#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define TICK
#define STATE
#define SHIFT_LEFT(x, by) ((x) << (by))
#define KNOW(x)
#define ROOT(x)
#define APART
#define AT(p) (*(p))
static void stop(void) { exit(0); }
static int input(void) {
  int value = __VERIFIER_nondet_int();
  if (value < 0 || value >= %d) abort();
  return value;
}
""" % INPUTS

# The trial: every sequence of inputs, up to READS of them; a run that wants more is cut, one that ticks too often is given up. What a
# program changes for good is in a section of its own, which is set back before each run. The trial of memory knows the objects that live: an access outside of
# them is a violation, and at the end of a run every allocation must be reached from a variable that lives. What is lost stays
# lost, so that one look at the end suffices.
TRIED = """#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static sigjmp_buf out;
static int sequence[%(reads)d], used, cut, unclear, filling, leaked;
static void leave(int);
static long ticks;
enum { LOCAL, POINTER, HEAP };
enum { DONE = 1, ERROR, DEREF, FREE, STOPPED };
#define TICK do { if (++ticks > 20000) { cut = 1; leave(STOPPED); } } while (0)
#define STATE __attribute__((section("state")))
extern char __start_state[], __stop_state[];
static int input(void) {
  if (used == %(reads)d) { cut = 1; leave(STOPPED); }
  return sequence[used++];
}
static void stop(void) { leave(STOPPED); }
static void reach_error(void) { siglongjmp(out, ERROR); }
static struct object { char *at; long size; int kind, marked; } objects[4000];
static int count;
static char pool[1 << 20];
static long taken;
static void *add(void *at, long size, int kind) {
  if (count == 4000) { unclear = 1; siglongjmp(out, STOPPED); }
  objects[count++] = (struct object){at, size, kind, 0};
  return at;
}
static void drop(void *guard) {
  char *at = *(char **)guard;
  for (int i = count - 1; i >= 0; i--)
    if (objects[i].at == at && objects[i].kind != HEAP) { objects[i].size = -1; return; }
}
static void *check(const volatile void *at, long size) {
  char *p = (char *)at;
  for (int i = 0; i < count; i++)
    if (objects[i].kind != POINTER && objects[i].size >= 0 && p >= objects[i].at && p + size <= objects[i].at + objects[i].size) return p;
  leave(DEREF);
  return 0;
}
static void *allocate(long size, int fill) {
  taken += 64;
  char *at = pool + taken;
  taken += size + 64 & ~15L;
  if (taken > sizeof pool) { unclear = 1; siglongjmp(out, STOPPED); }
  if (fill) for (int i = 0; i < size; i++) at[i] = i & 3 ? 0 : filling;
  else memset(at, 0, size);
  return add(at, size, HEAP);
}
static void release(void *at) {
  if (!at) return;
  for (int i = 0; i < count; i++)
    if (objects[i].kind == HEAP && objects[i].size >= 0 && objects[i].at == at) { objects[i].size = -1; return; }
  leave(FREE);
}
/* How many allocations are not reached; pointers past the end count or not. */
static int lost(int past) {
  int changed = 1, result = 0;
  for (int i = 0; i < count; i++) objects[i].marked = objects[i].size >= 0 && objects[i].kind != HEAP;
  while (changed) {
    changed = 0;
    for (int i = 0; i < count; i++) {
      if (!objects[i].marked) continue;
      for (long k = 0; k + (long)sizeof(char *) <= objects[i].size; k += sizeof(char *)) {
        char *p;
        memcpy(&p, objects[i].at + k, sizeof p);
        for (int j = 0; j < count; j++) {
          struct object *o = &objects[j];
          if (!o->marked && o->size >= 0 && (p >= o->at && p < o->at + o->size + past || p == o->at)) o->marked = changed = 1;
        }
      }
    }
  }
  for (int i = 0; i < count; i++) result += objects[i].size >= 0 && !objects[i].marked;
  return result;
}
static void look(void) {
  if (lost(0) != lost(1)) unclear = 1;
  leaked |= lost(0) > 0;
}
/* Ends a run while the variables of all its functions are there. */
static void leave(int end) {
  look();
  siglongjmp(out, end);
}
static void trap(int number) { siglongjmp(out, ERROR); }
#define JOIN(a, b) a##b
#define GUARD(a, b) JOIN(a, b)
#define TELL(x, kind) __attribute__((cleanup(drop), unused)) void *GUARD(guard, __COUNTER__) = add((void *)&(x), sizeof(x), kind)
#define KNOW(x) TELL(x, LOCAL)
#define ROOT(x) TELL(x, POINTER)
/* A product overflows where the shifted value does not fit, whatever its sign. */
#define SHIFT_LEFT(x, by) ((x) * ((__typeof__(+(x)))1 << (by)))
#define APART __attribute__((aligned(64)))
#define AT(p) (*(__typeof__(p))check((p), sizeof *(p)))
#define main program
#ifdef MEMORY
#define malloc(size) allocate((size), 1)
#define calloc(n, size) allocate((n) * (size), 0)
#define free release
#endif
""" % {"reads": READS}

DRIVER = """#undef main
#undef malloc
#undef free
int main(void) {
  int kinds = 0;
  size_t length = __stop_state - __start_state;
  char *start = malloc(length);
  memcpy(start, __start_state, length);
  signal(SIGILL, trap);
  signal(SIGFPE, trap);
#ifdef MEMORY
  for (filling = 0; filling < 4; filling++)
#endif
  for (;;) {
    used = 0; ticks = 0; count = 0; taken = 0; leaked = 0;
    memcpy(__start_state, start, length);
#ifdef MEMORY
    add(&g, sizeof g, LOCAL); add(&gp, sizeof gp, POINTER); add(&gn, sizeof gn, POINTER);
#endif
    int end = sigsetjmp(out, 1);
    if (end == 0) { program(); end = DONE; }
    if (end == ERROR || end == DEREF || end == FREE) kinds |= 1 << end;
#ifdef MEMORY
    if (end == DONE) look();
    if (leaked) kinds |= 1;
#endif
    int at = used - 1;
    while (at >= 0 && sequence[at] == %d - 1) sequence[at--] = 0;
    if (at < 0) break;
    sequence[at]++;
    for (int i = at + 1; i < %d; i++) sequence[i] = 0;
  }
  if (unclear) { puts("unclear"); return 0; }
  printf("%%s", cut ? "cut" : "all");
  if (kinds & 1) printf(" valid-memtrack");
  if (kinds & 1 << ERROR) printf(" error");
  if (kinds & 1 << DEREF) printf(" valid-deref");
  if (kinds & 1 << FREE) printf(" valid-free");
  puts("");
  return 0;
}
""" % (INPUTS, READS)

PROPERTIES = {"reach": "unreach-call", "overflow": "no-overflow", "recursion": "unreach-call", "machine": "unreach-call", "memory": "valid-memsafety"}


def trial(folder, program, kind, model):
    """The violations that were found, and whether everything was tried; None where the program is not fit for a trial."""
    source = folder / "trial.c"
    source.write_text(("#define MEMORY\n" if kind == "memory" else "") + TRIED + program + DRIVER)
    # An overflow whose result nobody needs is one, too, and an optimiser takes it out.
    flags = ["-O0" if kind == "overflow" else "-O1", "-w", "-fno-strict-aliasing"] + (["-m32", "-msse2", "-mfpmath=sse"] if model == "ILP32" else [])
    if kind == "overflow":
        flags += ["-fsanitize=signed-integer-overflow,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]
    else:
        flags += ["-fwrapv"]
    compiled = subprocess.run(["cc", *flags, "-o", folder / "trial", source], capture_output=True, text=True)
    if compiled.returncode:
        return None
    try:
        words = subprocess.run([folder / "trial"], capture_output=True, text=True, timeout=20).stdout.split()
    except subprocess.TimeoutExpired:
        return None
    return (set(words[1:]), words[0] == "all") if words and words[0] != "unclear" else None


def edited(program, rng):
    """The program with one change; it may not compile."""
    kind = rng.randrange(3)
    if kind == 0:
        places = [m for m in re.finditer(r"(?<![\w.])\d{1,3}(?![\w.\]])", program)]
        place = rng.choice(places)
        return program[: place.start()] + str(rng.choice([0, 1, 2, 3, 5, 7, int(place.group()) + 1])) + program[place.end():]
    lines = program.split("\n")
    # Without its marks a trial would miss what the program does.
    places = [i for i, line in enumerate(lines) if re.match(r"\s+\S.*;\s*$", line) and not re.search("return|TICK|KNOW|ROOT", line)]
    if places:
        at = rng.choice(places)
        lines[at : at + 1] = [lines[at]] * (2 if kind == 1 else 0)
    return "\n".join(lines)


def verdict(binary, source, kind, model, config, time, more=()):
    command = [binary, "verify", "--property", PROPERTIES[kind], "--data-model", model, "--threads", "1", "--time-limit", f"{time}s"]
    output = subprocess.run([*command, *more, *(["--config", config] if config else []), source], capture_output=True, text=True).stdout
    found = re.findall(r"^verdict: (\w+)(?:\(([\w-]+)\))?", output, re.M)
    return found[-1] if found else ("none", "")


def is_wrong(found, tried_all, said, which):
    if said == "true":
        return bool(found)
    if said == "false":
        return tried_all and not (found if which not in ("valid-deref", "valid-free", "valid-memtrack") else which in found)
    return said == "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("--kind", choices=PROPERTIES, default="reach")
    parser.add_argument("--model", choices=["LP64", "ILP32"], default="LP64")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", action="append")
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--edits", type=int, default=0)
    options = parser.parse_args()
    wrong, tally = 0, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = ["--cache", folder / "cache"] if options.edits else []
        program, fit, rng = "", "", random.Random(options.seed)
        for number in range(options.count * (options.edits + 1)):
            seed = options.seed + number // (options.edits + 1)
            program = edited(fit or program, rng) if number % (options.edits + 1) else Maker(seed, options.kind).program()
            truth = trial(folder, program, options.kind, options.model)
            if truth is None:
                tally["unfit", ""] = tally.get(("unfit", ""), 0) + 1
                continue
            fit = program
            found, tried_all = truth
            source = folder / "program.c"
            source.write_text(VERIFIED + program)
            for config in options.config or [None]:
                said, which = verdict(options.assay, source, options.kind, options.model, config, options.time, cache)
                summary = "error" if found else "safe" if tried_all else "cut"
                tally[summary, said] = tally.get((summary, said), 0) + 1
                if is_wrong(found, tried_all, said, which):
                    wrong += 1
                    print(f"seed {seed}, config {config}: tried {sorted(found)}, said {said} {which}", flush=True)
                    if options.keep:
                        Path(options.keep).mkdir(parents=True, exist_ok=True)
                        (Path(options.keep) / f"{options.kind}-{seed}-{number}-{config}.c").write_text(VERIFIED + program)
                    else:
                        print(program)
    for (truth, said), count in sorted(tally.items()):
        print(f"{truth:6} {said:8} {count}")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
