// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>

namespace slipstream::test {

/// What `body` throws, in words; empty where it throws nothing.
template <class Body>
std::string errorOf(const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace slipstream::test
