"""Random programs with few inputs, compiled with sanitizers and run with all inputs: no verdict may contradict them.

Kinds of memory (asked for valid-memsafety, against AddressSanitizer and LeakSanitizer): `lists` (those of fuzz_programs.py), `strings`, `scopes` (blocks,
jumps, compound literals, arrays of variable length, `alloca`) and `pointers` (structures, pointers to pointers, globals, `realloc`, pointers
to functions). Kinds of overflow (asked for no-overflow, against UndefinedBehaviorSanitizer): `arithmetic` and `bits`.

Counted is the pair of a program and a preset: `agrees`, `unknown`, `wrong`. Each program is asked of the default strategy and of `--presets N` others, which
take turns; `--presets 99` asks all. A leak that only Assay sees is printed as `unsure`, since LeakSanitizer takes old values on the stack for pointers.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from fuzz_programs import Maker  # noqa: E402

INPUTS = 3  # values of one input: 0 .. INPUTS-1
READS = 3  # inputs that a program reads at most

VERIFIED = """#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define TICK
#define STATE
#define KNOW(x)
#define ROOT(x)
#define APART
#define AT(p) (*(p))
#define SHIFT_LEFT(x, by) ((x) << (by))
#define MAGNITUDE(x) __builtin_abs(x)
static void stop(void) { exit(0); }
static int input(void) {
  int value = __VERIFIER_nondet_int();
  if (value < 0 || value >= %d) abort();
  return value;
}
""" % INPUTS

# The trial forks for each sequence of inputs. What a program prints of the sanitizers is what counts.
TRIED = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
#ifdef MEMORY
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
const char *__asan_default_options(void) { return "detect_stack_use_after_return=1:leak_check_at_exit=0:exitcode=42:symbolize=0:handle_segv=1"; }
#endif
static int sequence[%(reads)d], used, filling;
static long ticks;
static void end(void) {
  char line[2] = {"0123"[used < 4 ? used : 3], '\\n'};
  write(3, line, 2);
}
static void look(void) {
#ifdef MEMORY
  if (__lsan_do_recoverable_leak_check()) fputs("LEAK\\n", stderr);
#endif
  fflush(stderr);
  _exit(0);
}
static void wipe(void) { volatile char room[20000]; for (int i = 0; i < (int)sizeof room; i++) room[i] = 0; }
#define TICK do { if (++ticks > 20000) { fputs("CUT\\n", stderr); _exit(0); } } while (0)
#define STATE
#define KNOW(x)
#define ROOT(x)
#define APART
#define AT(p) (*(p))
/* A product overflows where the shifted value does not fit, whatever its sign. */
#define SHIFT_LEFT(x, by) ({ __typeof__(+(x)) factor = 1; for (int k = (by); k > 0; k--) factor *= 2; (x) * factor; })
/* clang does not look at `abs`. */
#define MAGNITUDE(x) ((x) < 0 ? -(x) : (x))
static int input(void) {
  if (used == %(reads)d) { fputs("CUT\\n", stderr); _exit(0); }
  return sequence[used++];
}
static void stop(void) { end(); wipe(); look(); }
#ifdef MEMORY
static void *filled(size_t size) {
  void *made = malloc(size);
  memset(made, filling, size);
  // The sanitizer has one byte for an allocation of none.
  if (size == 0) __asan_poison_memory_region(made, 1);
  return made;
}
#define malloc filled
/* The sanitizer crashes where a small number is freed, and does not say that it is an invalid free. */
static void *released(void *at) {
  if ((unsigned long)at - 1 < 4096) {
    fputs("ERROR: AddressSanitizer: attempting free of a number\\n", stderr);
    fflush(stderr);
    _exit(42);
  }
  return at;
}
#define free(at) free(released(at))
#define realloc(at, size) realloc(released(at), size)
#endif
#define main program
""" % {"reads": READS}

