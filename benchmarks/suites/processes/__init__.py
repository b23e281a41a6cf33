"""Suites that run whole processes: the command, and workers."""
