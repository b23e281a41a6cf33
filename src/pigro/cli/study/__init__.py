"""What `pigro bench` does behind its options."""
