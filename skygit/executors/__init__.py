"""Executors: where evaluations run."""
