#!/usr/bin/env python3
"""Hunts wrong verdicts on programs with threads.

Random programs with two or three threads over small shared variables; all interleavings are tried here, by an
interpreter of the random programs that shares nothing with Assay, so that the truth is known: whether the error can be
reached, and whether two accesses race. Locks, atomic sections, joins, conditions, loops of two iterations, arrays and
assumptions occur.

    fuzz_threads.py ASSAY [--count N] [--seed S] [--config PRESET] [--race] [--time SECONDS] [--keep FOLDER]

Exit status 1 where a verdict is wrong; the program is then kept. Only the standard library is used.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

VARIABLES = ["x", "y", "z"]


class Source:
    """A random program: threads are lists of statements.

    ("set", v, e)       v = e                     ("add", v, e)    v += e
    ("lock", m)         ("unlock", m)             ("atomic", [..]) simple statements in one step
    ("if", c, [..])     ("loop", n, [..])         ("get", l, v)    a local reads a variable
    ("assume", l, k)    goes on where the local is not k
    ("array", i, e)     a[i] = e                  ("read", l, i)   a local reads a[i]
    """

    def __init__(self, rng, race):
        self.rng = rng
        self.race = race
        self.threads = [self.block(rng.randint(1, 4), 0, []) for _ in range(rng.choice([2, 2, 2, 3]))]
        if len(self.threads) == 3:
            self.threads = [thread[:2] for thread in self.threads]
        self.main_before = self.plain(1) if rng.random() < 0.4 else []
        self.main_beside = self.block(rng.randint(0, 2), 1, [])
        self.joins = rng.random() < 0.7
        self.check = (rng.choice(VARIABLES), rng.randint(0, 3), rng.choice(VARIABLES), rng.randint(0, 3))

    def expression(self):
        rng = self.rng
        kind = rng.randint(0, 4)
        if kind <= 1:
            return ("number", rng.randint(0, 2))
        if kind == 2:
            return ("variable", rng.choice(VARIABLES))
        if kind == 3:
            return ("local",)
        return ("sum", rng.choice(VARIABLES), rng.choice(VARIABLES))

    def simple(self):
        rng = self.rng
        kind = rng.randint(0, 5)
        if kind <= 1:
            return ("set", rng.choice(VARIABLES), self.expression())
        if kind == 2:
            return ("add", rng.choice(VARIABLES), ("number", 1))
        if kind == 3:
            return ("get", rng.choice(VARIABLES))
        if kind == 4:
            return ("array", rng.randint(0, 1), self.expression())
        return ("read", rng.randint(0, 1))

    def plain(self, count):
        return [self.simple() for _ in range(count)]

    def block(self, count, depth, held):
        rng = self.rng
        body = []
        for _ in range(count):
            kind = rng.random()
            if kind < 0.22 and not held:
                lock = rng.choice(["m", "m", "n"])
                inner = self.block(rng.randint(1, 2), 2, [lock])
                body += [("lock", lock)] + inner + [("unlock", lock)]
            elif kind < 0.34:
                body.append(("atomic", self.plain(rng.randint(1, 2))))
            elif kind < 0.46 and depth < 2:
                body.append(("if", (rng.choice(VARIABLES), rng.randint(0, 2)), self.block(1, depth + 1, held)))
            elif kind < 0.52 and depth < 1:
                body.append(("loop", 2, self.plain(1)))
            elif kind < 0.57 and not held:
                body.append(("assume", rng.randint(0, 2)))
            else:
                body.append(self.simple())
        return body

    # As C.

    def c_expression(self, expression):
        kind = expression[0]
        if kind == "number":
            return str(expression[1])
        if kind == "variable":
            return expression[1]
        return "l" if kind == "local" else f"{expression[1]} + {expression[2]}"

    def c_block(self, block, indent, name):
        lines = []
        for number, statement in enumerate(block):
            kind = statement[0]
            pad = "  " * indent
            if kind == "set":
                lines.append(f"{pad}{statement[1]} = ({self.c_expression(statement[2])}) & 3;")
            elif kind == "add":
                lines.append(f"{pad}{statement[1]}++;")
            elif kind == "get":
                lines.append(f"{pad}l = {statement[1]};")
            elif kind == "array":
                lines.append(f"{pad}a[{statement[1]}] = ({self.c_expression(statement[2])}) & 3;")
            elif kind == "read":
                lines.append(f"{pad}l = a[{statement[1]}];")
            elif kind in ("lock", "unlock"):
                lines.append(f"{pad}pthread_mutex_{kind}(&{statement[1]});")
            elif kind == "atomic":
                lines.append(f"{pad}__VERIFIER_atomic_begin();")
                lines += self.c_block(statement[1], indent, name)
                lines.append(f"{pad}__VERIFIER_atomic_end();")
            elif kind == "if":
                lines.append(f"{pad}if ({statement[1][0]} == {statement[1][1]}) {{")
                lines += self.c_block(statement[2], indent + 1, name)
                lines.append(f"{pad}}}")
            elif kind == "loop":
                counter = f"i{number}_{indent}"
                lines.append(f"{pad}for (int {counter} = 0; {counter} < {statement[1]}; {counter}++) {{")
                lines += self.c_block(statement[2], indent + 1, name)
                lines.append(f"{pad}}}")
            elif kind == "assume":
                lines.append(f"{pad}__VERIFIER_assume(l != {statement[1]});")
        return lines

    def text(self):
        lines = [
            "typedef unsigned long pthread_t;",
            "typedef union { char size[40]; long align; } pthread_mutex_t;",
            "extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);",
            "extern int pthread_join(pthread_t, void **);",
            "extern int pthread_mutex_lock(pthread_mutex_t *);",
            "extern int pthread_mutex_unlock(pthread_mutex_t *);",
            "extern void __VERIFIER_atomic_begin(void);",
            "extern void __VERIFIER_atomic_end(void);",
            "extern void __VERIFIER_assume(int);",
            "extern void reach_error(void);",
            "int x, y, z, a[2];",
            "pthread_mutex_t m, n;",
        ]
        for number, thread in enumerate(self.threads):
            lines.append(f"void *thread{number}(void *argument) {{")
            lines.append("  int l = 0;")
            lines += self.c_block(thread, 1, f"t{number}")
            lines += ["  return 0;", "}"]
        lines += ["int main(void) {", "  int l = 0;"]
        lines.append("  pthread_t " + ", ".join(f"id{n}" for n in range(len(self.threads))) + ";")
        lines += self.c_block(self.main_before, 1, "main")
        for number in range(len(self.threads)):
            lines.append(f"  pthread_create(&id{number}, 0, thread{number}, 0);")
        lines += self.c_block(self.main_beside, 1, "main")
        if self.joins:
            for number in range(len(self.threads)):
                lines.append(f"  pthread_join(id{number}, 0);")
        v, k, w, j = self.check
        if not self.race:
            lines.append(f"  if ({v} == {k} && {w} == {j}) reach_error();")
        lines += ["  return 0;", "}"]
        return "\n".join(lines) + "\n"

    # As steps: each is one access at most. ("read", place) puts a value on the stack of the thread.

    def steps_of_expression(self, expression, out):
        kind = expression[0]
        if kind == "number":
            out.append(("push", expression[1]))
        elif kind == "local":
            out.append(("pushl",))
        else:
            for variable in expression[1:]:
                out.append(("load", variable))
            if kind == "sum":
                out.append(("sum",))

    def steps(self, block, out):
        for statement in block:
            kind = statement[0]
            if kind in ("set", "array"):
                place = statement[1] if kind == "set" else f"a{statement[1]}"
                self.steps_of_expression(statement[2], out)
                out += [("mask",), ("store", place)]
            elif kind == "add":
                out += [("load", statement[1]), ("push", 1), ("sum",), ("store", statement[1])]
            elif kind in ("get", "read"):
                out += [("load", statement[1] if kind == "get" else f"a{statement[1]}"), ("setl",)]
            elif kind in ("lock", "unlock"):
                out.append((kind, statement[1]))
            elif kind == "atomic":
                out.append(("begin",))
                self.steps(statement[1], out)
                out.append(("end",))
            elif kind == "if":
                out += [("load", statement[1][0]), None]
                at = len(out) - 1
                self.steps(statement[2], out)
                out[at] = ("unless", statement[1][1], len(out))
            elif kind == "loop":
                for _ in range(statement[1]):
                    self.steps(statement[2], out)
            elif kind == "assume":
                out.append(("assume", statement[1]))

    def programs(self):
        found = []
        for thread in self.threads:
            out = []
            self.steps(thread, out)
            found.append(out + [("halt",)])
        out = []
        self.steps(self.main_before, out)
        for number in range(len(self.threads)):
            out.append(("start", number))
        self.steps(self.main_beside, out)
        if self.joins:
            for number in range(len(self.threads)):
                out.append(("join", number))
        v, k, w, j = self.check
        if not self.race:
            out += [("load", v), None, ("load", w), None, ("error",)]
            end = len(out)
            out[-4] = ("unless", k, end)
            out[-2] = ("unless", j, end)
        return found + [out + [("over",)]]


ACCESSES = ("load", "store")
MOST_STATES = 400_000


def explore(source):
    """Whether the error is reached, and whether there is a race; None where there are too many states."""
    programs = source.programs()
    count = len(programs)
    main = count - 1
    places = VARIABLES + ["a0", "a1", "m", "n"]
    index = {place: at for at, place in enumerate(places)}
    # A thread: place, local, stack, depth of sections; -1 is a thread that was not started.
    start = tuple([(-1, 0, (), 0)] * main + [(0, 0, (), 0)])
    begin = (tuple([0] * len(places)), start)
    seen, work = {begin}, [begin]
    error = race = False
    while work:
        memory, threads = work.pop()
        running = [t for t in range(count) if threads[t][3] > 0]
        for t in running or range(count):
            at, local, stack, depth = threads[t]
            if at < 0 or at >= len(programs[t]):
                continue
            step = programs[t][at]
            kind = step[0]
            if kind in ACCESSES:
                for u in range(count):
                    if u == t or threads[u][0] < 0 or threads[u][0] >= len(programs[u]) or threads[u][3] > 0:
                        continue
                    other = programs[u][threads[u][0]]
                    if other[0] in ACCESSES and other[1] == step[1] and "store" in (other[0], kind):
                        race = True
            new, others = None, threads
            values = memory
            if kind == "push":
                new = (at + 1, local, stack + (step[1],), depth)
            elif kind == "pushl":
                new = (at + 1, local, stack + (local,), depth)
            elif kind == "load":
                new = (at + 1, local, stack + (memory[index[step[1]]],), depth)
            elif kind == "sum":
                new = (at + 1, local, stack[:-2] + (stack[-2] + stack[-1],), depth)
            elif kind == "mask":
                new = (at + 1, local, stack[:-1] + (stack[-1] & 3,), depth)
            elif kind == "store":
                values = memory[: index[step[1]]] + (stack[-1],) + memory[index[step[1]] + 1 :]
                new = (at + 1, local, stack[:-1], depth)
            elif kind == "setl":
                new = (at + 1, stack[-1], stack[:-1], depth)
            elif kind == "lock":
                if memory[index[step[1]]] == 0:
                    values = memory[: index[step[1]]] + (t + 1,) + memory[index[step[1]] + 1 :]
                    new = (at + 1, local, stack, depth)
            elif kind == "unlock":
                values = memory[: index[step[1]]] + (0,) + memory[index[step[1]] + 1 :]
                new = (at + 1, local, stack, depth)
            elif kind == "begin":
                new = (at + 1, local, stack, depth + 1)
            elif kind == "end":
                new = (at + 1, local, stack, depth - 1)
            elif kind == "unless":
                new = (at + 1 if stack[-1] == step[1] else step[2], local, stack[:-1], depth)
            elif kind == "assume":
                # Who fails it is never chosen again; the others go on.
                if local != step[1]:
                    new = (at + 1, local, stack, depth)
            elif kind == "start":
                others = threads[: step[1]] + ((0, 0, (), 0),) + threads[step[1] + 1 :]
                new = (at + 1, local, stack, depth)
            elif kind == "join":
                if threads[step[1]][0] >= len(programs[step[1]]):
                    new = (at + 1, local, stack, depth)
            elif kind == "halt":
                new = (at + 1, 0, (), 0)
            elif kind == "error":
                error = True
            if new is not None:
                state = (values, others[:t] + (new,) + others[t + 1 :])
                if state not in seen:
                    if len(seen) >= MOST_STATES:
                        return None
                    seen.add(state)
                    work.append(state)
    return error, race


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", default=None)
    parser.add_argument("--race", action="store_true")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--keep", default="/tmp/fuzz-threads")
    arguments = parser.parse_args()
    tally = {}
    wrong = 0
    for number in range(arguments.seed, arguments.seed + arguments.count):
        source = Source(random.Random(number), arguments.race)
        truth = explore(source)
        if truth is None:
            tally["too large"] = tally.get("too large", 0) + 1
            continue
        violated = truth[1] if arguments.race else truth[0]
        with tempfile.NamedTemporaryFile("w", suffix=".c", delete=False) as file:
            file.write(source.text())
        name = "no-data-race" if arguments.race else "unreach-call"
        command = [arguments.assay, "verify", "--quiet", "--property", name, "--time-limit", f"{arguments.time}s"]
        command += ["--memory-limit", "3GiB", "--threads", "1"] + (["--config", arguments.config] if arguments.config else [])
        run = subprocess.run(command + [file.name], capture_output=True, text=True)
        verdict = run.stdout.strip().splitlines()[-1] if run.stdout.strip() else "verdict: none"
        answer = {"verdict: true": False}.get(verdict, True if verdict.startswith("verdict: false") else None)
        key = f"{'violated' if violated else 'holds'}: {'unknown' if answer is None else 'false' if answer else 'true'}"
        tally[key] = tally.get(key, 0) + 1
        if answer is not None and answer != violated or "internal error" in run.stderr:
            wrong += 1
            os.makedirs(arguments.keep, exist_ok=True)
            kept = os.path.join(arguments.keep, f"{name}-{arguments.config}-{number}.c")
            os.replace(file.name, kept)
            print(f"WRONG {kept}: {verdict}, violated: {violated} {run.stderr[:100]}", flush=True)
        else:
            os.unlink(file.name)
    print(f"seeds {arguments.seed} to {arguments.seed + arguments.count - 1}: {tally}, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
