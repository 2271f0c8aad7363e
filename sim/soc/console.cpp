// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <stdexcept>

namespace weir::soc {

namespace {

// More than any text that is looked for; a guest that never ends its line takes no more memory.
constexpr size_t kLongestLine = 4096;

}  // namespace

Console::Console() : terminal_(isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &saved_) == 0) {
  if (!terminal_) return;
  termios raw = saved_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

Console::~Console() {
  std::fflush(stdout);
  if (terminal_) tcsetattr(STDIN_FILENO, TCSANOW, &saved_);
}

void Console::finish() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw std::runtime_error("the console cannot be written whole");
}

void Console::write(uint8_t byte) {
  std::fputc(byte, stdout);
  ++bytes_;
  if (byte == '\r') return;
  if (byte != '\n') {
    if (line_.size() >= kLongestLine) line_.erase(0, kLongestLine / 2);
    line_.push_back(static_cast<char>(byte));
    return;
  }
  std::fflush(stdout);
  static const std::regex kColours("\x1b\\[[0-9;]*m");
  static const std::regex kHeadline("-+=+ *(.*?) *=+-+");
  const std::string plain = std::regex_replace(line_, kColours, "");
  std::smatch match;
  if (std::regex_match(plain, match, kHeadline)) section_ = match[1];
  line_.clear();
}

std::optional<uint8_t> Console::read() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (!open_ || poll(&input, 1, 0) <= 0) return std::nullopt;
  uint8_t byte;
  if (::read(STDIN_FILENO, &byte, 1) == 1) return byte;
  open_ = false;
  return std::nullopt;
}

}  // namespace weir::soc
