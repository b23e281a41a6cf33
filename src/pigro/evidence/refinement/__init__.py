"""Whether parts refine others, shown by a relation or by a game."""
