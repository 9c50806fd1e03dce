"""Judges a prompt: the share of labelled messages that it routes to the right desk, less its length.

No model is asked: `reader.py` follows the prompt to the letter, so the score is exact and free.
Set SKYGIT_SPLIT=holdout to judge on the messages that were held out.
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import reader  # noqa: E402

TRAINING = 12
WORD_COST = 0.0004
LONGEST = 4000


def evaluate(program_path):
    """Accuracy less 0.0004 for each word of the prompt as `combined_score`, or in `error` why there is none."""
    path = Path(program_path)
    if path.is_symlink() or path.stat().st_size > LONGEST:
        return {"error": f"a prompt is a file of at most {LONGEST} bytes"}
    try:
        prompt = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        return {"error": f"the prompt is not UTF-8: {error}"}
    if prompt.count("{message}") != 1:
        return {"error": "the prompt must hold {message} exactly once"}
    return judged(prompt, messages(os.environ.get("SKYGIT_SPLIT", "train")))


def judged(prompt, labelled):
    """The result for one prompt."""
    rules, fallback = reader.understood(prompt)
    routes = [(desk, reader.routed(message, rules, fallback), message) for desk, message in labelled]
    wrong = [f"{message} -> {given or 'nowhere'}, should be {desk}" for desk, given, message in routes if given != desk]
    accuracy = 1 - len(wrong) / len(labelled)
    words = len(prompt.split())
    return {
        "combined_score": accuracy - WORD_COST * words,
        "metrics": {"accuracy": accuracy, "words": words},
        "artifacts": {"routed wrongly": "\n".join(wrong[:12])},
    }


def messages(split):
    """(desk, message) of one split."""
    lines = (HERE / "messages.txt").read_text("utf-8").splitlines()
    pairs = [tuple(line.split(" | ", 1)) for line in lines if " | " in line and not line.startswith("#")]
    chosen = []
    for desk in reader.DESKS:
        own = [pair for pair in pairs if pair[0] == desk]
        chosen += {"train": own[:TRAINING], "holdout": own[TRAINING:]}[split]
    return chosen


if __name__ == "__main__":
    outcome = evaluate(sys.argv[1] if len(sys.argv) > 1 else HERE / "prompt.txt")
    print(json.dumps(outcome))
    sys.exit("error" in outcome)
