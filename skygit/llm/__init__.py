"""The only door to LiteLLM: a weighted pool of models that fails over, waits and counts."""
