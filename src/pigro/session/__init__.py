"""The one way from a question to its answer: `Request`, `Question`, `Outcome` (request.py)."""
