# Souk: `make run` serves the site, `make test` proves it works.

PYTHON ?= python3
PIP := $(PYTHON) -m pip --python .venv/bin/python install --quiet --disable-pip-version-check --require-hashes
BIN := .venv/bin
export DJANGO_SETTINGS_MODULE := marrakech_site.settings

.DEFAULT_GOAL := help
.PHONY: help run test check browser-and-servers attack bench chaos faults screenshots messages lock clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | column -t -s '|' 2>/dev/null \
		|| grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST)

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Souk needs Python 3.11 or newer, and there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Souk needs Python 3.11 or newer; this is $$($(PYTHON) --version 2>&1). Name a newer one: make PYTHON=python3.11 run" >&2; exit 1; }
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || { echo "Souk needs pip: $(PYTHON) -m pip does not work here." >&2; exit 1; }
	@test -w . || { echo "Souk cannot write to this folder ($(CURDIR)). Make it writable, or clone Souk elsewhere." >&2; exit 1; }
	@$(PYTHON) -m venv --without-pip .venv

.venv/runtime-installed: requirements.txt | .venv/bin/python
	@echo "Installing what Souk runs on…"
	@$(PIP) -r requirements.txt
	@touch $@

.venv/dev-installed: requirements-dev.txt | .venv/bin/python
	@echo "Installing what Souk is tested with…"
	@$(PIP) -r requirements-dev.txt
	@touch $@ .venv/runtime-installed

run: .venv/runtime-installed ## Set up everything and serve the site (PORT=8000)
	@exec $(BIN)/python manage.py serve

test: .venv/dev-installed browser-and-servers ## Set up everything, check the code, run all tests
	@$(BIN)/python -m tests.compile_bots & bots=$$!; $(MAKE) --no-print-directory check && wait $$bots
	@# PostgreSQL's tests mostly wait, so they run beside the others; their output follows at the end.
	@log=$$(mktemp); $(BIN)/python -m pytest -n 2 --postgres --durations=10 -o cache_dir=.pytest_cache/postgres >$$log 2>&1 & postgres=$$!; \
	$(BIN)/python -m pytest -n 3 --durations=10; sqlite=$$?; \
	wait $$postgres; on_postgres=$$?; echo "On PostgreSQL:"; cat $$log; rm $$log; [ $$sqlite = 0 ] && [ $$on_postgres = 0 ]

check: .venv/dev-installed ## Format, lint, types, layers, migrations, deployment settings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djade --check --target-version 5.2 $$(find templates -type f)
	$(BIN)/python .ci/narrow-templates
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	ALLOWED_HOSTS=souk.example EMAIL_URL=smtp://localhost:25 DATABASE_URL=postgres://localhost/souk $(BIN)/python manage.py check --deploy --fail-level WARNING

# What the tests need beside Python comes from Debian's packages. Where they cannot be
# installed, the tests that need them say so in the last lines (and fail in CI).
NEEDED := chromium-headless-shell:chromium-headless-shell redis-server:redis-server msgfmt:gettext initdb:postgresql
browser-and-servers:
	@missing=; for pair in $(NEEDED); do \
		command -v $${pair%%:*} >/dev/null || ls /usr/lib/postgresql/*/bin/$${pair%%:*} >/dev/null 2>&1 || missing="$$missing $${pair##*:}"; done; \
	if [ -n "$$missing" ] && command -v apt-get >/dev/null; then \
		echo "Installing from Debian:$$missing"; \
		root=; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
		{ $$root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$root apt-get install -y -qq --no-install-recommends $$missing fonts-dejavu-core >/dev/null; } \
			|| echo "These could not be installed:$$missing" >&2; \
	fi

attack: .venv/dev-installed browser-and-servers ## Try every route in every role on every game, and 20,000 odd requests, on both databases
	$(BIN)/python -m pytest -n 3 --attack tests/attack
	$(BIN)/python -m pytest -n 3 --attack --postgres tests/attack/test_matrix.py tests/attack/test_fuzz.py

bench: .venv/dev-installed browser-and-servers ## Run all benchmarks
	$(BIN)/python -m tools bench all

chaos: .venv/dev-installed browser-and-servers ## Put a whole deployment into trouble for some minutes
	$(BIN)/python -m tests.chaos

faults: .venv/dev-installed browser-and-servers ## Put faults into a copy of the code; the tests must notice each
	$(BIN)/python -m tests.faults

screenshots: .venv/dev-installed browser-and-servers ## Take pictures of the main pages in all languages into var/screenshots
	for language in en ru pl ro zh-hant; do $(BIN)/python -m tools screenshots --language $$language || exit 1; done

LANGUAGES := ru pl ro zh_Hant
messages: .venv/dev-installed browser-and-servers ## Bring the catalogues of all languages up to date with the texts
	$(BIN)/python manage.py makemessages $(foreach language,$(LANGUAGES),--locale $(language)) \
		--extension html,txt,svg,py --add-location file --no-wrap --no-obsolete --ignore .venv --ignore var --ignore tests --ignore tools --ignore docs
	$(BIN)/python manage.py compilemessages

lock: .venv/dev-installed ## Pin the newest versions that pyproject.toml allows
	$(BIN)/uv pip compile --quiet --upgrade pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o requirements.txt
	$(BIN)/uv pip compile --quiet --upgrade pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -o requirements-dev.txt

clean: ## Remove what make made, except the data of the site
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