DRIVER = """#undef main
#undef malloc
__attribute__((noinline)) static void go(void) { program(); }
int main(void) {
  for (int fill = 0; fill < 2; fill++) {
    memset(sequence, 0, sizeof sequence);
    for (;;) {
      int ends[2], many = 3;
      if (pipe(ends)) return 9;
      fflush(stderr);
      pid_t child = fork();
      if (child == 0) {
        filling = fill;
        close(ends[0]);
        dup2(ends[1], 3);
        go();
        stop();
      }
      close(ends[1]);
      char line[2];
      int status, reads = %d;
      if (read(ends[0], line, 2) == 2) reads = line[0] - '0';
      close(ends[0]);
      waitpid(child, &status, 0);
      if (WIFSIGNALED(status)) fprintf(stderr, "SIGNAL %%d\\n", WTERMSIG(status));
      int at = reads - 1;
      while (at >= 0 && sequence[at] == %d - 1) sequence[at--] = 0;
      if (at < 0) break;
      sequence[at]++;
      for (int i = at + 1; i < %d; i++) sequence[i] = 0;
    }
  }
  return 0;
}
""" % (READS, INPUTS, READS)


class Draw:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def pick(self, *items):
        return self.random.choice(items)

    def chance(self, likely):
        return self.random.random() < likely

    def fresh(self):
        self.count += 1
        return self.count


def statements(draw, depth, least, most, one):
    lines = []
    for _ in range(draw.random.randint(least, most)):
        lines += ["  " * depth + line for line in one(draw, depth)]
    return lines


def nested(draw, depth, one):
    """A statement around others."""
    inner = statements(draw, 1, 1, 2, lambda d, _: one(d, depth + 1))
    n = draw.fresh()
    head = draw.pick(
        "if (n > 0) {", "if (n == 2) {", "if (m) {", "{", f"for (int i{n} = 0; i{n} < 2; i{n}++) {{ TICK;",
        f"for (int i{n} = 0; i{n} < n; i{n}++) {{ TICK;", "switch (n) { case 0: m = 1; break; default:"
    )
    return [head, *inner, "}"]


def strings(draw):
    def one(d, depth):
        i, s, t = d.pick("0", "1", "2", "n", "m", "n + 1", "3"), d.pick("p", "q", "buffer"), d.pick("p", "q", "buffer", "word[2]", "word[3]", "word[n & 1]")
        if d.chance(0.2) and depth < 2:
            return nested(d, depth, one)
        size = d.pick("1", "2", "3", "4", "n + 1", "n + 2", f"strlen({t}) + 1", f"strlen({t})")
        return [d.pick(
            f"if ({s}) strcpy({s}, {t});", f"strcpy(buffer, {t});", f"strncpy(buffer, {t}, {size});", f"if (strlen(buffer) < 3) strcat(buffer, {t});",
            f"memcpy(buffer, {t}, {size});", f"memset({s}, 'x', {size});" if s == "buffer" else f"if ({s}) memset({s}, 0, {size});",
            f"sink += strlen({t});", f"sink += strcmp({t}, {d.pick('buffer', 'q', 'word[0]')}) > 0;", f"sink += {t}[{i}];", f"buffer[{i}] = 0;",
            f"free(p); p = malloc({size}); memset(p, 0, {size});", f"free(p); p = malloc(strlen({t}) + {d.pick('0', '1', '1')}); strcpy(p, {t});",
            f"free(q); q = strdup({t});", "free(p); p = 0;", f"if (p) p[{i}] = 'a' + n;", f"{{ char *c = strchr({t}, 'b'); if (c) sink += c[1]; }}",
            f"for (int k = 0; {t}[k]; k++) {{ TICK; sink += {t}[k]; }}", "m = input();", f"memmove(buffer, buffer + {i}, {d.pick('1', '2', '3')});",
            f"sink += memcmp(buffer, {t}, {d.pick('1', '2', '3')}) > 0;",
        )]

    return "\n".join([
        "static const char *word[] = {\"a\", \"bc\", \"\", \"abc\"};", "static int sink;", "int main(void) {", "  int n = input(), m = 1;",
        f"  char buffer[{draw.pick('4', '5', '6')}] = \"{draw.pick('', 'a', 'ab')}\";", "  char *p = malloc(4), *q = 0;", "  memset(p, 0, 4);",
        *statements(draw, 1, 3, 6, one), *draw.pick([], ["  free(p);"], ["  free(p); free(q);"], ["  free(q);", "  free(p);"]), "  return 0;", "}", ""])


