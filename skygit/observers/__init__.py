"""Event and history -> nothing: what is shown while a run goes on."""
