"""What must hold beside the workload: ends of ranges, several texts, q-grams, the switch for other libraries."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import textdistance

TEXTS = [
    kind()
    for name, kind in sorted(vars(textdistance).items())
    if isinstance(kind, type) and name not in {"Gotoh", "NeedlemanWunsch", "SmithWaterman", "Tanimoto"}
    if kind.__module__.endswith(("edit_based", "phonetic", "sequence_based", "simple", "token_based"))
]


def check(holds, what):
    if not holds:
        sys.exit(f"gate: {what}")


def ranges():
    for algorithm in TEXTS:
        name = type(algorithm).__name__
        for first, second in (("test", "text"), ("", "qwe"), ("nelson", "neilsen"), ("ab", "ba")):
            value = algorithm.normalized_distance(first, second)
            check(-1e-9 <= value <= 1 + 1e-9, f"{name} is out of range for {first!r}, {second!r}")
            total = value + algorithm.normalized_similarity(first, second)
            check(abs(total - 1) < 1e-9, f"{name}: distance and similarity do not add up")
        check(abs(algorithm.normalized_distance("same", "same")) < 1e-9, f"{name} tells equal texts apart")


def known_values():
    check(textdistance.levenshtein("kitten", "sitting") == 3, "levenshtein")
    check(textdistance.damerau_levenshtein("ab", "ba") == 1, "damerau_levenshtein")
    check(textdistance.hamming("test", "text", "tess") == 2, "hamming of three")
    check(textdistance.jaccard("test", "text") == 0.6, "jaccard")
    check(textdistance.Jaccard(qval=2)("test", "text") == 0.2, "jaccard of pairs of letters")
    check(textdistance.Levenshtein(qval=None)("a new test", "a old test") == 1, "levenshtein of words")
    check(textdistance.lcsseq("thisisatest", "testing123testing") == "tsitest", "lcsseq")
    check(textdistance.jaro_winkler("dwayne", "duane") == 0.8400000000000001, "jaro_winkler")
    check(textdistance.mra("Byrne", "Boern") == 1, "mra")
    check(textdistance.Levenshtein(external=False).external is False, "the switch `external`")
    check(textdistance.Levenshtein(external=True).external is True, "the switch `external`")


if __name__ == "__main__":
    known_values()
    ranges()
