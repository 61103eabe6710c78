#!/usr/bin/env python3
"""Compares what Assay takes C to mean with what compilers and the C library do.

    conformance.py library ASSAY [--arguments N] [--seed S] [--only NAME]
    conformance.py constructs ASSAY [--count N] [--seed S] [--kind KIND]… [--model LP64|ILP32] [--keep FOLDER]
    conformance.py memory ASSAY [--count N] [--seed S] [--kind KIND]… [--model LP64|ILP32] [--presets N] [--keep FOLDER]
    conformance.py checks ASSAY [--check NAME] [--time-limit 5s] [--jobs N] [--model LP64|ILP32]
    conformance.py torture ASSAY FOLDER [--model LP64|ILP32]

Each subcommand is a module of the package `conformance` beside this file; `conformance.py SUBCOMMAND --help` says what it counts. Every
mismatch is printed with its program, and ends the run with status 1. Needs gcc; clang is asked too where it is installed.
"""

import argparse
import sys

from conformance import checks, common, constructs, library, memory, torture

SUBCOMMANDS = {"checks": checks, "constructs": constructs, "library": library, "memory": memory, "torture": torture}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    subparsers = parser.add_subparsers(dest="subcommand", required=True)
    for name, module in SUBCOMMANDS.items():
        sub = subparsers.add_parser(name, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        common.arguments(sub)
        module.arguments(sub)
    options = parser.parse_args()
    with common.Bench(options) as bench:
        return SUBCOMMANDS[options.subcommand].run(options, bench)


if __name__ == "__main__":
    sys.exit(main())
