"""Evidence as documents and as text."""
