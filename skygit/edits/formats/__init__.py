"""The carriers an edit can come in, one per file: each reads lines and gives sections."""
