"""Batches: many models and questions, answered by worker processes, with results that are kept.

>>> from pigro.batch import Task, run
>>> [result.verdict for result in run([Task(model="examples/dataflow.rsm", formula="AF use_i")])]
['holds']
"""

from pigro.batch.running import run, run_async
from pigro.batch.tasks import Result, Task

__all__ = ["Result", "Task", "run", "run_async"]
