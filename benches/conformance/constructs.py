"""Small programs for each construct of C crossed with side effects, compiled and interpreted: the checksums must be those of gcc.

Counted is the generated program (`--count` of them, spread evenly over the kinds): each has its own types, objects and functions and
computes one checksum of 64 bits; `--batch` of them are compiled at once. Where clang computes another checksum, the program depends on an
order (or another choice) that C leaves open; then only gcc counts, because its order is the one that Assay promises.
"""

import random

from conformance.kinds import flow, numbers, objects, order, parts

MAKERS = [
    order.order, order.assignments, order.compound, order.calls, order.choices,
    numbers.conversions, numbers.promotions, numbers.constants, numbers.floats, numbers.wide, numbers.bit_fields, numbers.builtins,
    objects.initialisers, objects.literals, objects.copies, objects.lengths, objects.pointers, objects.atomics,
    flow.switches, flow.jumps, flow.rounds, flow.scopes, flow.linkage, flow.blocks, flow.strings, flow.enumerations,
    parts.vectors, parts.complexes, parts.inner, parts.leaps,
]  # fmt: skip
KINDS = {maker.__name__: maker for maker in MAKERS}
# There are no such types where pointers have 32 bits.
ONLY_64 = {"conversions", "wide"}


def arguments(parser):
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only programs of this kind (may be repeated)")


def run(options, bench):
    names = [name for name in options.kind or KINDS if options.model == "LP64" or name not in ONLY_64]
    batch = []
    try:
        for number in range(options.count):
            name = names[number % len(names)]
            batch.append((number, KINDS[name](random.Random(f"{options.seed} {name} {number}"))))
            if len(batch) == options.batch or number + 1 == options.count:
                bench.compare(batch)
                batch = []
    except KeyboardInterrupt:
        print("interrupted; what has been compared so far:")
    return bench.report()
