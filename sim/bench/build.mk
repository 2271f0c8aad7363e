# SPDX-License-Identifier: Apache-2.0
# The bench: what a program that drives a controller on the DRAM model is built from.

# The parts that know no controller: one library for all benches and for its unit tests.
BENCH_LIBRARY := build/bench/libbench.a
BENCH_LIBRARY_SOURCES := $(filter-out sim/bench/bench.cpp sim/bench/session.cpp,$(wildcard sim/bench/*.cpp))
BENCH_LIBRARY_OBJECTS := $(BENCH_LIBRARY_SOURCES:sim/bench/%.cpp=build/bench/objects/%.o)
BENCH_CXX := ccache clang++-16 -std=gnu++17 -O3 -Wall -Wextra

# What a bench's program depends on beside its own sources and its controller's Verilog.
BENCH := $(BENCH_LIBRARY) $(WEIR_DRAM_LIB) $(WEIR_DRAM_SV) \
  $(addprefix sim/bench/,verilate.py bench.sv bench.hpp bench.cpp session.hpp session.cpp)

$(BENCH_LIBRARY): $(BENCH_LIBRARY_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

build/bench/objects/%.o: sim/bench/%.cpp | $(TOOLS)
	@mkdir -p $(@D)
	@$(BENCH_CXX) -MMD -MP -c $< -o $@

-include $(BENCH_LIBRARY_OBJECTS:.o=.d)

BENCH_UNIT_TEST := build/bench/unit_test
BENCH_UNIT_OBJECTS := $(patsubst sim/bench/tests/%.cpp,build/bench/objects/%.o,$(wildcard sim/bench/tests/*_test.cpp))

BUILDS_bench += $(BENCH_UNIT_TEST)

$(BENCH_UNIT_TEST): $(BENCH_UNIT_OBJECTS) $(BENCH_LIBRARY)
	@clang++-16 $^ -lgtest -lgtest_main -pthread -o $@

build/bench/objects/%_test.o: sim/bench/tests/%_test.cpp | $(TOOLS)
	@mkdir -p $(@D)
	@$(BENCH_CXX) -MMD -MP -c $< -o $@

-include $(BENCH_UNIT_OBJECTS:.o=.d)
