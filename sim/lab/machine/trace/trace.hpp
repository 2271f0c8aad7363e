// SPDX-License-Identifier: Apache-2.0
/// @file
/// Traces: files of accesses in one of several formats, read from front to back again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "access.hpp"

namespace weir::lab {

/// A trace that cannot be read; the message names file, line or record, and what is wrong.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A trace as a core reads it. It has at least one access, and begins anew after the last one.
class Trace {
 public:
  virtual ~Trace() = default;
  virtual Access next() = 0;
};

/// A format of trace files.
struct TraceFormat {
  const char* name;
  /// One access, or the two of a line that is a load and a store; throws std::invalid_argument with what is wrong.
  void (*parse)(const std::string& line, std::vector<Access>& accesses);
};

/// The formats of text by their names; numbers are decimal, or hexadecimal after 0x. Throws TraceError for another
/// name.
///   simple_o3   Ramulator 2's SimpleO3: `BUBBLES LOAD [STORE]`; the store is no instruction of its own
///   load_store  Ramulator 2's: `LD ADDRESS` or `ST ADDRESS`
///   usimm       USIMM's: `INSTRUCTIONS R ADDRESS PC` or `INSTRUCTIONS W ADDRESS`
const TraceFormat& formatNamed(const std::string& name);

/// Open a trace, plain or compressed by zstd. `format` is weir, which tells all of an Access, or the name of one of
/// text. Throws TraceError.
std::unique_ptr<Trace> openTrace(const std::string& path, const std::string& format);

}  // namespace weir::lab
