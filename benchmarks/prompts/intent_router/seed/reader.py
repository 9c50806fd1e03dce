"""Reads a prompt as a very literal clerk would: only lines that name a desk tell him anything.

    billing: invoice, charged twice     the message is for billing when it has these words
    not billing: plan                   ... is not
    If unsure: shipping                 where it goes when nothing speaks for any desk

A cue is one word or several, `ship*` stands for every word that begins so. A cue weighs as much as it has words,
a line written twice weighs twice, and of desks with equal weight the one the prompt names first wins.
"""

import re

DESKS = ("billing", "shipping", "returns", "account", "technical", "sales")
LINE = re.compile(r"\s*(?P<against>not\s+)?(?P<desk>[a-z]+)\s*:\s*(?P<cues>.+)", re.IGNORECASE)
UNSURE = re.compile(r"\s*if\s+unsure\s*:\s*(?P<desk>[a-z]+)\s*\.?\s*$", re.IGNORECASE)


def understood(prompt):
    """(rules, fallback): rules are (desk, weight, words of the cue) in the order of the prompt."""
    rules, fallback = [], ""
    for line in prompt.splitlines():
        unsure = UNSURE.match(line)
        found = LINE.match(line)
        if unsure and unsure["desk"].lower() in DESKS:
            fallback = unsure["desk"].lower()
        elif found and found["desk"].lower() in DESKS:
            sign = -1 if found["against"] else 1
            rules += [(found["desk"].lower(), sign * len(cue), cue) for cue in cues(found["cues"])]
    return rules, fallback


def cues(text):
    """The cues of a line, each a tuple of words."""
    every = (tuple(re.findall(r"[a-z0-9]+\*?", cue)) for cue in text.lower().split(","))
    return [cue for cue in every if cue]


def routed(message, rules, fallback):
    """The desk for a message; "" when the prompt does not tell."""
    words = re.findall(r"[a-z0-9]+", message.lower())
    weights = {}
    for desk, weight, cue in rules:
        weights.setdefault(desk, 0)
        if stands_in(cue, words):
            weights[desk] += weight
    best = max(weights, key=weights.get, default="")
    return best if best and weights[best] > 0 else fallback


def stands_in(cue, words):
    """Whether the words of a cue stand next to each other in a message."""
    return any(
        all(fits(part, words[at + i]) for i, part in enumerate(cue)) for at in range(len(words) - len(cue) + 1)
    )


def fits(part, word):
    return word.startswith(part[:-1]) if part.endswith("*") else word == part
