"""What parts of composed systems have besides states and single steps."""
