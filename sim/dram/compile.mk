# SPDX-License-Identifier: Apache-2.0
# How the DRAM model and its tests are compiled; build.mk calls it in the repository's root.

OUT := build/sim/dram
LIBRARY := $(OUT)/libweirdram.a
TESTS := $(OUT)/dram_test
OBJECTS := $(patsubst sim/dram/%.cpp,$(OUT)/%.o,$(wildcard sim/dram/*.cpp))
TEST_OBJECTS := $(patsubst sim/dram/%.cpp,$(OUT)/%.o,$(wildcard sim/dram/test/*.cpp))
CXX := ccache g++
CXXFLAGS := -std=c++17 -g -Wall -Wextra -Wconversion -Werror -fPIC -MMD -MP -Isim/dram \
  -isystem $(VERILATOR_ROOT)/include/vltstd

.PHONY: library tests
library: $(LIBRARY)
tests: $(TESTS)

$(LIBRARY): $(OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(TESTS): $(TEST_OBJECTS) $(LIBRARY)
	$(CXX) $^ -lgtest -lgtest_main -pthread -o $@

# The tests are long to compile and quick to run.
$(OBJECTS): OPTIMISATION := -O2
$(TEST_OBJECTS): OPTIMISATION := -O1

$(OUT)/%.o: sim/dram/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(OPTIMISATION) -c $< -o $@

-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d)
