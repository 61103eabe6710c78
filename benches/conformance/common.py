"""What all comparisons share: compiling, running, interpreting, and batches of cases.

A case is one generated program: its own types, objects and functions, and a function without parameters that computes a checksum. It is
written with `@` before each name of file scope, so that many cases fit into one file: a batch costs one compilation and one run of
the interpreter, and a case of a batch that does not agree is run again alone.
"""

import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

DECLARED = "extern void reach_error(void);\n"


@dataclass
class Case:
    """One program. `texts` are its files; the first defines `unsigned long long @run(void)`."""

    kind: str
    texts: list = field(default_factory=list)

    def text(self, number, file):
        return self.texts[file].replace("@", f"k{number}_") if file < len(self.texts) else ""


def arguments(parser):
    """The options of all subcommands."""
    parser.add_argument("assay", help="the command to test")
    parser.add_argument("--count", type=int, default=400, help="how many programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", choices=["LP64", "ILP32"], default="LP64")
    parser.add_argument("--batch", type=int, default=40, help="programs in one compilation")
    parser.add_argument("--keep", type=Path, help="a folder for the programs that do not agree")
    parser.add_argument("--no-clang", action="store_true")


class Bench:
    """The tools, and a folder for what they make."""

    def __init__(self, options):
        self.assay = str(Path(options.assay).resolve())
        self.model = options.model
        self.keep = options.keep
        self.width = "-m32" if options.model == "ILP32" else "-m64"
        self.clang = None if options.no_clang else shutil.which("clang")
        self.counts = Counter()
        self.failures = []

    def __enter__(self):
        self._temporary = tempfile.TemporaryDirectory(prefix="assay-conformance-")
        self.folder = Path(self._temporary.name)
        return self

    def __exit__(self, *_):
        self._temporary.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def compile(self, compiler, sources, flags=()):
        """The executable, or None and the messages."""
        target = self.folder / f"{Path(compiler).name}.exe"
        command = [compiler, "-w", "-O0", self.width, *flags, "-o", str(target), *map(str, sources), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600)
        return (target, "") if done.returncode == 0 else (None, done.stderr)

    def run(self, executable, timeout=10, stdin=""):
        """The standard output and the status; what was printed before a crash or a time-out counts."""
        try:
            done = subprocess.run([str(executable)], capture_output=True, text=True, errors="replace", timeout=timeout, input=stdin)
            return done.stdout, done.returncode
        except subprocess.TimeoutExpired as expired:
            output = expired.stdout or b""
            return (output if isinstance(output, str) else output.decode(errors="replace")), None

    def interpret(self, sources, flags=(), timeout=60):
        """The status of `assay interpret` (0 agreed, 10 reached the error, else no answer) and its output."""
        command = [self.assay, "interpret", "-m", self.model, "--time-limit", str(timeout), *flags, *map(str, sources)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=4 * timeout)
        except subprocess.TimeoutExpired:
            return 20, "no answer in time"
        return done.returncode, (done.stdout + done.stderr).strip()

    # Batches of cases.

    def files(self, cases, prefix, ending):
        """Writes the cases (numbered) as files; `ending` is the text of `main`."""
        count = max(len(case.texts) for _, case in cases)
        paths = []
        for file in range(count):
            text = "".join(case.text(number, file) + "\n" for number, case in cases)
            paths.append(self.write(f"{prefix}{file}.c", text + (ending if file == 0 else "")))
        return paths

    def reference(self, compiler, cases):
        """The checksums that a compiler's programs print, by number; None for cases that it does not compile or that crash."""
        calls = "".join(f'  printf("{number} %llx\\n", k{number}_run()); fflush(stdout);\n' for number, _ in cases)
        paths = self.files(cases, "native", f"#include <stdio.h>\nint main(void) {{\n{calls}  return 0;\n}}\n")
        executable, messages = self.compile(compiler, paths)
        if executable is None:
            if len(cases) == 1:
                return {cases[0][0]: None}, {cases[0][0]: messages}
            found, why = {}, {}
            for case in cases:
                one, reason = self.reference(compiler, [case])
                found |= one
                why |= reason
            return found, why
        output, status = self.run(executable)
        found = {}
        for line in output.splitlines():
            number, _, value = line.partition(" ")
            found[int(number)] = int(value, 16)
        missing = [case for case in cases if case[0] not in found]
        if missing and len(cases) > 1:
            # The first that is missing crashed, those behind it did not run.
            found[missing[0][0]] = None
            if missing[1:]:
                found |= self.reference(compiler, missing[1:])[0]
        elif missing:
            found[missing[0][0]] = None
        return found, {number: f"ends with status {status}" for number, value in found.items() if value is None}

    def check(self, cases, expected):
        """Interprets cases whose checksums are known; gives those that do not agree, with the interpreter's words."""
        if not cases:
            return []
        checks = "".join(f"  if (k{number}_run() != 0x{expected[number]:x}ULL) reach_error();\n" for number, _ in cases)
        paths = self.files(cases, "interpreted", f"{DECLARED}int main(void) {{\n{checks}  return 0;\n}}\n")
        status, output = self.interpret(paths)
        if status == 0:
            return []
        if len(cases) > 1:
            middle = len(cases) // 2
            return self.check(cases[:middle], expected) + self.check(cases[middle:], expected)
        return [(cases[0][0], cases[0][1], status, output)]

    def compare(self, cases):
        """Compares a batch of numbered cases, and counts what came out by kind."""
        expected, reasons = self.reference("gcc", cases)
        for number, case in cases:
            if expected.get(number) is None:
                # A program that gcc refuses compares nothing, and says nothing; one that crashes does.
                self.counts[(case.kind, "no reference")] += 1
                if "error:" not in reasons.get(number, ""):
                    self.fail("gcc has no answer", number, case, reasons.get(number, ""))
        known = [case for case in cases if expected.get(case[0]) is not None]
        if self.clang and known:
            other, _ = self.reference(self.clang, known)
            for number, case in known:
                if other.get(number) != expected[number]:
                    self.counts[(case.kind, "clang differs" if other.get(number) is not None else "not by clang")] += 1
        wrong = self.check(known, expected)
        for number, case, status, output in wrong:
            last = output.splitlines()[-1] if output else ""
            word = "wrong" if status == 10 else "no answer"
            # What is marked as unsupported is honest, and no mismatch.
            if status != 10 and "unsupported: " in last:
                self.counts[(case.kind, "unsupported")] += 1
                continue
            self.counts[(case.kind, word)] += 1
            self.fail(f"{word} (gcc: {expected[number]:x}): {last}", number, case, output)
        for _, case in known:
            self.counts[(case.kind, "compared")] += 1

    def fail(self, what, number, case, details):
        self.failures.append((case.kind, number, what))
        print(f"--- {case.kind} {number}: {what}", flush=True)
        if details:
            print("\n".join(details.splitlines()[:8]))
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            for file in range(len(case.texts)):
                (self.keep / f"{case.kind}-{number}-{file}.c").write_text(case.text(number, file))

    def report(self, words=("compared", "clang differs", "not by clang", "unsupported", "no reference", "no answer", "wrong")):
        """Prints a table of the counts; the status of the run."""
        kinds = sorted({kind for kind, _ in self.counts})
        print("| kind | " + " | ".join(words) + " |\n|---|" + "---|" * len(words))
        for kind in kinds:
            print(f"| {kind} | " + " | ".join(str(self.counts[(kind, word)]) for word in words) + " |")
        totals = [sum(self.counts[(kind, word)] for kind in kinds) for word in words]
        print("| all | " + " | ".join(map(str, totals)) + " |", flush=True)
        return 1 if self.failures else 0
