# One command set for people and machines.
#
#   make demo         set everything up, serve the sample web, crawl it, open the search site
#   make serve        the search site over the runs and indexes in gossamer-data
#   make install      .venv with what requirements.lock pins, and the project itself
#   make check        style, types, layers
#   make test         install, check, and all tests
#   make screenshots  the pictures of the search site in docs/screenshots
#   make docs         the reference pages, made from the commands and settings
#   make eval         rankings on judged collections: the shipped one, and those in GOSSAMER_DATA
#   make experiments  experiments of the papers, repeated: tables and plots in docs/experiments
#   make bench        all benchmarks; make bench-NAME: one of them (ARGS="..." goes to it)
#   make clean        everything that can be made again; runs in gossamer-data stay
#
# PYTHON=/path/to/python3 chooses the interpreter that .venv is made with.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
PIP := -m pip --disable-pip-version-check --quiet
# What pip says of every package, as how far it is: on a terminal one line, in a log each tenth.
PIP_PROGRESS = awk -v all="$$(grep -c == $(1))" -v terminal="$$(test -t 1 && echo 1)" ' \
	/^(Collecting|Processing) / { n++; sub(/.*\//, "", $$2); split($$2, name, /[=-]/); \
		if (terminal) printf "\r\033[KDownloading packages: %d of %d, %s", n, all, name[1]; \
		else if (n % 10 == 0) printf "Downloading packages: %d of %d\n", n, all; fflush() } \
	/^Installing collected/ { if (terminal) printf "\r\033[K"; \
		printf "Installing %d packages (this takes a while) ...\n", all; fflush() }'
INSTALLED := .venv/.installed
INSTALLED_PEERS := .venv-bench/.installed
INSTALLED_LUCENE := .venv-bench/.lucene
# Those that end with a result, {"bench": ...}; the others serve them.
BENCHES := $(sort $(patsubst benchmarks/%.py,%,$(shell grep -ls '"bench"' $(wildcard benchmarks/*.py))))

.PHONY: help install demo serve postgresql chromium screenshots check test docs eval experiments bench clean

help:
	@sed -n 's/^#   \(make .*\)/\1/p' Makefile
	@echo "Benchmarks: $(addprefix bench-,$(BENCHES))"

# A shim on the path may lead nowhere, and a distribution may leave out venv: a candidate is run,
# not only looked for.
define make_venv
	found=; without_venv=; \
	look() { \
		for candidate in $(PYTHON) python3.12 python3.13 python3.11 python3 python; do \
			version=$$("$$candidate" -c 'import sys; assert (3, 11) <= sys.version_info; \
	print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
			if "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; then \
				found=$$candidate; return; \
			fi; \
			without_venv=$${without_venv:-$$version}; \
		done; \
	}; \
	look; \
	if [ -z "$$found" ] && [ -n "$$without_venv" ] && command -v apt-get >/dev/null; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
		echo "Python $$without_venv comes without venv here: installing python$$without_venv-venv ..."; \
		{ $$as_root apt-get -qq update && \
			$$as_root apt-get -qq install --yes "python$$without_venv-venv"; } >/dev/null 2>&1 || true; \
		look; \
	fi; \
	if [ -z "$$found" ]; then \
		if [ -n "$$without_venv" ]; then \
			echo "Python $$without_venv has no venv. On Debian and Ubuntu type:" >&2; \
			echo "    sudo apt-get install python$$without_venv-venv" >&2; \
		else \
			echo "No Python 3.11 or newer runs here. On Debian and Ubuntu type:" >&2; \
			echo "    sudo apt-get install python3 python3-venv" >&2; \
		fi; \
		echo "or name one that you have: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
		exit 1; \
	fi; \
	echo "Setting up $(1) with $$("$$found" --version) ..."; \
	"$$found" -m venv $(1)
endef

install: $(INSTALLED)

$(INSTALLED): requirements.lock pyproject.toml
	@$(BIN)/python -c '' 2>/dev/null || { rm -rf .venv; $(call make_venv,.venv); }
	@echo "Downloading $$(grep -c == requirements.lock) packages ..."
	@$(BIN)/python -u $(subst --quiet,,$(PIP)) install --progress-bar off --require-hashes \
		-r requirements.lock | $(call PIP_PROGRESS,requirements.lock)
	@echo "Installing Gossamer itself ..."
	@$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@# Where Python may not write byte code as it goes, every start would compile the sources again.
	@$(BIN)/python -m compileall -q src
	@$(BIN)/python -c 'from gossamer.cli.compiling import main; main()'
	@echo "Installed in .venv. Try: make demo"
	@touch $@

# Peers have a lock file and an environment of their own: some are under other licences.
$(INSTALLED_PEERS): requirements-bench.lock
	@.venv-bench/bin/python -c '' 2>/dev/null || { rm -rf .venv-bench; $(call make_venv,.venv-bench); }
	@.venv-bench/bin/python $(PIP) install --require-hashes -r requirements-bench.lock
	@touch $@

# Lucene is in a jar that pyserini brings; what else pyserini needs is not needed for that.
$(INSTALLED_LUCENE): requirements-lucene.lock $(INSTALLED_PEERS)
	@.venv-bench/bin/python $(PIP) install --no-deps --require-hashes -r requirements-lucene.lock
	@touch $@

demo: install
	@$(BIN)/gossamer demo

serve: install
	@$(BIN)/gossamer serve $(ARGS)

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check postgresql chromium
	$(BIN)/pytest $(ARGS)

# The catalogue is tested over PostgreSQL too. Where it cannot be had, those tests say so and are
# skipped.
postgresql:
	@if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null \
			&& command -v apt-get >/dev/null; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
		echo "Installing postgresql for the tests of the catalogue ..."; \
		{ $$as_root apt-get -qq update && \
			$$as_root apt-get -qq install --yes --no-install-recommends postgresql; } \
			>/dev/null 2>&1 || echo "It could not be installed: those tests are skipped." >&2; \
	fi

# The pages are tested in a real browser. Where it cannot be had, those tests say so and are skipped.
chromium:
	@if ! command -v chromium chromium-browser google-chrome >/dev/null; then \
		as_root=; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
		echo "Installing chromium for the tests of the pages ..."; \
		{ command -v apt-get && $$as_root apt-get -qq update && \
			$$as_root apt-get -qq install --yes --no-install-recommends chromium; } \
			>/dev/null 2>&1 || { \
			echo "It could not be installed: those tests are skipped. On Debian and Ubuntu type:" >&2; \
			echo "    sudo apt-get install chromium" >&2; }; \
	fi

screenshots: install chromium
	@$(BIN)/python -m tests.e2e.site.screenshots $(ARGS)

docs: install
	@$(BIN)/python -m gossamer.cli.reference

eval: install
	@$(BIN)/python -m evaluation $(ARGS)

experiments: install
	@$(BIN)/python -m experiments $(ARGS)

bench: $(addprefix bench-,$(BENCHES))

bench-crawl bench-rank bench-relevance bench-spelling bench-traps: $(INSTALLED_PEERS)
bench-search: $(INSTALLED_LUCENE)

bench-%: install
	@test -f benchmarks/$*.py || { echo "There is no benchmark '$*', only: $(BENCHES)" >&2; exit 2; }
	$(BIN)/python -m benchmarks.$* $(ARGS)

clean:
	rm -rf .venv .venv-bench build dist src/*.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
