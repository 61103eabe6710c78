#!/usr/bin/env python3
"""Lists public items that nothing mentions, in any crate, and counts those that only tests mention.

The compiler finds private items without a caller, but what is `pub` in one crate may be unused in all others. This looks for names: an
item is reported if its name occurs nowhere but in its own definition, in re-exports and in comments. An item whose name another one shares is
missed. Examples and benchmarks count as tests. The exit status is 1 if something is reported. `--tests` lists what only tests use, too.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ITEM = re.compile(r"^\s*pub(?:\(\w+\))?\s+(?:const\s+|async\s+|unsafe\s+)*(?:fn|struct|enum|trait|type|static|const)\s+([A-Za-z_]\w*)")
WORD = re.compile(r"[A-Za-z_]\w*")


def is_test(path):
    """Whether a file is for tests only; `assay tests` is a command."""
    return "src" not in path.parts or "tests" in path.parts or path.stem.endswith("tests") and path.parent.name != "commands"


def live_lines(path):
    """The lines of a file without comments, strings and `#[cfg(test)]` modules."""
    inside, depth = False, 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if inside:
            depth += line.count("{") - line.count("}")
            inside = depth > 0 or ("{" not in line and not line.rstrip().endswith(";"))
            continue
        if line.strip() == "#[cfg(test)]":
            inside, depth = True, 0
            continue
        yield number, re.sub(r'"(?:[^"\\]|\\.)*"', '""', line.split("//")[0])


def main():
    uses, items = collections.Counter(), []
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        if is_test(path):
            continue
        reexport = False
        for number, line in live_lines(path):
            found = ITEM.match(line)
            if found:
                items.append((found.group(1), path.relative_to(ROOT), number))
            # A re-export is no use.
            reexport = reexport or line.startswith("pub use ")
            if not reexport:
                uses.update(WORD.findall(line))
            reexport = reexport and not line.rstrip().endswith(";")
    tested = set()
    for path in ROOT.glob("crates/**/*.rs"):
        if "target" not in path.parts:
            own = {name for name, place, _ in items if ROOT / place == path}
            words = collections.Counter(WORD.findall("\n".join(line.split("//")[0] for line in path.read_text().splitlines())))
            tested.update(word for word, count in words.items() if is_test(path) or word in own and count > uses[word])
    defined = collections.Counter(name for name, _, _ in items)
    unused = [item for item in items if uses[item[0]] <= defined[item[0]]]
    dead = [item for item in unused if item[0] not in tested]
    for name, path, number in unused if "--tests" in sys.argv else dead:
        print(f"{path}:{number}: `{name}` has no caller" + (" but tests" if name in tested else ""))
    print(f"{len(items)} public items, {len(unused) - len(dead)} that only tests use, {len(dead)} without a caller", file=sys.stderr)
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
