#!/usr/bin/env python3
"""Hunts wrong verdicts of termination: random loops over 8-bit variables whose truth comes from enumeration.

    fuzz_termination.py ASSAY [--runs N] [--seed N] [--time SECONDS] [--keep FOLDER]

Each program has two or three `unsigned char` (or `signed char`) variables, begins with values that are inputs or
numbers, and runs one loop, or one inside another, of assignments and branches. The graph of its states is small enough
to be searched as a whole: an execution never ends where a cycle can be reached, whatever the inputs choose. All
arithmetic fits an `int`, so that nothing is undefined. Prints wrong verdicts with their programs, and the share decided.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

NAMES = ["a", "b", "c"]


class Maker:
    """One random program: as C, and as a function from a state to its successors."""

    def __init__(self, rng):
        self.rng = rng
        self.names = NAMES[:rng.choice([1, 2, 2, 2])]
        self.signed = rng.random() < 0.3
        self.small = rng.choice([15, 31, 255]) if len(self.names) == 2 else 255

    def number(self):
        return self.rng.choice([0, 1, 1, 2, 3, 4, 5, 7, 8, 10, 16, 30, 100, 127, 200])

    def atom(self):
        return self.rng.choice(self.names) if self.rng.random() < 0.6 else str(self.number())

    def expression(self):
        x = self.rng.choice(self.names)
        r = self.rng.random()
        if r < 0.45:
            return f"{x} {self.rng.choice('+--')} {self.rng.choice([1, 1, 1, 2, 3])}"
        if r < 0.7:
            return f"{x} {self.rng.choice(['+', '-', '-', '&', '|', '^'])} {self.atom()}"
        if r < 0.8:
            return f"{x} {self.rng.choice(['>> 1', '/ 2', '* 2', '& (' + x + ' - 1)'])}"
        return self.atom()

    def condition(self):
        x, y = self.rng.choice(self.names), self.atom()
        text = f"{x} {self.rng.choice(['<', '>', '>', '!=', '!=', '<=', '>=', '=='])} {y}"
        if self.rng.random() < 0.25:
            text += f" {self.rng.choice(['&&', '||'])} {self.rng.choice(self.names)} {self.rng.choice(['>', '<', '!='])} {self.number()}"
        return text

    def statement(self, depth):
        r = self.rng.random()
        if r < 0.55 or depth > 2:
            return ("set", self.rng.choice(self.names), self.expression())
        if r < 0.88:
            condition = "?" if self.rng.random() < 0.2 else self.condition()
            return ("if", condition, self.block(depth + 1), self.block(depth + 1) if self.rng.random() < 0.6 else [])
        if r < 0.93:
            return ("input", self.rng.choice(self.names))
        if r < 0.95:
            return ("break",)
        return ("while", self.condition(), self.block(depth + 1))

    def block(self, depth):
        return [self.statement(depth) for _ in range(self.rng.choice([1, 1, 2, 2, 3]))]

    def program(self):
        start = [("input", name) if self.rng.random() < 0.7 else ("set", name, str(self.number())) for name in self.names]
        self.body = start + [("while", self.condition(), self.block(1))]
        return self.body


def c_text(maker, body):
    kind = "signed char" if maker.signed else "unsigned char"
    lines = ["extern int __VERIFIER_nondet_int(void);", "int main(void) {"]
    lines += [f"    {kind} {name} = 0;" for name in maker.names]

    def emit(statements, indent):
        space = "    " * indent
        for one in statements:
            if one[0] == "set":
                lines.append(f"{space}{one[1]} = ({kind})((({one[2]}) & {maker.small}));" if not maker.signed
                             else f"{space}{one[1]} = ({kind})({one[2]});")
            elif one[0] == "input":
                mask = maker.small if not maker.signed else 255
                lines.append(f"{space}{one[1]} = ({kind})(__VERIFIER_nondet_int() & {mask});")
            elif one[0] == "if":
                condition = "__VERIFIER_nondet_int()" if one[1] == "?" else one[1]
                lines.append(f"{space}if ({condition}) {{")
                emit(one[2], indent + 1)
                if one[3]:
                    lines.append(f"{space}}} else {{")
                    emit(one[3], indent + 1)
                lines.append(f"{space}}}")
            elif one[0] == "while":
                lines.append(f"{space}while ({one[1]}) {{")
                emit(one[2], indent + 1)
                lines.append(f"{space}}}")
            else:
                lines.append(f"{space}break;")

    emit(body, 1)
    return "\n".join(lines + ["    return 0;", "}"]) + "\n"


def flat(body):
    """As code: a list of (operation, ...) with jumps."""
    code = []

    def emit(statements, out):
        for one in statements:
            if one[0] == "if":
                at = len(code)
                code.append(None)
                emit(one[2], out)
                jump = len(code)
                code.append(None)
                code[at] = ("test", one[1], len(code))
                emit(one[3], out)
                code[jump] = ("jump", len(code))
            elif one[0] == "while":
                at = len(code)
                code.append(None)
                leaving = []
                emit(one[2], leaving)
                code.append(("jump", at))
                code[at] = ("test", one[1], len(code))
                for place in leaving:
                    code[place] = ("jump", len(code))
            elif one[0] == "break":
                out.append(len(code))
                code.append(None)
            else:
                code.append(one)

    outer = []
    emit(body, outer)
    for place in outer:
        code[place] = ("jump", len(code))
    return code


def never_ends(maker, body):
    """Whether a cycle of states can be reached."""
    code = flat(body)
    convert = (lambda v: ((v + 128) & 255) - 128) if maker.signed else (lambda v: v & maker.small & 255)
    names = maker.names
    compiled = []
    for one in code:
        if one[0] == "set" or one[0] == "test" and one[1] != "?":
            text = (one[2] if one[0] == "set" else one[1]).replace("&&", " and ").replace("||", " or ")
            # C's division goes towards zero.
            text = re.sub(r"(\w+) / 2", r"int(\1 / 2)", text)
            compiled.append(compile(text, "x", "eval"))
        else:
            compiled.append(None)
    inputs = range(-128, 128) if maker.signed else [v for v in range(256) if v & maker.small == v]

    def successors(state):
        at, values = state[0], state[1:]
        if at == len(code):
            return
        one = code[at]
        if one[0] == "jump":
            yield (one[1],) + values
        elif one[0] == "test":
            if one[1] == "?":
                yield (at + 1,) + values
                yield (one[2],) + values
            else:
                yield (at + 1 if eval(compiled[at], {}, dict(zip(names, values))) else one[2],) + values
        elif one[0] == "set":
            value = convert(eval(compiled[at], {}, dict(zip(names, values))))
            yield (at + 1,) + tuple(value if name == one[1] else old for name, old in zip(names, values))
        else:
            for value in inputs:
                yield (at + 1,) + tuple(value if name == one[1] else old for name, old in zip(names, values))

    color, root = {}, (0,) + (0,) * len(names)
    stack = [(root, successors(root))]
    color[root] = 1
    while stack:
        state, more = stack[-1]
        for following in more:
            seen = color.get(following, 0)
            if seen == 1:
                return True
            if seen == 0:
                if len(color) > 400_000:
                    return None
                color[following] = 1
                stack.append((following, successors(following)))
                break
        else:
            color[state] = 2
            stack.pop()
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assay")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=int, default=5)
    parser.add_argument("--keep", help="folder for programs with wrong verdicts, and for those that stay open")
    options = parser.parse_args()
    counts = {"true": 0, "false": 0, "unknown": 0, "wrong": 0}
    truths = {True: 0, False: 0}
    number, done = options.seed * 1_000_000, 0
    while done < options.runs:
        number += 1
        maker = Maker(random.Random(number))
        body = maker.program()
        endless = never_ends(maker, body)
        if endless is None:
            continue
        # Half of them end.
        if truths[endless] > truths[not endless] + 20:
            continue
        done += 1
        truths[endless] += 1
        text = c_text(maker, body)
        with tempfile.NamedTemporaryFile("w", suffix=".c", delete=False) as file:
            file.write(text)
        command = [options.assay, "verify", "--quiet", "--property", "termination", "--threads", "1",
                   "--time-limit", f"{options.time}s", "--memory-limit", "2GiB", file.name]
        output = subprocess.run(command, capture_output=True, text=True).stdout
        os.unlink(file.name)
        verdict = output.split("verdict: ")[-1].split("(")[0].strip() if "verdict: " in output else "unknown"
        wrong = verdict == ("true" if endless else "false")
        counts["wrong" if wrong else verdict] += 1
        if wrong or options.keep and verdict == "unknown":
            kind = "wrong" if wrong else "open"
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{kind}-{'never-ends' if endless else 'ends'}-{number}.c"), "w") as file:
                    file.write(text)
            if wrong:
                print(f"WRONG: {verdict} for program {number}, which {'never ends' if endless else 'ends'}:\n{text}", flush=True)
    decided = counts["true"] + counts["false"]
    print(f"{done} programs ({truths[False]} end, {truths[True]} may run for ever): {counts['true']} true, {counts['false']} false, "
          f"{counts['unknown']} unknown, {counts['wrong']} wrong; {100 * decided / max(done, 1):.1f}% decided")
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
