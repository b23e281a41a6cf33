"""The bytes of certificates: written ones are read, and whatever else there is, is refused."""

import ast
import random
import tracemalloc
from pathlib import Path

import pytest

import pigro
import pigro.certificates
from pigro.certificates import Malformed, Mismatch, check_certificates
from pigro.certificates.reading import SectionReader, frames, read_header
from pigro.logic.normal import EU
from pigro.model.plain import PlainModel

from support.certificates.drafts import (
    CHECKERS,
    Certificate,
    LemmaDrafts,
    file_bytes,
    graph,
    header_bytes,
    level_bytes,
    number,
    number_list,
    number_set,
    numbers,
    one_level,
    program,
    proof_bytes,
    section_bytes,
)

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


@pytest.fixture(params=CHECKERS)
def checker(request):
    return request.param


def cursor(data):
    return SectionReader(data)


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**28, 2**31 - 1])
def test_numbers(value):
    assert cursor(number(value)).number() == value


def test_leading_zeros():
    assert cursor(b"\x81\x80\x00").number() == 1


@pytest.mark.parametrize(
    "data", [b"", b"\x80", number(2**31), number(2**40), b"\x80\x80\x80\x80\x80\x00"]
)
def test_no_numbers(data):
    with pytest.raises(Malformed):
        cursor(data).number()


@pytest.mark.parametrize("as_bits", [False, True])
@pytest.mark.parametrize("members", [[], [0], [9], [0, 1, 2, 7, 8, 9]])
def test_sets(members, as_bits):
    reader = cursor(number_set(members, as_bits=as_bits))
    assert reader.set(10) == sum(1 << each for each in members)
    assert reader.at == len(reader.data)


@pytest.mark.parametrize(
    "data",
    [
        numbers(2, 10),
        numbers(4, 8, 1),
        number_set([10], as_bits=True),
        numbers(7) + bytes(3),
        numbers(5) + bytes(1),
        numbers(2**31 - 1),
        numbers(2**31 - 2),
    ],
    ids=["member", "sum", "bit", "bytes", "short", "huge bits", "huge list"],
)
def test_no_sets(data):
    with pytest.raises(Malformed):
        cursor(data).set(10)


@pytest.mark.parametrize("members", [[], [0], [9, 0, 3, 3, 8]])
def test_lists(members):
    reader = cursor(number_list(members))
    assert list(reader.list(10)) == members
    assert reader.at == len(reader.data)


@pytest.mark.parametrize("data", [numbers(1, 20), numbers(1, 1), numbers(2, 0), number(2**31 - 1)])
def test_no_lists(data):
    with pytest.raises(Malformed):
        list(cursor(data).list(10))


@pytest.fixture
def case():
    """A model and a file with all that there can be: lemmas, links, masks, irrelevant components."""
    model = program(
        "main:a",
        main="a > b.in; b.out > c; c > c; b calls f",
        f="in q > g.in; g.out > out; out; g calls h",
        h="in > out; out",
    )
    lemmas = LemmaDrafts(model)
    for draft in (lemmas.until, lemmas.globally):
        draft.link(draft.operands("f"), "g", draft.operands("h"))
        draft.sure(1, "out in", "out", entry="in")
        draft.bound(1, "out in", "out", entry="in")
        draft.sure(0, "out g.out in", "out", entry="in")
        draft.bound(0, "out g.out in", "out", entry="in")
    certificate = Certificate(model, "AG (q -> EF p)", holds=False)
    inner, outer = certificate.levels
    inner.link(inner.operands("main"), "b", inner.operands("f"))
    inner.instance_link(inner.root(0), "b", inner.instance(1, false="out"))
    inner.irrelevant_but("main")
    inner.bound(0, "c b.out")
    outer.link(outer.operands("main", 0), "b", outer.operands("f", 1))
    outer.sure(1, "in", entry="in")
    outer.sure(0, "a")
    certificate.top("main", outer.root(0))
    return model, lemmas.lemmas(), certificate.proof()


