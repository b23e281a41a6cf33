# Whenever the variable is defined, can it still be used?
AG (def -> EF use)
