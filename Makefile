# The project's commands. Each makes what it needs: an environment in .venv, the package installed in it, the tools.
# A stamp in .venv stands for each of these, so that a second run starts at once and a change installs again.
# Needed: python3 (3.11 or newer), a C++20 compiler, make, and a package registry. CMake comes from there.
PYTHON ?= python3
BENCH ?= linear  # which table; `make bench BENCH="linear --quick"` for a short one
ifeq ($(origin CXX),default)
  CXX := c++
endif

CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PIP := .venv/bin/python -m pip --disable-pip-version-check -q
CXX_FILES := $(shell find core bindings -name '*.hpp' -o -name '*.cpp')
# Directories too: a file that goes away changes its directory.
PACKAGE := pyproject.toml CMakeLists.txt $(shell find core bindings src -not -path 'core/tests*' -not -path 'core/fuzz*' -not -name '__pycache__' -not -name '*.pyc')
# What is read for its spelling: what people wrote.
PROSE := *.md .github benchmarks bindings core docs examples models src tests
BUILD_REQUIRES := import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'])
# One folder a compiler, so that two do not take each other's programs for their own.
COMPILED := build/$(notdir $(lastword $(CXX)))
NATIVE := $(patsubst core/tests/%.cpp,$(COMPILED)/native/%,$(wildcard core/tests/*/test_*.cpp))
FUZZ := $(patsubst core/fuzz/%.cpp,$(COMPILED)/fuzz/%,$(wildcard core/fuzz/fuzz_*.cpp))
# Each fuzzed reader and the folder of its bad files.
READERS := svmlight:tests/files/bad conll:tests/files/conll/bad table:tests/files/bad_tables text:tests/text/texts sentence_text:tests/text/texts
# -g1: lines for the sanitizers' reports, at half the compile time of -g.
NATIVE_FLAGS := -Icore -std=c++20 -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -ffp-contract=off \
  -Wall -Wextra -Wconversion -Werror -Wno-psabi

.PHONY: help test style types native fuzzed fuzz pytest demo bench docs docs-check docs-open figures format clean wheel \
  wheels wheel-test test-oldest test-clang hooks notebooks wasm soak
.DELETE_ON_ERROR:

help:
	@echo "make test     style, types, native tests under sanitizers, Python tests, the README"
	@echo "make fuzz     every call of the core under sanitizers; the readers under libFuzzer, for which clang is needed"
	@echo "make soak     kills the server a thousand times while it learns, and looks whether anything is lost"
	@echo "make demo     the command line at work on files that it ships"
	@echo "make bench    side by side with the peers"
	@echo "make docs     the documentation as a site: build/docs/html"
	@echo "make docs-open, docs-check   shows it; visits every page in a browser"
	@echo "make figures  the pictures and tables of the documentation"
	@echo "make wheel    packages for other machines in dist/; make wheel-test tries them where there is no compiler"
	@echo "make test-oldest, make test-clang    with the oldest libraries; with another compiler"
	@echo "make wasm     the core for the studio's page again, after a change of it: core.wasm"
	@echo "make format   format all code"
	@echo "make clean    remove what was made"
	@echo "make hooks    the checks of make style before each commit"
	@echo "make notebooks    run the notebooks of examples/ again, and store what they print"

test: style types native fuzzed pytest
	@echo "all tests passed"

style: .venv/tools
	@echo "style: ruff, clang-format, codespell, zizmor"
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet || { .venv/bin/ruff format --check; exit 1; }
	@.venv/bin/clang-format --dry-run -Werror $(CXX_FILES)
	@.venv/bin/codespell $(PROSE)
	@.venv/bin/zizmor --offline --quiet .github >/dev/null || { .venv/bin/zizmor --offline .github; exit 1; }

types: .venv/tools
	@echo "types: mypy, strict"
	@.venv/bin/mypy

native:
	@$(MAKE) --no-print-directory -j $(CORES) $(NATIVE)
	@echo "native tests:"
	@for test in $(NATIVE); do printf '  %s: ' "$${test##*/}"; "$$test" || exit 1; done

$(COMPILED)/native/%: core/tests/%.cpp
	@echo "compile $<"
	@mkdir -p $(@D)
	@$(CXX) $(NATIVE_FLAGS) -MMD -MP $< -o $@
-include $(NATIVE:=.d)

# Each reader meets mutations of the bad files, with a driver of our own, so that any compiler will do.
fuzzed:
	@$(MAKE) --no-print-directory -j $(CORES) $(FUZZ)
	@echo "fuzzed readers:"
	@for reader in $(READERS); do target=fuzz_$${reader%:*}; printf '  %s: ' "$$target"; \
	  $(COMPILED)/fuzz/$$target -runs=20000 "$${reader#*:}" || exit 1; done

$(COMPILED)/fuzz/%: core/fuzz/%.cpp core/fuzz/driver.cpp $(wildcard core/*/*.hpp)
	@echo "compile $<"
	@mkdir -p $(@D)
	@$(CXX) $(NATIVE_FLAGS) $(filter %.cpp,$^) -o $@

# The module with sanitizers, which Python must load before anything else.
SANITIZERS = $(shell $(CXX) -print-file-name=libasan.so) $(shell $(CXX) -print-file-name=libstdc++.so)

fuzz: .venv/package
	@.venv/bin/cmake -S . -B build/sanitized -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/.venv/bin/ninja -DROSENBLATT_SANITIZE=ON \
	  -DCMAKE_BUILD_TYPE=Debug -DPython_EXECUTABLE=$(CURDIR)/.venv/bin/python \
	  -Dnanobind_DIR=$$(.venv/bin/python -m nanobind --cmake_dir) >build/sanitized.log
	@.venv/bin/cmake --build build/sanitized --target _core -j $(CORES)
	@for seed in 1 2 3; do LD_PRELOAD="$(SANITIZERS)" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	  CORE=build/sanitized .venv/bin/python -m tests.project.core_calls $$seed 50 | tail -n 1 || exit 1; done
	@for reader in $(READERS); do name=$${reader%:*}; mkdir -p build/fuzz/corpus/$$name; \
	  clang++ $(NATIVE_FLAGS) -fsanitize=fuzzer core/fuzz/fuzz_$$name.cpp -o build/fuzz/lib_$$name && \
	  build/fuzz/lib_$$name -max_total_time=60 -max_len=400 build/fuzz/corpus/$$name "$${reader#*:}" || exit 1; done

pytest: .venv/package .venv/tools
	@echo "Python tests, doctests, README:"
	@.venv/bin/pytest -q -n auto

soak: .venv/package .venv/tools
	@.venv/bin/python -m tests.serve.kills --kills 1000

demo: .venv/package
	@.venv/bin/rosenblatt demo

bench: .venv/package .venv/peers
	@.venv/bin/python -m benchmarks $(BENCH)

figures: .venv/tools
	@.venv/bin/python docs/figures.py
	@.venv/bin/python -m tests.studio.pictures
	@.venv/bin/python docs/why/bounds.py

docs: .venv/docs
	@rm -rf build/docs/html
	@.venv/bin/sphinx-build -q -E -W --keep-going -d build/docs/doctrees docs build/docs/html
	@.venv/bin/python docs/links.py build/docs/html
	@echo "build/docs/html/index.html"

docs-check: docs
	@.venv/bin/pytest -q tests/browser
	@.venv/bin/python -m tests.browser.check_site build/docs/html

docs-open: docs
	@.venv/bin/python -m webbrowser "file://$(CURDIR)/build/docs/html/index.html"

format: .venv/tools
	@.venv/bin/ruff check --fix --quiet
	@.venv/bin/ruff format --quiet
	@.venv/bin/clang-format -i $(CXX_FILES)
	@.venv/bin/python -m tests.studio.javascript

clean:
	rm -rf .venv .venv-* build dist src/rosenblatt/_core.pyi .hypothesis .mypy_cache .pytest_cache .ruff_cache

# Packages: an sdist, and the wheel that an environment of its own makes of it; on Linux it gets the tag of the oldest
# system that it runs on. `make wheel PYTHON=python3.12` gives the one for 3.12 and newer.
wheel:
	@echo "packages: an sdist, and a wheel made of it (takes minutes)"
	@rm -rf dist
	@$(PYTHON) -m venv --clear .venv-package
	@.venv-package/bin/python -m pip -q install 'pip>=25.1'
	@.venv-package/bin/python -m pip -q install --group package
	@.venv-package/bin/python -m build
	@if [ "$$(uname)" = Linux ]; then PATH="$(CURDIR)/.venv-package/bin:$$PATH" && \
	  auditwheel repair --wheel-dir dist dist/*-linux_*.whl && rm dist/*-linux_*.whl && auditwheel show dist/*.whl; fi
	@ls dist

# One for each system, in containers on Linux: see [tool.cibuildwheel] in pyproject.toml.
wheels:
	@$(PYTHON) -m venv --clear .venv-package
	@.venv-package/bin/python -m pip -q install 'cibuildwheel>=3'
	@.venv-package/bin/cibuildwheel --output-dir dist

# Nothing is on its PATH but itself, and nothing in it but the package and these extras.
wheel-test: wheel
	@echo "the wheel in an empty environment:"
	@$(PYTHON) -m venv --clear .venv-wheel
	@export PATH=$(CURDIR)/.venv-wheel/bin && cd .venv-wheel && \
	  python -m pip -q --disable-pip-version-check install --only-binary :all: "$$(echo ../dist/*.whl)[cli,exact,plot]" && \
	  python ../tests/project/installed.py ../dist/*.whl

# The oldest versions that pyproject.toml allows.
OLDEST := import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
  named = project['dependencies'] + sum(project['optional-dependencies'].values(), []); \
  print(*(one.replace('>=', '==') for one in named if '>=' in one), sep='\n')

test-oldest: .venv-oldest/made
	@echo "Python tests with the oldest libraries:"
	@.venv-oldest/bin/pytest -q -n auto

.venv-oldest/made: $(PACKAGE) | .venv/package
	@echo "environment: .venv-oldest"
	@$(PYTHON) -m venv --clear .venv-oldest
	@.venv-oldest/bin/python -m pip -q install 'pip>=25.1'
	@.venv/bin/python -c "$(OLDEST)" >.venv-oldest/oldest.txt
	@$(PIP) wheel --no-build-isolation --no-deps -w .venv-oldest .
	@.venv-oldest/bin/python -m pip -q install -c .venv-oldest/oldest.txt --group test --group oldest "$$(echo .venv-oldest/*.whl)[all]"
	@touch $@

# Another compiler: the native tests, then the package in front of the installed one, which must learn the same bits.
test-clang: .venv/tools
	@$(MAKE) --no-print-directory native fuzzed CXX=clang++
	@echo "install: rosenblatt, its core compiled by clang++"
	@CXX=clang++ $(PIP) install --no-build-isolation --no-deps --upgrade --target build/clang++/package \
	  -C build-dir=build/clang++/module .
	@PYTHONPATH=$(CURDIR)/build/clang++/package .venv/bin/python -m tests.project.bits >build/clang++/bits
	@.venv/bin/python -m tests.project.bits | diff - build/clang++/bits
	@PYTHONPATH=$(CURDIR)/build/clang++/package .venv/bin/pytest -q -n auto

hooks: .venv/tools
	@$(PIP) install pre-commit
	@.venv/bin/pre-commit install --hook-type pre-commit --hook-type pre-push

notebooks: .venv/package .venv/tools
	@.venv/bin/python examples/notebooks.py

# Its compiler stays beside .venv: it is large, and seldom needed.
wasm: | .venv-wasm/made
	@.venv-wasm/bin/python -m pip -q --disable-pip-version-check install --group wasm
	@.venv-wasm/bin/python bindings/wasm/build.py

.venv-wasm/made:
	@echo "environment: .venv-wasm, with a compiler for WebAssembly (100 MB)"
	@$(PYTHON) -m venv --clear .venv-wasm
	@.venv-wasm/bin/python -m pip -q --disable-pip-version-check install 'pip>=25.1'
	@touch $@

# pip knows dependency groups from 25.1 on.
.venv/made:
	@echo "environment: .venv"
	@$(PYTHON) -m venv --clear .venv
	@$(PIP) install 'pip>=25.1'
	@touch $@

# What builds the package stays in .venv, so that only what changed is compiled again.
.venv/builder: pyproject.toml | .venv/made
	@echo "install: what builds the package"
	@$(PIP) install cmake ninja $$(.venv/bin/python -c "$(BUILD_REQUIRES)")
	@touch $@

# The stub of the core is made with it; a copy goes to src/, where mypy looks. Git and the wheel pass the copy over.
.venv/package: $(PACKAGE) | .venv/builder
	@echo "install: rosenblatt, its core compiled (the first time takes minutes)"
	@$(PIP) install --no-build-isolation '.[cli,exact,plot]'
	@cp .venv/lib/python*/site-packages/rosenblatt/_core.pyi src/rosenblatt/
	@touch $@

# The package is already there: of `rosenblatt[all]` only the dependencies are added.
.venv/tools: pyproject.toml | .venv/package
	@echo "install: tools for tests"
	@$(PIP) install --group test 'rosenblatt[all]'
	@touch $@

.venv/docs: pyproject.toml | .venv/tools
	@echo "install: tools for the documentation"
	@$(PIP) install --group docs
	@touch $@

.venv/peers: pyproject.toml | .venv/package
	@echo "install: the peers to measure against"
	@$(PIP) install 'rosenblatt[bench]'
	@touch $@
