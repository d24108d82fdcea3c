# `make play` and `make test` set everything up, say what they do, and start right away the second time. The other targets are
# for contributors.

UV := scripts/uv
RUN := $(UV) run --frozen --quiet

# A worker that runs out of tests takes some from the others.
SIDE_BY_SIDE := --dist worksteal

# Server tests spend most of their time waiting, so more workers than cores help. But each worker collects all tests, which
# takes seconds.
MANY := 4

# Two stages run at a time, so no core is idle while a stage waits for its last test. Long stages come first.
STAGES := tests tests-browser tests-checked tests-plain tests-client tests-api types lint audit

# Thousands of tests start real servers, databases and browsers on a machine that may be busy. Failures run once
# more, alone: a defect fails again, and a test that depends on timing is named, because it needs fixing.
# $(call again,NAME,FOLDER): NAME keeps the list of failures, because stages side by side would overwrite each other's.
memory = -o cache_dir=.venv/pytest-$(1)
again = (echo "== Running failed tests again, alone: any that pass now depend on timing and need fixing" \
	    && $(RUN) pytest --quiet $(call memory,$(1)) -p no:schemathesis -rA --last-failed --last-failed-no-failures none \
	    --maxfail 5 -n 0 $(2))

# The tests start hundreds of processes, which share Python's bytecode cache even if the shell turns it off.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test check docs release lint types tests tests-fast tests-api tests-client tests-browser tests-plain tests-checked coverage speed oracle fold golden schemas pictures screenshots ladder bench bench-peers bench-server nightly nightly-server wheels audit clean

play:  ## set everything up and play in the browser
	@echo "== Getting Lampion ready in .venv (the first time takes a minute)"
	@$(UV) run --frozen --quiet --no-dev --extra server lampion serve --open

test: .venv/.ready  ## set everything up and run every test
	@scripts/browser > /dev/null
	@scripts/browser whole > /dev/null
	@scripts/proxies > /dev/null || true
	@echo "== Testing, two stages at a time; each reports when it has finished"
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target $(STAGES)
	@echo "== All tests passed"

.venv/.ready: pyproject.toml uv.lock scripts/uv
	@echo "== Setting up Lampion in .venv (once)"
	@$(UV) sync --frozen --quiet
	@touch .venv/.ready

check: .venv/.ready  ## run while you edit: style, types, fast tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types tests-fast lint

lint: .venv/.ready
	@echo "== ruff"
	@$(RUN) ruff check . && $(RUN) ruff format --check --quiet .
	@echo "== prose"
	@$(RUN) python -m scripts.prose

types: .venv/.ready
	@echo "== mypy --strict"
	@$(RUN) mypy

tests-client: .venv/.ready  ## the web client alone: types, unit tests, formatting
	@echo "== Checks of the web client"
	@$(RUN) python -m scripts.web > .venv/client.txt 2>&1 || (cat .venv/client.txt && exit 1)

NOT_HERE := --ignore=tests/web --ignore=tests/server/test_fuzzed_api.py --ignore=tests/server/chaos/test_failures_with_bots.py

tests: .venv/.ready  ## all Python tests, compiled, with a real PostgreSQL
	@scripts/proxies > /dev/null || echo "   (tests of deploy/ are skipped)"
	@echo "== Tests"
	@$(RUN) pytest --quiet $(call memory,tests) $(SIDE_BY_SIDE) -n $(MANY) -p no:schemathesis --durations=15 $(NOT_HERE) \
	  || $(call again,tests,$(NOT_HERE))

tests-api: .venv/.ready  ## fuzz the HTTP API from its OpenAPI document
	@echo "== Tests of the API"
	@$(RUN) pytest --quiet tests/server/test_fuzzed_api.py

tests-browser: .venv/.ready  ## the client in a real browser against a real server
	@scripts/browser > /dev/null
	@scripts/browser whole > /dev/null
	@echo "== Tests in the browser"
	@$(RUN) pytest --quiet $(call memory,browser) $(SIDE_BY_SIDE) -n 2 tests/web --ignore=tests/web/test_speed.py \
	  || $(call again,browser,tests/web)

speed: .venv/.ready  ## measure how soon a move appears in the browser, and its frame rate
	@scripts/browser > /dev/null
	@echo "== Speed in the browser"
	@$(RUN) pytest --quiet tests/web/test_speed.py

