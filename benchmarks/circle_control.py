"""Circle packing with built-in mutation alone: the control that a search with models must beat.

    python -m benchmarks.circle_control [--seeds 10] [--evaluations 5000] [--algorithms hill_climb,adaevolve] [--json]

The proposer, the gate, the algorithms and the evaluator's rules are the real ones; git and the
sandbox are left out. Programs run in a few long-lived worker processes, one run after the
other, so numpy is imported once and not 0.1 s per evaluation; a program has 2 s and 1 GB. Only
distinct programs are evaluated and counted.
"""

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import resource
import signal
import statistics
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from benchmarks.math.circle_packing.evaluator import Invalid, plain_packing, score
from skygit.algorithms.adaevolve import AdaEvolve
from skygit.algorithms.hill_climb import HillClimb
from skygit.domain.algorithm import Turn
from skygit.domain.brief import Brief, GaveUp, Sketch
from skygit.domain.candidate import Candidate, Evaluation, Verdict
from skygit.domain.draft import Draft
from skygit.domain.event import Committed, Evaluated, Failed, Requested
from skygit.domain.history import History
from skygit.domain.request import Proposal
from skygit.domain.scope import Scope
from skygit.engine.fingerprint import fingerprint
from skygit.languages.syntax import TreeSitterSyntax
from skygit.proposers.mutate import MutateProposer
from skygit.proposers.mutation.memory import digest
from skygit.testing.desk import CountedTree

PROGRAM = "packing.py"
SEED = Path(__file__).parent / "math" / "circle_packing" / "seed" / PROGRAM
SCOPE = Scope(evolvable=(PROGRAM,))
ALGORITHMS = {"hill_climb": HillClimb, "adaevolve": AdaEvolve}
GOALS = {1000: 1.9, 5000: 2.0}
SECONDS = 2.0
MEMORY = 1 << 30


