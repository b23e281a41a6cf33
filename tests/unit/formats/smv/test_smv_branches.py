"""Evidence of a file says which branch or constraint makes each step."""

import pigro

CALLS = """MODULE main
VAR
  s : {a, b, c};
  n : 0..3;
DEFINE
  more := n + 1;
  late := case
    s = a : b;
    TRUE  : c;
  esac;
CALL f :=
  s = b;
ASSIGN
  init(s) := a; init(n) := 0;
  next(s) := late;
  next(n) := s = c & n < 3
    ? more
    : n;
MODULE f
VAR
  t : {x, y};
ASSIGN
  init(t) := x;
  next(t) := case
    t = x : {y, EXIT};
    TRUE :
      EXIT;
  esac;
"""
PLAIN = """MODULE main
VAR
  x : 0..2;
  y : 0..2;
  z : boolean;
ASSIGN
  init(x) := 0;
  z :=
    x = 2;
INIT y = 0
TRANS
  next(x) = x + 1 | x = 2 & next(x) = x
INVAR
  y <= x
"""
PROCESSES = """MODULE cell(other)
VAR
  v : boolean;
ASSIGN
  init(v) := FALSE;
  next(v) :=
    !other;
MODULE main
VAR
  p : process cell(FALSE);
  q : process cell(p.v);
"""


def lines(tmp_path, text, formula):
    """The lines of the steps to the states of a run."""
    path = tmp_path / "model.smv"
    path.write_text(text)
    model = pigro.load(path)
    verdict = pigro.check(model, formula, certify=True)
    run = next(each.path for each in (verdict.evidence, *verdict.evidence.parts) if each.path)
    positions = run.positions(model)
    assert all(each is None or each.file == str(path) for each in positions)
    return [each and each.line for each in positions]


def test_branches_calls_and_returns(tmp_path):
    run = lines(tmp_path, CALLS, 'EF "main.n = 1"')
    # MODULE main, MODULE f by the call, t = x, back by the branch of the calling state, more
    assert run == [1, 19, 25, 9, 6]
    assert lines(tmp_path, CALLS, 'EF ("f.t = y" & EX EX "main.s = c")') == [1, 19, 25]
    long = lines(tmp_path, CALLS, 'EF ("main.n = 3" & EX TRUE)')
    assert long == [1, 19, 25, 9, 6, 6, 6]


def test_the_branch_of_a_value_that_stays(tmp_path):
    run = lines(tmp_path, CALLS, 'EF ("main.n = 3" & EX "main.n = 3" & EG "main.n = 3")')
    assert run[-1] == 6


def test_constraints_and_assignments_for_every_moment(tmp_path):
    assert lines(tmp_path, PLAIN, 'EF "x = 1"') == [1, 12]
    model = pigro.load(tmp_path / "model.smv")
    places = {
        (model.names.nodes[before], model.names.nodes[after]): model.step_position(
            before, after
        ).line
        for before in range(model.core.nodes)
        for after in model.core.successors(before)
    }
    assert places["1,0,FALSE", "2,2,TRUE"] == 12  # x changes, by TRANS
    assert places["2,0,TRUE", "2,1,TRUE"] == 14  # y changes, by INVAR
    assert places["2,0,TRUE", "2,0,TRUE"] == 9  # nothing changes, z is assigned
    free = PLAIN.replace("INVAR\n  y <= x\n", "")
    assert lines(tmp_path, free, 'EF ("x = 0" & "y = 0" & EX "y = 2")')[0] == 1
    model = pigro.load(tmp_path / "model.smv")
    first, second = (model.find(f"main:2,{y},TRUE") for y in (0, 1))
    assert model.step_position(first, second).line == 4  # nothing says what y does


def test_the_process_that_makes_the_step(tmp_path):
    assert lines(tmp_path, PROCESSES, 'EF ("p.v" & "q.v")') == [8, 7, 7]
