"""Measures the explorer in a browser: seconds to serve, and milliseconds for each kind of click.

    python tools/measure_explorer.py [--generate NODES] [--rounds N] [MODEL]... [--clicks KIND...]

Each model is explored in a fresh headless Chromium. For each kind of click, the script prints the
median time between the click and the finished drawing, the CPU time of the page and of the server
for one click, and at the end the memory of the page. Times of the wall clock are only right on an
idle machine. CPU times are right on any.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src"), str(ROOT)]

from support.processes import chromium  # noqa: E402 - of the tests
from support.processes.explorer import Explorer  # noqa: E402

_TIMED = """
window.timed = async (act, value) => {
  const before = value(), began = performance.now();
  act();
  while (value() === before && performance.now() < began + 20000)
    await new Promise((done) => setTimeout(done, 4));
  return performance.now() - began;
};
window.press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
window.drawn = () => document.querySelector("#picture").dataset.drawn;
window.hit = (shape) => shape.dispatchEvent(new MouseEvent("click", { bubbles: true }));
window.others = (kind) => [...document.querySelectorAll(`#picture .place${kind}:not(.current)`)];
"""
_CLICKS = {
    "map": "timed(() => hit(others('')[AT % others('').length]), drawn)",
    "tab": "timed(() => press(AT % 2 ? 'm' : 'c'), drawn)",
    "component": "timed(() => hit(others(':not(.box)')[AT % others(':not(.box)').length]), drawn)",
    "call": "timed(() => hit(others('.box')[0]), drawn)",
    "step": "timed(() => press('1'), drawn)",
    "back": "timed(() => press('b'), drawn)",
    "search": """timed(() => { const field = document.querySelector('#search');
        field.value = 'TEXT'; field.dispatchEvent(new Event('input')); },
        () => document.querySelector('#found').dataset.text)""",
    "colour": """timed(() => document.querySelectorAll('input[name=colour]')[AT % 2].click(),
        () => document.querySelector('#legend').dataset.done)""",
    "exact": "timed(() => press('s'), () => document.querySelector('#legend').dataset.done)",
    "ask": """timed(() => { document.querySelector('#formula').value = 'EF EX true';
        document.querySelector('#ask').requestSubmit(); },
        () => document.querySelectorAll('.question .word.holds, .question .word.fails').length)""",
}
_NEEDS = {"call": "others('.box').length", "component": "others(':not(.box)').length > 0"}


def main() -> None:
    """Measures all models."""
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--generate", type=int, metavar="NODES")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--clicks", nargs="+", choices=_CLICKS, default=list(_CLICKS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        models = list(given.models)
        if given.generate:
            models.append(_generated(given.generate, Path(folder)))
        for model in models:
            _measure(model, given.rounds, given.clicks)


def _generated(nodes: int, folder: Path) -> Path:
    import pigro
    from benchmarks.generators.models import call_graph

    path = folder / f"generated-{nodes}.pigro"
    pigro.save(call_graph(nodes), path)
    return path


def _cpu(pid: int) -> float:
    """Milliseconds of CPU time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _measure(model: Path, rounds: int, clicks: list[str]) -> None:
    began = time.monotonic()
    with Explorer(model) as explorer:
        pid = explorer.process.pid
        print(
            f"\n{model.name}: {time.monotonic() - began:.2f} s to serve, {_cpu(pid) / 1000:.2f} s of CPU"
        )
        browser = chromium.find()
        if browser is None:
            sys.exit("there is no chromium on PATH")
        page = chromium.Page(browser, 1280, 820)
        try:
            page._call("Performance.enable")  # noqa: SLF001 - a tool of the tests
            seconds = page.open(explorer.address)
            page.run(_TIMED)
            print(f"  page usable after {seconds:.2f} s")
            print(f"  {'click':<10} {'median':>8} {'p90':>8} {'page CPU':>9} {'server CPU':>11}")
            _ask_first(page)
            for name in clicks:
                _line(page, name, rounds, pid)
            script = _metrics(page)["JSHeapUsedSize"] / 2**20
            print(
                f"  memory of the page: {_memory(page):.0f} MB, {script:.0f} MB of it for scripts"
            )
            if page.errors:
                print(f"  errors: {page.errors[:3]}")
        finally:
            page.close()
        peak = Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]
        print(f"  server: {int(peak) / 1024:.0f} MB at most")


def _ask_first(page: chromium.Page) -> None:
    """One question, so that there are subformulas to colour by."""
    page.run(_CLICKS["ask"])
    page.run("new Promise(done => setTimeout(done, 300))")


def _line(page: chromium.Page, name: str, rounds: int, pid: int) -> None:
    if name in ("component", "call", "colour", "exact"):
        page.run("timed(() => press('c'), drawn)")
    if name == "map":
        page.run("timed(() => press('m'), drawn)")
    times: list[float] = []
    work, served = _page_cpu(page), _cpu(pid)
    for at in range(rounds):
        if name in _NEEDS and not page.run(_NEEDS[name]):
            page.run("timed(() => press('b'), drawn)")
            if not page.run(_NEEDS[name]):
                break
        script = _CLICKS[name].replace("AT", str(at)).replace("TEXT", "abcdefghijklmnop"[at % 16])
        times.append(float(page.run(script)))  # type: ignore[arg-type]
    if not times:
        print(f"  {name:<10} there is nothing to click")
        return
    work, served = _page_cpu(page) - work, _cpu(pid) - served
    ordered, count = sorted(times), len(times)
    print(
        f"  {name:<10} {statistics.median(times):>5.0f} ms {ordered[int(0.9 * (count - 1))]:>5.0f} ms"
        f" {work / count:>6.1f} ms {served / count:>8.1f} ms"
    )


def _metrics(page: chromium.Page) -> dict[str, float]:
    told = page._call("Performance.getMetrics")["metrics"]  # noqa: SLF001
    return {each["name"]: each["value"] for each in told}


def _page_cpu(page: chromium.Page) -> float:
    """Milliseconds of CPU time of the processes of the page."""
    return sum(_cpu(pid) for pid in _renderers(page))


def _renderers(page: chromium.Page) -> list[int]:
    told = page._call("SystemInfo.getProcessInfo")["processInfo"]  # noqa: SLF001
    return [each["id"] for each in told if each["type"] == "renderer"]


def _memory(page: chromium.Page) -> float:
    """MB of the processes of the page. Of memory that several share, each has its part."""
    rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in _renderers(page)]
    return sum(int(each.partition("Pss:")[2].split()[0]) for each in rollups) / 1024


if __name__ == "__main__":
    main()
