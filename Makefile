# One word each; each installs what it needs and is missing.

.PHONY: help demo test proof bench fuzz sizes firmware mutants format clean

help: ## what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: ## a server and a client over real pipes, and a real recorded session
	@scripts/demo

test: ## format, lints, documents, tests: what a change must pass before anyone looks at it
	@scripts/test

proof: ## everything else: chips, feature sets, licences, fuzzing, official SDKs, the README's commands
	@scripts/proof

bench: ## speed, beside other parsers, as a table
	@bench/run
	@bench/python/run

fuzz: ## every fuzz target for a while: FUZZ_SECONDS=600 make fuzz
	@scripts/fuzz $${FUZZ_SECONDS:-60}

sizes: ## flash, memory and stack on chips, as a table
	@scripts/sizes

firmware: ## a server on three emulated boards, with literal bytes and official SDKs
	@scripts/firmware

mutants: ## tests against a sample of broken versions of the decoder
	@scripts/mutants

format: ## rustfmt, over every package
	@scripts/format

clean: ## remove what was built, the tools too
	rm -rf target bench/target fuzz/target .tools
