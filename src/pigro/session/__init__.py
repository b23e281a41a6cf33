"""The one way from a question to its answer: `Request`, `CheckQuestion`, `CheckOutcome`."""
