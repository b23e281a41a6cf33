# holds
AG (high -> AX !pump)
# fails: the level falls until the pump starts
AG !low
