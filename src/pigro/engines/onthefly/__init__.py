"""CTL* decided while states are found, by proof rules [Bhat1995]."""
