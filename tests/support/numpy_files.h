// SPDX-License-Identifier: GPL-3.0-or-later
// Files in numpy's formats, made by hand so that a test can make them wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream::test {

/// A .npy file of version 1 with this dictionary as its header.
std::string npyWith(const std::string& dictionary, std::string_view values);
/// A .npy file: type as "<f4", shape as "(2, 3)".
std::string npyOf(const std::string& type, const std::string& shape, std::string_view values,
                  const std::string& byColumns = "False");
/// Values as they lie in memory.
template <class Value>
std::string bytesOfValues(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

/// What an archive says of a member, which need not be so.
struct ZipMember {
  std::string name = {};
  std::string stored = {};  ///< the bytes as they lie in the archive
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::optional<std::uint64_t> size = {};  ///< of the file; else that of `stored`
  std::optional<std::uint32_t> crc = {};   ///< of the file; else that of `stored`
};

/// A member that holds the bytes deflated, and says of them what is so.
ZipMember deflated(const std::string& name, std::string_view bytes);

struct ZipStyle {
  bool zip64 = false;                         ///< sizes, places and the number of members in the fields of ZIP64
  std::optional<std::uint64_t> members = {};  ///< in the end record, else as many as there are
};

std::string zipOf(const std::vector<ZipMember>& members, const ZipStyle& style = {});

}  // namespace slipstream::test