@pytest.mark.parametrize("as_bits", [False, True])
def test_files(case, checker, as_bits):
    model, *sections = case
    data = file_bytes(model, *sections, as_bits=as_bits)
    assert read_header(data) == ("standard", False, model.digest)
    plain = PlainModel(model)
    lemmas, proof = (SectionReader(body, plain).section(kind) for kind, body in frames(data))
    assert [
        lemmas.levels,
        (proof.formula, proof.holds, proof.initial, proof.levels, proof.top),
    ] == [
        sections[0].levels,
        tuple(sections[1]),
    ]
    assert [each.problem for each in checker(model, data)] == [None]


def survives(checker, model, data):
    """Whatever the bytes: nothing but our two exceptions, and nothing false is accepted."""
    try:
        found = checker(model, data)
    except (Malformed, Mismatch):
        return
    for formula, holds, initial, problem in found:
        if problem is None:
            assert pigro.check(model.with_initial(initial), formula).holds == holds


def test_every_truncation(case, checker):
    model, *sections = case
    data = file_bytes(model, *sections)
    for length in range(len(data)):
        survives(checker, model, data[:length])


def test_every_single_byte(case, checker):
    model, *sections = case
    data = file_bytes(model, *sections)
    for at in [*range(23), *range(54, len(data))]:
        for value in {
            0,
            1,
            2,
            3,
            255,
            data[at] + 1 & 255,
            *(data[at] ^ 1 << bit for bit in range(8)),
        }:
            survives(checker, model, data[:at] + bytes([value]) + data[at + 1 :])


def test_random_changes(case, checker):
    model, *sections = case
    data = file_bytes(model, *sections)
    source = random.Random(1)
    for _ in range(2000):
        changed = bytearray(data)
        for _ in range(source.randint(1, 6)):
            at = source.randrange(54, len(changed))
            match source.randrange(3):
                case 0:
                    changed[at] = source.choice([0, 1, 2, 3, 4, 127, 128, 255])
                case 1:
                    del changed[at]
                case _:
                    changed.insert(at, source.randrange(256))
        survives(checker, model, bytes(changed))


def test_random_bytes(case, checker):
    model, *_ = case
    source = random.Random(2)
    for _ in range(2000):
        body = source.randbytes(source.randint(0, 60))
        data = header_bytes(model) + section_bytes(source.choice([b"L", b"F"]), body)
        survives(checker, model, data)


def malformed(checker, model, *sections):
    with pytest.raises(Malformed) as caught:
        checker(model, file_bytes(model, *sections))
    return str(caught.value)


def test_a_block_with_a_call_node(checker):
    model = program("main:a", main="a > b.in; b calls f", f="in > in")
    certificate, level = one_level(model, "EF p", holds=True)
    (call,) = model.core.successors(0)
    level.sure(0, "a")
    level.blocks[0] = level.blocks[0]._replace(nodes=(0, call))
    assert "call node" in malformed(checker, model, certificate.proof())


def test_an_entry_outside_of_its_block(checker):
    model = graph("a>b b>b")
    certificate, level = one_level(model, "EF p", holds=False)
    level.bound(0, "a", entry="b")
    assert "entry" in malformed(checker, model, certificate.proof())


def test_a_sure_block_with_an_entry_and_two_exits(checker):
    model = program("main:in", main="in > out1 out2; out1; out2")
    certificate, level = one_level(model, "EF p", holds=True)
    level.sure(0, "out1 out2 in", "out1 out2", entry="in")
    assert "exits" in malformed(checker, model, certificate.proof())


@pytest.mark.parametrize("what", ["relevant", "blocks"])
def test_next_has_no_blocks(checker, what):
    model = graph("a>a")
    certificate, level = one_level(model, "EX p", holds=True)
    if what == "relevant":
        level.irrelevant_but("main")
    else:
        level.sure(0, "a")
    assert "EX" in malformed(checker, model, certificate.proof())


@pytest.mark.parametrize("what", ["all relevant", "a relevant one", "an instance"])
def test_lemmas_have_no_instances_and_are_irrelevant(checker, what):
    model = graph("a>a")
    drafts = LemmaDrafts(model)
    if what == "an instance":
        drafts.until.instance(drafts.until.operands("main"))
    else:
        drafts.globally.relevant = None if what == "all relevant" else (0,)
    assert "lemma" in malformed(checker, model, drafts.lemmas())


