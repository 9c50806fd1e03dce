"""Numbers in, numbers out: signals, bandits, distances. No nouns of skygit, no chance of its own."""
