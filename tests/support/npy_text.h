// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slipstream::test {

/// A file of numpy's format, version 1.0, of these values in C order. `type`: "<f4", "|u1", ...
template <class Value>
std::string npyText(const std::string& type, const std::vector<std::int64_t>& shape, const std::vector<Value>& values) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, fmt::join(shape, ", "));
  header.append(63 - (10 + header.size()) % 64, ' ').push_back('\n');
  std::string text("\x93NUMPY\x01\x00", 8);
  text.push_back(static_cast<char>(header.size() % 256));
  text.push_back(static_cast<char>(header.size() / 256));
  text += header;
  return text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

}  // namespace slipstream::test
