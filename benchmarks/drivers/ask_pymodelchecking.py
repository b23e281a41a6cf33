"""Asks pyModelChecking: `PYTHON ask_pymodelchecking.py MODEL.rsm FORMULA.ctl`, in any Python.

The model is one component without boxes, and total. Prints one line of JSON: whether the formula
holds at the initial node, and the seconds for reading and for checking.
"""

import json
import sys
import time
from importlib import import_module
from typing import Any


def main(model: str, formula: str) -> None:
    """One formula on one model."""
    package: Any = import_module("pyModelChecking")
    logic: Any = import_module("pyModelChecking.CTLS")
    began = time.perf_counter()
    with open(formula, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    (text,) = [line for line in lines if line and not line.startswith("#")]
    asked = logic.Parser()(text)
    structure, initial = read(package, model)
    read_by = time.perf_counter()
    holds = initial in logic.modelcheck(structure, asked)
    ended = time.perf_counter()
    said = {"holds": holds, "load_seconds": read_by - began, "seconds": ended - read_by}
    sys.stdout.write(json.dumps(said) + "\n")


def read(package: Any, model: str) -> Any:
    """The structure, and its initial state."""
    with open(model, encoding="utf-8") as file:
        content = json.load(file)
    (component,) = content["components"]
    if component["boxes"]:
        message = "pyModelChecking takes models without calls only"
        raise ValueError(message)
    nodes = [node["name"] for node in component["nodes"]]
    steps = [
        (each["source"]["name"], target["name"])
        for each in component["transitions"]
        for target in each["targets"]
    ]
    labels = {node["name"]: set(node["labels"]) for node in component["nodes"]}
    initial = content["initial_node"]
    return package.Kripke(S=nodes, S0=[initial], R=steps, L=labels), initial


if __name__ == "__main__":
    main(*sys.argv[1:])
