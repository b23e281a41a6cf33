# Whenever the variable is defined, can it still be used?
# fails: it is defined after the call, and not used after that
AG (def -> EF use)
