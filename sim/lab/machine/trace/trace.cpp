// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <cstring>

#include "bytes.hpp"
#include "packed.hpp"

namespace weir::lab {

namespace {

/// A trace of text. Empty lines and those that begin with # are passed over.
class TextTrace final : public Trace {
 public:
  TextTrace(const std::string& path, const TraceFormat& format) : file_(path), format_(format) { ahead(); }

  Access next() override {
    const Access access = accesses_[at_++];
    begin_ = false;
    if (at_ == accesses_.size()) ahead();
    return access;
  }
  bool atBegin() const override { return begin_; }

 private:
  /// Read up to the next access, so that what is wrong is known as early as can be.
  void ahead() {
    accesses_.clear();
    at_ = 0;
    while (accesses_.empty()) {
      ++line_;
      try {
        if (!file_.line(text_)) {
          if (!any_) throw TraceError(file_.path() + ": holds no access");
          line_ = 0;
          begin_ = true;
          file_.rewind();
          continue;
        }
        if (text_.find_first_not_of(" \t\r") == std::string::npos || text_[0] == '#') continue;
        format_.parse(text_, accesses_);
      } catch (const std::invalid_argument& error) {
        throw TraceError(file_.path() + ":" + std::to_string(line_) + ": " + error.what());
      }
      any_ = true;
    }
  }

  ByteReader file_;
  const TraceFormat& format_;
  std::string text_;
  std::vector<Access> accesses_;
  size_t at_ = 0;
  uint64_t line_ = 0;
  bool any_ = false, begin_ = true;
};

class PackedTrace final : public Trace {
 public:
  explicit PackedTrace(const std::string& path) : file_(path) {
    begin();
    ahead();
  }

  Access next() override {
    const Access access = next_;
    ahead();
    return access;
  }
  bool atBegin() const override { return record_ == 1; }

 private:
  /// Read the next access, so that what is wrong is known as early as can be.
  void ahead() {
    PackedAccess packed;
    size_t bytes = file_.read(&packed, sizeof packed);
    if (bytes == 0 && record_ != 0) {
      file_.rewind();
      begin();
      bytes = file_.read(&packed, sizeof packed);
    }
    if (bytes != sizeof packed)
      throw TraceError(
          file_.path() + ": " +
          (bytes == 0 ? std::string("holds no access") : "ends within record " + std::to_string(record_ + 1)));
    if (packed.kind >> 4 > 6)
      throw TraceError(file_.path() + ": record " + std::to_string(record_ + 1) + " is of " +
                       std::to_string(1 << (packed.kind >> 4)) + " bytes: must be at most 64");
    ++record_;
    next_ = packed.access();
  }

  void begin() {
    char magic[sizeof kPackedMagic];
    if (file_.read(magic, sizeof magic) != sizeof magic || std::memcmp(magic, kPackedMagic, sizeof magic) != 0)
      throw TraceError(file_.path() + ": is no trace of format weir: its first bytes are not \"weir-trace-1\"");
    record_ = 0;
  }

  ByteReader file_;
  Access next_;
  uint64_t record_ = 0;  // of `next_`, from 1
};

class TextWriter final : public TraceWriter {
 public:
  TextWriter(const std::string& path, const TraceFormat& format) : file_(path), format_(format) {}

  void write(const Access& access) override {
    if (!waits_) {
      first_ = access;
      waits_ = true;
      return;
    }
    waits_ = !print(&access);
    first_ = access;
  }

  void close() override {
    if (waits_) print(nullptr);
    file_.close();
  }

 private:
  /// The line of `first_`; whether the access after it is in it, too.
  bool print(const Access* next) try {
    bool second = false;
    const std::string line = format_.print(first_, next, second);
    file_.write(line.data(), line.size());
    printed_ += second ? 2 : 1;
    return second;
  } catch (const std::invalid_argument& error) {
    throw TraceError(file_.path() + ": access " + std::to_string(printed_ + 1) + ": " + error.what());
  }

  ByteWriter file_;
  const TraceFormat& format_;
  Access first_;
  bool waits_ = false;
  uint64_t printed_ = 0;  // accesses
};

class PackedWriter final : public TraceWriter {
 public:
  explicit PackedWriter(const std::string& path) : file_(path) { file_.write(kPackedMagic, sizeof kPackedMagic); }

  void write(const Access& access) override {
    const PackedAccess packed = PackedAccess::of(access);
    file_.write(&packed, sizeof packed);
  }
  void close() override { file_.close(); }

 private:
  ByteWriter file_;
};

}  // namespace

std::optional<TraceName> traceName(const std::string& word) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos || colon + 1 == word.size()) return std::nullopt;
  return TraceName{word.substr(0, colon), word.substr(colon + 1)};
}

std::unique_ptr<Trace> openTrace(const std::string& path, const std::string& format) {
  if (format == "weir") return std::make_unique<PackedTrace>(path);
  return std::make_unique<TextTrace>(path, formatNamed(format));
}

std::unique_ptr<TraceWriter> createTrace(const std::string& path, const std::string& format) {
  if (format == "weir") return std::make_unique<PackedWriter>(path);
  return std::make_unique<TextWriter>(path, formatNamed(format));
}

}  // namespace weir::lab
