"""Serves the page until a signal comes or the model's file is gone."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import signal
import socket
from typing import TYPE_CHECKING

import uvicorn

from pigro.diagnostics import UsageError
from pigro.explore.app import make_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.explore.subject import WatchedModel

HOST = "127.0.0.1"
_BETWEEN_LOOKS = 0.5
"""Seconds between two looks at the file."""
_LOOKS = 3
"""So often a file must be missing: editors replace files by others."""
_TOGETHER = 100
"""Requests that are answered at once. Others are refused with status 503."""


class _Server(uvicorn.Server):
    """A server that leaves signals to `serve`."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing is captured."""
        yield


def open_socket(port: int) -> socket.socket:
    """A socket of this machine. A free port if 0. `UsageError` P020 if the port is taken."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        why = error.strerror or "it can't be used"
        hint = "leave out --port for a free one"
        raise UsageError("P020", f"can't serve on port {port}: {why}", hint=hint) from None
    return made


def serve(
    explored: WatchedModel,
    opened: socket.socket,
    *,
    watch: bool,
    is_file: bool,
    ready: Callable[[str], None],
) -> str:
    """Serves the model. `ready` gets the address once requests are answered. Returns why it ended.

    A file that is gone ends it, if `is_file`.
    """
    host = f"{HOST}:{opened.getsockname()[1]}"
    token = secrets.token_urlsafe(24)
    app, end_work = make_app(explored, token, host)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        limit_concurrency=_TOGETHER,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    gc.freeze()  # the model stays: it need not be searched for garbage again and again
    try:
        return asyncio.run(_serve(server, explored, opened, watch, is_file, ready, host, token))
    finally:
        end_work()


async def _serve(
    server: uvicorn.Server,
    explored: WatchedModel,
    opened: socket.socket,
    watch: bool,
    is_file: bool,
    ready: Callable[[str], None],
    host: str,
    token: str,
) -> str:
    ended: list[str] = []

    def end(why: str) -> None:
        ended.append(why)
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, end, signal.Signals(number).name)
    task = asyncio.create_task(server.serve(sockets=[opened]))
    while not server.started and not task.done():  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.01)
    ready(f"http://{host}/{token}/")
    missing = 0
    while not task.done():
        await asyncio.wait([task], timeout=_BETWEEN_LOOKS)
        missing = missing + 1 if is_file and explored.is_gone else 0
        if missing >= _LOOKS:
            end("the file is gone")
        if watch:
            await asyncio.to_thread(explored.refresh)
    await task
    return ended[0] if ended else "ended"
