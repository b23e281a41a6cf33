"""The options of a check, as data: a row for each, and which subjects take it.

The command line, the refusals and the tests are made from this table. It imports nothing, because
help must be fast. Which engines take an option is said by their rows (`pigro.engines.table`).
`Options` has the types, for type checkers: they can't see a type that is made of the rows. A test
compares the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "model file"
MODEL = "model"
PARTS_FILE = "composition file"
PARTS = "composition"
PROGRAM = "program"
GIVEN = (FILE, MODEL, PARTS_FILE, PARTS, PROGRAM)
"""How a subject is given: as a model or a composition, in files or as an object, or as a program
that computes states: by its name, or as a Python object."""
_KINDS = {FILE: MODEL, PARTS_FILE: PARTS}

_USUAL_ENGINES = ("auto", "demand", "onthefly", "game")
"""Those that auto picks, and auto: help says when."""
ENGINE_NAMES = (
    *_USUAL_ENGINES,
    *("exhaustive", "eager", "lazy", "ternary", "random", "incremental", "knowledge", "basic"),
)
"""The engines for models. Written out, because help must not import the engines."""


class Method(NamedTuple):
    """An engine for compositions, without its code. The table of engines has a row made of it."""

    help: str
    options: tuple[str, ...] = ()
    """Options that not all methods take."""
    has_paths: bool = False
    """Whether it takes LTL and CTL*, and not only CTL and the mu-calculus."""
    shows: bool = True
    """Whether it makes evidence."""
    home: str = "pigro.engines.game.methods"
    """The module that has it, under its name in capitals."""


_ROUNDS = ("refine", "hyper", "assumption", "trace")
METHODS = {
    "concrete": Method("part by part, the default", has_paths=True),
    "refine": Method("on abstract parts that are refined", _ROUNDS),
    "refine-one": Method("like refine, but the first part is not abstracted", _ROUNDS),
    "predicates": Method(
        "on .smv parts abstracted by conditions, which are refined",
        ("refine", "trace"),
        shows=False,
    ),
    "symbolic": Method("with decision diagrams", ("refine", "trace")),
    "full": Method("composing everything, to compare", has_paths=True),
}
"""The engines for compositions, by their names. Help lists them in this order."""


def _methods_in_words() -> str:
    *rows, last = (f"{name} ({each.help})" for name, each in METHODS.items())
    return f"{', '.join(rows)} or {last}"


_NOTHING: Mapping[str, Any] = MappingProxyType({})


RARE = "Rare options"
PUBLISHED = "Options of published algorithms"
REFINING = "Options of methods that refine"
GROUPS = (RARE, REFINING, PUBLISHED)
"""What `--help` leaves out and `--help-all` shows, in this order."""


class Option(NamedTuple):
    """One option. `compose` has what is different for `pigro compose`."""

    name: str
    """In a request and in Python."""
    flag: str
    help: str
    takers: tuple[str, ...]
    """How subjects are given that take it: some of `GIVEN`."""
    kind: str = "text"
    """`text`, `choice`, `flag`, `switch` (with a flag to turn it off), `number`, `duration`,
    `size`, `path`, or `file`: where to write what the option asks for."""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    default: Any = None
    least: int | None = None
    many: bool = False
    shows_default: bool = False
    commands: tuple[str, ...] = ("check",)
    group: str | None = None
    """One of `GROUPS`. None: `--help` shows it."""
    compose: Mapping[str, Any] = _NOTHING

    @property
    def typed(self) -> str:
        """The flag that a person types to get another value than by default."""
        yes, _, no = self.flag.split(" ")[-1].partition("/")
        return no if no and self.default else yes


_MODELS = (FILE, MODEL)
_FILES = (FILE, PARTS_FILE)
_PARTS = (PARTS_FILE, PARTS)
_BOTH = ("check", "compose")
_PARTS_ONLY = ("compose",)

OPTIONS = (
    Option(
        "files",
        "-f --formulas",
        "Read formulas from FILE, one per line. Lines that start with # are comments. FILE can "
        "also define regular expressions and automata for them. Can be repeated.",
        GIVEN,
        kind="path",
        metavar="FILE",
        many=True,
        commands=_BOTH,
    ),
    Option(
        "use_def",
        "--use-def",
        "Check that this variable of the program, wherever it is defined, can be used later. "
        "Labels def_NAME, use_NAME and usedef_NAME say where. Can be repeated.",
        _MODELS,
        metavar="all|NAME",
        many=True,
        group=RARE,
    ),
    Option(
        "requirements",
        "--requirement",
        "Check a requirement on variables, by the same labels: usable (as --use-def), initialized "
        "(no use before a definition), used (each definition can be used before the next), or kept "
        "(no definition is overwritten unused). Can be repeated.",
        _MODELS,
        metavar="NAME[:VARIABLE|all]",
        many=True,
        group=RARE,
    ),
    Option(
        "format",
        "--from",
        "The format of the model file, if its content and name don't show it. `pigro formats` "
        "lists all formats. pds:single, pds:split and pds:general choose how to translate a "
        "pushdown system, as do pdmu:single and so on.",
        _FILES,
        metavar="FORMAT",
        commands=("check", "explain"),
        group=RARE,
    ),
    Option(
        "engine",
        "--engine",
        "The algorithm. The default, auto, picks game for the mu-calculus, onthefly where states "
        "are computed on demand, and demand otherwise. "
        f"Others are {', '.join(ENGINE_NAMES[len(_USUAL_ENGINES) : -1])} and {ENGINE_NAMES[-1]}.",
        GIVEN,
        kind="choice",
        metavar="NAME",
        choices=ENGINE_NAMES,
        default="auto",
    ),
    Option(
        "method",
        "--method",
        f"How to check: {_methods_in_words()}.",
        _PARTS,
        kind="choice",
        metavar="NAME",
        choices=tuple(METHODS),
        default="concrete",
        commands=_PARTS_ONLY,
    ),
    Option(
        "refine",
        "--refine",
        "With a method that refines: look at many causes of doubt in a round (the default), or at "
        "one, which may keep the parts more abstract. With --method symbolic: check abstract "
        "parts, and refine them so.",
        _PARTS,
        kind="choice",
        choices=("many", "one"),
        commands=_PARTS_ONLY,
        group=REFINING,
    ),
    Option(
        "predicates",
        "--predicate",
        "Abstract a .smv part by this condition over its variables. Can be repeated. With "
        "--method predicates, conditions of its file are added where a verdict needs them.",
        _PARTS,
        metavar="[PART:]CONDITION",
        many=True,
        commands=_PARTS_ONLY,
        group=REFINING,
    ),
    Option(
        "hyper",
        "--hyper/--no-hyper",
        "With --method refine or refine-one: let blocks have steps that must be there, to one of "
        "several blocks (the default), or to single blocks only.",
        _PARTS,
        kind="switch",
        default=True,
        commands=_PARTS_ONLY,
        group=REFINING,
    ),
    Option(
        "depth",
        "--depth",
        "For LTL and CTL* on recursive models: follow calls up to N deep. Verdicts that depend on "
        "deeper calls are unknown.",
        _MODELS,
        kind="number",
        metavar="N",
        least=0,
        group=RARE,
    ),
    Option(
        "heuristic",
        "--heuristic",
        "With --engine lazy: which boxes get a context next: next (the default), next-random, all "
        "or random, a plug-in by its name, or FILE.py:NAME.",
        _MODELS,
        metavar="NAME",
        group=PUBLISHED,
    ),
    Option(
        "seed",
        "--seed",
        "With --engine lazy or random: the seed of random choices. The default is 0.",
        _MODELS,
        kind="number",
        metavar="N",
        group=PUBLISHED,
    ),
    Option(
        "variant",
        "--variant",
        "With --engine eager, lazy, ternary or random: Pigro's version (the default), the "
        "algorithms as printed, or those of the authors' tool, whose verdicts can be wrong.",
        _MODELS,
        kind="choice",
        choices=("improved", "printed", "tool"),
        group=PUBLISHED,
    ),
    Option(
        "trace",
        "--trace",
        "With --engine eager, lazy, ternary, random, incremental, knowledge or basic: also print "
        "each step and why it was taken.",
        (*_MODELS, *_PARTS),
        kind="flag",
        default=False,
        commands=_BOTH,
        group=PUBLISHED,
        compose={"group": REFINING, "help": "With a method that refines: also show each round."},
    ),
    Option(
        "certify",
        "--certificate",
        "Write the proofs of all verdicts to FILE, for `pigro validate-witness`.",
        _MODELS,
        kind="file",
        metavar="FILE",
        default=False,
    ),
    Option(
        "verify",
        "--verify",
        "Check the proof of each verdict at once. If one is rejected, stop with exit code 4 and "
        "a file for a bug report.",
        _MODELS,
        kind="flag",
        default=False,
        group=RARE,
    ),
    Option(
        "assumption",
        "--save-assumption",
        "With --method refine or refine-one and one formula: also write the abstract parts that "
        "decided it, as parts to compose again.",
        _PARTS,
        kind="file",
        metavar="FILE.parts",
        default=False,
        commands=_PARTS_ONLY,
        group=REFINING,
    ),
    Option(
        "witness",
        "--witness/--no-witness",
        "Also show why: a run with its call stack, where one run can show it, or a strategy for "
        "the mu-calculus. By default a terminal shows a short form.",
        GIVEN,
        kind="switch",
        commands=_BOTH,
        compose={
            "default": False,
            "help": "Also show a strategy that wins, position by position. --format json has all "
            "of it.",
        },
    ),
    Option(
        "semantics",
        "--semantics",
        "How to read calls of nodes that are entry and exit at once, and where runs go after an "
        "exit of the initial component. rsmcheck and rmv do it as the tools RSMCheck and RMV. The "
        "default is what the file says, or otherwise standard.",
        (FILE,),
        kind="choice",
        choices=("standard", "rsmcheck", "rmv"),
        commands=("check", "explain"),
        group=RARE,
    ),
    Option(
        "dead_ends",
        "--dead-ends",
        "Where no step leads on, a run stays forever (stutter), ends (stop), or the model is "
        "rejected (error). The default is what the file says, or otherwise stop with rsmcheck and "
        "stutter without.",
        (FILE, *_PARTS),
        kind="choice",
        metavar="HOW",
        choices=("stutter", "stop", "error"),
        commands=(*_BOTH, "explain"),
        compose={
            "choices": ("stutter", "stop"),
            "default": "stutter",
            "shows_default": True,
            "help": "How CTL reads states without a next state: a run stays there forever, or "
            "ends.",
        },
    ),
    Option(
        "timeout",
        "--timeout",
        "Stop after TIME (30s, 2m, 500ms) in all, reading included. Formulas that are not decided "
        "by then are unknown. Evidence and proofs that are not finished by then are left out.",
        GIVEN,
        kind="duration",
        metavar="TIME",
        commands=(*_BOTH, "explain"),
    ),
    Option(
        "timeout_each",
        "--timeout-each",
        "Give up on a formula after TIME, and go on with the next. The formula is then unknown. "
        "The time to list the states of a .smv file counts for the first formula.",
        GIVEN,
        kind="duration",
        metavar="TIME",
        commands=_BOTH,
        group=RARE,
    ),
    Option(
        "memory",
        "--memory",
        "Give up on a formula when the process uses more than SIZE (4G, 500M). The formula is "
        "then unknown. The default is 80 % of the memory of the machine or control group, and none "
        "means no limit.",
        GIVEN,
        kind="size",
        metavar="SIZE",
        commands=(*_BOTH, "explain"),
    ),
    Option(
        "jobs",
        "--jobs",
        "Use N threads, for formulas or operands of one. The verdicts are the same for any N.",
        _MODELS,
        kind="number",
        metavar="N",
        default=1,
        least=1,
        shows_default=True,
    ),
    Option(
        "strict",
        "--strict",
        "Labels that no node carries are an error.",
        (*_MODELS, *_PARTS),
        kind="flag",
        default=False,
        commands=_BOTH,
        compose={"help": "Labels that no part sees are an error."},
    ),
    Option(
        "vacuity",
        "--vacuity/--no-vacuity",
        "Whether to warn of formulas AG (p -> q) that hold only because no reachable state "
        "satisfies p. By default they are warned of.",
        _MODELS,
        kind="switch",
        default=True,
        group=RARE,
    ),
    Option(
        "starts",
        "--start",
        "Start here instead of at the model's initial nodes. Can be repeated.",
        _MODELS,
        metavar="[COMPONENT:]NODE",
        many=True,
    ),
)
"""In the order of the help."""
BY_NAME: Mapping[str, Option] = MappingProxyType({each.name: each for each in OPTIONS})


class Options(TypedDict, total=False):
    """Options of `check` and `check_all`. The command line has the same options."""

    files: Sequence[str]
    """For `check_all`: files with formulas, one per line."""
    use_def: Sequence[str]
    """For `check_all`: variables whose use-def formulas are checked too, or `all`."""
    requirements: Sequence[str]
    """For `check_all`: requirements of the file, as `NAME`, `NAME:VARIABLE` or `NAME:all`."""
    starts: Sequence[str]
    """Names of nodes to start at, in place of the initial nodes."""
    format: str | None
    """The format of the file, as for `load`."""
    semantics: str | None
    """How to read the file, as for `load`."""
    dead_ends: str | None
    """What runs do in dead ends, as for `load`. For a composition: `stutter` or `stop`."""
    engine: str
    """The engine. The default, `auto`, chooses one by the formula and the model."""
    method: str
    """For a composition: the method, as for `compose_check`."""
    refine: str | None
    """For a composition: how to refine, as for `compose_check`."""
    hyper: bool
    """For a composition: whether refinement has hyper-steps, as for `compose_check`."""
    assumption: bool
    """For a composition: also make an assumption, as for `compose_check`."""
    predicates: Sequence[str]
    """For a composition: conditions, as [PART:]CONDITION, by which modules are abstracted."""
    depth: int | None
    """How deep calls are followed. If the verdict depends on deeper calls, it is unknown."""
    heuristic: str | None
    """For the engine `lazy`: which contexts to build first."""
    seed: int | None
    """For the engines `lazy` and `random`: makes random choices repeatable."""
    variant: str | None
    """For engines after papers: `improved`, `printed` or `tool`."""
    trace: bool
    """Also keep the steps of the engine, in `verdict.details.steps`."""
    strict: bool
    """A label that no node carries is an error, not a warning."""
    vacuity: bool
    """Also find `verdict.remarks.vacuous`. By default True."""
    jobs: int
    """For `check_all`: how many threads there are, for formulas and for operands of one formula."""
    witness: bool
    """Also make `verdict.evidence`: paths and runs, or a strategy for the mu-calculus."""
    certify: bool
    """Also make `verdict.certificate`, a proof that `check_certificates` can check."""
    verify: bool
    """Also check the certificate at once."""
    timeout: float | None
    """Seconds for all formulas together. Beyond this limit, verdicts are unknown."""
    timeout_each: float | None
    """Seconds for each formula."""
    memory: float | None
    """Bytes that the whole process may use. The default is 80 % of the memory of the machine, or of
    the control group of the process. `math.inf` is no limit."""


def options_of(command: str) -> list[Option]:
    """The options that a command has, as it has them."""
    rows = (each for each in OPTIONS if command in each.commands)
    return [each._replace(**each.compose) if command == "compose" else each for each in rows]


def why_not(option: Option, given: str) -> str | None:
    """What to say if a subject that is given so does not take the option. None if it does."""
    if given in option.takers:
        return None
    kind, kinds = _KINDS.get(given, given), [_KINDS.get(each, each) for each in option.takers]
    return f"is for {'file' if kind in kinds else kinds[0]}s, not for {kind}s"
