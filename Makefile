# heddle: `make` builds build/heddle, `make help` says the rest.
# meson and ninja do the work; scripts/ holds what takes more than a line.
PREFIX ?= /usr/local
TESTS ?= false
JOBS ?= $(shell nproc)
export JOBS

ifeq (bench,$(firstword $(MAKECMDGOALS)))
# The words after `bench` are for bench/run, not goals: `make bench nondet`.
WORDS := $(filter-out bench,$(MAKECMDGOALS))
.PHONY: $(MAKECMDGOALS)
bench:
	@scripts/setup bench
	@$(MAKE) --no-print-directory all
	@bench/run $(WORDS)
$(WORDS): ; @:
else

.PHONY: all demo check test test-long fault fuzz install coverage lint format clean help

all: build/build.ninja
	@scripts/build-viewer --if-can
	@ninja -C build -j $(JOBS) --quiet

build/build.ninja:
	@log=$$(meson setup build --prefix '$(PREFIX)' -Dtests=$(TESTS) 2>&1) || \
	    { echo "$$log" >&2; echo 'make: run scripts/setup' >&2; exit 1; }

demo:
	@scripts/setup build
	@$(MAKE) --no-print-directory all
	@scripts/demo

check:
	@scripts/setup test
	@scripts/test --check

test:
	@scripts/setup test
	@scripts/test

test-long:
	@scripts/setup test
	@scripts/test --long

fault: all
	@tests/fault/run --heddle build/heddle

fuzz:
	@scripts/setup test fuzz
	@scripts/fuzz

install: all
	@meson configure build --prefix '$(PREFIX)'
	@ninja -C build -j $(JOBS) --quiet
	@meson install -C build --no-rebuild --quiet $(if $(DESTDIR),--destdir '$(abspath $(DESTDIR))')

coverage:
	@scripts/setup test coverage
	@scripts/coverage

lint: build/build.ninja
	@scripts/lint

format:
	@scripts/lint --format

clean:
	@rm -rf build build-*/ web/node_modules $(if $(shell command -v npm),web/dist)

help:
	@echo 'make             build/heddle, with optimisation'
	@echo 'make demo        see heddle at work'
	@echo 'make check       the tests that tell most in a minute'
	@echo 'make test        every suite; the last line is "N passed, N failed"'
	@echo 'make test-long   every test, both compilers, random tests for hours'
	@echo 'make bench [W..] the measurements, or those named, as in `make bench nondet`'
	@echo 'make fault       signals, full disks, no memory, while heddle works; ten minutes'
	@echo 'make fuzz        the parsers under a fuzzer, a minute each'
	@echo 'make coverage    lines and branches that the tests reach'
	@echo 'make lint        clang-format, clang-tidy, cppcheck; remembers what is clean'
	@echo 'make format      lay the sources out with clang-format'
	@echo 'make install     to PREFIX ($(PREFIX)), below DESTDIR if given'
	@echo 'make clean       remove everything that was built'
	@echo 'scripts/setup    install what the above need (Debian)'
endif
