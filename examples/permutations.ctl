# Each return through `rotate` or `swap` permutes the exits: what waits behind an exit depends on the whole stack.
# The run can come back to the empty stack at an exit with p, and stay there
# holds
EF EG p

# ... but from some states it can't
# fails: with the empty stack, the run stays at an exit, also at one without p
AG EF EG p
