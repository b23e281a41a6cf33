# holds: it never acknowledges twice in a row
AG (acknowledges -> AX !acknowledges)
# fails: alone, it may never get a message
AF acknowledges
