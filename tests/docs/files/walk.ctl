# what we want of walk.rsm
AG (opened -> EF closed)
AF closed
A [!closed W read]
