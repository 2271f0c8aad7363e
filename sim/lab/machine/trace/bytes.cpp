// SPDX-License-Identifier: Apache-2.0
#include "bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "trace.hpp"

namespace weir::lab {

namespace {

constexpr uint8_t kMagic[] = {0x28, 0xb5, 0x2f, 0xfd};
/// Traces are written once and read often; 3 is zstd's own choice.
constexpr int kLevel = 3;
/// Of a text; words of a trace take a hundred bytes.
constexpr size_t kLongestLine = 4096;

[[noreturn]] void fail(const std::string& path, const std::string& what) { throw TraceError(path + ": " + what); }

}  // namespace

ByteReader::ByteReader(const std::string& path)
    : path_(path),
      file_(std::fopen(path.c_str(), "rb")),
      compressed_(ZSTD_DStreamInSize()),
      plain_(ZSTD_DStreamOutSize()) {
  if (file_ == nullptr) fail(path, std::strerror(errno));
  uint8_t begin[sizeof kMagic] = {};
  const bool magic =
      std::fread(begin, 1, sizeof begin, file_) == sizeof begin && std::memcmp(begin, kMagic, sizeof begin) == 0;
  if (magic) zstd_ = ZSTD_createDStream();
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail(path, "cannot be read from its begin again, as a trace is: no pipe");
  rewind();
}

ByteReader::~ByteReader() {
  ZSTD_freeDStream(zstd_);
  if (file_ != nullptr) std::fclose(file_);
}

void ByteReader::rewind() {
  std::rewind(file_);
  at_ = end_ = 0;
  in_ = {compressed_.data(), 0, 0};
  withinFrame_ = false;
  if (zstd_ != nullptr) ZSTD_initDStream(zstd_);
}

bool ByteReader::more() {
  at_ = 0;
  if (zstd_ == nullptr) {
    end_ = std::fread(plain_.data(), 1, plain_.size(), file_);
    if (end_ == 0 && std::ferror(file_)) fail(path_, "cannot be read");
    return end_ != 0;
  }
  ZSTD_outBuffer out{plain_.data(), plain_.size(), 0};
  while (out.pos == 0) {
    if (in_.pos == in_.size) {
      in_ = {compressed_.data(), std::fread(compressed_.data(), 1, compressed_.size(), file_), 0};
      if (in_.size == 0) {
        if (withinFrame_) fail(path_, "ends within a frame of zstd");
        break;
      }
    }
    const size_t left = ZSTD_decompressStream(zstd_, &out, &in_);
    if (ZSTD_isError(left)) fail(path_, std::string("zstd: ") + ZSTD_getErrorName(left));
    withinFrame_ = left != 0;
  }
  end_ = out.pos;
  return end_ != 0;
}

size_t ByteReader::read(void* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    if (at_ == end_ && !more()) break;
    const size_t part = std::min(bytes - done, end_ - at_);
    std::memcpy(static_cast<uint8_t*>(to) + done, plain_.data() + at_, part);
    at_ += part;
    done += part;
  }
  return done;
}

bool ByteReader::line(std::string& text) {
  text.clear();
  bool any = false;
  while (at_ != end_ || more()) {
    any = true;
    const uint8_t* from = plain_.data() + at_;
    const void* newline = std::memchr(from, '\n', end_ - at_);
    const size_t part = newline != nullptr ? static_cast<const uint8_t*>(newline) - from : end_ - at_;
    text.append(reinterpret_cast<const char*>(from), part);
    if (text.size() > kLongestLine)
      throw std::invalid_argument("is more than " + std::to_string(kLongestLine) + " bytes long");
    at_ += part;
    if (newline != nullptr) {
      ++at_;
      return true;
    }
  }
  return any;
}

std::optional<std::string> placeOfNew(const std::string& path) {
  const std::string end = ".new";  // an extension, which is taken off again
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return path + end;
  if (!std::filesystem::is_regular_file(status)) return std::nullopt;
  // of /dev/stdout, too, which may be a file that has no name any more
  const auto file = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;
  return file.string() + end;
}

ByteWriter::ByteWriter(const std::string& path)
    : path_(path), new_(placeOfNew(path)), file_(std::fopen(new_.value_or(path).c_str(), "wb")) {
  if (file_ == nullptr) fail(path, std::strerror(errno));
  const std::string end = ".zst";
  if (path.size() < end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) return;
  zstd_ = ZSTD_createCStream();
  ZSTD_initCStream(zstd_, kLevel);
  compressed_.resize(ZSTD_CStreamOutSize());
}

ByteWriter::~ByteWriter() {
  ZSTD_freeCStream(zstd_);
  if (file_ != nullptr) std::fclose(file_);
  if (new_) std::remove(new_->c_str());
}

void ByteWriter::put(const void* from, size_t bytes) {
  if (std::fwrite(from, 1, bytes, file_) != bytes) fail(path_, std::strerror(errno));
}

void ByteWriter::compress(const void* from, size_t bytes, ZSTD_EndDirective directive) {
  ZSTD_inBuffer in{from, bytes, 0};
  size_t left = 0;
  do {
    ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
    left = ZSTD_compressStream2(zstd_, &out, &in, directive);
    if (ZSTD_isError(left)) fail(path_, std::string("zstd: ") + ZSTD_getErrorName(left));
    put(compressed_.data(), out.pos);
  } while (in.pos != in.size || (directive == ZSTD_e_end && left != 0));
}

void ByteWriter::write(const void* from, size_t bytes) {
  if (zstd_ != nullptr)
    compress(from, bytes, ZSTD_e_continue);
  else
    put(from, bytes);
}

void ByteWriter::close() {
  if (zstd_ != nullptr) compress(nullptr, 0, ZSTD_e_end);
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail(path_, std::strerror(errno));
  if (!new_) return;
  if (std::rename(new_->c_str(), std::filesystem::path(*new_).replace_extension().c_str()) != 0)
    fail(path_, std::strerror(errno));
  new_.reset();
}

}  // namespace weir::lab
