"""A module for each template of rules: which sites there are, and the values followed from them.

A checker is a function from a `Scan` and a `Rule` to findings. `pigro.scan.scanning` has the table.
"""
