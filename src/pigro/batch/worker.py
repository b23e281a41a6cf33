"""The process that answers tasks: `python -m pigro.batch.worker FOLDER`, started by `Pool`."""

from __future__ import annotations

import gc

import msgspec

from pigro.batch.answering import Answerer
from pigro.batch.child import QuestionPipe
from pigro.batch.tasks import Task
from pigro.limits.system import end_first_without_memory

_COLLECT_AFTER = 1_000_000
"""Objects between two collections, as in the command."""


def main() -> None:
    """Answers chunks of tasks, each task with a frame of its own, in the order of the chunk."""
    gc.set_threshold(_COLLECT_AFTER)
    end_first_without_memory()
    questions = QuestionPipe()
    decoder = msgspec.msgpack.Decoder(list[Task])
    encoder = msgspec.msgpack.Encoder()
    answerer = Answerer()
    while True:
        for task in decoder.decode(questions.next()):
            questions.answer(encoder.encode(answerer.answer(task)))


if __name__ == "__main__":
    main()
