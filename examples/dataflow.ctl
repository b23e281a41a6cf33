# Is every value that is stored also used?
# fails: what b() stores in i is never read again
AG (def_i -> EF use_i)

# What main() stores is used, on every run
# holds
AF use_i

# There is a store after which i is never read
# holds
EF (def_i & !EF use_i)

# Nobody reads i before it is first stored
# holds
A [!use_i W def_i]
