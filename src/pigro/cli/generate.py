"""`pigro generate`: random models, formulas, modules and pushdown systems."""

from __future__ import annotations

from typing import Any

import click

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_SHARE = click.FloatRange(0, 1)
_SOME = click.IntRange(min=1)
_seed = click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed and options give the same result, everywhere.",
)
_output = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="Write to FILE, in one step, instead of standard output.",
)


class LabelChanceType(click.ParamType[tuple[str, float]]):
    """A label with its probability, such as `a=0.5`."""

    name = "label"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """The label and the probability."""
        label, _, chance = str(value).rpartition("=")
        try:
            probability = float(chance)
        except ValueError:
            probability = -1.0
        if not label or not 0 <= probability <= 1:
            message = f"{value!r} is not a label with a probability. For example, write a=0.5"
            self.fail(message, param, ctx)
        return label, probability


_chances = click.option(
    "--label",
    "labels",
    metavar="NAME=CHANCE",
    type=LabelChanceType(),
    multiple=True,
    help="A label and the probability of it. Can be repeated.",
)


@click.group(context_settings=_SETTINGS)
def generate() -> None:
    """Make random models, formulas, modules and pushdown systems.

    The same seed and options give the same result, on every machine and with every version of
    Python. With --grid, models and formulas have the sizes of a published scalability experiment.

    \b
    Examples:
      pigro generate rsm --components 20 --nodes 30 --seed 7 -o random.rsm
      pigro generate ctl --count 50 --depth 3 -o random.ctl
      pigro check random.rsm -f random.ctl
    """


@generate.command(context_settings=_SETTINGS)
@click.option(
    "--grid",
    metavar="I",
    type=_SOME,
    help="I components of I/3 boxes and 3*I nodes each, unless another option says otherwise.",
)
@click.option("--components", metavar="N", type=_SOME, help="Components.  [default: 5]")
@click.option(
    "--boxes", metavar="N", type=click.IntRange(min=0), help="Boxes of each.  [default: 2]"
)
@click.option("--nodes", metavar="N", type=_SOME, help="Nodes of each.  [default: 10]")
@click.option(
    "--entries", metavar="SHARE", type=_SHARE, help="Nodes that are entries.  [default: 0.05]"
)
@click.option("--exits", metavar="SHARE", type=_SHARE, help="Nodes that are exits. [default: 0.05]")
@click.option(
    "--density",
    metavar="SHARE",
    type=_SHARE,
    help="Edges there are, of all that there could be.  [default: 0.2]",
)
@click.option(
    "--recursion/--no-recursion",
    default=None,
    help="Whether components may call themselves and earlier ones.  [default: recursion]",
)
@_chances
@_seed
@_output
def rsm(
    *, seed: int, output: str | None, grid: int | None, labels: tuple[tuple[str, float], ...],
    **options: Any,
) -> None:  # fmt: skip
    """Make a random model, an .rsm file.

    Components have the same size. At least one node of each is an entry and one an exit. Labels are
    a, b and c, each on half of the nodes, unless --label says otherwise.
    """
    from dataclasses import replace

    from pigro.formats import rsm_json
    from pigro.generate import ModelShape, random_model

    shape = ModelShape() if grid is None else ModelShape.of_grid(grid)
    shape = replace(shape, **_given(options | {"labels": dict(labels) or None}))
    _write(output, lambda: rsm_json.write(random_model(shape, seed)))


