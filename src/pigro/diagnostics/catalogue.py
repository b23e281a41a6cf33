"""Every diagnostic Pigro can give, by its stable code. docs/errors.md is generated from this list.

P0xx usage and files, P1xx file formats, P2xx models, P3xx formulas, P4xx checking, P5xx
certificates, P9xx ourselves.
"""

from __future__ import annotations

from pigro.records import Record


class Diagnostic(Record, frozen=True):
    """One kind of error: its stable code, a title, and what it means."""

    code: str
    title: str
    meaning: str


_ALL = (
    Diagnostic(
        "P001", "file can't be read", "The file does not exist, is a folder, or can't be opened."
    ),
    Diagnostic("P002", "no formula given", "Nothing to check: give a formula or a file with `-f`."),
    Diagnostic("P003", "file can't be written", "The output file can't be created or replaced."),
    Diagnostic(
        "P004", "unknown start node", "`--start` names a node that the model does not have."
    ),
    Diagnostic(
        "P005", "ambiguous start node", "`--start` names a node that several components have."
    ),
    Diagnostic(
        "P006", "unknown choice", "An option or argument has a value outside of its choices."
    ),
    Diagnostic(
        "P007",
        "format can't do that",
        "A file format can't be read or written, or a file's name does not say a format.",
    ),
    Diagnostic(
        "P008",
        "unknown variable",
        "`--use-def` names a variable that the model does not have, or the model has none.",
    ),
    Diagnostic(
        "P009",
        "unknown component",
        "`--component` names a component that the model does not have, or `FILE:NAME` a part or "
        "module that the file does not have.",
    ),
    Diagnostic(
        "P010", "no Graphviz", "Drawing SVG needs the optional package pygraphviz, or it failed."
    ),
    Diagnostic(
        "P011",
        "no decision diagrams",
        "The symbolic method needs the optional package dd for binary decision diagrams.",
    ),
    Diagnostic(
        "P012",
        "store can't be used",
        "The file of `--store` can't be opened, is in use, or was made by something else.",
    ),
    Diagnostic(
        "P013",
        "other tool not found",
        "`--peer` names a tool that Pigro does not know, or one that is not where it should be.",
    ),
    Diagnostic("P014", "no matplotlib", "Drawing plots needs the optional package matplotlib."),
    Diagnostic(
        "P015",
        "unknown mark",
        "A mark in a document that `pigro bench --fill` fills does not name a suite.",
    ),
    Diagnostic(
        "P016", "unknown requirement", "`--requirement` gives a name that no requirement has."
    ),
    Diagnostic(
        "P017",
        "wrong plan",
        "A plan of `pigro batch` has a task that names no model, an unknown key, or a value of the "
        "wrong type.",
    ),
    Diagnostic(
        "P018",
        "no cluster",
        "`--cluster` needs the optional packages dask and distributed, and a running scheduler.",
    ),
    Diagnostic(
        "P019",
        "plug-in fails",
        "A format of another package raises an error of its own, ends the program, or gives back a "
        "value of the wrong type.",
    ),
    Diagnostic(
        "P020",
        "explorer can't run",
        "`pigro explore` needs the optional packages starlette and uvicorn, and a free port.",
    ),
    Diagnostic("P101", "not valid JSON", "The file is not well-formed JSON."),
    Diagnostic("P102", "not valid UTF-8", "The file holds bytes that are not UTF-8 text."),
    Diagnostic(
        "P103", "wrong shape", "A JSON value has the wrong type or a needed key is missing."
    ),
    Diagnostic("P104", "nested too deeply", "The JSON is nested deeper than any model needs."),
    Diagnostic("P105", "unknown file format", "The file is not of a format that Pigro reads."),
    Diagnostic(
        "P106", "key given twice", "An object in a JSON file has a key twice, in whatever spelling."
    ),
    Diagnostic(
        "P110",
        "not a pushdown system",
        "A line of a pushdown system is none of the statements that it may have.",
    ),
    Diagnostic(
        "P111",
        "initial configuration",
        "A pushdown system does not say where to start, or says it twice.",
    ),
    Diagnostic("P112", "comment not closed", "A comment begins and the file ends inside of it."),
    Diagnostic(
        "P113",
        "wrong section",
        "A section of a `.pdmu` file is missing, or comes twice or too early.",
    ),
    Diagnostic(
        "P120",
        "not expressible in SMV",
        "The model can't be written as an `.smv` file; given as a `ModelError`.",
    ),
    Diagnostic("P121", "not valid SMV", "The `.smv` file can't be parsed at the place shown."),
    Diagnostic(
        "P122",
        "not supported in SMV",
        "The `.smv` file uses a part of the language that Pigro does not read.",
    ),
    Diagnostic(
        "P123", "unknown name in SMV", "A variable, definition, constant or module does not exist."
    ),
    Diagnostic(
        "P124", "defined twice in SMV", "A name is defined or assigned twice, or by way of itself."
    ),
    Diagnostic(
        "P125", "wrong kind in SMV", "An operator or variable gets a value of the wrong kind."
    ),
    Diagnostic(
        "P126",
        "no value in SMV",
        "In some state an expression has no value, one that is too large, or one outside of the "
        "variable's type.",
    ),
    Diagnostic(
        "P127",
        "bad call in SMV",
        "A state calls two modules, an exit calls, or a call is asked for.",
    ),
    Diagnostic(
        "P128",
        "too many states",
        "A module of the `.smv` file has too many states to list them, or too many variables.",
    ),
    Diagnostic(
        "P129", "nested too deeply", "An expression of the `.smv` file is nested too deeply."
    ),
    Diagnostic(
        "P130",
        "not a statement about parts",
        "A line of a `.parts` file can't be read at the place shown.",
    ),
    Diagnostic(
        "P131",
        "statement out of place",
        "A line of a `.parts` file stands before any part, labels or actions stand after the "
        "states that they are for, or there is a second `compose`.",
    ),
    Diagnostic(
        "P132",
        "named twice in a parts file",
        "Two parts, or two states, labels or actions of one, share a name, or a label of a state "
        "is given two values.",
    ),
    Diagnostic(
        "P133",
        "unknown name in a parts file",
        "A state, label, action or part is named that is declared nowhere.",
    ),
    Diagnostic(
        "P134", "nothing to start with", "A `.parts` file has no part, or one no initial state."
    ),
    Diagnostic(
        "P135",
        "step of another kind",
        "A step names an action, but its part lists none, or the other way round.",
    ),
    Diagnostic(
        "P136",
        "a rule of RMV is broken",
        "A state calls and has a label, is initial or follows a call, or a module that is called "
        "has several initial states. The semantics `rmv` rejects such a file, others warn of it.",
    ),
    Diagnostic(
        "P140",
        "damaged binary file",
        "A `.pigro` file is cut off, was changed, or was not written by Pigro.",
    ),
    Diagnostic(
        "P141",
        "binary file of another version",
        "A `.pigro` file has a version, or holds something, that this version of Pigro does not "
        "know.",
    ),
    Diagnostic(
        "P150", "not valid Python", "A source file can't be parsed; the other files are scanned."
    ),
    Diagnostic(
        "P151",
        "unknown encoding",
        "A source file is not in the encoding that it declares, or in UTF-8 if it declares none.",
    ),
    Diagnostic(
        "P152",
        "nested too deeply",
        "The code of a source file is nested deeper than 10,000 levels.",
    ),
    Diagnostic(
        "P153", "no source files", "A path that was given has no file of a language Pigro reads."
    ),
    Diagnostic("P160", "not valid TOML", "A file of rules is not well-formed TOML."),
    Diagnostic(
        "P161",
        "wrong rule",
        "A rule has an unknown template or key, a value of the wrong type, or lacks a key.",
    ),
    Diagnostic("P162", "unknown rule", "`--select` or `--ignore` names a rule that there is not."),
    Diagnostic(
        "P163",
        "wrong settings",
        "The table `[tool.pigro]` of a `pyproject.toml` has an unknown key or a value of the wrong "
        "type.",
    ),
    Diagnostic(
        "P164", "wrong baseline", "A file of known findings was not written by `--write-baseline`."
    ),
    Diagnostic(
        "P165",
        "changes not known",
        "`--diff` needs git, a repository around the working folder, and a commit that it knows.",
    ),
    Diagnostic(
        "P201",
        "duplicate name",
        "Two components, or two nodes or boxes of one component, share a name.",
    ),
    Diagnostic(
        "P202", "unknown component", "A box or the start names a component that does not exist."
    ),
    Diagnostic(
        "P203", "unknown node", "A reference names a node that its component does not have."
    ),
    Diagnostic("P204", "unknown box", "A transition names a box that its component does not have."),
    Diagnostic(
        "P205", "not an entry", "A box lists a call node whose node is not an entry of the callee."
    ),
    Diagnostic(
        "P206", "not an exit", "A box lists a return node whose node is not an exit of the callee."
    ),
    Diagnostic(
        "P207",
        "not a call node",
        "A transition goes to a box node that the box does not list as a call node.",
    ),
    Diagnostic(
        "P208",
        "not a return node",
        "A transition starts at a box node that the box does not list as a return node.",
    ),
    Diagnostic(
        "P209", "exit with successors", "An exit node has outgoing transitions; it may only return."
    ),
    Diagnostic("P210", "no initial node", "The model has no initial node."),
    Diagnostic(
        "P211", "dead end", "The model has a dead end and dead ends were declared an error."
    ),
    Diagnostic(
        "P212",
        "arrays don't fit",
        "The arrays of a model have wrong types, lengths or ids out of range.",
    ),
    Diagnostic(
        "P213",
        "model too large",
        "The model has more than 2^31 - 1 nodes or edges, or a file or composition makes too many.",
    ),
    Diagnostic(
        "P214",
        "can't be split",
        "A pushdown system can't be split into procedures, although that was asked for.",
    ),
    Diagnostic(
        "P215",
        "can't be written",
        "The model has something that the format of the file can't express.",
    ),
    Diagnostic(
        "P216",
        "duplicate name in parts",
        "Two parts, or two states, labels or actions of a part, share a name, or a label of a "
        "state is given two values.",
    ),
    Diagnostic(
        "P217",
        "unknown name in a part",
        "A part names a state, a label or an action that it does not have.",
    ),
    Diagnostic("P218", "part without a start", "A part has no state, or no initial one."),
    Diagnostic(
        "P219",
        "step of another kind",
        "A part with actions has a step without one, or a part without has a step with one.",
    ),
    Diagnostic(
        "P220",
        "parts don't go together",
        "Some parts have actions and others have not, or parts with actions share a label.",
    ),
    Diagnostic(
        "P221",
        "parts can't start together",
        "No initial states of the parts agree on the labels that several of them see.",
    ),
    Diagnostic(
        "P222",
        "not a part",
        "A model with calls can't be part of a composition: parts are Kripke structures.",
    ),
    Diagnostic(
        "P223",
        "wrong source position",
        "A source position has no line, ends before it begins, or names no file.",
    ),
    Diagnostic("P301", "syntax error", "The formula can't be parsed at the place shown."),
    Diagnostic(
        "P302",
        "unbalanced bracket",
        "A bracket or quote is not closed, or closed without being open.",
    ),
    Diagnostic(
        "P303",
        "reserved word",
        "A reserved word stands where a label is expected; quote it to use it.",
    ),
    Diagnostic(
        "P304", "nested too deeply", "Temporal operators are nested deeper than 256 levels."
    ),
    Diagnostic("P305", "empty formula", "The formula has no content."),
    Diagnostic(
        "P306",
        "negated variable",
        "A variable of the mu-calculus stands under an odd number of negations in its fixpoint.",
    ),
    Diagnostic(
        "P307",
        "variable bound again",
        "Inside a fixpoint `mu Z. f` or `nu Z. f` stands another one of the same variable.",
    ),
    Diagnostic(
        "P308",
        "expression too long",
        "A regular expression in a formula has more than 256 letters.",
    ),
    Diagnostic(
        "P309",
        "not a regular expression",
        "Braces hold something else than a regular expression over state formulas.",
    ),
    Diagnostic(
        "P401",
        "not a CTL formula",
        "The engine checks CTL; the formula uses temporal operators beyond it.",
    ),
    Diagnostic(
        "P402", "unknown label", "With `--strict`: a formula names a label that no node carries."
    ),
    Diagnostic("P403", "unknown engine", "There is no engine of that name."),
    Diagnostic(
        "P404",
        "engine does not fit the model",
        "Some engines check only models of a kind, such as one entry and one exit a component.",
    ),
    Diagnostic(
        "P405",
        "no usable heuristic",
        "There is no expansion heuristic of that name, or one of a file or package fails.",
    ),
    Diagnostic(
        "P407",
        "not a system",
        "An object that was given as a system lacks a part of one, or gives back what is none.",
    ),
    Diagnostic(
        "P408",
        "mu-calculus not possible here",
        "The formula has fixpoints or modalities, which only the engine `game` and "
        "`pigro compose` check.",
    ),
    Diagnostic(
        "P409",
        "not for the symbolic method",
        "The symbolic method checks alternation-free formulas only.",
    ),
    Diagnostic(
        "P410",
        "not for this composition",
        "The formula names an action that no part has, or the method does not fit the parts.",
    ),
    Diagnostic(
        "P411",
        "program failed",
        "A program that was given as a state space raised an error, or can't do what is asked.",
    ),
    Diagnostic(
        "P412",
        "no such program",
        "`FILE.py:NAME` names something that the file or module does not have.",
    ),
    Diagnostic(
        "P413",
        "parts that can't be compared",
        "With `--refines`: the abstract and the concrete parts have other labels or actions.",
    ),
    Diagnostic(
        "P501",
        "not a certificate",
        "The file is not a well-formed file of certificates for this model.",
    ),
    Diagnostic(
        "P502",
        "certificate of something else",
        "The certificates are about another model, or read it in another way.",
    ),
    Diagnostic("P503", "not evidence", "The file holds no evidence, or none about this model."),
    Diagnostic("P901", "internal error", "A fault of Pigro's own; please report it."),
    Diagnostic(
        "P902",
        "certificate rejected",
        "With `--verify`: the proof of a verdict was rejected. A fault of Pigro's own.",
    ),
    Diagnostic(
        "P903",
        "engines disagree",
        "Another engine, asked to prove a verdict, found the opposite. A fault of Pigro's own.",
    ),
    Diagnostic(
        "P904",
        "checkers disagree",
        "The two checkers of certificates do not say the same. A fault of Pigro's own.",
    ),
)

CATALOGUE: dict[str, Diagnostic] = {each.code: each for each in _ALL}
