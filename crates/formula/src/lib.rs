//! Reserved for the path formulas of predicate analysis (operations to SSA terms, memory in formulas). The bit-precise path
//! check does without them: it runs the symbolic state of `assay-cfa`.
