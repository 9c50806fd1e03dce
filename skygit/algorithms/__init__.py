"""Search algorithms: one per file, each a frozen dataclass whose fields are its options."""
