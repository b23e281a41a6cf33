"""The guard before every request: only the page itself may ask.

A request is refused unless its Host is the address that is served (so that names of other sites
that lead to this machine don't help), its Origin is that address or missing, and its path begins
with the token. Bodies are small. Every answer says that nothing of elsewhere may run in the page.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 1 << 20
"""Bytes of a request."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OWN_SITES = {"same-origin", "none"}


class RequestGuard:
    """An application behind the guard. It sees paths without the token."""

    def __init__(self, app: ASGIApp, token: str, host: str) -> None:
        self._app, self._token, self._host = app, token.encode(), host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                given = [pair for pair in message.get("headers", []) if pair[0] != own[0][0]]
                kept = [pair for pair in message.get("headers", []) if pair[0] == own[0][0]]
                message = {**message, "headers": [*given, *(kept or own[:1]), *own[1:]]}
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            status, text = refusal
            await PlainTextResponse(text, status)(scope, receive, sending)
            return
        inner = {**scope, "path": scope["path"][1 + len(self._token) :]}
        inner.pop("raw_path", None)
        await self._app(inner, _bounded(receive), sending)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is refused, with the status. None if it is not."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get(b"host") != self._host:
            return 421, "wrong host"
        if headers.get(b"origin", f"http://{self._host}") != f"http://{self._host}":
            return 403, "wrong origin"
        if headers.get(b"sec-fetch-site", "none") not in _OWN_SITES:
            return 403, "wrong site"
        token, slash, _ = scope["path"][1:].partition("/")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self._token) or not slash:
            return 403, "wrong token: open the address that pigro printed"
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > LARGEST:
            return 413, "too large"
        return None


def _bounded(receive: Receive) -> Receive:
    """Reads no more than a request may have, whatever it says about its length."""
    size = 0

    async def read() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST:
            raise HTTPException(413, "too large")
        return message

    return read