def test_relevant_components_ascend(checker):
    model = program("main:a", main="a > a", f="in > in")
    certificate, level = one_level(model, "EF p", holds=True)
    for relevant in ((1, 0), (0, 0)):
        level.relevant = relevant
        assert "ascend" in malformed(checker, model, certificate.proof())


def test_links_with_the_same_source_and_box(checker):
    model = program("main:in", main="in > b.in; b calls main")
    certificate, level = one_level(model, "EF p", holds=True)
    level.link(0, "b", 0)
    level.link(0, "b", 0)
    assert "link" in malformed(checker, model, certificate.proof())


def test_two_operand_contexts_of_the_top_for_one_component(checker):
    model = graph("a>a")
    certificate = Certificate(model, "p", holds=False)
    certificate.top("main")
    certificate.top("main")
    assert "top" in malformed(checker, model, certificate.proof())


@pytest.mark.parametrize("initial, message", [([], "initial"), ([1], "declared"), ([3], "node")])
def test_initial_nodes(checker, initial, message):
    model = program("main:a", main="a > b.in; b calls f", f="in > in")
    certificate = Certificate(model, "p", holds=False, initial=initial)
    certificate.top("main")
    assert message in malformed(checker, model, certificate.proof())


@pytest.mark.parametrize("text", [b"p &", b"\xff", b"mu X. <> X", b"", b"EX " * 257 + b"p"])
def test_no_formula_of_ctl_star(checker, text):
    model = graph("a>a")
    body = number(len(text)) + text + bytes([0, 1, 0]) + bytes(9)
    with pytest.raises(Malformed, match="formula|text"):
        checker(model, header_bytes(model) + section_bytes(b"F", body))


def test_bytes_left_over(checker):
    model = graph("a>a")
    certificate = Certificate(model, "p", holds=False)
    certificate.top("main")
    body = proof_bytes(certificate.proof())
    data = header_bytes(model) + section_bytes(b"F", body + b"\0")
    with pytest.raises(Malformed, match="left over"):
        checker(model, data)
    with pytest.raises(Malformed, match="section"):
        checker(model, file_bytes(model, certificate.proof()) + b"\0")


def test_earlier_sections_are_delivered():
    model = graph("a>a")
    certificate = Certificate(model, "p", holds=False)
    certificate.top("main")
    found = check_certificates(model, file_bytes(model, certificate.proof()) + b"X")
    assert next(found).problem is None
    with pytest.raises(Malformed, match="byte"):
        next(found)


@pytest.mark.parametrize("part", range(6))
def test_hostile_counts(checker, part):
    """A count of 2^30 costs no memory before its things are there."""
    model = graph("a>a")
    body = numbers(4) + b"EF p" + b"\1" + numbers(1, 0)
    body += numbers(*[0] * part, 2**30)
    tracemalloc.start()
    with pytest.raises(Malformed):
        checker(model, header_bytes(model) + section_bytes(b"F", body))
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_levels_without_anything():
    assert level_bytes(EU, pigro.certificates.reading.ClaimLevel(())) == bytes(6)


def test_only_the_model_and_formulas_are_imported():
    home = Path(pigro.certificates.__file__).parent
    own = {"answers", "checker", "path_reading", "path_rules", "path_values", "reading"}
    own |= {"tableau", "values"}
    for name in own:
        for node in ast.walk(ast.parse((home / f"{name}.py").read_text())):
            if isinstance(node, ast.Import):
                assert not any(each.name.startswith("pigro") for each in node.names)
            elif isinstance(node, ast.ImportFrom):
                words = (node.module or "").split(".")
                trusted = words[1:2] in (["logic"], ["model"])
                assert (
                    words[0] != "pigro"
                    or trusted
                    or words[1:] in [["certificates", x] for x in own]
                )


def test_the_rules_are_short():
    """Short enough to be read by a person who doubts them."""
    text = (Path(pigro.certificates.__file__).parent / "checker.py").read_text()
    assert len(text.splitlines()) <= 300
