# The two commands: `make play` and `make test`. Both set everything up by themselves, say what they do, and start at once the
# second time. The others are for those who work on Lampion.

UV := scripts/uv
RUN := $(UV) run --frozen --quiet

# A worker that has finished takes tests over from the others.
SIDE_BY_SIDE := --dist worksteal

# Tests of the server wait more than they work: while they do, others have the cores.
MANY := 6

# The tests start hundreds of processes; they share what Python has compiled, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test check lint types tests tests-fast tests-client tests-browser tests-plain tests-checked coverage speed oracle golden schemas pictures screenshots ladder bench bench-peers bench-server nightly audit clean

play:  ## set everything up and play in the browser
	@echo "== Getting Lampion ready in .venv (the first time takes a minute)"
	@$(UV) run --frozen --quiet --no-dev --extra server lampion serve --open

test: .venv/.ready  ## set everything up and run every test
	@$(MAKE) --no-print-directory -j 2 tests-client types lint audit
	@$(MAKE) --no-print-directory tests tests-browser tests-plain tests-checked
	@echo "== All tests passed"

.venv/.ready: pyproject.toml uv.lock scripts/uv
	@echo "== Setting up Lampion in .venv (once)"
	@$(UV) sync --frozen --quiet
	@touch .venv/.ready

check: lint types tests-fast  ## for the edit loop

lint: .venv/.ready
	@echo "== ruff"
	@$(RUN) ruff check . && $(RUN) ruff format --check --quiet .

types: .venv/.ready
	@echo "== mypy --strict"
	@$(RUN) mypy

tests-client: .venv/.ready  ## the web client by itself: types, unit tests, formatting
	@echo "== Checks of the web client"
	@$(RUN) python -m scripts.web > .venv/client.txt 2>&1 || (cat .venv/client.txt && exit 1)

tests: .venv/.ready  ## the whole suite, compiled, with a real PostgreSQL; the browser has a target of its own
	@scripts/proxies > /dev/null || echo "   (tests of deploy/ are skipped)"
	@echo "== Tests"
	@$(RUN) pytest --quiet $(SIDE_BY_SIDE) -n $(MANY) --ignore=tests/web --ignore=tests/server/chaos/test_failures_with_bots.py --durations=15

tests-browser: .venv/.ready  ## the client in a real browser against a real server
	@scripts/browser > /dev/null
	@echo "== Tests in the browser"
	@$(RUN) pytest --quiet $(SIDE_BY_SIDE) -n 3 tests/web --ignore=tests/web/test_speed.py

speed: .venv/.ready  ## how soon a move shows in the browser, and at how many frames a second it is animated
	@scripts/browser > /dev/null
	@echo "== Speed in the browser"
	@$(RUN) pytest --quiet tests/web/test_speed.py

tests-fast: .venv/.ready  ## what finds most mistakes in seconds: the core, the rules of each game, the translator
	@echo "== Fast tests"
	@LAMPION_ORACLE_GAMES=1 LAMPION_REDACTION_GAMES=1 LAMPION_MANY_GAMES=100 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto \
	  tests/core tests/native/test_refusals.py tests/native/test_doors.py tests/games tests/golden tests/test_layers.py \
	  -k "not perft and not compiled and not many_games"

tests-plain: .venv/.ready  ## the rules again as plain Python: integer overflow raises here, and not in compiled code
	@echo "== Tests of the rules as plain Python"
	@LAMPION_COMPILE=0 LAMPION_ORACLE_GAMES=1 LAMPION_MANY_GAMES=20 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto \
	  tests/conformance/test_oracle.py tests/games tests/golden \
	  -k "not perft and not arena and not (test_oracle and (variant or starts or lakes or setup))"

coverage: .venv/.ready  ## branch coverage of rules and core: the rules as plain Python, where every branch can be seen
	@rm -f .venv/coverage*
	@LAMPION_COMPILE=0 LAMPION_ORACLE_GAMES=1 LAMPION_MANY_GAMES=20 $(RUN) coverage run -m pytest --quiet $(SIDE_BY_SIDE) -n auto \
	  tests/core tests/conformance/test_oracle.py tests/games tests/golden \
	  -k "not perft and not arena and not (test_oracle and (variant or starts or lakes or setup))"
	@$(RUN) coverage combine --quiet && $(RUN) coverage report

