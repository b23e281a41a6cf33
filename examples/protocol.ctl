# Messages are delivered again and again: not if the channels lose them all,
G F delivers
# nor if only answers are lost.
A [G F arrives -> G F delivers]
# But if messages and answers get through again and again, however rarely, they are.
A [G F arrives & G F returns -> G F delivers]
# Whatever happened, things can still go well.
AG E [G F delivers]
