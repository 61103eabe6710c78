"""The comparison with compilers: `common` has what all parts share, each other module is a subcommand of conformance.py."""
