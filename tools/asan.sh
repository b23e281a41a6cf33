#!/usr/bin/env bash
# Builds the native core with address and undefined-behaviour sanitizers and debug assertions, then
# runs the native tests and, with the sanitized extension in place of the installed one, the random tests.
set -euo pipefail
python=$1
build=build/asan
cmake -S . -B $build -DCMAKE_BUILD_TYPE=Debug -DPIGRO_SANITIZE=ON -DPIGRO_TESTS=ON \
  -DPython_EXECUTABLE="$python" -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" > $build.log
cmake --build $build -j "$(nproc)" >> $build.log
ctest --test-dir $build --output-on-failure
rm -rf $build/site
mkdir -p $build/site
cp -r src/pigro $build/site/pigro
rm -f $build/site/pigro/_core.*
cp $build/_core.*.so $build/site/pigro/
export PYTHONPATH=$build/site ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 PIGRO_RANDOM_CASES=${CASES:-3000}
export LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $(gcc -print-file-name=libstdc++.so)"
"$python" -m pytest -q -p no:cacheprovider -m "not timing" \
  tests/property tests/contract tests/hostile/test_hostile_binary.py tests/unit/model tests/unit/engines/test_known_bugs*.py tests/unit/engines/onthefly tests/unit/engines/game
