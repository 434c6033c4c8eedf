// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/paper/paper.h"
#include "tests/support/written_study.h"

namespace slipstream::test {

/// Papers of a study whose runs are written, read back file by file.
class WrittenPapers : public WrittenStudy {
 public:
  using Files = std::map<std::string, std::string>;

  void finishedStudy() {
    begin({{"measure", "accuracy"}, {"margin", 0.002}}, {{"least", 5}});
    finish([](const StudyCell& cell) {
      const auto seed = static_cast<double>(cell.seed + cell.variant.size());
      return (cell.variant == "mean" ? 0.92 : 0.97) + 0.0006 * std::sin(7 * seed);
    });
    store->studies().setState(number, StudyState::done);
  }
  void failedStudy() {
    finishedStudy();
    store->setState(cells().front().run, RunState::failed, "the loss is no number");
  }

  Files write(const std::string& name, const PaperForm& form = {}) { return written({*store, record()}, name, form); }
  Files writeRuns(const std::string& name, const PaperForm& form = {}) {
    return written({*store, std::nullopt, store->runs()}, name, form);
  }

  TemporaryFolder places;

 private:
  Files written(const PaperSubject& subject, const std::string& name, const PaperForm& form) {
    const std::filesystem::path folder = places.path() / name;
    const Status done = writePaper(subject, folder, form);
    EXPECT_TRUE(done) << (done ? "" : toText(done.error()));
    Files files;
    if (!done) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      files[entry.path().lexically_relative(folder.parent_path()).string()] = readFile(entry.path()).value();
    }
    return files;
  }
};

}  // namespace slipstream::test
