# fails: nothing is delivered if the channels lose everything,
G F delivers
# fails: or all answers;
A [G F arrives -> G F delivers]
# holds: but if messages and answers get through again and again, however rarely, they are delivered forever.
A [G F arrives & G F returns -> G F delivers]
# holds: whatever happened, things can still go well.
AG E [G F delivers]
