// SPDX-License-Identifier: Apache-2.0
/// @file
/// A machine's state as bytes: what is written by one run is read by another, through the same code.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace weir::dram {

/// An archive that cannot be read: cut short, of another version, of another machine.
struct ArchiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes or reads state, member by member. A class with state has a function
///
///     void transfer(Archive& archive) {
///       archive("open", open);
///       archive("row", row);
///     }
///
/// that serves both directions; containers of such classes go member by member too. Numbers are stored as the host has
/// them. What a class derives from its configuration is no state: the reader is made with the same configuration.
class Archive {
 public:
  /// Of the format; each change of what any class transfers makes a new one.
  static constexpr std::uint32_t kVersion = 3;

  /// An archive to write into.
  Archive();
  /// An archive to read from.
  /// @param place of the bytes, for errors: a file
  /// @throws ArchiveError if it is none, or of another version
  Archive(std::vector<std::uint8_t> bytes, std::string place);
  virtual ~Archive() = default;

  bool reading() const { return reading_; }

  /// Transfers a member.
  template <typename T>
  void operator()(const char* name, T& value) {
    path_.push_back(name);
    item(value);
    path_.pop_back();
  }

  /// Transfers a number that is no member, such as how many elements follow.
  template <typename T>
  T number(const char* name, T value) {
    (*this)(name, value);
    return value;
  }

  /// Transfers bytes whose number both sides know.
  void raw(const char* name, void* bytes, std::size_t length);

  /// Marks where a part of the machine begins.
  /// @throws ArchiveError if another part begins there
  void section(const std::string& name);

  /// Refuses what was written for another configuration.
  /// @param what it configures, for the error
  /// @throws ArchiveError naming both texts if they differ
  void agree(const std::string& what, const std::string& text);

  /// Ends reading.
  /// @throws ArchiveError if bytes are left
  void finish() const;

  /// What was written.
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 protected:
  /// Moves bytes to or from the archive: the way of all that is transferred.
  virtual void move(void* value, std::size_t length);

  /// The member that is being transferred, with those that it is part of: "checker.ranks.banks.open".
  std::string path() const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  /// Transfers how many elements follow, each of `bytes` at least.
  /// @throws ArchiveError if there is no room for so many in what is left
  std::size_t size(std::size_t size, std::size_t bytes);

  /// Bytes that an element takes, at least.
  template <typename T>
  static constexpr std::size_t kLeastBytes = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> ? sizeof(T) : 1;

  template <typename T>
  void item(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      move(&value, sizeof value);
    else
      value.transfer(*this);
  }
  void item(bool& value);
  void item(std::string& value);
  template <typename T>
  void item(std::vector<T>& values) {
    const std::size_t length = size(values.size(), kLeastBytes<T>);
    if constexpr (std::is_default_constructible_v<T> && !std::is_arithmetic_v<T>) {
      // one after the other, so that memory is taken for what is there alone
      if (reading_) {
        values.clear();
        for (std::size_t number = 0; number < length; ++number) item(values.emplace_back());
        return;
      }
    } else if constexpr (std::is_default_constructible_v<T>)
      values.resize(length);
    else if (length != values.size())
      refuse("holds " + std::to_string(length) + " elements where there are " + std::to_string(values.size()));
    items(values);
  }
  template <typename T, std::size_t N>
  void item(std::array<T, N>& values) {
    items(values);
  }
  template <typename Values>
  void items(Values& values) {
    using T = typename Values::value_type;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      move(values.data(), values.size() * sizeof(T));
    else
      for (T& value : values) item(value);
  }

  bool reading_;
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;  ///< where reading goes on
  std::string place_;
  std::vector<const char*> path_;
};

}  // namespace weir::dram
