"""The composition root: the only folder that names concrete adapters.

site      a repository and its set-up
parts     settings -> algorithm, models, limits, sandbox, evaluator, scribe
runs      a run started or found
world     the ports of one session
"""
