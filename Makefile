# Two commands are all that most people need: `make run` and `make test`.
# What is not there is made: .venv, again whenever the requirements change, and the tools from npm where npm is.

PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell $(name) -c 'import sys, venv, ensurepip; print("$(name)" if sys.version_info >= (3, 11) else "")' 2>/dev/null)))
PORT ?= 8000
STATE ?= .state
MINUTES ?= 10
SERVER ?= http://127.0.0.1:$(PORT)
STAGE ?= dev

VENV := .venv
BIN := $(VENV)/bin
LAB := .venv-lab/bin
NODE := dev/node/node_modules

.PHONY: setup test lint format openapi name-table clients docs fuzz mutants run play bench trust slow soak lab arena blind clean node simulation \
	web browser pictures lighthouse \
	package deploy deploy-local rotate-keys forget restore restore-match forms bill checkov

setup: $(VENV)/.stamp node

$(VENV)/.stamp: requirements.txt requirements-dev.txt dev/constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer, with venv, is needed (set PYTHON=/path/to/python3)"; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@echo "installing into $(VENV) (a minute, and again only when the requirements change)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# Without npm the parts that need it are skipped, each with a line that says so; REQUIRE_ALL=1 makes that a failure.
node: $(NODE)/.stamp

$(NODE)/.stamp: dev/node/package.json dev/node/package-lock.json
	@if command -v npm >/dev/null 2>&1 && (cd dev/node && npm ci --silent --ignore-scripts --no-audit --no-fund); then touch $@; \
	elif [ -n "$(REQUIRE_ALL)" ]; then echo "failed: the tools of dev/node (npm ci)"; exit 1; \
	else echo "skipped: the tools of dev/node (no working npm), and what needs them"; fi

# Two processes, each with stores of its own; a file's tests stay together.
test: setup
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not slow" $(ARGS)

# What takes its time by nature: a schedule's minute, compilers, faults at every call, a search to a deal's end.
slow: setup
	@$(BIN)/python -m pytest -q -m slow $(ARGS)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy .
	@$(BIN)/python -m pytest -q tests/test_imports.py

format: $(VENV)/.stamp
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

openapi: $(VENV)/.stamp
	@$(BIN)/python -m dev.openapi

name-table: $(VENV)/.stamp
	@$(BIN)/python -m dev.name_table

clients: setup .venv-clients/.stamp
	@$(BIN)/python -m dev.clients $(ARGS)

.venv-clients/.stamp: dev/clients/requirements.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer, with venv, is needed (set PYTHON=/path/to/python3)"; exit 1; }
	@test -x .venv-clients/bin/python || $(PYTHON) -m venv .venv-clients
	@.venv-clients/bin/python -m pip install --quiet --disable-pip-version-check -r dev/clients/requirements.txt
	@touch $@

# The page of GET /docs, around a script that npm fetches. It changes only when dev/docs_page.py does.
docs: $(VENV)/.stamp
	@$(BIN)/python -m dev.docs_page

fuzz: $(VENV)/.stamp
	@$(BIN)/python -m dev.fuzz $(ARGS)

# Whether the tests notice small faults in the rules, the match and the use cases: progress, then what they did not notice
# and how many there were. In a copy, as mutmut writes beside what it reads (ARGS="chalicelib.engine.scoring*"
# for some: all take hours).
mutants: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c dev/constraints.txt mutmut==3.8.1
	@rm -rf build/mutants && mkdir -p build/mutants && git ls-files -z | tar --null -T - -cf - | tar -xf - -C build/mutants
	@cd build/mutants && mutmut="../../$(BIN)/python -m mutmut" && $$mutmut run $(ARGS); \
		$$mutmut results | grep -v 'not checked'; $$mutmut export-cicd-stats; cat mutants/mutmut-cicd-stats.json

# The page and the client library, built into web/built and clients/typescript/dist; the first is committed.
web: setup
	@$(BIN)/python -m dev.web.build

