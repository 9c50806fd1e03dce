"""Twenty text distances on seeded pairs of words."""

import random

ALGORITHMS = (
    "Hamming",
    "MLIPNS",
    "Levenshtein",
    "DamerauLevenshtein",
    "Jaro",
    "JaroWinkler",
    "StrCmp95",
    "Editex",
    "MRA",
    "Prefix",
    "Jaccard",
    "Sorensen",
    "Tversky",
    "Overlap",
    "Cosine",
    "MongeElkan",
    "Bag",
    "LCSSeq",
    "LCSStr",
    "RatcliffObershelp",
)
PAIRS = 10


def build(seed, pairs=PAIRS):
    """Pairs of words, the second one often a changed first."""
    rng = random.Random(seed)
    return [pair(rng) for _ in range(pairs)]


def pair(rng):
    first = "".join(rng.choice("aabcdeeeghilmnoprst") for _ in range(rng.randrange(4, 9)))
    second = list(first if rng.random() < 0.7 else reversed(first))
    for _ in range(rng.randrange(1, 4)):
        second[rng.randrange(len(second))] = rng.choice("aeimnorst")
    return [first, "".join(second) + rng.choice(["", "s", "er"])]


def run(package, pairs):
    """Distance, similarity and normalised distance of each pair by each algorithm, as the package spells them."""
    answers = []
    for name in ALGORITHMS:
        kind = vars(package)[name]
        for first, second in pairs:
            algorithm = kind()
            numbers = algorithm.distance(first, second), algorithm.similarity(first, second)
            answers.append([name, *map(repr, (*numbers, algorithm(first, second)))])
    return answers