tests-fast: .venv/.ready  ## the tests that find most mistakes in seconds: core, rules, translator
	@echo "== Fast tests"
	@LAMPION_ORACLE_GAMES=1 LAMPION_REDACTION_GAMES=1 LAMPION_MANY_GAMES=100 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto \
	  tests/core tests/native/test_refusals.py tests/native/test_doors.py tests/games tests/golden tests/test_layers.py \
	  -k "not perft and not compiled and not many_games"

tests-plain: .venv/.ready  ## the rules again as plain Python, where an integer overflow raises
	@echo "== Tests of the rules as plain Python"
	@LAMPION_COMPILE=0 LAMPION_ORACLE_GAMES=1 LAMPION_MANY_GAMES=5 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n 2 -p no:schemathesis \
	  tests/conformance/test_oracle.py tests/games tests/golden \
	  -k "not perft and not arena and not sanity_bands and not (test_oracle and (variant or starts or lakes or setup))"

# Plain rules under a tracer are a hundred times slower than compiled ones, so one case of each game must do;
# more games add no branches.
COVERED := tests/core tests/games tests/golden tests/conformance tests/test_lessons.py tests/examples/kuhn tests/examples/leduc \
  tests/reviews/test_coach.py tests/mcp/test_disguise.py
UNSEEN := perft or arena or sanity_bands or many_games or test_compile or uniform or every_process or terminal_plays or costly \
  or hidden_hands
OTHER_CASES := 3p or 4p or 5p or 6p or 7p or 8p or variant or starts or lakes or setup

# The server with its rules compiled, and what reads its settings, its logs and its files. What is killed on purpose
# leaves no figures behind, so the longest tests of that kind are left out.
SERVED := tests/server tests/cli/test_serve.py tests/cli/test_admin.py tests/deploy/test_logs.py tests/deploy/test_units.py \
  tests/deploy/test_static.py --ignore=tests/server/chaos --ignore=tests/server/test_fuzzed_api.py

coverage: .venv/.ready  ## branch coverage of core, games (as plain Python) and server
	@rm -f .venv/coverage*
	@LAMPION_COMPILE=0 LAMPION_ORACLE_GAMES=1 $(RUN) coverage run -m pytest --quiet $(SIDE_BY_SIDE) -n 2 -p no:schemathesis \
	  $(COVERED) -k "not ($(UNSEEN)) and (games or not ($(OTHER_CASES)))"
	@$(RUN) coverage run -m pytest --quiet $(SIDE_BY_SIDE) -n 2 -p no:schemathesis $(SERVED)
	@$(RUN) coverage combine --quiet && $(RUN) coverage report
	@echo "== Core and games alone, which the server must not hide"
	@$(RUN) coverage report --include="src/lampion/core/*,src/lampion/games/*" --fail-under=98

tests-checked: .venv/.ready  ## the rules again as a checked build: every index, store, shift and division
	@echo "== Tests of the rules as a checked build"
	@LAMPION_COMPILE=checked LAMPION_ORACLE_GAMES=1 LAMPION_MANY_GAMES=2000 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n 2 -p no:schemathesis tests/conformance/test_oracle.py tests/games tests/golden

oracle: .venv/.ready  ## compare more than 2,000 games of every game with its oracle
	@LAMPION_ORACLE_GAMES=700 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance/test_oracle.py

fold: .venv/.ready  ## 10,000 games of every game and number of players: check every event; resumes if stopped
	@$(RUN) python -m benchmarks.fold --jobs 2 --out .venv/fold.jsonl

golden: .venv/.ready  ## regenerate the golden records (only when RULES_VERSION increases)
	@for game in $$($(RUN) lampion games --json | $(RUN) python -c 'import json, sys; [print(json.loads(line)["game"]) for line in sys.stdin]'); \
	  do $(RUN) python -m tests.golden.make $$game; done

docs: .venv/.ready  ## build the documentation site, which the server shows under /docs
	@$(RUN) python -m scripts.site

schemas: .venv/.ready  ## write the published JSON Schemas
	@$(RUN) python -m scripts.schemas

pictures: .venv/.ready  ## draw the pictures of the documentation
	@$(RUN) python -m scripts.pictures
	@$(RUN) python -m scripts.animation

screenshots: .venv/.ready  ## take the pictures of the web client for its page
	@$(RUN) python -m scripts.screenshots

ladder: .venv/.ready  ## rate all bot levels and write docs/ladder.md; resumes from docs/ladder
	@$(RUN) python -m scripts.ladder

