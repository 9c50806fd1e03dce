"""Evaluators: a slot in, a judgement out. One file per kind; the rest is their machinery."""
