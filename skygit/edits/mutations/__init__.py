"""Seeded edit operators on syntax trees. Pure: nodes and bytes in, splices out.

`grammar` says what a language's node kinds mean, `source` finds the places of one file where
an operator can work, one file per family of operators follows, and `menu` names them all.
"""
