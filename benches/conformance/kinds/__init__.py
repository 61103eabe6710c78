"""Generators of small programs, by what they are about; `constructs` runs them."""