bench: .venv/.ready  ## measure the engine's speed
	@$(UV) run --frozen --quiet --extra bench python -m benchmarks.engine
	@$(UV) run --frozen --quiet --extra bench python -m benchmarks.search
	@$(RUN) python -m benchmarks.gate
	@$(RUN) python -m benchmarks.start
	@$(RUN) python -m benchmarks.wasm
	@LAMPION_TIMING=1 $(RUN) pytest --quiet tests/bots/test_decisions.py
	@$(MAKE) --no-print-directory speed

bench-peers: .venv/.ready  ## compare with other engines, each in its own environment; writes docs/benchmarks.md
	@$(RUN) python -m benchmarks.peers

bench-server: .venv/.ready  ## the server under load
	@$(RUN) python -m benchmarks.store
	@$(RUN) python -m benchmarks.moves
	@$(RUN) python -m benchmarks.server
	@$(RUN) python -m benchmarks.processes

nightly: .venv/.ready  ## tests too long for daily use: leaks, kills, abuse, fuzzing, oracles
	@LAMPION_LINT_TYPES=1 $(RUN) python -m scripts.web
	@LAMPION_LEAK_CHECKS=100000 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/server/test_noninterference.py
	@LAMPION_KILLS=20 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/server/test_failures.py
	@LAMPION_NIGHT=1 LAMPION_BLIND_GAMES=300 LAMPION_BLIND_FILE=.venv/blind.jsonl \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/web/test_blind.py
	@$(RUN) python -m tests.web.finished .venv/blind.jsonl
	@LAMPION_NIGHT=1 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/web/test_games.py tests/web/test_keyboard.py \
	  tests/web/test_layout_sheets.py tests/web/test_accessible.py
	@LAMPION_RANDOM_KILLS=40 $(RUN) pytest --quiet tests/server/chaos/test_many_processes.py
	@LAMPION_BALANCED=1 $(RUN) pytest --quiet tests/server/test_play.py tests/server/test_live.py \
	  tests/server/test_polling.py tests/server/test_lobby.py
	@LAMPION_STORM=5000 $(RUN) pytest --quiet tests/server/chaos/test_scenarios.py -k storm
	@$(RUN) pytest --quiet $(SIDE_BY_SIDE) -n $(MANY) tests/server/chaos/test_failures_with_bots.py
	@LAMPION_NIGHT=1 LAMPION_COMPILE=0 LAMPION_ORACLE_GAMES=5 LAMPION_REDACTION_GAMES=1 LAMPION_MANY_GAMES=20 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance tests/games -k "not perft and not arena"
	@LAMPION_NIGHT=1 LAMPION_COMPILE=checked LAMPION_ORACLE_GAMES=20 LAMPION_MANY_GAMES=10000 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance/test_oracle.py tests/games
	@LAMPION_NIGHT=1 LAMPION_MANY_GAMES=100000 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/games tests/arena
	@LAMPION_NIGHT=1 $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/native tests/reviews
	@LAMPION_ISMCTS_GAMES=200 $(RUN) pytest --quiet -n 2 -p no:schemathesis tests/research/test_openspiel.py -k whole_games
	@$(MAKE) --no-print-directory speed
	@$(RUN) python -m scripts.lighthouse
	@$(RUN) python -m benchmarks.notifications
	@LAMPION_NIGHT=1 LAMPION_REDACTION_GAMES=20 LAMPION_FOLD_GAMES=100 LAMPION_ORACLE_GAMES=700 \
	  $(RUN) pytest --quiet $(SIDE_BY_SIDE) -n auto tests/conformance
	@$(MAKE) --no-print-directory nightly-server

nightly-server: .venv/.ready  ## measure what the server promises: speed, kills, fuzzing, abuse; a table in .venv/server-figures
	@$(RUN) python -m benchmarks.nightly

wheels: .venv/.ready  ## build the source archive and a wheel for each platform, in dist
	@$(RUN) python -m scripts.wheels

release: .venv/.ready  ## everything a release consists of, in dist: wheels, notes, bill of materials
	@$(RUN) python -m scripts.release

audit: .venv/.ready  ## look for known vulnerabilities in dependencies
	@echo "== pip-audit"
	@$(UV) export --quiet --frozen --no-dev --extra server --extra postgres --no-emit-project --no-hashes --output-file .venv/runtime.txt > /dev/null
	@$(RUN) pip-audit --requirement .venv/runtime.txt --no-deps --disable-pip --progress-spinner off > .venv/audit.txt 2>&1 \
	  || (cat .venv/audit.txt && exit 1)
	@echo "no known vulnerability; packages that could not be checked: $$(grep -c 'could not be audited' .venv/audit.txt)"

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
