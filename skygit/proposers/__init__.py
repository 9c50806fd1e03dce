"""One proposer per file: a brief becomes a draft."""
