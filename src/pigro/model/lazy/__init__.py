"""What is known of states without a list of them: excerpts, values, and parts given by formulas."""
