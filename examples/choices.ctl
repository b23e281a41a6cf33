# A1 can call itself for ever, without ever returning
# holds
EG grey

# Back at the empty stack, the run can end in n4
# holds
EF EG black

# ... but it can also end in n5, where it stays
# fails
AG EF black

# A2 is left one step after it was entered
# holds
AG (white -> EX (white | black))
