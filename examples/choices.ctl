# A1 can call itself forever, without ever returning
# holds
EG grey

# Back at the empty stack, the run can end in n4
# holds
EF EG black

# ... but it can also end in n5, where it stays
# fails
AG EF black

# From every white state, some next state is white or black
# holds
AG (white -> EX (white | black))
