"""The requests of the page, and their answers in JSON."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pigro.diagnostics import InputProblems, PigroError, UsageError, printable
from pigro.explore import answers, takeaway
from pigro.explore.arranging import Arranger
from pigro.explore.guard import RequestGuard
from pigro.explore.jobs import BackgroundJobs, TooManyJobs
from pigro.explore.states import (
    entry_state,
    read_state,
    starts_of,
    state_of,
    step_out,
    step_over,
    told_state,
)
from pigro.explore.subject import told_error
from pigro.limits import LIMIT_ERRORS, Budget, Limits
from pigro.render.html import facts
from pigro.render.page_parts import page_file
from pigro.render.places import WHOLE, PlaceCollector

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from pigro.evidence.states import State
    from pigro.explore.jobs import BackgroundJob
    from pigro.explore.subject import LoadedModel, WatchedModel
    from pigro.model.space import Model

    Asked = dict[str, Any]
    Answer = dict[str, object]

_SHARED = ("rows.js", "layout.js", "drawing.js", "panels.js")
"""Scripts of the report, which the page uses as a module."""
_EXPORTS = "el, name, count, cut, svg, layOut, curve, headOf, planComponent, drawPlan"
_OWN = {
    "explore.css": "text/css",
    "arranging.js": "text/javascript",
    "finding.js": "text/javascript",
    "main.js": "text/javascript",
    "view.js": "text/javascript",
    "map.js": "text/javascript",
    "component.js": "text/javascript",
    "asking.js": "text/javascript",
    "stepping.js": "text/javascript",
    "keys.js": "text/javascript",
}
_MOST_LABELS, _LONGEST_LABEL = 5000, 200
_QUICK = Limits(seconds=2.0)
"""For steps, which must not take long."""
_LONGEST = 20_000
"""Characters of a formula."""
_TIMEOUT = 60.0
_A_MOMENT, _A_WHILE = 0.05, 0.2
"""Seconds that a request waits for a job."""
_OPERATORS = (
    *("AG", "AF", "AX", "EG", "EF", "EX", "A [", "E [", "U", "R", "W", "G", "F", "X"),
    *("true", "false", "mu", "nu", "&", "|", "!", "->", "<->"),
)


def make_app(
    explored: WatchedModel, token: str, host: str
) -> tuple[RequestGuard, Callable[[], None]]:
    """The application for this model, and what ends its work.

    `host` is the Host that requests must name.
    """
    served = _Served(explored)
    tables: dict[str, Callable[[LoadedModel, Asked], Answer | Response]] = {
        "model": served.model,
        "search": served.search,
        "map": served.map,
        "layout": served.layout,
        "component": served.component,
        "state": served.state,
        "over": served.over,
        "parse": served.parse,
        "ask": served.ask,
        "colour": served.colour,
        "explain": served.explain,
        "job": served.job,
        "stop": served.stop,
        "report": served.report,
        "evidence": served.evidence,
        "certificate": served.certificate,
    }
    routes = [Route("/", _index), Route("/page/{file}", _file)]
    routes += [
        Route(f"/api/{name}", served.answering(run), methods=["POST"])
        for name, run in tables.items()
    ]
    return RequestGuard(Starlette(routes=routes), token, host), served.close


async def _index(_: Request) -> Response:
    return Response(_page("index.html"), media_type="text/html")


async def _file(request: Request) -> Response:
    name = request.path_params["file"]
    if name == "report.css":
        return Response(page_file(name), media_type="text/css")
    if name == "report.js":
        script = "".join(map(page_file, _SHARED)) + f"export {{ {_EXPORTS} }};\n"
        return Response(script, media_type="text/javascript")
    if name not in _OWN:
        return PlainTextResponse("no such file", 404)
    return Response(_page(name), media_type=_OWN[name])


def _page(name: str) -> str:
    return files("pigro.explore").joinpath("page", name).read_text(encoding="utf-8")


class _Served:
    """One method for each request. They get the model as it is now, and the body's content."""

    def __init__(self, explored: WatchedModel) -> None:
        self._explored = explored
        self.jobs = BackgroundJobs()
        self.arranger = Arranger()

    def close(self) -> None:
        """Ends all work."""
        self.jobs.stop_all()
        self.arranger.close()

    def answering(
        self, run: Callable[[LoadedModel, Asked], Answer | Response]
    ) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            try:
                asked = json.loads(await request.body() or b"{}")
            except (ValueError, RecursionError):
                asked = None
            except ClientDisconnect:  # nobody reads the answer
                return Response(status_code=400)
            if not isinstance(asked, dict):
                return JSONResponse({"error": "the request is not a JSON object"}, 400)
            return await run_in_threadpool(self._answer, run, asked)

        return answer

    def _answer(
        self, run: Callable[[LoadedModel, Asked], Answer | Response], asked: Asked
    ) -> Response:
        try:
            told = run(self._explored.now, asked)
        except (PigroError, InputProblems) as error:
            return JSONResponse({"error": told_error(error)}, 400)
        except TooManyJobs:
            hint = "too many questions are being answered; stop one, or wait"
            return JSONResponse({"error": hint}, 429)
        except LIMIT_ERRORS as end:
            return JSONResponse({"error": f"no answer within the {end}"}, 503)
        return told if isinstance(told, Response) else JSONResponse(told)

    def model(self, loaded: LoadedModel, asked: Asked) -> Answer:
        """What the page begins with. Little if it knows this model already."""
        model = loaded.model
        told: Answer = {"number": loaded.number, "problem": self._explored.problem}
        if asked.get("known") == loaded.number:
            return told
        told |= {
            "source": printable(model.source or self._explored.wanted.path, 400),
            "formulas": loaded.formulas,
            "timeout": self._explored.wanted.timeout or _TIMEOUT,
            "operators": _OPERATORS,
            "labels": _completed(model),
            "listed": loaded.is_listed,
            "graphviz": self.arranger.is_there,
        }
        self.arranger.start()
        if loaded.is_listed:
            listed, starts = loaded.listed, starts_of(loaded.listed)
            told |= {"facts": facts(listed), "components": listed.core.components, "starts": starts}
        return told

    def search(self, loaded: LoadedModel, asked: Asked) -> Answer:
        text = _text(asked, "text")[:200]
        return {"found": loaded.finder.find(text) if loaded.is_listed else []}

    def map(self, loaded: LoadedModel, asked: Asked) -> Answer:
        opened = asked.get("open")
        groups = frozenset(filter(_is_number, opened if isinstance(opened, list) else ()))
        return loaded.calls.near(_component(loaded, asked), groups)

    def layout(self, _: LoadedModel, asked: Asked) -> Answer:
        return self.arranger.places(asked.get("nodes"), asked.get("edges"))

    def component(self, loaded: LoadedModel, asked: Asked) -> Answer:
        """A component, or the surroundings of one of its nodes, as the report tells it."""
        number, node = _component(loaded, asked), asked.get("node")
        model = loaded.listed
        state = entry_state(model, number)
        if state is None:
            return {"number": number, "empty": True}
        if node is not None and node != state.node:
            [node] = answers.nodes_given(model, number, [node], 1)
            state = state._replace(node=node)
        places = PlaceCollector(model)
        places.of([state])
        return {"number": number, "state": state_of(state), **places.document()}

    def state(self, loaded: LoadedModel, asked: Asked) -> Answer:
        """A state, or the first one of a component."""
        if asked.get("component") is None:
            return told_state(loaded.listed, read_state(loaded.listed, asked))
        first = entry_state(loaded.listed, _component(loaded, asked))
        return {"empty": True} if first is None else told_state(loaded.listed, first)

    def over(self, loaded: LoadedModel, asked: Asked) -> Answer:
        model, state = loaded.listed, read_state(loaded.listed, asked)
        walk = step_out if asked.get("out") else step_over
        return {"next": walk(model, state, Budget(_QUICK))}

    def parse(self, loaded: LoadedModel, asked: Asked) -> Answer:
        return answers.parsed(loaded.model, _formula(asked))

    def ask(self, loaded: LoadedModel, asked: Asked) -> Answer:
        formula, state = _formula(asked), _state(loaded, asked)
        answers.parsed(loaded.model, formula)
        line = answers.command_line(self._explored.wanted, loaded, formula, state)
        job = self.jobs.start(
            lambda budget: {
                **answers.checked(loaded.model, formula, state, budget),
                "command": line,
            },
            self._limits(asked),
        )
        return _soon(job)

    def colour(self, loaded: LoadedModel, asked: Asked) -> Answer:
        formula, state = _formula(asked), _state(loaded, asked)
        nodes = answers.nodes_given(
            loaded.listed, _component(loaded, asked), asked.get("nodes"), WHOLE
        )
        job = self.jobs.start(
            lambda budget: answers.coloured(loaded.listed, formula, nodes, state, budget),
            self._limits(asked),
        )
        return _soon(job)

    def explain(self, loaded: LoadedModel, asked: Asked) -> Answer:
        formula, node = _formula(asked), None
        if asked.get("node") is not None:
            node = read_state(loaded.listed, {"stack": [], "node": asked["node"]}).node
        job = self.jobs.start(
            lambda budget: answers.explained(loaded.model, formula, node, budget),
            self._limits(asked),
        )
        return _soon(job)

    def job(self, _: LoadedModel, asked: Asked) -> Answer:
        """How a job stands. Waits for it a little."""
        job = self.jobs.get(asked.get("job"))
        if job is None:
            return {"state": "gone"}
        job.done.wait(_A_WHILE)
        return job.told()

    def stop(self, _: LoadedModel, asked: Asked) -> Answer:
        job = self.jobs.get(asked.get("job"))
        if job is not None:
            job.stop.set()
        return {}

    def report(self, loaded: LoadedModel, asked: Asked) -> Response:
        return self._taken(takeaway.report, loaded, asked)

    def evidence(self, loaded: LoadedModel, asked: Asked) -> Response:
        return self._taken(takeaway.evidence, loaded, asked)

    def certificate(self, loaded: LoadedModel, asked: Asked) -> Response:
        return self._taken(takeaway.certificate, loaded, asked)

    def _taken(self, make: takeaway.Make, loaded: LoadedModel, asked: Asked) -> Response:
        """A file to keep. Its check counts as a job, so that it is bounded and can be stopped."""
        formula, state = _formula(asked), _state(loaded, asked)
        if state is not None and state.stack:
            raise UsageError("P006", "there is no file about a state under calls")
        job = self.jobs.start(
            lambda budget: {"content": make(loaded.model, formula, state, budget)},
            self._limits(asked),
        )
        job.done.wait()
        content = job.answer.pop("content", None)
        if not isinstance(content, bytes):
            return JSONResponse({"error": job.answer.get("text", "stopped")}, 400)
        return Response(content, media_type="application/octet-stream")

    def _limits(self, asked: Asked) -> Limits:
        wanted = self._explored.wanted
        seconds = asked.get("timeout")
        if type(seconds) not in (int, float) or not 0 < seconds <= 86_400:  # type: ignore[operator]
            seconds = wanted.timeout or _TIMEOUT
        if wanted.timeout is not None:
            seconds = min(seconds, wanted.timeout)  # type: ignore[type-var]
        return Limits(seconds, wanted.memory)


def _completed(model: Model) -> list[str]:
    """Labels that the page completes: not those that no person would type."""
    short = (label for label in model.label_names if len(label) <= _LONGEST_LABEL)
    return [label for label in islice(short, _MOST_LABELS) if label.isprintable()]


def _soon(job: BackgroundJob) -> Answer:
    """How a job stands after a moment: most are done by then."""
    job.done.wait(_A_MOMENT)
    return job.told()


def _is_number(value: object) -> bool:
    return type(value) is int


def _text(asked: Asked, key: str) -> str:
    value = asked.get(key)
    if not isinstance(value, str):
        raise UsageError("P006", f"the request has no text `{key}`")
    return value


def _formula(asked: Asked) -> str:
    text = _text(asked, "formula")
    if len(text) > _LONGEST:
        raise UsageError("P006", f"a formula here has at most {_LONGEST:,} characters")
    return text


def _component(loaded: LoadedModel, asked: Asked) -> int:
    number = asked.get("component")
    if type(number) is int and 0 <= number < loaded.listed.core.components:
        return number
    raise UsageError("P009", "the model has no component of this number")


def _state(loaded: LoadedModel, asked: Asked) -> State | None:
    given = asked.get("state")
    return None if given is None else read_state(loaded.listed, given)
