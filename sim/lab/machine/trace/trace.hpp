// SPDX-License-Identifier: Apache-2.0
/// @file
/// Traces: files of accesses in one of several formats, read from front to back again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
  /// Whether the next access is the first one of the file.
  virtual bool atBegin() const = 0;
};

/// Writes a trace. Throws TraceError. The file has its name from `close` on; what had it before stays until then.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual void write(const Access& access) = 0;
  virtual void close() = 0;
};

/// A format of trace files.
struct TraceFormat {
  const char* name;
  /// One access, or the two of a line that is a load and a store; throws std::invalid_argument with what is wrong.
  void (*parse)(const std::string& line, std::vector<Access>& accesses);
  /// The line of an access and, if it belongs there, the one after it; `second` is then set. Throws
  /// std::invalid_argument for what other simulators cannot read.
  std::string (*print)(const Access& first, const Access* next, bool& second);
};

/// The formats of text by their names; numbers are decimal, or hexadecimal after 0x. Throws TraceError for another
/// name.
///   simple_o3   Ramulator 2's SimpleO3: `BUBBLES LOAD [STORE]`, written in decimal, the only form that it reads, into
///               an int and two long long. The store is no instruction of its own; one that is, or that has no load
///               before it, is written with a load of its address, as a cache that allocates on writes reads it.
///   load_store  Ramulator 2's: `LD ADDRESS` or `ST ADDRESS`; instructions between accesses are not written
///   usimm       USIMM's: `INSTRUCTIONS R ADDRESS PC` or `INSTRUCTIONS W ADDRESS`; the program counter is written as
///   0x0
/// None of them has sizes, dependences or virtual addresses, and of an access that is no instruction of its own only
/// simple_o3 can tell.
const TraceFormat& formatNamed(const std::string& name);

/// FORMAT:PATH on a command line.
struct TraceName {
  std::string format, path;
};

/// Of a word; nothing where it is none.
std::optional<TraceName> traceName(const std::string& word);

/// Open a trace, plain or compressed by zstd. `format` is weir, which tells all of an Access, or the name of one of
/// text. Throws TraceError.
std::unique_ptr<Trace> openTrace(const std::string& path, const std::string& format);

/// Make a trace, compressed by zstd when `path` ends in .zst, of a format as `openTrace` has them. Throws TraceError.
std::unique_ptr<TraceWriter> createTrace(const std::string& path, const std::string& format);

}  // namespace weir::lab