@dataclass(kw_only=True)
class Shelf:
    """The programs of one run: implements `ports.Desk` over texts. A commit is named by its content."""

    syntax: TreeSitterSyntax = field(default_factory=TreeSitterSyntax)
    texts: dict[str, bytes] = field(default_factory=dict)

    def tree(self, commit):
        return CountedTree({PROGRAM: self.texts[commit]})

    def diff(self, old, new):
        raise KeyError("no prompt is written here, so nobody asks for a diff")

    def known(self, parent, draft: Draft):
        return digest(draft.changes[0].content).hex() in self.texts

    def put(self, text):
        name = digest(text).hex()
        self.texts[name] = text
        return name


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The best score after so many distinct evaluations, and the CPU milliseconds of one draft."""

    algorithm: str
    seed: int
    best: dict[int, float]
    draft_ms: float
    kinds: dict[str, tuple[int, int]]


class Run:
    """One algorithm from one seed, as the engine would drive it with one worker."""

    def __init__(self, name, seed):
        self.name, self.seed = name, seed
        self.algorithm = ALGORITHMS[name]()
        self.state = self.algorithm.start()
        self.history, self.shelf, self.proposer = History(), Shelf(), MutateProposer()
        self.evaluations, self.spent, self.drafts = 0, 0.0, 0
        self._open(Proposal(parents=()))
        self._judge(0, self._candidate(0, SEED.read_bytes(), None))

    def curve(self, evaluations):
        """Go on until so many programs were evaluated."""
        marks = sorted({*(goal for goal in GOALS if goal <= evaluations), evaluations})
        best = {}
        for mark in marks:
            while self.evaluations < mark:
                self._turn()
            best[mark] = self.history.best.score
        kinds = {kind: (credit.tries, credit.gains) for kind, credit in sorted(self.history.credits.items())}
        return Curve(
            algorithm=self.name,
            seed=self.seed,
            best=best,
            draft_ms=1000 * self.spent / max(self.drafts, 1),
            kinds=kinds,
        )

    def _turn(self):
        number = self.history.next_ticket
        turn = Turn(ticket=number, room=1, rng=Random(f"{self.seed}/{number}"))
        for request in self.algorithm.ask(self.state, turn):
            self._closed(self._open(request), request)

    def _open(self, request):
        number = self.history.next_ticket
        self.history.record(Requested(ticket=number, request=request))
        return number

    def _closed(self, number, proposal):
        brief = self._brief(number, proposal)
        started = time.thread_time()
        step = self.proposer.step(brief, self.shelf, ())
        self.spent, self.drafts = self.spent + time.thread_time() - started, self.drafts + 1
        if isinstance(step, GaveUp):
            return self._tell(Failed(ticket=number, word=step.refusal.word, message=step.refusal.message))
        return self._judge(number, self._candidate(number, step.draft.changes[0].content, (brief, step)))

    def _brief(self, number, proposal):
        judged = self.history.judged
        return Brief(
            ticket=number,
            seed=self.seed,
            proposal=proposal,
            parents=tuple(judged[commit] for commit in proposal.parents),
            best=self.history.best,
            scope=SCOPE,
            inspirations=tuple(judged[commit] for commit in proposal.inspirations),
            credits=self.history.credits,
        )

    def _candidate(self, number, text, made: tuple[Brief, Sketch] | None):
        commit = self.shelf.put(text)
        if made is None:
            return Candidate(
                commit=commit, tree=commit, parents=(), island=0, generation=0, summary="seed", operator="", paths=()
            )
        brief, sketch = made
        parent = brief.parents[0].candidate
        return Candidate(
            commit=commit,
            tree=commit,
            parents=brief.proposal.parents,
            island=brief.proposal.island,
            generation=parent.generation + 1,
            summary=sketch.summary,
            operator="mutate",
            paths=sketch.draft.paths,
            kinds=sketch.kinds,
            sketch=fingerprint(sketch.draft, parent, self.shelf.tree(parent.commit)),
        )

    def _judge(self, number, candidate):
        self.history.record(Committed(ticket=number, candidate=candidate))
        self.evaluations += number > 0
        self._tell(
            Evaluated(ticket=number, commit=candidate.commit, evaluation=measured(self.shelf.texts[candidate.commit]))
        )

    def _tell(self, closing):
        self.state = self.algorithm.tell(self.state, self.history.record(closing))


def measured(text):
    """The evaluation of a program text, run in this process under an alarm."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        answer = _ran(text)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return Evaluation(verdict=Verdict.PASSED, score=score(*plain_packing(answer)))
    except Invalid as error:
        return Evaluation(verdict=Verdict.INVALID, message=str(error))
    except Late:
        return Evaluation(verdict=Verdict.TIMED_OUT, message=f"timed out after {SECONDS:g} s")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the candidate's own errors
        return Evaluation(verdict=Verdict.CRASHED, message=f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Late(BaseException):
    """The alarm rang."""


def _ran(text):
    import numpy as np

    space = {"__name__": "candidate"}
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        exec(compile(text, PROGRAM, "exec"), space)
        centers, radii, _ = space["run_packing"]()
    return [np.asarray(one, dtype=float).tolist() for one in (centers, radii)]


def _ring(*_):
    raise Late


def _prepared():
    signal.signal(signal.SIGALRM, _ring)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _curve(task):
    name, seed, evaluations = task
    return Run(name, seed).curve(evaluations)


def curves(names, seeds, evaluations, workers):
    """All runs, in worker processes; as they end."""
    tasks = [(name, seed, evaluations) for seed in range(seeds) for name in names]
    with multiprocessing.get_context("fork").Pool(workers, _prepared) as pool:
        yield from pool.imap_unordered(_curve, tasks)


def table(found):
    """The medians by algorithm and number of evaluations."""
    names = list(dict.fromkeys(curve.algorithm for curve in found))
    return {
        name: {
            mark: statistics.median(curve.best[mark] for curve in found if curve.algorithm == name)
            for mark in found[0].best
        }
        for name in names
    }


def verdict(medians):
    """What was promised and does not hold, in words; empty when all holds."""
    missed = [
        f"hill_climb: median {medians['hill_climb'][mark]:.3f} at {mark} evaluations, {goal} was promised"
        for mark, goal in GOALS.items()
        if "hill_climb" in medians and mark in medians["hill_climb"] and medians["hill_climb"][mark] < goal
    ]
    if {"hill_climb", "adaevolve"} <= medians.keys():
        last = max(medians["hill_climb"])
        behind = medians["hill_climb"][last] - medians["adaevolve"][last]
        missed += [f"adaevolve is {behind:.3f} behind hill_climb at {last} evaluations"] if behind > 0.05 else []
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--evaluations", type=int, default=5000)
    parser.add_argument("--algorithms", default="hill_climb,adaevolve", help="of " + ", ".join(ALGORITHMS))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = list(curves(options.algorithms.split(","), options.seeds, options.evaluations, options.workers))
    medians = table(found)
    missed = verdict(medians)
    draft_ms = statistics.median(curve.draft_ms for curve in found)
    if options.json:
        print(
            json.dumps(
                {"medians": medians, "draft_cpu_ms": draft_ms, "missed": missed, "runs": [asdict(one) for one in found]}
            )
        )
    else:
        _print(found, medians, draft_ms, missed)
    raise SystemExit(1 if missed else 0)


def _print(found, medians, draft_ms, missed):
    marks = list(found[0].best)
    print(
        f"{'algorithm':<12} {'seeds':>5} "
        + " ".join(f"{f'median @{mark}':>14}" for mark in marks)
        + f" {'min':>7} {'max':>7}"
    )
    for name, by_mark in medians.items():
        last = sorted(curve.best[marks[-1]] for curve in found if curve.algorithm == name)
        cells = " ".join(f"{by_mark[mark]:>14.4f}" for mark in marks)
        print(f"{name:<12} {len(last):>5} {cells} {last[0]:>7.4f} {last[-1]:>7.4f}")
    print(f"CPU per draft: {draft_ms:.2f} ms")
    print("\n".join(missed) or "all that was promised holds")


if __name__ == "__main__":
    main()
