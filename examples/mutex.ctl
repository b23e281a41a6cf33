# holds: never are both inside.
AG !(in1 & in2)
# fails: who waits need not get in if it never moves,
G (waits1 -> F in1)
# fails: nor if the other one stays inside forever;
A [G F moves1 & G F moves2 -> G (waits1 -> F in1)]
# holds: but it gets in if both move again and again and neither stays forever.
A [G F moves1 & G F moves2 & G F !in1 & G F !in2 -> G (waits1 -> F in1) & G (waits2 -> F in2)]
# holds: while one waits, the other one gets in at most once.
A [G (waits1 -> (!in2 W (in2 W (!in2 W in1))))]
