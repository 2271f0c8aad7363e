// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a file has, in a message.
#pragma once

#include <string>
#include <string_view>

namespace weir::lab {

/// The begin of a text, at most 60 characters; bytes that no terminal shows are \xNN.
inline std::string shown(std::string_view text) {
  constexpr size_t kMost = 60;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string found;
  for (const char each : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x20 && byte < 0x7f)
      found += each;
    else
      found += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return found + (text.size() > kMost ? "..." : "");
}

/// `shown` within quotation marks.
inline std::string quoted(std::string_view text) { return "\"" + shown(text) + "\""; }

}  // namespace weir::lab
