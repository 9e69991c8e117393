# Short names for the scripts; ./run and ./test work without make.
.PHONY: help build test soak soak-machines fuzz fuzz-shows python-test bench race race-check reproduce lint tidy format docs web clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

build: ## the reeve command, optimised: build/release/bin/reeve
	@scripts/setup core
	@scripts/build release reeve
	@echo build/release/bin/reeve

test: ## everything that must hold before a change goes in
	@./test

soak: ## the tests with every grid of trials walked whole (about 15 minutes)
	@scripts/setup test
	@scripts/build release all -- -DREEVE_TESTS=ON
	@REEVE_SOAK=1 ctest --test-dir build/release -j "$$(nproc)" --output-on-failure --timeout 1200
	@scripts/kill-grid build/release/bin/reeve 200

soak-machines: ## rates of what goes wrong over random machines of every model: COUNT of each, 200 otherwise
	@scripts/setup test
	@scripts/build release soak -- -DREEVE_TESTS=ON
	@for model in joints "joints 3d" strand hoist chain particles; do \
	  build/release/bin/soak machines $$model $(or $(COUNT),200); done

fuzz: ## every fuzzer under sanitizers, for SECONDS each (600 otherwise), with executions and coverage
	@scripts/setup test
	@scripts/build asan reeve fuzz_scalar fuzz_scene fuzz_machine fuzz_state fuzz_formula fuzz_setting fuzz_batch
	@scripts/fuzz $(or $(SECONDS),600)
	@scripts/fuzz-command build/asan/bin/reeve scenes $(or $(SECONDS),600)

fuzz-shows: ## put faults of former days back into a copy, one of each kind, and see that the fuzzers find them within a minute
	@scripts/setup test
	@scripts/fuzz-shows

python-test: ## install the Python package in a virtual environment and run its tests
	@scripts/setup python
	@scripts/python-test

bench: ## build and run the benchmarks
	@scripts/setup bench
	@scripts/build release reeve_bench -- -DREEVE_BENCH=ON
	@GLIBC_TUNABLES=glibc.malloc.hugetlb=1 build/release/bin/reeve_bench

race: ## the same scenes in Reeve and in other engines, one thread, one run: race/results/, docs/validation.md
	@scripts/race

race-check: ## a quick race, and whether a ratio of Reeve's got worse by a fifth
	@scripts/race --quick build/race.json
	@scripts/race-check build/race.json

reproduce: build ## every number and figure of the documentation
	@scripts/reproduce

lint: ## formatting and layering
	@scripts/lint

tidy: ## lint, and clang-tidy over the library (minutes)
	@scripts/lint --tidy

format: ## rewrite the sources as .clang-format wants them
	@scripts/setup lint
	@scripts/sources | xargs clang-format -i

docs: build ## what the code generates: scenes/schema.json, and the site build/site
	@scripts/setup docs
	@scripts/docs

web: ## the npm package (web/dist) and the playground's page (build/web/page)
	@scripts/setup web
	@scripts/web
	@echo "build/web/page: look at it with build/release/bin/reeve view"

clean: ## remove build/ and out/
	rm -rf build out
