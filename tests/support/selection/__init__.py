"""Which tests run when: how many random cases, and which tests wait for `make test-all`."""
