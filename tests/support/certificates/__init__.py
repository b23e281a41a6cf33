"""Certificates: written by hand, read, checked by everyone, and spoiled."""
