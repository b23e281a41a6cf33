"""The explorer answers its own page only, stays up, and ends when it should."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import pigro
from pigro.explore.arranging import Arranger
from pigro.explore.guard import LARGEST
from pigro.explore.jobs import RUNNING

from support.processes.explorer import Explorer

NAME = "</script><img src=x onerror=alert(1)>\u202e\x1b[31m"


@pytest.fixture(scope="module")
def served():
    with Explorer("examples/server.rsm") as explorer:
        yield explorer


def path(served, rest=""):
    return f"/{served.token}/{rest}"


def still_answers(served):
    return served.get("model")["number"] == 1


@pytest.mark.parametrize("host", ["evil.example", "localhost", "127.0.0.1", "", "127.0.0.1:1"])
def test_foreign_hosts(served, host):
    status, _, body = served.send("GET", path(served), headers={"Host": host})
    assert status == 421
    assert served.token.encode() not in body


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "file://"])
def test_foreign_origins(served, origin):
    assert served.send("GET", path(served), headers={"Origin": origin})[0] == 403
    found = served.send("POST", path(served, "api/model"), "{}", {"Origin": origin})
    assert found[0] == 403
    sites = {"Sec-Fetch-Site": "cross-site"}
    assert served.send("POST", path(served, "api/model"), "{}", sites)[0] == 403


def test_own_origin(served):
    own = {"Origin": f"http://{served.host}", "Sec-Fetch-Site": "same-origin"}
    assert served.send("POST", path(served, "api/model"), "{}", own)[0] == 200


@pytest.mark.parametrize("token", ["", "x", "%00", "..", "%C3%A9", "a" * 5000])
def test_wrong_tokens(served, token):
    for each in (f"/{token}", f"/{token}/", f"/{token}/api/model", f"//{token}/page/main.js"):
        assert served.send("GET", each)[0] in {400, 403}
    assert served.send("GET", f"/{served.token}")[0] == 403
    assert served.send("GET", f"/{served.token[:-1]}/")[0] == 403


@pytest.mark.parametrize(
    "file",
    [
        "page/../app.py",
        "page/..%2fapp.py",
        "page/%2e%2e/%2e%2e/app.py",
        "page//etc/passwd",
        "page/%2fetc%2fpasswd",
        "page/main.js%00.css",
        "../../etc/passwd",
        "page/index.html",
        "examples/server.rsm",
    ],
)
def test_no_other_files(served, file):
    status, _, body = served.send("GET", path(served, file))
    assert status in {403, 404}
    assert b"import" not in body


def test_headers(served):
    for file in ("", "page/main.js", "page/nothing", "api/model"):
        _, headers, _ = served.send("GET", path(served, file))
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


def test_the_page_has_no_inline_script(served):
    text = served.send("GET", path(served))[2].decode()
    assert text.count("<script") == text.count('<script type="module" src="page/main.js"></script>')
    assert "<style" not in text
    assert "style=" not in text


@pytest.mark.parametrize("size", [LARGEST + 1, 10 << 20])
def test_large_bodies(served, size):
    body = b" " * size
    with suppress(ConnectionError):  # it may be refused before all of it was sent
        assert served.send("POST", path(served, "api/parse"), body)[0] == 413
    assert still_answers(served)


def test_large_bodies_in_chunks(served):
    def chunks():
        for _ in range(20):
            yield b" " * (1 << 19)

    with suppress(ConnectionError):
        assert served.send("POST", path(served, "api/parse"), chunks())[0] == 413
    assert still_answers(served)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"formula": 3}',
        b'{"formula": "' + b"(" * 30_000 + b'"}',
        b'{"formula": "\\ud800"}',
        b'{"component": -1}',
        b'{"component": 1e400}',
        b'{"component": 0, "open": {"a": 1}, "node": [], "nodes": ["x"], "formula": "p"}',
        b'{"job": "x", "text": {}}',
        b'{"nodes": [[1e9, -1]], "edges": [[0, 7]]}',
        b'{"nodes": [[9, 9]], "edges": [[0, 0], [0, -1]]}',
        b'{"nodes": [["9]; x", 9]], "edges": []}',
        b'{"nodes": [' + b"[9, 9], " * 5000 + b'[9, 9]], "edges": []}',
        b'{"stack": [1e9], "node": 0, "formula": "p", "component": 0}',
        b'{"formula": "AG p", "state": {"stack": [true], "node": 0}}',
        b'{"formula": "AG p", "timeout": "never"}',
        b'{"formula": "AG p", "timeout": NaN}',
        b'{"formula": "AG p", "component": 0, "nodes": [99999999999999999999]}',
    ],
)
def test_bodies_of_all_kinds(served, body):
    names = "model search map layout component state over parse ask colour explain job stop report evidence certificate"
    for name in names.split():
        status, _, told = served.send("POST", path(served, f"api/{name}"), body)
        assert status in {200, 400, 429, 503}, (name, told)
    assert still_answers(served)


def test_graphviz_that_hangs_or_dies():
    """The page arranges the drawing itself, and the next one has a new process."""
    arranger = Arranger()
    if not arranger.is_there:
        pytest.skip("no pygraphviz")
    small = [[80, 40]] * 3, [[0, 1], [1, 2], [1, 1]]
    told = arranger.places(*small)
    assert len(told["places"]) == 3
    assert [route is None for route in told["routes"]] == [False, False, True]
    first = arranger._graphviz.process
    os.kill(first.pid, signal.SIGSTOP)  # it hangs
    assert arranger.places(*small) == {}
    assert first.is_over
    assert len(arranger.places(*small)["places"]) == 3
    os.kill(arranger._graphviz.process.pid, signal.SIGKILL)
    arranger._graphviz.process.wait()
    assert arranger.places(*small) == {}
    assert len(arranger.places(*small)["places"]) == 3
    last = arranger._graphviz.process
    arranger.close()
    assert last.is_over


def test_no_method_but_those(served):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert served.send(method, path(served, "api/model"))[0] in {404, 405}
    assert served.send("GET", path(served, "api/model"))[0] == 405


def test_many_requests_at_once(served):
    found = []

    def ask():
        try:
            found.append(served.post("model")[0])
        except (OSError, ValueError):
            found.append(503)  # refused

    for _ in range(5):
        threads = [threading.Thread(target=ask) for _ in range(200)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert len(found) == 1000
    assert set(found) <= {200, 503}
    assert found.count(200) > 100
    assert still_answers(served)


def test_requests_that_are_cut_off(served):
    host, port = served.host.split(":")
    for text in (b"", b"POST ", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01" * 100, b"A" * 100_000):
        with socket.create_connection((host, int(port)), 60) as raw:
            raw.sendall(text)
    assert still_answers(served)


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """A model with a formula that takes very long."""
    file = tmp_path_factory.mktemp("endless") / "model.rsm"
    from pigro.generate import ModelShape, random_model

    pigro.save(random_model(ModelShape(components=60, boxes=20, nodes=120), 1), file)
    return file


PIECES = [f"(G F ({'X ' * at}a & X b) | F G ({'X ' * (at + 1)}c))" for at in range(16)]
SLOW = f"E [{' & '.join(PIECES)}]"
"""Its automaton has more states than any machine has room for."""


def test_checks_that_take_for_ever(endless):
    """They are bounded in number, others are answered meanwhile, and stopped ones are gone."""
    with Explorer(endless) as served:
        threads = thread_count(served)
        jobs = [served.post("ask", formula=SLOW, timeout=3600) for _ in range(8)]
        assert [status for status, _ in jobs] == [200] * RUNNING + [429] * (8 - RUNNING)
        running = [told["job"] for _, told in jobs[:RUNNING]]
        assert {told["state"] for _, told in jobs[:RUNNING]} == {"running"}
        assert served.get("search", text="c")["found"]
        assert thread_count(served) >= threads + RUNNING
        for job in running:
            served.get("stop", job=job)
        for job in running:
            while (told := served.get("job", job=job))["state"] == "running":
                time.sleep(0.05)
            assert told["state"] == "stopped"
        told = served.work("ask", formula="EF a", timeout=3600)  # there is room again
        assert told["report"]["verdicts"][0]["word"] in {"holds", "fails"}
        told = served.work("ask", formula=SLOW, timeout=0.05)
        words = [each["word"] for each in told.get("report", {}).get("verdicts", [])]
        assert (told["state"], words) in [("unknown", []), ("done", ["unknown"])]
        assert served.end()[0] == 0


def thread_count(served):
    return len(list(Path(f"/proc/{served.process.pid}/task").iterdir()))


def test_ends_while_a_check_runs(endless):
    with Explorer(endless) as served:
        served.get("ask", formula=SLOW, timeout=3600)
        assert served.end(signal.SIGTERM)[0] == 0


def test_hostile_names(tmp_path):
    model = pigro.ModelBuilder()
    long = "n" * 1_000_000
    main = model.component(NAME)
    main.entry(NAME, labels=[NAME, "p", long])
    main.node(long)
    main.edge(NAME, long, main.box(NAME, calls=NAME).call(NAME))
    file = tmp_path / "names.rsm"
    pigro.save(model.build(initial=f"{NAME}:{NAME}"), file)
    with Explorer(file) as served:
        for name, asked in (
            ("map", {"component": 0}),
            ("component", {"component": 0}),
            ("state", {"stack": [], "node": 0}),
            ("search", {"text": "<"}),
        ):
            text = json.dumps(served.get(name, **asked), ensure_ascii=False)
            assert len(text) < 20_000
            assert "\x1b" not in text
            assert "\u202e" not in text
        told = served.work("ask", formula="EG p")
        assert told["report"]["verdicts"][0]["word"] == "holds"


def test_clients_that_leave_in_the_middle_of_a_request_leave_no_traceback():
    with Explorer("examples/server.rsm") as explorer:
        host, _, port = explorer.host.partition(":")
        for body in (b"", b'{"formula"'):
            with socket.create_connection((host, int(port)), 60) as raw:
                head = f"POST /{explorer.token}/api/model HTTP/1.1\r\nHost: {explorer.host}\r\n"
                raw.sendall(head.encode() + b"Content-Length: 1000\r\n\r\n" + body)
                time.sleep(0.2)  # so that the server waits for the rest
            assert still_answers(explorer)
        _, told = explorer.end()
        assert "Traceback" not in told
