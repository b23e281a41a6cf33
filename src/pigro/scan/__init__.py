"""From graphs and rules to findings: sites, models, verdicts, runs."""
