"""Certificates that stand in a file of their own, as a kind of evidence."""
