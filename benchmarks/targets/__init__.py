"""Real projects as tasks: `python -m benchmarks.targets NAME FOLDER` fetches one and makes it a git repository."""
