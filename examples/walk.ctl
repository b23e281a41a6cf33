# What was opened can still be closed
# holds
AG (opened -> EF closed)

# The program comes to its end
# fails: it may idle, or walk deeper, forever
AF closed

# Nothing is closed before it was read
# holds
A [!closed W read]
