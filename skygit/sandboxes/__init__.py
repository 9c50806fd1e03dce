"""Sandboxes: argv and a folder in, output out. One file per tier; the rest is their machinery.

`hygiene.py` and `bare.py` are the tiers. `client.py` is skygit's side of the reaper process;
`reaper.py`, `supervisor.py` and what they import run in that process and use only the
standard library, so that starting it and forking it stays cheap.
"""
