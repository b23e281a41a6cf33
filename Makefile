# Every target sets up what it needs: a virtual environment in .venv, with Pigro built and installed.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.ONESHELL:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FILES ?= $(if $(wildcard ../shared/benchmarks),--files ../shared/benchmarks)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SOURCES := $(shell find src native -name '*.py' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.json' -o -name '*.js' -o -name '*.css' -o -name '*.html' -o -name '*.toml' -o -name 'py.typed') \
           CMakeLists.txt pyproject.toml README.md LICENSE

.PHONY: help demo test test-all wheel lint format bench study published certificates evidence schemas soak batchsoak compilers asan tsan mutants docs docs-pages clean
help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)

# Pigro itself, installed as a user would install it (so tests see what users get).
$(VENV)/.pigro: $(SOURCES) | $(VENV)/bin/pip
	@$(BIN)/python tools/install.py
	touch $@

# The dependency group of pyproject.toml with that name.
$(VENV)/.group-%: pyproject.toml tools/group.py | $(VENV)/bin/pip
	$(BIN)/python tools/group.py $* | xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
	touch $@

demo: $(VENV)/.pigro ## Check the examples, showing each command and its output
	@bash examples/demo.sh $(BIN)/pigro

test: $(VENV)/.pigro $(VENV)/.group-test ## Run the tests that take less than five minutes together
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q -m "not long"

test-all: $(VENV)/.pigro $(VENV)/.group-test $(VENV)/.group-docs ## Run the tests that take long, and random comparisons with all cases
	@PIGRO_CASES=all $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q -m "long or random"

wheel: $(VENV)/.pigro $(VENV)/.group-wheel ## Build a wheel into dist, which needs no compiler where it is installed
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/pigro-*.whl

lint: $(VENV)/.pigro $(VENV)/.group-lint ## Check style, types, stubs and import layers
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest pigro._core --ignore-disjoint-bases --allowlist tools/stubtest-allow.txt
	$(BIN)/lint-imports
	find native -name '*.?pp' | xargs $(BIN)/clang-format --dry-run -Werror

format: $(VENV)/.group-lint ## Rewrite the sources in the project's format
	@$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find native -name '*.?pp' | xargs $(BIN)/clang-format -i

bench: $(VENV)/.pigro $(VENV)/.group-bench ## Measure (SUITES="java grid" for some, FULL=1 for all sizes, ARGS= for more options)
	@$(BIN)/python -m benchmarks $(or $(SUITES),all) $(if $(FULL),,--quick) $(FILES) $(ARGS)

study: $(VENV)/.pigro $(VENV)/.group-bench $(VENV)/.group-peers ## Measure everything, and fill in docs/study.md (RSMCHECK=FOLDER@PYTHON)
	@mkdir -p build docs/study
	$(BIN)/python -m benchmarks all --timeout 30s --store build/study.sqlite --plots docs/study --tables docs/study/tables \
	  --csv docs/study/runs.csv.gz --fill docs/study.md $(FILES) --peer pymodelchecking $(if $(RSMCHECK),--peer rsmcheck=$(RSMCHECK))
	rm -f docs/study/published.csv.gz

published: $(VENV)/.pigro $(VENV)/.group-bench ## Repeat the published Table 1, Fig. 8 and Fig. 9, and fill in the pages (TIMEOUT=30s)
	@mkdir -p build docs/study
	$(BIN)/python -m benchmarks java grid pumoc --repeat 1 --timeout $(or $(TIMEOUT),30m) --memory 4G --store build/published.sqlite \
	  --plots docs/study --csv docs/study/published.csv.gz --tables docs/study/tables --fill docs/study.md $(FILES)

certificates: $(VENV)/.pigro $(VENV)/.group-bench ## Prove all verdicts on the published examples, and check the proofs
	@$(BIN)/python -m benchmarks.certificates

evidence: $(VENV)/.pigro $(VENV)/.group-bench ## Show and replay the evidence for all verdicts on the published examples
	@$(BIN)/python -m benchmarks.evidence

soak: $(VENV)/.pigro $(VENV)/.group-test ## Compare engine and oracle on many random cases (CASES=, SEED=, LOGIC=star, automata, mu or strategies)
	@$(BIN)/python tests/soak/checks.py --cases $(or $(CASES),200000) --seed $(or $(SEED),1) --logic $(or $(LOGIC),ctl)

batchsoak: $(VENV)/.pigro $(VENV)/.group-test ## Kill workers and clients of a batch at random (TASKS=, SEED=, WORKERS="--cluster local:3")
	@$(BIN)/python tests/soak/batches.py --tasks $(or $(TASKS),20000) --seed $(or $(SEED),1) --workers "$(or $(WORKERS),--jobs 2)"

compilers: $(VENV)/bin/pip $(VENV)/.group-native ## Build with GCC and with Clang, warnings as errors, and run the native tests
	@for compiler in g++ clang++; do
	  if ! command -v $$compiler > /dev/null; then echo "$$compiler: not here, left out"; continue; fi
	  cmake -S . -B build/$$compiler -DCMAKE_CXX_COMPILER=$$compiler -DPIGRO_WARNINGS_AS_ERRORS=ON -DPIGRO_TESTS=ON \
	    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
	    -DPython_EXECUTABLE="$(abspath $(BIN))/python" -Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)"
	  cmake --build build/$$compiler -j $(JOBS)
	  ctest --test-dir build/$$compiler --output-on-failure
	done

asan: $(VENV)/.pigro $(VENV)/.group-test $(VENV)/.group-native ## Run native, random and hostile tests with address sanitizers
	@bash tools/sanitize.sh $(abspath $(BIN)/python) address

tsan: $(VENV)/.pigro $(VENV)/.group-test $(VENV)/.group-native ## Run native tests and scripts with threads with a thread sanitizer
	@bash tools/sanitize.sh $(abspath $(BIN)/python) thread

mutants: $(VENV)/.pigro $(VENV)/.group-test $(VENV)/.group-native ## Put known bugs into the core and see the tests fail
	@$(BIN)/python tools/mutants.py

schemas: $(VENV)/.pigro ## Write the JSON schemas from the types of documents
	$(BIN)/python tools/schemas.py

docs-pages: $(VENV)/.pigro ## Write the parts of docs that code knows: commands, API, errors, tables
	@$(BIN)/python tools/docs_pages

docs: $(VENV)/.pigro $(VENV)/.group-docs ## Build the documentation into docs/_build
	@$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html
	echo "open docs/_build/html/index.html"

clean: ## Remove what the other targets made
	rm -rf $(VENV) build docs/_build
