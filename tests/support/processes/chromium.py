"""Drives a headless Chromium over its debugging pipe: JSON, each message ended by a zero byte."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

_WAIT = 60


def find() -> str | None:
    """The browser, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((path for name in names if (path := shutil.which(name))), None)


class Page:
    """One page. What it complains about is in `errors`."""

    def __init__(self, path: str, width: int = 1360, height: int = 820) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._number = 0
        self._buffer = b""
        self._home = tempfile.mkdtemp(prefix="pigro-chromium-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def connect():  # the browser reads 3 and writes 4
            first = os.dup(to_browser)
            second = os.dup(from_browser)
            first, second = os.dup2(first, 10), os.dup2(second, 11)
            os.dup2(first, 3)
            os.dup2(second, 4)

        command = [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        command += ["--disable-quic", "--disable-background-networking", "--disable-sync"]
        command += ["--disable-component-update"]
        command += ["--remote-debugging-pipe", f"--user-data-dir={self._home}"]
        command += [f"--window-size={width},{height}", "--disable-dev-shm-usage", "about:blank"]
        self._process = subprocess.Popen(
            command,
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        targets = self._call("Target.getTargets")["targetInfos"]
        target = next(each for each in targets if each["type"] == "page")["targetId"]
        self._session = None
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    _session = None

    def go(self, url: str) -> None:
        """Opens an address, and does not wait."""
        self._call("Page.navigate", url=url)

    def open(self, url: str) -> float:
        """Opens an address. Returns the seconds until the report is ready and painted."""
        began = time.monotonic()
        self.go(url)
        while time.monotonic() < began + _WAIT:
            if self.run("document.documentElement?.dataset.ready === 'yes'"):
                painted = (
                    "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(1))))"
                )
                self.run(painted)
                break
            time.sleep(0.02)
        return time.monotonic() - began

    def run(self, script: str) -> object:
        """The value of an expression in the page."""
        found = self._call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, *keys: str) -> None:
        for key in keys:
            text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self._call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
            self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def scheme(self, name: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self._call("Emulation.setEmulatedMedia", features=features)

    def screenshot(self) -> bytes:
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        try:
            self._call("Browser.close")
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired, EOFError):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._home, ignore_errors=True)

    def _call(self, method: str, **given: object) -> dict:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if self._session and not method.startswith(("Target.", "Browser.", "SystemInfo.")):
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _next(self) -> dict:
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], _WAIT)[0]:
                raise EOFError("the browser does not answer")
            read = os.read(self._read, 1 << 20)
            if not read:
                raise EOFError("the browser is gone")
            self._buffer += read
        one, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(one)

    def _note(self, event: dict) -> None:
        method, given = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(given["exceptionDetails"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] in {"error", "warning"}:
            self.errors.append(given["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and given["type"] in {"error", "assert"}:
            self.errors.append(json.dumps(given["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
