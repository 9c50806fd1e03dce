"""The only door to git: repository, objects, refs, journal, slots."""
