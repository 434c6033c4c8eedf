// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/coverage/kernel_runs.h"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

namespace emulated_gpu {
namespace {

/// Written when the program ends.
class Runs {
 public:
  Runs() = default;
  ~Runs() {
    const char* folder = std::getenv("SLIPSTREAM_KERNEL_RUNS");
    if (folder == nullptr || runs_.empty()) return;
    std::ofstream file(std::string(folder) + "/" + std::to_string(::getpid()) + ".txt");
    for (const auto& [kernel, test] : runs_) file << kernel << '\t' << test << '\n';
  }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  void add(const std::string& kernel) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string name = test == nullptr ? "" : std::string(test->test_suite_name()) + "." + test->name();
    const std::lock_guard lock(mutex_);
    runs_.emplace(kernel, name);
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> runs_;
};

}  // namespace

void noteKernelRun(const std::string& kernel) {
  static Runs all;
  all.add(kernel);
}

}  // namespace emulated_gpu
