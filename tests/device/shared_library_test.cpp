// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shared_library.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr const char* mathematics = "libm.so.6";

TEST(SharedLibrary, GivesItsFunctions) {
  const auto library = SharedLibrary::open(mathematics, "", "");
  ASSERT_TRUE(library);
  double (*squareRoot)(double) = nullptr;
  library->find(squareRoot, "sqrt");
  ASSERT_NE(squareRoot, nullptr);
  EXPECT_EQ(squareRoot(9.0), 3.0);
}

TEST(SharedLibrary, NamesAFunctionThatItLacks) {
  const auto library = SharedLibrary::open(mathematics, "", "");
  ASSERT_TRUE(library);
  double (*unknown)(double) = nullptr;
  try {
    library->find(unknown, "squareRootOfABanana");
    FAIL() << "there is no such function";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "libm.so.6 has no function squareRootOfABanana: it is too old");
  }
}

TEST(SharedLibrary, IsAFailureWithARemedyWhereItIsMissing) {
  const auto library = SharedLibrary::open("libslipstream-nowhere.so", "", "install it");
  ASSERT_FALSE(library);
  EXPECT_TRUE(library.error()[0].problem.starts_with("a library cannot be loaded: libslipstream-nowhere.so: "));
  EXPECT_EQ(library.error()[0].remedy, "install it");
}

TEST(SharedLibrary, IsFoundUnderItsPathToo) {
  EXPECT_TRUE(SharedLibrary::open("libslipstream-nowhere.so", mathematics, ""));
}

}  // namespace
}  // namespace slipstream
