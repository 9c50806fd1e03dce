"""From a winner to something a person can merge: measured again, described, on a branch of its own."""
