"""From briefs to messages: what a model is shown, and what is cut, within a budget of tokens."""
