// SPDX-License-Identifier: Apache-2.0
/// @file
/// The bytes of a file, plain or compressed by zstd.
#pragma once

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::lab {

/// Reads a file from front to back. A file that begins with zstd's magic number is decompressed. Throws TraceError.
class ByteReader {
 public:
  explicit ByteReader(const std::string& path);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;

  /// As many bytes as asked for, fewer at the end.
  size_t read(void* to, size_t bytes);
  /// The next line without its end; false at the end of the file.
  bool line(std::string& text);
  void rewind();
  const std::string& path() const { return path_; }

 private:
  bool more();

  const std::string path_;
  std::FILE* file_;
  ZSTD_DStream* zstd_ = nullptr;
  std::vector<uint8_t> compressed_, plain_;
  ZSTD_inBuffer in_{};
  size_t at_ = 0, end_ = 0;  // of what is in plain_
  bool withinFrame_ = false;
};

/// Where what becomes the file `path` is written until it is whole: beside it, with `.new` behind its name, which of a
/// link is that of the file it leads to. Nothing for what is no file, such as a pipe, where it is written at once.
std::optional<std::string> placeOfNew(const std::string& path);

/// Writes a file, compressed by zstd when its name ends in .zst. Throws TraceError. Until `close` the name has what it
/// had before; without it nothing is left of what was written, so that a trace that is cut is never taken for a whole.
class ByteWriter {
 public:
  explicit ByteWriter(const std::string& path);
  ~ByteWriter();
  ByteWriter(const ByteWriter&) = delete;

  void write(const void* from, size_t bytes);
  void close();
  const std::string& path() const { return path_; }

 private:
  void compress(const void* from, size_t bytes, ZSTD_EndDirective directive);
  void put(const void* from, size_t bytes);

  const std::string path_;
  std::optional<std::string> new_;  // until it has become the file
  std::FILE* file_;
  ZSTD_CStream* zstd_ = nullptr;
  std::vector<uint8_t> compressed_;
};

}  // namespace weir::lab
