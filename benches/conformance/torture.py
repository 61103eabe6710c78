"""The execution tests of gcc's torture suite, or of the c-testsuite, in the interpreter: FOLDER is where they are.

    conformance.py torture ASSAY [FOLDER] [--count N] [--model LP64|ILP32]

A test of the torture suite is passed where `main` ends, and failed where it calls `abort`; one of the c-testsuite returns 0. Every file
is asked once. `wrong` are those that call `abort` or return another number although the compiled program does not (that is looked at for these only, so
that tests which need options of the compiler are left out); `unsupported` are counted by reason. Without FOLDER the torture suite is taken from Debian's
package gcc-12-source: it is fetched by apt-get and unpacked in a temporary folder.
"""

import re
import subprocess
from collections import Counter
from pathlib import Path

PACKAGE = "gcc-12-source"
ABORT = "CHECK( init(main()), LTL(G ! call(abort())) )\n"


def arguments(parser):
    parser.set_defaults(count=0)
    parser.add_argument("folder", type=Path, nargs="?", help="the folder with the tests; without it they are fetched")
    parser.add_argument("--time", type=int, default=10, help="CPU seconds of one test")


def reason(output):
    """Why the interpreter has no answer, without places and numbers."""
    for pattern in (r"unsupported: (.*?)(?: at |$)", r"(undefined behaviour \(.*?\))", r"(the way on is not determined)", r"(error: .*)", r"unknown\((.*?)\)"):
        found = re.search(pattern, output, re.M)
        if found:
            return re.sub(r"\d+", "N", found[1])[:80]
    return (output.splitlines() or ["no answer"])[-1][:80]


def fetch(folder):
    """Gets the torture suite; gives the folder of its execution tests."""
    subprocess.run(["apt-get", "download", PACKAGE], cwd=folder, check=True)
    package = next(folder.glob(f"{PACKAGE}_*.deb"))
    tree = folder / "package"
    subprocess.run(["dpkg-deb", "-x", str(package), str(tree)], check=True)
    archive = next(tree.glob("usr/src/*/gcc-*.tar.*"))
    subprocess.run(["tar", "-xf", str(archive), "-C", str(folder), "--wildcards", "*/gcc.c-torture/execute/*"], check=True)
    return next(folder.glob("gcc-*/gcc/testsuite/gcc.c-torture/execute"))


def run(options, bench):
    folder = options.folder or fetch(bench.folder)
    files = sorted(path for path in folder.glob("*.c"))
    files = files[: options.count] if options.count else files
    property_file = bench.write("abort.prp", ABORT)
    reasons, examples = Counter(), {}
    for path in files:
        status, output = bench.interpret([path], ["--property", str(property_file)], timeout=options.time)
        if status == 0:
            bench.counts[("torture", "agrees")] += 1
            continue
        if status == 10:
            compiled, _ = bench.compile("gcc", [path])
            native = bench.run(compiled)[1] if compiled else None
            if native == 0:
                bench.counts[("torture", "wrong")] += 1
                bench.failures.append(("torture", path.name, "wrong"))
                print(f"--- {path.name}: {output.splitlines()[-1]}", flush=True)
                continue
            output = "error: the compiled program fails as well"
        why = reason(output)
        bench.counts[("torture", "no answer")] += 1
        reasons[why] += 1
        examples.setdefault(why, path.name)
    for why, count in reasons.most_common():
        print(f"{count:5} {why} ({examples[why]})")
    return bench.report(("agrees", "no answer", "wrong"))
