"""The memory of the machine and its control groups, from files as kernels write them."""

import pytest

from pigro.limits.system import available_memory, group_limits

OPEN = "9223372036854771712"


def folder(tmp_path, cgroup, **files):
    for name, text in {"proc/self/cgroup": cgroup, **files}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "cgroup, files, limits",
    [
        ("0::/\n", {"sys/fs/cgroup/memory.max": "1000\n"}, [1000]),
        (
            "0::/a/b\n",
            {"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "77\n"},
            [77],
        ),
        ("0::/../x\n", {"sys/fs/cgroup/memory.max": "1000\n"}, [1000]),
        ("4:memory:/a\n0::/\n", {"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5\n"}, [5]),
        ("4:cpu,memory:/unseen\n", {"sys/fs/cgroup/memory/memory.limit_in_bytes": "6\n"}, [6]),
        ("4:cpu:/a\n", {"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5\n"}, []),
        ("0::/a\n", {"sys/fs/cgroup/unified/a/memory.max": "9\n"}, [9]),
        ("", {}, []),
        ("0::/a", {"sys/fs/cgroup/a/memory.max": "no number"}, []),
    ],
)
def test_groups(tmp_path, cgroup, files, limits):
    assert list(group_limits(str(folder(tmp_path, cgroup, **files)))) == limits


def test_no_file(tmp_path):
    assert list(group_limits(str(tmp_path))) == []


def test_this_machine():
    assert available_memory() > 10_000_000
