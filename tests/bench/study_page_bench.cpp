// SPDX-License-Identifier: GPL-3.0-or-later
// The window's page of a study in a store of 10,000 runs and 200 studies, without a display: how long until it is drawn
// with its verdict and every figure. Prints JSON lines. Usage: bench_study_page [FOLDER]
#include <QCoreApplication>
#include <QEventLoop>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "tests/bench/bench_numbers.h"
#include "tests/support/sample_study.h"
#include "tests/ui/gui_watchdog.h"
#include "ui/study/study_page.h"
#include "ui/study/study_results.h"
#include "ui/theme/theme.h"

namespace slipstream::bench {
namespace {

using namespace slipstream::ui;

constexpr int repetitions = 11, studies = 200, runsOfStudy = 50;
constexpr int pageWidth = 984, pageHeight = 640;

/// Two variants on three numbers of ranks with eight seeds.
nlohmann::json asked() {
  return {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}}},
          {"factors", {{"parallel.ranks", {2, 4, 8}}}},
          {"seeds", {{"least", 8}}},
          {"question", {{"measure", "steps_to_target"}, {"target", 0.9}, {"margin", 0.05}}}};
}

void fill(RunStore& store, const test::SampleStudy& sample, const StudyRecord& record) {
  NewRun filler = test::sampleRun();
  filler.planText = toJsonText(test::planOf(test::FinishedRun{.variant = "mean"}));
  store.begin();
  for (int i = 1; i < studies; ++i) {
    StudyRecord other = record;
    other.name = fmt::format("study {}", i);
    const std::vector<StudyCell> cells = cellsOf(sample.study());
    const std::int64_t number = store.studies().create(other, cells);
    for (int one = 0; one < runsOfStudy; ++one) {
      filler.seed = static_cast<std::uint64_t>(one);
      const std::string run = store.createRun(filler);
      store.setState(run, RunState::done, "");
      if (one < std::ssize(cells)) store.studies().setRun(number, one + 1, run, "{}", 100);
    }
  }
  store.commit();
}

void waitFor(const std::function<bool()>& happened) {
  const Stopwatch watch;
  while (!happened()) {
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    if (watch.seconds() > 60) throw Error("nothing was drawn within a minute");
  }
}

void print(const char* name, const std::vector<double>& milliseconds) {
  fmt::print(
      "{{\"bench\":\"study page {}\",\"milliseconds\":{:.4g},\"highest\":{:.4g},\"repetitions\":{},\"goal\":100}}\n",
      name, median(milliseconds), quantile(milliseconds, 1), repetitions);
}

void measure(const std::filesystem::path& folder) {
  const auto store = test::openStore(folder);
  test::SampleStudy sample(*store, asked());
  sample.finish([](const StudyCell& cell) {
    test::CellOutcome outcome{
        .run = {.accuracy = cell.variant == "adasum" ? 0.98 : 0.94, .ranks = test::ranksOf(cell)}};
    outcome.run.accuracy += test::seedJitter(cell) * 20;
    return outcome;
  });
  fill(*store, sample, sample.record());
  Workspace workspace;
  if (const auto opened = workspace.store().open(folder); !opened) throw Error(toText(opened.error()));
  workspace.studies().choose(sample.study().name);
  waitFor([&] { return workspace.store().snapshot()->studies.size() == studies; });
  std::vector<double> opening, window;
  for (int i = 0; i < repetitions; ++i) {
    StudyPage page(workspace, nullptr);
    page.resize(pageWidth, pageHeight);
    static_cast<WatchedApplication*>(qApp)->forget();
    const Stopwatch watch;
    page.show();
    waitFor([&] { return page.shown().has_value(); });
    page.grab();
    opening.push_back(1e3 * watch.seconds());
    window.push_back(static_cast<WatchedApplication*>(qApp)->longest().milliseconds);
  }
  print("open", opening);
  fmt::print("{{\"bench\":\"study page longest event\",\"milliseconds\":{:.3g}}}\n", median(window));
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  ui::WatchedApplication application(count, values);
  ui::applyTheme(application, ui::ThemeChoice::light);
  const std::filesystem::path folder = std::filesystem::path(count > 1 ? values[1] : ".") / "bench_study_page.tmp";
  std::filesystem::remove_all(folder);
  bench::measure(folder);
  std::filesystem::remove_all(folder);
}