def scopes(draw):
    # AddressSanitizer does not notice that an array of variable length is gone, nor what a computed jump leaves behind: no pointer to either stays.
    def one(d, depth):
        i, n = d.pick("0", "1", "2", "n", "m", "n & 1"), d.fresh()
        if d.chance(0.25) and depth < 3:
            return nested(d, depth, one)
        p = d.pick("p", "q", "*pp", "g")
        body = d.pick(f"{p} = &x{n};", f"{p} = &x{n}; sink += *{p};", f"sink += x{n};", f"pp = &(int *){{&x{n}}}; sink += **pp;")
        return [d.pick(
            f"{{ int x{n} = n; {body} }}", f"{{ int a{n}[n + 1]; a{n}[n] = 1; sink += a{n}[n]; }}", f"int b{n}[m + 1]; b{n}[0] = 2;" + (f" {p} = b{n};" if depth <= 1 else ""),
            f"{p} = (int[]){{1, n}};", f"if (m) {p} = &(int){{n}};", f"{p} = __builtin_alloca(8); {p}[0] = 1; {p}[1] = n;", f"{p} = give(n);", f"keep(&m);",
            f"if ({p}) sink += *{p};", f"if ({p}) sink += *{p};", f"if ({p}) *{p} = 3;", f"if (p) sink += p[{i}];", f"{p} = &m;", f"{p} = 0;", "p = q;", "pp = &q;",
            f"{{ int x{n} = 1; p = &x{n}; if (n) goto out{n}; p = &m; }} out{n}: ;",
            f"{{ static void *l{n}[] = {{&&a{n}, &&b{n}}}; int x{n} = 1; sink += x{n}; goto *l{n}[n & 1]; a{n}: p = &m; }} b{n}: ;",
            f"for (int k = 0; k < 2; k++) {{ TICK; if (p && k) sink += *p; int x{n} = k; {d.pick(f'p = &x{n};', 'p = &m;')} {d.pick('', 'if (n) continue;', 'if (n) break;')} p = 0; }}",
            f"sink += ({{ int x{n} = n; int *r{n} = &x{n}; {d.pick('p = r%d; ' % n, '')}*r{n}; }});",
            f"switch (n) {{ int x{n}; case 0: x{n} = 1; p = &x{n}; break; case 1: x{n} = 2; p = {d.pick('&x%d' % n, '&m')}; sink += *p; }}", "m = input() & 1;",
        )]

    return "\n".join([
        "static int *g, sink;", "static void keep(int *at) { int local = 1; g = " + draw.pick("at", "&local", "sink ? at : &local") + "; }",
        "static int *give(int n) { int local = n; static int fixed; int *r = " + draw.pick("&local", "&fixed", "n ? &fixed : &local") + "; return r; }",
        "int main(void) {", "  int n = input(), m = 1;", "  int *p = &m, *q = &m, **pp = &p;", *statements(draw, 1, 3, 7, one), "  return 0;", "}", ""])


