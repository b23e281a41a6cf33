# holds
AG (is_sending -> EF !is_sending)
# fails: alone, it may never get an answer
AG (is_sending -> AF !is_sending)
