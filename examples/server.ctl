# After a request, an answer is possible
# holds: it is, before serve returns
AG (request -> EF answer)

# After a request, something can still be sent
# holds: it is main that sends, after serve has returned
AG (request -> EF sent)

# After a request, an answer is certain
# fails: serve may refuse, and log may never return
AG (request -> AF answer)

# Requests come
# holds
EF request
