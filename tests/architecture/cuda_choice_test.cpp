// SPDX-License-Identifier: GPL-3.0-or-later
// Which CUDA toolkit a build takes, and what it says of one that does not fit: cmake/Cuda.cmake, configured by itself
// beside a toolkit that is one in name only.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::HasSubstr;

void putFile(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

struct Configuration {
  bool succeeded = false;
  std::string said;  ///< every run of white space one space, as CMake breaks lines
};

/// With SLIPSTREAM_CUDA=`choice` and nothing but a toolkit of version 12.4.
Configuration configureBesideOldToolkit(const std::string& choice) {
  const test::TemporaryFolder folder;
  const std::filesystem::path place = folder.path();
  putFile(place / "toolkit/bin/nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 12.4, V12.4.99'\n");
  std::filesystem::permissions(place / "toolkit/bin/nvcc", std::filesystem::perms::owner_all);
  putFile(place / "toolkit/include/cuda_runtime.h", "");
  putFile(place / "toolkit/lib64/libcudart.so", "");
  putFile(place / "CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.25)\nproject(choice LANGUAGES CXX)\ninclude(" SLIPSTREAM_SOURCE
          "/cmake/Cuda.cmake)\n");
  FILE* pipe = popen(("cd '" + place.string() + "' && cmake -G Ninja -DCUDAToolkit_ROOT='" + place.string() +
                      "/toolkit' -DSLIPSTREAM_CUDA=" + choice + " -B build 2>&1")
                         .c_str(),
                     "r");
  std::array<char, 4096> part{};
  std::stringstream output;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) output << part.data();
  Configuration configuration{pclose(pipe) == 0, ""};
  for (std::string word; output >> word;) configuration.said += word + " ";
  return configuration;
}

TEST(CudaChoice, AutoLeavesAToolkitOutThatDoesNotFitAndSaysSo) {
  const Configuration configuration = configureBesideOldToolkit("AUTO");
  EXPECT_TRUE(configuration.succeeded) << configuration.said;
  EXPECT_THAT(configuration.said, AllOf(HasSubstr("CUDA Toolkit 12.4.99 was found"),
                                        HasSubstr("nvcc of CUDA Toolkit 13"), HasSubstr("CUDA device: OFF")));
}

TEST(CudaChoice, OnRefusesAToolkitThatDoesNotFit) {
  const Configuration configuration = configureBesideOldToolkit("ON");
  EXPECT_FALSE(configuration.succeeded);
  EXPECT_THAT(configuration.said, AllOf(HasSubstr("SLIPSTREAM_CUDA is ON, but CUDA Toolkit 12.4.99 was found"),
                                        HasSubstr("nvcc of CUDA Toolkit 13")));
}

TEST(CudaChoice, OffLooksForNothingAndOtherWordsAreRefused) {
  const Configuration off = configureBesideOldToolkit("OFF");
  EXPECT_TRUE(off.succeeded) << off.said;
  EXPECT_THAT(off.said, testing::Not(HasSubstr("12.4")));
  const Configuration other = configureBesideOldToolkit("no");
  EXPECT_FALSE(other.succeeded);
  EXPECT_THAT(other.said, HasSubstr("set it to AUTO, ON or OFF"));
}

}  // namespace
}  // namespace slipstream
