// SPDX-License-Identifier: GPL-3.0-or-later
// The window's charts without a display: opening a series of 1,000,000 samples, a frame of panning and zooming, 64 runs
// over each other, and the longest that one event keeps the window. Prints JSON lines. Usage: bench_desktop [FOLDER]
#include <QCoreApplication>
#include <QEventLoop>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/random.h"
#include "tests/bench/bench_numbers.h"
#include "tests/ui/gui_watchdog.h"
#include "ui/charts/charts_page.h"
#include "ui/theme/theme.h"

namespace slipstream::bench {
namespace {

using namespace slipstream::ui;

constexpr int repetitions = 31;
constexpr int pageWidth = 984, pageHeight = 640;  ///< of the page in a window of 1280 x 800
constexpr std::int64_t longSteps = 1'000'000, manySteps = 10'000;
constexpr int manyRuns = 64;

std::string record(RunStore& store, std::int64_t steps, std::uint64_t seed) {
  constexpr std::int64_t blockSteps = 10'000, spikeEvery = 9973;
  NewRun asked;
  asked.name = fmt::format("run {}", seed);
  asked.experimentName = "bench";
  asked.seed = seed;
  const std::string run = store.createRun(asked);
  const int attempt = store.startAttempt(run, 0);
  Random random(seed, RandomStream::test);
  store.begin();
  for (std::int64_t first = 0; first < steps; first += blockSteps) {
    MetricBlock block{{"loss"}, {}, {}, {}};
    for (std::int64_t step = first; step < std::min(steps, first + blockSteps); ++step) {
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      block.steps.push_back(step);
      block.wallNanoseconds.push_back(1'700'000'000'000'000'000 + 5'000'000 * step);
      block.values.push_back(step % spikeEvery == 7 ? 9.0 : 2.3 * std::exp(-4 * done) + 0.1 * random.uniform());
    }
    store.appendMetrics(run, attempt, 0, first, block);
  }
  store.commit();
  store.setState(run, RunState::done, "");
  store.compact(run);
  return run;
}

std::unique_ptr<RunStore> openStore(const std::filesystem::path& folder) {
  auto store = RunStore::open(folder, StoreAccess::write);
  if (!store) throw Error(toText(store.error()));
  return std::move(*store);
}

/// Sleeps until something comes, so that nothing is added to what is measured.
void waitFor(const std::function<bool()>& happened) {
  const Stopwatch watch;
  while (!happened()) {
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    if (watch.seconds() > 60) throw Error("nothing was drawn within a minute");
  }
}

/// Opens `runs` in a page of its own; returns milliseconds until their loss is on the screen.
double open(Workspace& workspace, const std::vector<std::string>& runs, std::unique_ptr<ChartsPage>& page) {
  workspace.selection().setShown({}, {});
  page = std::make_unique<ChartsPage>(workspace, nullptr);
  page->resize(pageWidth, pageHeight);
  page->show();
  QCoreApplication::processEvents();
  const Stopwatch watch;
  workspace.selection().setShown(runs, runs.front());
  waitFor([&] { return !page->charts().empty() && page->charts().front()->model().curves.size() == runs.size(); });
  page->grab();
  return 1e3 * watch.seconds();
}

/// From what a hand does to the chart being drawn anew from samples thinned for what it shows; and what of it the
/// window's thread was busy with.
struct Frames {
  std::vector<double> whole, window;
};

Frames zoomAbout(ChartsPage& page, double steps, const std::function<std::pair<double, double>(int)>& range) {
  MetricChart& chart = *page.charts().front();
  Frames frames;
  for (int i = 0; i < repetitions; ++i) {
    bool answered = false;
    const auto connection = QObject::connect(&chart, &MetricChart::answered, [&] { answered = true; });
    const auto [first, last] = range(i);
    static_cast<WatchedApplication*>(qApp)->forget();
    const Stopwatch watch;
    Q_EMIT chart.rangeWanted(first * steps, last * steps);
    waitFor([&] { return answered; });
    const Stopwatch drawing;
    chart.grab();
    frames.window.push_back(1e3 * drawing.seconds() + static_cast<WatchedApplication*>(qApp)->longest().milliseconds);
    frames.whole.push_back(1e3 * watch.seconds());
    QObject::disconnect(connection);
  }
  return frames;
}

void print(const char* name, const Frames& frames, double goal) {
  fmt::print(
      "{{\"bench\":\"desktop {}\",\"frame_milliseconds\":{:.3g},\"p90\":{:.3g},\"window_thread_milliseconds\":{:.3g},"
      "\"repetitions\":{},\"goal\":{}}}\n",
      name, median(frames.whole), quantile(frames.whole, 0.9), median(frames.window), repetitions, goal);
}

void measure(const std::filesystem::path& folder) {
  std::string longRun;
  std::vector<std::string> many;
  {
    const auto store = openStore(folder);
    longRun = record(*store, longSteps, 1);
    for (int i = 0; i < manyRuns; ++i) many.push_back(record(*store, manySteps, 2 + static_cast<std::uint64_t>(i)));
  }
  Workspace workspace;
  if (const auto opened = workspace.store().open(folder); !opened) throw Error(toText(opened.error()));
  waitFor([&] { return workspace.store().snapshot()->runs.size() == manyRuns + 1; });
  std::unique_ptr<ChartsPage> page;
  std::vector<double> opening;
  for (int i = 0; i < 9; ++i) opening.push_back(open(workspace, {longRun}, page));
  fmt::print("{{\"bench\":\"desktop open\",\"samples\":{},\"milliseconds\":{:.4g},\"highest\":{:.4g},\"goal\":150}}\n",
             longSteps, median(opening), quantile(opening, 1));
  const auto pan = [](int i) { return std::pair(0.001 * i, 0.5 + 0.001 * i); };
  const auto zoom = [](int i) { return std::pair(0.5 - 0.5 * std::pow(0.8, i), 0.5 + 0.5 * std::pow(0.8, i + 1)); };
  print("pan 1 series", zoomAbout(*page, longSteps, pan), 16);
  print("zoom 1 series", zoomAbout(*page, longSteps, zoom), 16);
  const double openMany = open(workspace, many, page);
  fmt::print("{{\"bench\":\"desktop open 64 runs\",\"samples\":{},\"milliseconds\":{:.4g}}}\n", manyRuns * manySteps,
             openMany);
  print("pan 64 runs", zoomAbout(*page, manySteps, pan), 33);
  print("zoom 64 runs", zoomAbout(*page, manySteps, zoom), 33);
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  ui::WatchedApplication application(count, values);
  ui::applyTheme(application, ui::ThemeChoice::light);
  const std::filesystem::path folder = std::filesystem::path(count > 1 ? values[1] : ".") / "bench_desktop.tmp";
  std::filesystem::remove_all(folder);
  bench::measure(folder);
  std::filesystem::remove_all(folder);
}