# People play in Chromium, and nothing goes wrong: all proofs, some minutes (ARGS="mouse friends" for some).
browser: setup
	@$(BIN)/python -m dev.browser $(ARGS)

# So that an app's handling of errors can be tried: RATE=1 (the limits as deployed), TOKEN_SECONDS=60, FAULTS=0.1 (a tenth
# of the requests is answered 503, half of them carried out all the same).
# The README's pictures, and Lighthouse's scores for the table (at least 95).
pictures: setup
	@$(BIN)/python -m dev.browser.pictures

lighthouse: setup
	@$(BIN)/python -m dev.browser.lighthouse $(ARGS)

run: $(VENV)/.stamp
	@exec $(BIN)/python -m dev.local --port $(PORT) --state $(STATE) $(if $(RATE),--rate $(RATE)) \
		$(if $(TOKEN_SECONDS),--token-seconds $(TOKEN_SECONDS)) $(if $(FAULTS),--faults $(FAULTS))

play: $(VENV)/.stamp
	@exec $(BIN)/python -m dev.play --server $(SERVER) $(ARGS)

bench: setup .venv-lab/.stamp
	@$(BIN)/python -m dev.bench $(ARGS)

# The bots' laboratory has an environment of its own, as large as the other.
.venv-lab/.stamp: lab/requirements.txt dev/constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer, with venv, is needed (set PYTHON=/path/to/python3)"; exit 1; }
	@test -x $(LAB)/python || $(PYTHON) -m venv .venv-lab
	@$(LAB)/python -m pip install --quiet --disable-pip-version-check -r lab/requirements.txt
	@touch $@

# Its tests: that the arena measures what it says, and the open-hands solver finds what the bots' own slow rooms find.
lab: .venv-lab/.stamp
	@$(LAB)/python -m pytest -q lab/tests $(ARGS)

# A duplicate match between bots: make arena A=sharp B=steady DEALS=500 (docs/bots.md).
arena: .venv-lab/.stamp
	@$(LAB)/python -m lab $(or $(A),sharp) $(or $(B),steady) --deals $(or $(DEALS),500) $(ARGS)

# Ten thousand positions, the hidden cards dealt anew in each: no bot may answer otherwise.
blind: .venv-lab/.stamp
	@$(LAB)/python -m lab.blind $(ARGS)

# What of a stage goes where: docs/operations.md.
package: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy package --stage $(STAGE)

deploy: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy deploy --stage $(STAGE) $(ARGS)

deploy-local: $(VENV)/.stamp
	@exec $(BIN)/python -m dev.deploy deploy-local

rotate-keys: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy rotate-keys --stage $(STAGE)

forget: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy forget --stage $(STAGE) '--player=$(PLAYER)'

restore: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy restore --stage $(STAGE) '--table=$(TABLE)' $(ARGS)

restore-match: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy restore-match --stage $(STAGE) '--match=$(MATCH)' '--table=$(TABLE)'

forms: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy forms --stage $(STAGE)

# ARGS=--write keeps the figures, and puts the bill into docs/operations.md.
bill: setup
	@$(BIN)/python -m dev.deploy bill $(ARGS)

# In an environment of its own: it wants other versions of nearly everything.
checkov: $(VENV)/.stamp
	@$(BIN)/python -m dev.deploy checkov

# A crowd on a fake clock, compared with a model and with screens rebuilt from events; some minutes (ARGS="--runs 100").
simulation: setup
	@$(BIN)/python -m dev.simulation $(ARGS)

trust: setup
	@$(BIN)/python -m dev.trust $(ARGS)

soak: setup
	@$(BIN)/python -m dev.soak --minutes $(MINUTES) $(ARGS)

clean:
	rm -rf $(VENV) .venv-clients .venv-lab $(NODE) build .mypy_cache .pytest_cache .ruff_cache .hypothesis
