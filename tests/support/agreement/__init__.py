"""Random cases, asked of the engines and of the oracle."""
