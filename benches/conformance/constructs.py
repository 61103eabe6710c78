"""Small programs for each construct of C crossed with side effects, compiled and interpreted: the checksums must be those of gcc.

Counted is the generated program (`--count` of them, spread evenly over the kinds): each has its own types, objects and functions and
computes one checksum of 64 bits. Where clang computes another one, the program depends on an order (or another choice) that C leaves open; then
only gcc counts, because its order is the one that Assay promises.
"""

import random

from conformance.common import Case


def arguments(parser):
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only programs of this kind (may be repeated)")


def conversions(draw):
    """Converts random values between random arithmetic types."""
    types = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "unsigned long long", "_Bool"]
    chain = [draw.choice(types) for _ in range(draw.randint(2, 5))]
    lines = [f"  {chain[0]} v0 = ({chain[0]}){draw.randint(-(2**40), 2**40)}LL;"]
    for index, name in enumerate(chain[1:], 1):
        lines.append(f"  {name} v{index} = ({name})(v{index - 1} {draw.choice('+-*^')} {draw.randint(-300, 300)});")
    total = " * 31 + ".join(f"(unsigned long long)v{index}" for index in range(len(chain)))
    return Case("conversions", ["unsigned long long @run(void) {\n" + "\n".join(lines) + f"\n  return {total};\n}}\n"])


KINDS = {"conversions": conversions}


def run(options, bench):
    names = options.kind or sorted(KINDS)
    batch = []
    for number in range(options.count):
        name = names[number % len(names)]
        batch.append((number, KINDS[name](random.Random(f"{options.seed} {name} {number}"))))
        if len(batch) == options.batch or number + 1 == options.count:
            bench.compare(batch)
            batch = []
    return bench.report()
