"""`pigro explore` in a child process, and requests to it."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import time
from urllib.parse import urlsplit

_PIGRO = [sys.executable, "-c", "from pigro.__main__ import main; main()", "explore"]
_WAIT = 120


class Explorer:
    """The command, serving."""

    def __init__(self, *args, cwd=None):
        self.process = subprocess.Popen(
            [*_PIGRO, *map(str, args), "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
        )
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(self.process.communicate()[1])
        parts = urlsplit(self.address)
        self.host, self.token = parts.netloc, parts.path.strip("/")

    def send(self, method, path, body=None, headers=None):
        """Status, headers and body of an answer. `path` is used as it is."""
        connection = http.client.HTTPConnection(self.host, timeout=_WAIT)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def post(self, name, **asked):
        """Status and content of an answer."""
        status, _, body = self.send("POST", f"/{self.token}/api/{name}", json.dumps(asked))
        return status, json.loads(body)

    def get(self, name, **asked):
        """The content of an answer, which must be one."""
        status, told = self.post(name, **asked)
        assert status == 200, told
        return told

    def work(self, name, **asked):
        """The answer of a job, when it is done."""
        told = self.get(name, **asked)
        began = time.monotonic()
        while told["state"] == "running":
            assert time.monotonic() < began + _WAIT
            told = self.get("job", job=told["job"])
        return told

    def end(self, by=signal.SIGINT):
        """Exit code, and the text on standard error."""
        self.process.send_signal(by)
        _, told = self.process.communicate(timeout=_WAIT)
        return self.process.returncode, told

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
