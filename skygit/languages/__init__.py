"""What a file's suffix means: comments, faults, outline. One language per file; the only door to tree-sitter."""
