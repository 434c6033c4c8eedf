// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {
namespace {

thread_local std::string recentWords;

}  // namespace

void violation(const std::string& call, const std::string& what) {
  std::fprintf(stderr, "fake CANN: %s: %s\n", call.c_str(), what.c_str());
  std::abort();
}

void requireAligned(const std::string& call, const void* address) {
  if (reinterpret_cast<std::uintptr_t>(address) % 64 != 0) violation(call, "the address is no multiple of 64");
}

aclError failed(aclError error, const std::string& words) {
  recentWords = words;
  return error;
}

long numberFromEnvironment(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

}  // namespace slipstream::fake

extern "C" const char* aclGetRecentErrMsg() {
  return slipstream::fake::recentWords.c_str();
}