def pointers(draw):
    def one(d, depth):
        if d.chance(0.2) and depth < 2:
            return nested(d, depth, one)
        b, c = d.pick("b", "c", "gb"), d.pick("b", "c", "gb")
        i, size = d.pick("0", "1", "2", "n", "m", "n + 1"), d.pick("4", "8", "12", "n * 4", "n * 4 + 4", "(n + 1) * sizeof(int)")
        guard = d.pick(f"if ({b}) ", f"if ({b}) ", f"if ({b} && {b}->data) ", "")
        return [d.pick(
            f"if (!{b}) {b} = make({i});", f"{b} = make({i});", f"{guard}{b}->data[{i}] = n;", f"{guard}sink += {b}->data[{i}];",
            f"if ({b}) {{ int *r = realloc({b}->data, {size}); {b}->data = r; if (r) r[0] = 1; }}", f"if ({b}) {b}->data = realloc({b}->data, {size});",
            f"drop({b}); {b} = 0;", f"drop({b});", f"if ({b}) {{ free({b}->data); {b}->data = 0; }}", f"if ({b}) {b}->next = {c};",
            f"if ({b} && {b}->next) sink += {b}->next->count;", f"{b} = {c};", f"at = &{b};", "if (*at) sink += (*at)->count;", "*at = 0;", f"if (*at) {{ drop(*at); *at = 0; }}",
            f"if ({b}) {b}->act = {d.pick('add', 'twice', '0')};", f"if ({b} && {b}->act) sink += {b}->act({b}, {i});", f"{guard}sink += {b}->act({b}, n);" if d.chance(0.3) else "m = 2;",
            f"table[{i}] = {b};", f"if (table[n & 1]) sink += table[n & 1]->count;", f"{{ struct box copy; if ({b}) {{ copy = *{b}; sink += copy.count; if (copy.data) sink += copy.data[0]; }} }}",
            f"if ({b}) {b}->small[{i}] = 1;", "m = input();", f"{{ int **d = malloc(2 * sizeof *d); d[0] = malloc(8); d[1] = &m; *d[n & 1] = 1; free(d[{d.pick('0', '0', 'n & 1')}]); free(d); }}",
            f"if ({b}) {{ struct box *t = realloc({b}, sizeof *{b}); {d.pick(b + ' = t;', 'gb = t;')} }}",
        )]

    return "\n".join([
        "struct box { int count, small[2]; int *data; struct box *next; int (*act)(struct box *, int); };", "static int sink;", "static struct box *gb, *table[2];",
        "static int add(struct box *b, int k) { return b->count + k; }",
        "static int twice(struct box *b, int k) { return " + draw.pick("k * 2", "b->data ? b->data[k] : 0", "b->small[k]") + "; }",
        "static struct box *make(int n) { struct box *b = calloc(1, sizeof *b); b->count = n + 1; b->data = calloc(n + 1, sizeof(int)); b->act = " + draw.pick("add", "twice", "n ? add : twice", "n ? add : 0") + "; return b; }",
        "static void drop(struct box *b) { if (b) { " + draw.pick("free(b->data);", "free(b->data);", "", "if (b->next) free(b->next->data);") + " free(b); } }",
        "int main(void) {", "  int n = input(), m = 1;", "  struct box *b = make(1), *c = n ? make(0) : 0, **at = &b;", *statements(draw, 1, 3, 7, one),
        *draw.pick([], ["  drop(b);"], ["  drop(b); if (c != b) drop(c);"], ["  if (c != b) drop(c);", "  if (gb != b && gb != c) drop(gb);", "  drop(b);"]), "  return 0;", "}", ""])


TYPES = ["int", "int", "long", "long long", "short", "signed char", "unsigned", "unsigned char", "unsigned long long"]


