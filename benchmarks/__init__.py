"""The study: suites of experiments, measured side by side, stored, and shown as tables and plots.

`case.py` has the single measurement and `suite.py` the base of suites. `suites/` has a module each.
`running.py` goes through the cases and `worker.py` is the process that runs them. `store.py` keeps
every run. `findings.py` reads runs back as medians, from which suites make tables and plots.
`generators/` make the models that do not come from files. Run it as `python -m benchmarks` in a
clone.

Other tools are found by `drivers/peers.py`, run by `command.py` and understood by `answers.py`.
Where they disagree, `judging.py` says who is right, by what `proving.py` proves.
"""
