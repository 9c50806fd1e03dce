"""Every algorithm of the box keeps the laws."""

from typing import Any

from skygit.algorithms.adaevolve import AdaEvolve
from skygit.algorithms.beam import Beam
from skygit.algorithms.best_of_n import BestOfN
from skygit.algorithms.hill_climb import HillClimb
from skygit.algorithms.random import RandomSearch
from skygit.algorithms.topk import TopK
from skygit.domain.algorithm import Algorithm
from skygit.testing.algorithms import AlgorithmContract


class TestAdaEvolve(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return AdaEvolve()


class TestAdaEvolveAsPublished(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return AdaEvolve(signal="paper", bandit="paper", decay="all")


class TestAdaEvolveWithoutItsLevels(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return AdaEvolve(local_level=False, global_level=False, meta_level=False, islands=3)


class TestTopK(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return TopK()


class TestHillClimb(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return HillClimb()


class TestRandomSearch(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return RandomSearch(sample=200)


class TestBestOfN(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return BestOfN()


class TestBeam(AlgorithmContract):
    def build(self) -> Algorithm[Any]:
        return Beam(levels=3)
