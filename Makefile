# Only Python (3.11 or later), git and make are needed; everything else is installed into $(VENV).

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-slow test-all lint clean

demo: $(VENV)/.installed  ## evolve a multi-file example with built-in mutation: no key, no network
	$(BIN)/python -m benchmarks.demo

test: $(VENV)/.dev  ## the fast tests
	$(BIN)/python -m pytest -n auto

test-slow: $(VENV)/.dev  ## the tests that take longer
	$(BIN)/python -m pytest -n auto -m slow

test-all: test test-slow  ## all tests

lint: $(VENV)/.dev  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist build

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