tests-checked: .venv/.ready  ## the rules again as a checked build: every index, store, shift and division
	@echo "== Tests of the rules as a checked build"
	@LAMPION_COMPILE=checked LAMPION_ORACLE_GAMES=5 LAMPION_MANY_GAMES=2000 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance/test_oracle.py tests/games

oracle: .venv/.ready  ## more than 2,000 games of every game side by side with its oracle
	@LAMPION_ORACLE_GAMES=700 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance/test_oracle.py

golden: .venv/.ready  ## find golden records anew (only when RULES_VERSION rises)
	@for game in $$($(RUN) lampion games --json | $(RUN) python -c 'import json, sys; [print(json.loads(line)["game"]) for line in sys.stdin]'); \
	  do $(RUN) python -m tests.golden.make $$game; done

schemas: .venv/.ready  ## write the published JSON Schemas
	@$(RUN) python -m scripts.schemas

pictures: .venv/.ready  ## draw the pictures of the documentation
	@$(RUN) python -m scripts.pictures

screenshots: .venv/.ready  ## take the pictures of the web client for its page
	@$(RUN) python -m scripts.screenshots

ladder: .venv/.ready  ## rate all levels of the bots and write docs/ladder.md; goes on with docs/ladder
	@$(RUN) python -m scripts.ladder

bench: .venv/.ready  ## the whole picture of the engine's speed
	@$(UV) run --frozen --quiet --extra bench python -m benchmarks.engine
	@$(UV) run --frozen --quiet --extra bench python -m benchmarks.search
	@$(RUN) python -m benchmarks.start
	@LAMPION_TIMING=1 $(RUN) pytest --quiet tests/bots/test_decisions.py
	@$(MAKE) --no-print-directory speed

bench-peers: .venv/.ready  ## Lampion beside other engines, each in an environment of its own; writes docs/benchmarks.md
	@$(RUN) python -m benchmarks.peers

bench-server: .venv/.ready  ## the server under load
	@$(RUN) python -m benchmarks.store
	@$(RUN) python -m benchmarks.server
	@$(RUN) python -m benchmarks.processes

nightly: .venv/.ready  ## what takes too long for every day: leaks, kills, abuse, fuzzing, oracles
	@LAMPION_LINT_TYPES=1 $(RUN) python -m scripts.web
	@LAMPION_LEAK_CHECKS=100000 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/server/test_noninterference.py
	@LAMPION_KILLS=20 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/server/test_failures.py
	@LAMPION_RANDOM_KILLS=40 $(RUN) pytest --quiet tests/server/chaos/test_many_processes.py
	@$(RUN) pytest --quiet $(SIDE_BY_SIDE) -n $(MANY) tests/server/chaos/test_failures_with_bots.py
	@LAMPION_COMPILE=0 LAMPION_REDACTION_GAMES=1 LAMPION_MANY_GAMES=20 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance -k "not perft"
	@$(RUN) python -m benchmarks.kills
	@$(RUN) python -m benchmarks.fuzz --cases 50000
	@$(RUN) python -m benchmarks.abuse --minutes 10
	@LAMPION_REDACTION_GAMES=20 LAMPION_FOLD_GAMES=100 LAMPION_ORACLE_GAMES=700 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance

audit: .venv/.ready  ## are there known weaknesses in what we depend on?
	@echo "== pip-audit"
	@$(UV) export --quiet --frozen --no-dev --extra server --extra postgres --no-emit-project --no-hashes --output-file .venv/runtime.txt > /dev/null
	@$(RUN) pip-audit --requirement .venv/runtime.txt --no-deps --disable-pip --progress-spinner off > .venv/audit.txt 2>&1 \
	  || (cat .venv/audit.txt && exit 1)
	@echo "no known weakness; packages that could not be looked up from here: $$(grep -c 'could not be audited' .venv/audit.txt)"

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