@generate.command(context_settings=_SETTINGS)
@click.option(
    "--grid",
    metavar="J",
    type=_SOME,
    help="Quantifier depth J/9, unless --depth says otherwise.",
)
@click.option(
    "--count",
    metavar="N",
    type=_SOME,
    default=1,
    show_default=True,
    help="How many formulas. More of them leave the first ones as they are.",
)
@click.option(
    "--depth",
    metavar="N",
    type=click.IntRange(0, 100),
    help="How deeply quantified operators are nested.  [default: 2]",
)
@click.option(
    "--branching",
    metavar="N",
    type=_SOME,
    help="Operands of & and | at most.  [default: 3]",
)
@click.option(
    "--negation", metavar="SHARE", type=_SHARE, help="Operands that are negated.  [default: 0.5]"
)
@click.option(
    "--label",
    "labels",
    metavar="NAME",
    multiple=True,
    help="A label to use. Can be repeated.  [default: a, b, c]",
)
@click.option(
    "--operator",
    "operators",
    type=click.Choice(["EX", "EF", "EG", "EU", "AX", "AF", "AG", "AU"]),
    multiple=True,
    help="An operator to use. Can be repeated.  [default: EX, EG, EU]",
)
@_seed
@_output
def ctl(*, seed: int, output: str | None, grid: int | None, count: int, **options: Any) -> None:
    """Make random CTL formulas, one per line."""
    from dataclasses import replace

    from pigro.generate import FormulaShape, random_formula

    shape = FormulaShape() if grid is None else FormulaShape.of_grid(grid)
    shape = replace(shape, **_given(options))

    def text() -> bytes:
        return "".join(f"{random_formula(shape, seed, i)}\n" for i in range(count)).encode()

    _write(output, text)


@generate.command(context_settings=_SETTINGS)
@click.option("--states", metavar="N", type=_SOME, help="Control states.  [default: 3]")
@click.option("--symbols", metavar="N", type=_SOME, help="Stack symbols.  [default: 5]")
@click.option(
    "--rules", metavar="N", type=click.IntRange(min=0), help="Rules at most.  [default: 20]"
)
@click.option(
    "--pop", metavar="SHARE", type=_SHARE, help="Rules that take a symbol away.  [default: 0.3]"
)
@click.option(
    "--push", metavar="SHARE", type=_SHARE, help="Rules that leave several.  [default: 0.3]"
)
@click.option(
    "--longest",
    metavar="N",
    type=click.IntRange(min=2),
    help="Symbols that a rule leaves at most.  [default: 2]",
)
@_chances
@_seed
@_output
def pds(
    *, seed: int, output: str | None, labels: tuple[tuple[str, float], ...], **options: Any
) -> None:
    """Make a random pushdown system, a .pds file.

    Labels of control states and symbols are a, b and c, each with probability 0.3, unless --label
    says otherwise.
    """
    from pigro.formats.pds.writing import require_label
    from pigro.generate import PushdownShape, random_pushdown_system

    for label, _ in labels:
        require_label(label)
    shape = PushdownShape(**_given(options | {"labels": dict(labels) or None}))
    _write(output, lambda: random_pushdown_system(shape, seed).encode())


@generate.command(context_settings=_SETTINGS)
@click.option("--modules", metavar="N", type=_SOME, help="Modules.  [default: 5]")
@click.option("--states", metavar="N", type=_SOME, help="Control states of each.  [default: 20]")
@click.option(
    "--data", metavar="N", type=click.IntRange(0, 16), help="Booleans of each.  [default: 0]"
)
@click.option("--calls", metavar="SHARE", type=_SHARE, help="States that call.  [default: 0.2]")
@click.option(
    "--recursion/--no-recursion",
    default=None,
    help="Whether modules may call themselves and earlier ones.  [default: recursion]",
)
@click.option(
    "--branches", metavar="SHARE", type=_SHARE, help="States with a second step.  [default: 0.3]"
)
@click.option(
    "--loops", metavar="SHARE", type=_SHARE, help="States with a step back.  [default: 0.02]"
)
@click.option("--labels", metavar="N", type=_SOME, help="Labels.  [default: 10]")
@click.option("--formulas", metavar="N", type=click.IntRange(min=0), help="SPECs.  [default: 20]")
@_seed
@_output
def smv(*, seed: int, output: str | None, **options: Any) -> None:
    """Make random modules in SMV that call each other, an .smv file.

    The published evaluation of the model checker RMV has one module with 5,000 states and 4,500
    formulas: --modules 1 --states 5000 --labels 1500 --formulas 4500.
    """
    from pigro.generate import ModuleShape, random_modules

    shape = ModuleShape(**_given(options))
    _write(output, lambda: random_modules(shape, seed).encode())


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None and value != ()}


def _write(output: str | None, make: Any) -> None:
    """Makes the content once it is sure that it can be written."""
    from pigro.cli.destination import check_destination, write_output

    check_destination(output, [])
    write_output(output, make())