def arithmetic(draw):
    def expression(d, depth):
        if depth > 2 or d.chance(0.3):
            return d.pick("a", "b", "c", "x", "y", str(d.random.randint(-3, 3)), "most", "least", "wide", "s.f", "s.g", "'c'", "1L", "2u")
        l, r = expression(d, depth + 1), expression(d, depth + 1)
        return d.pick(f"({l} + {r})", f"({l} - {r})", f"({l} * {r})", f"({l} / ({r} ? {r} : 1))", f"({l} % ({r} ? {r} : 3))", f"-({l})", f"({l} & {r})", f"~({l})",
                      f"({d.pick(*TYPES)})({l})", f"({l} < {r})", f"({l} ? {r} : {l})")

    def one(d, depth):
        if d.chance(0.2) and depth < 2:
            return nested(d, depth, one)
        v = d.pick("a", "b", "c", "x", "y", "s.f", "s.g", "n")
        w = v if v != "n" else "a"
        return [d.pick(f"{w} = {expression(d, 0)};", f"{w} {d.pick('+=', '-=', '*=')} {expression(d, 1)};", f"{v}{d.pick('++', '--')};", f"{d.pick('++', '--')}{w};",
                       f"if ({expression(d, 1)}) {w} = {expression(d, 1)};", f"{w} = edge[input()];", f"sink = {expression(d, 0)};")]

    names = [(name, draw.pick(*TYPES)) for name in ("a", "b", "c", "x", "y")]
    return "\n".join([
        "#include <limits.h>", f"static const {draw.pick('int', 'long', 'long long')} edge[] = {{{draw.pick('0', '-1', 'INT_MIN')}, {draw.pick('1', 'INT_MAX', '-1')}, {draw.pick('INT_MAX', 'INT_MIN', 'LONG_MAX', 'LONG_MIN')}}};",
        "static long long sink;", "static int most = INT_MAX, least = INT_MIN;", "static long wide = LONG_MAX;", f"static struct {{ int f : {draw.pick(5, 31, 32)}; unsigned g : {draw.pick(3, 31, 32)}; }} s;", "int main(void) {", "  int n = input(), m = 1;",
        *[f"  {kind} {name} = {draw.pick('0', '1', 'edge[n]', '7', 'INT_MAX')};" for name, kind in names], *statements(draw, 1, 1, 4, one), "  return 0;", "}", ""])


def bits(draw):
    def one(d, depth):
        if d.chance(0.2) and depth < 2:
            return nested(d, depth, one)
        v, by = d.pick("a", "b", "c"), d.pick("n", "m & 7", "30", "1", "n * 10", "16")
        kind, little = d.pick(*TYPES), d.pick("1", "4", "15")
        return [d.pick(
            f"{v} = SHIFT_LEFT(a, {by});", f"{v} = SHIFT_LEFT(1, {by});", f"{v} = SHIFT_LEFT({v}, {d.pick('1', 'n', '2')});", f"{v} = -1 >> ({by});",
            f"{v} >>= 1;", f"{v} = ({kind})SHIFT_LEFT(b, {little});", f"{v} = {d.pick('a', 'b')} ^ {d.pick('c', '-1')};", f"sink = SHIFT_LEFT(1L, {by});",
            f"{v} = edge[input()];", "c = MAGNITUDE(c);", f"{v} = -{v};",
        )]

    return "\n".join(["#include <limits.h>", "#include <stdlib.h>", "static const int edge[] = {1, INT_MAX, " + draw.pick("-1", "INT_MIN", "0x40000000", "0x8000") + "};", "static long long sink;", "int main(void) {",
                      "  int n = input(), m = 1;", f"  {draw.pick(*TYPES)} a = edge[n];", "  int b = n, c = 1;", *statements(draw, 1, 1, 4, one), "  return 0;", "}", ""])


MEMORY = {"lists": lambda draw: Maker(draw.random.randrange(10**9), "memory").program(), "strings": strings, "scopes": scopes, "pointers": pointers}
OVERFLOW = {"arithmetic": arithmetic, "bits": bits}
KINDS = MEMORY | OVERFLOW
OVERFLOW_FLAGS = ["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"]
# Presets that answer neither property, or only where a program is of a special kind, are asked all the same: they say so.
NOT_ASKED = {"default", "random", "recursion", "arrays"}


def arguments(parser):
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only programs of this kind (may be repeated)")
    parser.add_argument("--presets", type=int, default=1, help="how many presets beside the default are asked about each program")
    parser.add_argument("--config", action="append", help="ask these presets only")
    parser.add_argument("--time", type=int, default=3, help="CPU seconds of one question")


