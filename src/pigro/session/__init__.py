"""From a question to its answer, for the command line and for programs alike."""
