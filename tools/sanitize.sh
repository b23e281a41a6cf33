#!/usr/bin/env bash
# Builds the native core with sanitizers and debug assertions, runs the native tests, and then Python tests with
# the sanitized extension in place of the installed one.
#
#   tools/sanitize.sh PYTHON address    addresses, leaks and undefined behaviour: random, hostile and limit tests
#   tools/sanitize.sh PYTHON thread     data races: the scripts with threads, forks and signals
set -euo pipefail
python=$1 kind=$2
tools=$PWD/tools build=build/$kind-sanitizer
case $kind in
  address)
    flags=address,undefined
    libraries="libasan.so libubsan.so"
    tests="tests/property tests/contract tests/hostile tests/limits tests/unit/model tests/unit/certificates
      tests/unit/engines/test_known_bugs.py tests/unit/engines/test_known_bugs_of_demand.py
      tests/unit/engines/onthefly tests/unit/engines/game"
    ;;
  thread)
    flags=thread
    libraries=libtsan.so
    tests="tests/hostile/test_hostile_callers.py tests/hostile/test_hostile_doors.py
      tests/unit/engines/test_threads.py::test_threads_share_a_model
      tests/unit/engines/test_threads.py::test_operands_of_one_formula_on_threads_of_their_own
      tests/unit/engines/test_threads.py::test_threads_of_operands_end_with_the_check
      tests/unit/engines/game/test_recursion.py::test_threads_share_a_model"
    ;;
  *)
    echo "no such sanitizer: $kind" >&2
    exit 2
    ;;
esac
mkdir -p $build
cmake -S . -B $build -DCMAKE_BUILD_TYPE=Debug -DPIGRO_SANITIZE=$flags -DPIGRO_TESTS=ON \
  -DPython_EXECUTABLE="$python" -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" > $build/build.log
cmake --build $build -j "$(nproc)" >> $build/build.log
# Two frames tell who allocated: with more, leaks.txt would match every call that comes from Python.
export ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1:detect_leaks=1:malloc_context_size=2
export LSAN_OPTIONS=suppressions=$tools/leaks.txt:print_suppressions=0
export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0
ctest --test-dir $build --output-on-failure
rm -rf $build/site
mkdir -p $build/site
cp -r src/pigro $build/site/pigro
rm -f $build/site/pigro/_core.*
cp $build/_core.*.so $build/site/pigro/
export PYTHONPATH=$PWD/$build/site PIGRO_RANDOM_CASES=${CASES:-3000}
export PYTHONMALLOC=malloc # or LeakSanitizer does not see what Python's objects point to
preload=
for library in $libraries libstdc++.so; do preload+=" $(gcc -print-file-name=$library)"; done
LD_PRELOAD=$preload "$python" -m pytest -q -p no:cacheprovider ${TESTS:-$tests}