def trial(bench, program, kind):
    """The violations that the sanitizers report, and whether everything was tried; None where the program is not fit for a trial."""
    memory = kind in MEMORY
    source = bench.write("trial.c", ("#define MEMORY\n" if memory else "") + TRIED + program + DRIVER)
    # gcc turns signed operations into unsigned ones before it looks at them, where it can; clang does not.
    compiler = "gcc" if memory or not bench.clang else bench.clang
    flags = ["-fsanitize=address", "-fno-strict-aliasing", "-fwrapv", "-fno-builtin"] if memory else OVERFLOW_FLAGS
    executable, messages = bench.compile(compiler, [source], flags)
    if executable is None:
        print(messages[:400])
        return None
    try:
        done = subprocess.run([str(executable)], capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return None
    found, text = set(), done.stderr
    for what in re.findall(r"ERROR: AddressSanitizer: (.*)", text):
        if what.startswith("attempting") or what.startswith("bad-free"):
            found.add("valid-free")
        elif "param-overlap" in what or "stack-overflow" in what or "allocation-size" in what:
            return None
        else:
            found.add("valid-deref")
    if re.search(r"^LEAK", text, re.M):
        found.add("valid-memtrack")
    if re.search(r"^SIGNAL", text, re.M):
        found.add("valid-deref" if memory else "no-overflow")
    return found, not re.search(r"^CUT", text, re.M)


def verdict(bench, source, kind, config, time):
    name = "valid-memsafety" if kind in MEMORY else "no-overflow"
    command = [bench.assay, "verify", "--property", name, "--data-model", bench.model, "--threads", "1", "--time-limit", f"{time}s"]
    command += ["--config", config] if config else []
    try:
        done = subprocess.run([*command, str(source)], capture_output=True, text=True, errors="replace", timeout=60 * time)
    except subprocess.TimeoutExpired:
        return "unknown", ""  # the machine is busy: the limit is one of CPU time
    answers = re.findall(r"^verdict: (\w+)(?:\(([\w-]+)\))?", done.stdout, re.M)
    said, which = answers[-1] if answers else ("none", "")
    return ("none" if "internal error" in done.stdout else said), which


def judge(found, tried_all, said, which):
    if said == "true":
        return "wrong" if found else "agrees"
    if said == "false":
        if which in found or (which == "no-overflow" and found) or not tried_all:
            return "agrees"
        return "unsure" if which == "valid-memtrack" else "wrong"
    return "unknown" if said == "unknown" else "wrong"


def run(options, bench):
    names = options.kind or sorted(KINDS)
    listed = subprocess.run([bench.assay, "configs"], capture_output=True, text=True).stdout
    others = [line.split()[0] for line in listed.splitlines() if line.strip() and line.split()[0] not in NOT_ASKED]
    words = ("programs", "violations", "unfit", "agrees", "unknown", "unsure", "wrong")
    for number in range(options.count):
        kind = names[number % len(names)]
        program = KINDS[kind](Draw(f"{options.seed} {kind} {number}"))
        truth = trial(bench, program, kind)
        bench.counts[(kind, "programs")] += 1
        if truth is None:
            bench.counts[(kind, "unfit")] += 1
            continue
        found, tried_all = truth
        bench.counts[(kind, "violations")] += bool(found)
        source = bench.write("program.c", VERIFIED + program)
        turn = [others[(number * options.presets + i) % len(others)] for i in range(min(options.presets, len(others)))]
        for config in options.config or [None, *turn]:
            said, which = verdict(bench, source, kind, config, options.time)
            word = judge(found, tried_all, said, which)
            bench.counts[(kind, word)] += 1
            if word in ("wrong", "unsure"):
                print(f"--- {kind} {number}, {config or 'default'}: tried {sorted(found)}, said {said} {which}: {word}", flush=True)
                bench.failures += [(kind, number, word)] if word == "wrong" else []
                if bench.keep:
                    bench.keep.mkdir(parents=True, exist_ok=True)
                    (bench.keep / f"{kind}-{number}.c").write_text(VERIFIED + program)
    return bench.report(words)
