"""Machinery of the built-in mutation: what may be mutated at a commit, and what was parsed before."""
