# Never both.
AG !(in1 & in2)
# Who waits gets in: not if it never moves,
G (waits1 -> F in1)
# nor if the other one stays inside for ever.
A [G F moves1 & G F moves2 -> G (waits1 -> F in1)]
# But it does if both move again and again, and neither stays for ever.
A [G F moves1 & G F moves2 & G F !in1 & G F !in2 -> G (waits1 -> F in1) & G (waits2 -> F in2)]
# And then the other one gets in at most once before.
A [G (waits1 -> (!in2 W (in2 W (!in2 W in1))))]
