"""Long random runs, for `make soak` and `make batchsoak`."""
