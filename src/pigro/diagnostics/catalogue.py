"""Every diagnostic that Pigro can report, by its stable code.

The page docs/errors.md is generated from this list.

P0xx usage and files, P1xx file formats, P2xx models, P3xx formulas, P4xx checking, P5xx
certificates, P9xx faults in Pigro.
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
    Diagnostic(
        "P002",
        "no formula given",
        "There is nothing to check. Give a formula, or a file of formulas with `-f`.",
    ),
    Diagnostic("P003", "file can't be written", "The output file can't be created or replaced."),
    Diagnostic(
        "P004", "unknown start node", "`--start` names a node that the model does not have."
    ),
    Diagnostic(
        "P005", "ambiguous start node", "`--start` names a node that several components have."
    ),
    Diagnostic(
        "P006", "unknown choice", "The value of an option or argument is not one of its choices."
    ),
    Diagnostic(
        "P007",
        "format can't do that",
        "Pigro can't read or write this file format, or can't tell the format from the file name.",
    ),
    Diagnostic(
        "P008",
        "unknown variable",
        "`--use-def` names a variable that the model does not have, or the model has no variables.",
    ),
    Diagnostic(
        "P009",
        "unknown component",
        "`--component` names a component that the model does not have, or `FILE:NAME` names a "
        "part or module that the file does not have.",
    ),
    Diagnostic(
        "P010",
        "no Graphviz",
        "The optional package pygraphviz, which draws SVG, is not installed, or Graphviz failed.",
    ),
    Diagnostic(
        "P011",
        "no decision diagrams",
        "The symbolic method needs the optional package dd for binary decision diagrams.",
    ),
    Diagnostic(
        "P012",
        "store can't be used",
        "The file of `--store` can't be opened, is in use, or was not written by `--store`.",
    ),
    Diagnostic(
        "P016",
        "unknown requirement",
        "`--requirement` gives a name, but no requirement has this name.",
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
        "A format from another package raises an error, ends the program, or returns a value of "
        "the wrong type. Or engines from another package can't be loaded.",
    ),
    Diagnostic(
        "P020",
        "explorer can't run",
        "`pigro explore` needs the optional packages starlette and uvicorn, and a free port.",
    ),
    Diagnostic("P101", "not valid JSON", "The file is not well-formed JSON."),
    Diagnostic("P102", "not valid UTF-8", "The file holds bytes that are not UTF-8 text."),
    Diagnostic(
        "P103", "wrong shape", "A JSON value has the wrong type, or a required key is missing."
    ),
    Diagnostic("P104", "nested too deeply", "The JSON is nested deeper than any model needs."),
    Diagnostic("P105", "unknown file format", "Pigro does not read the format of this file."),
    Diagnostic(
        "P106",
        "key given twice",
        "A JSON object has the same key twice. Keys that are escaped in different ways can be "
        "the same.",
    ),
    Diagnostic(
        "P107",
        "key that is ignored",
        "A JSON object has a key that looks like a misspelled one. Without --strict, this is a "
        "warning.",
    ),
    Diagnostic(
        "P110",
        "not a pushdown system",
        "A line of the file is not a valid statement of a pushdown system.",
    ),
    Diagnostic(
        "P111",
        "initial configuration",
        "The file gives no initial configuration for the pushdown system, or gives two.",
    ),
    Diagnostic("P112", "comment not closed", "The file ends inside a comment."),
    Diagnostic(
        "P113", "wrong section", "A section of a `.pdmu` file is missing, repeated or too early."
    ),
    Diagnostic(
        "P120",
        "not expressible in SMV",
        "The model can't be written as an `.smv` file. In Python, this is a `ModelError`.",
    ),
    Diagnostic("P121", "not valid SMV", "The `.smv` file can't be parsed at the place shown."),
    Diagnostic(
        "P122",
        "not supported in SMV",
        "The `.smv` file uses a part of the language that Pigro does not read.",
    ),
    Diagnostic(
        "P123",
        "unknown name in SMV",
        "The file uses a variable, definition, constant or module that does not exist.",
    ),
    Diagnostic(
        "P124",
        "defined twice in SMV",
        "A name is defined or assigned twice, or its definition depends on itself.",
    ),
    Diagnostic(
        "P125", "wrong kind in SMV", "An operator or variable gets a value of the wrong kind."
    ),
    Diagnostic(
        "P126",
        "no value in SMV",
        "In some state, an expression has no value, a value that is too large, or a value "
        "outside the type of the variable.",
    ),
    Diagnostic(
        "P127",
        "bad call in SMV",
        "A state calls two modules, an exit makes a call, or the condition of a formula holds "
        "only in states that make calls.",
    ),
    Diagnostic(
        "P128",
        "too many states",
        "A module of the `.smv` file has too many variables, or more states than Pigro can list.",
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
        "A line of a `.parts` file comes before the first part, labels or actions come after the "
        "states that use them, or there is a second `compose`.",
    ),
    Diagnostic(
        "P132",
        "named twice in a parts file",
        "Two parts have the same name, or two states, labels or actions of one part have the "
        "same name, or a label has two values in one state.",
    ),
    Diagnostic(
        "P133",
        "unknown name in a parts file",
        "The file uses a state, label, action or part that it does not declare.",
    ),
    Diagnostic(
        "P134",
        "nothing to start with",
        "The `.parts` file has no part, or a part has no initial state.",
    ),
    Diagnostic(
        "P135",
        "step of another kind",
        "A step has an action, but its part lists no actions, or a step has no action, but its "
        "part lists actions.",
    ),
    Diagnostic(
        "P136",
        "a rule of RMV is broken",
        "A state that makes a call has a label, is initial or follows a call, or a called module "
        "has several initial states. Only the semantics `rmv` rejects such a file.",
    ),
    Diagnostic(
        "P137",
        "call not supported in SMV",
        "A module with a `CALL` is instantiated, or a call has arguments, or the called module has "
        "parameters. Only modules that run on their own can call, and calls pass no values.",
    ),
    Diagnostic(
        "P138",
        "EXIT that nothing gives",
        "A constraint asks that a variable or input is `EXIT`, but no assignment gives it `EXIT`, "
        "and its type does not list `EXIT`.",
    ),
    Diagnostic(
        "P140",
        "damaged binary file",
        "A `.pigro` file is incomplete, was changed, or was not written by Pigro.",
    ),
    Diagnostic(
        "P141",
        "binary file of another version",
        "A `.pigro` file has a format version or contents that this version of Pigro can't read.",
    ),
    Diagnostic(
        "P150", "not valid Python", "A source file can't be parsed. The other files are scanned."
    ),
    Diagnostic(
        "P151",
        "unknown encoding",
        "A source file is not in the encoding that it declares. Without a declaration, the "
        "encoding is UTF-8.",
    ),
    Diagnostic(
        "P152",
        "nested too deeply",
        "The code of a source file is nested deeper than 10,000 levels.",
    ),
    Diagnostic(
        "P153", "no source files", "A path has no source file in a language that Pigro reads."
    ),
    Diagnostic(
        "P154",
        "not a language that Pigro reads",
        "A file that was named is in a language without a front-end. The name of a file says its "
        "language, or the first line of a script without a suffix.",
    ),
    Diagnostic("P160", "not valid TOML", "A rule file is not well-formed TOML."),
    Diagnostic(
        "P161",
        "wrong rule",
        "A rule has an unknown template, an unknown key or a value of the wrong type, or a "
        "required key is missing. Or it can't report anything: a pattern never matches at its key, "
        "or no event gives a label of its formula. Or its message has an unknown placeholder.",
    ),
    Diagnostic(
        "P162", "unknown rule", "`--select` or `--ignore` names a rule that does not exist."
    ),
    Diagnostic(
        "P163",
        "wrong settings",
        "The table `[tool.pigro]` of a `pyproject.toml` has an unknown key or a value of the wrong "
        "type.",
    ),
    Diagnostic(
        "P164", "wrong baseline", "The baseline file was not written by `--write-baseline`."
    ),
    Diagnostic(
        "P165",
        "changes not known",
        "`--diff` needs git, a working folder inside a repository, and a commit of this "
        "repository.",
    ),
    Diagnostic(
        "P201",
        "duplicate name",
        "Two components have the same name, or two nodes or boxes of one component have the same "
        "name.",
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
        "P209",
        "exit with successors",
        "An exit node has outgoing transitions. An exit may only return.",
    ),
    Diagnostic("P210", "no initial node", "The model has no initial node."),
    Diagnostic(
        "P211", "dead end", "The model has a dead end, and you asked for an error in this case."
    ),
    Diagnostic(
        "P212",
        "arrays don't fit",
        "The arrays of a model have wrong types or lengths, or ids out of range.",
    ),
    Diagnostic(
        "P213",
        "model too large",
        "The model has more than 2^31 - 1 nodes, edges, labels of nodes or bytes of names, or "
        "reading the file or composing the parts would exceed a limit.",
    ),
    Diagnostic(
        "P214",
        "can't be split",
        "You asked to split a pushdown system into procedures, but it can't be split.",
    ),
    Diagnostic("P215", "can't be written", "The file format can't express something in the model."),
    Diagnostic(
        "P216",
        "duplicate name in parts",
        "Two parts have the same name, or two states, labels or actions of one part have the "
        "same name, or a label has two values in one state.",
    ),
    Diagnostic(
        "P217",
        "unknown name in a part",
        "A part uses a state, label or action that it does not have.",
    ),
    Diagnostic("P218", "part without a start", "A part has no states, or no initial state."),
    Diagnostic(
        "P219",
        "step of another kind",
        "A part with actions has a step without an action, or a part without actions has a step "
        "with one.",
    ),
    Diagnostic(
        "P220",
        "parts don't go together",
        "Some parts have actions and others do not, parts with actions share a label, or there is "
        "no part.",
    ),
    Diagnostic(
        "P221",
        "parts can't start together",
        "The parts have no initial states that agree on the shared labels.",
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
    Diagnostic(
        "P224",
        "wrong type",
        "A program built a model with a value of the wrong type, for example a number for a name.",
    ),
    Diagnostic("P301", "syntax error", "The formula can't be parsed at the place shown."),
    Diagnostic(
        "P302",
        "unbalanced bracket",
        "A bracket or quote is opened and not closed, or closed and not opened.",
    ),
    Diagnostic(
        "P303",
        "reserved word",
        "A reserved word is in the place of a label. Put it in quotes to use it as a label.",
    ),
    Diagnostic(
        "P304", "nested too deeply", "Temporal operators are nested deeper than 256 levels."
    ),
    Diagnostic("P305", "empty formula", "The formula is empty."),
    Diagnostic(
        "P306",
        "negated variable",
        "A variable of the mu-calculus is under an odd number of negations in its fixpoint.",
    ),
    Diagnostic(
        "P307",
        "variable bound again",
        "A fixpoint `mu Z. f` or `nu Z. f` contains another fixpoint of the same variable.",
    ),
    Diagnostic(
        "P308",
        "expression too long",
        "A regular expression in a formula has more than 256 letters, or an automaton has more "
        "than 256 edges.",
    ),
    Diagnostic(
        "P309",
        "not a regular expression",
        "The text in braces is not a regular expression over state formulas.",
    ),
    Diagnostic(
        "P310",
        "unknown automaton",
        "A formula names an automaton that neither the formula nor its file defines.",
    ),
    Diagnostic(
        "P311",
        "incomplete automaton",
        "An automaton in a formula has no edge, no start or no accepting state.",
    ),
    Diagnostic(
        "P312",
        "automaton defined twice",
        "A formula or a file of formulas defines two automata of the same name.",
    ),
    Diagnostic(
        "P313",
        "letter is a path formula",
        "The formula of an edge of an automaton is about paths. It must be about one state.",
    ),
    Diagnostic(
        "P314",
        "unknown state of an automaton",
        "A state of an automaton can't be reached or is useless, so its name is probably misspelt: "
        "no edge leads to it, or it does not accept and no edge leaves it.",
    ),
    Diagnostic(
        "P401",
        "not a CTL formula",
        "The engine checks only CTL, and the formula has other temporal operators.",
    ),
    Diagnostic(
        "P402", "unknown label", "With `--strict`: a formula has a label that no node carries."
    ),
    Diagnostic("P403", "unknown engine", "There is no engine with this name."),
    Diagnostic(
        "P404",
        "engine does not fit the model",
        "The engine can't check this model. For example, some engines need components with one "
        "entry and one exit.",
    ),
    Diagnostic(
        "P405",
        "no usable heuristic",
        "There is no expansion heuristic with this name, or the heuristic from a file or package "
        "failed.",
    ),
    Diagnostic(
        "P407",
        "not a system",
        "The Python object passed as a system lacks `initial`, `successors` or `labels`, or one "
        "of its methods returned a value of the wrong type.",
    ),
    Diagnostic(
        "P408",
        "mu-calculus not possible here",
        "The formula has fixpoints or modalities. The engine `game` and `pigro compose` check "
        "them. Other engines, programs, labels and certificates do not take them.",
    ),
    Diagnostic(
        "P409",
        "not for the symbolic method",
        "The symbolic method checks only alternation-free formulas, on parts without hyper-steps.",
    ),
    Diagnostic(
        "P410",
        "not for this composition",
        "The formula has an action that no part has, or the method does not fit the parts.",
    ),
    Diagnostic(
        "P411",
        "program failed",
        "A Python program passed as a state space raised an error, or does not support this check.",
    ),
    Diagnostic(
        "P412",
        "no such program",
        "`FILE.py:NAME` has a name that the file or module does not define.",
    ),
    Diagnostic(
        "P413",
        "parts that can't be compared",
        "With `--refines`: the abstract and the concrete parts have different labels or actions.",
    ),
    Diagnostic(
        "P501",
        "not a certificate",
        "The file is not a well-formed certificate file for this model.",
    ),
    Diagnostic(
        "P502",
        "certificate of something else",
        "The certificates are about another model, or this model was read with other options.",
    ),
    Diagnostic(
        "P503", "not evidence", "The file has no evidence, or no evidence about this model."
    ),
    Diagnostic("P901", "internal error", "This is a fault in Pigro. Please report it."),
    Diagnostic(
        "P902",
        "certificate rejected",
        "With `--verify`: the proof of a verdict was rejected. This is a fault in Pigro.",
    ),
    Diagnostic(
        "P903",
        "engines disagree",
        "A second engine, which had to prove a verdict, found the opposite. This is a fault in "
        "Pigro.",
    ),
    Diagnostic(
        "P904",
        "checkers disagree",
        "The two certificate checkers give different results. This is a fault in Pigro.",
    ),
)

CATALOGUE: dict[str, Diagnostic] = {each.code: each for each in _ALL}
