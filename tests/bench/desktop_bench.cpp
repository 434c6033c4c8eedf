// SPDX-License-Identifier: GPL-3.0-or-later
// The window's charts without a display: opening a series of 1,000,000 samples, a frame of panning and zooming, 64 runs
// over each other, 200 such long series, and the longest that one event keeps the window. Prints JSON lines.
// Usage: bench_desktop [FOLDER [LONG SERIES]]
#include <QCoreApplication>
#include <QEventLoop>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/random.h"
#include "tests/bench/bench_numbers.h"
#include "tests/support/finished_runs.h"
#include "tests/ui/gui_watchdog.h"
#include "ui/charts/charts_page.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/run_table_source.h"
#include "ui/runs/runs_page.h"
#include "ui/theme/theme.h"

namespace slipstream::bench {
namespace {

using namespace slipstream::ui;

constexpr int repetitions = 31;
constexpr int pageWidth = 984, pageHeight = 640;  ///< of the page in a window of 1280 x 800
constexpr std::int64_t longSteps = 1'000'000, manySteps = 10'000;
constexpr int manyRuns = 64;
constexpr int tableRuns = 10'000;

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
      const double value = step % spikeEvery == 7 ? 9.0 : 2.3 * std::exp(-4 * done) + 0.1 * random.uniform();
      block.values.push_back(static_cast<double>(static_cast<float>(value)));  // as losses are
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

/// Runs of many launches, as a sweep leaves them: a few values each.
void recordTable(RunStore& store) {
  constexpr int runsOfLaunch = 64;
  Random random(1, RandomStream::test);
  RunPlan plan = test::planOf(test::FinishedRun{"averaged", 1, 0.9, 20, 2});
  store.begin();
  for (int i = 0; i < tableRuns; ++i) {
    plan.experiment.optimizer.schedule.maximum = 0.01 * (1 + i % 16);
    NewRun asked = test::sampleRun(fmt::format("run {}", i));
    asked.variant = i % 2 == 0 ? "averaged" : "adasum";
    asked.group = fmt::format("launch {}", i / runsOfLaunch);
    asked.seed = static_cast<std::uint64_t>(i % 5);
    asked.planText = toJsonText(plan);
    const std::string run = store.createRun(asked);
    const int attempt = store.startAttempt(run, 0);
    store.appendMetrics(run, attempt, 0, 1,
                        test::block(0, 20, {"loss", "step_seconds"}, [&](auto, auto) { return random.uniform(); }));
    store.appendMetrics(run, attempt, 0, 2,
                        test::block(20, 1, {"accuracy"}, [&](auto, auto) { return random.uniform(); }));
    store.setState(run, RunState::done, "");
  }
  store.commit();
}

/// From what a hand does to the table being on the screen as it was asked for, and the longest slot meanwhile.
void measureTable(const char* name, RunsPage& page, const std::function<void(int)>& act) {
  std::vector<double> whole, processor, slots;
  for (int i = 0; i < repetitions; ++i) {
    bool arranged = false;
    const auto connection =
        QObject::connect(&page.source(), &RunTableSource::arranged, &page, [&] { arranged = true; });
    static_cast<WatchedApplication*>(qApp)->forget();
    const Stopwatch watch;
    const std::clock_t before = std::clock();
    act(i);
    const double acting = 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    waitFor([&] { return arranged; });
    QCoreApplication::processEvents();
    whole.push_back(1e3 * watch.seconds());
    processor.push_back(1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    slots.push_back(std::max(acting, static_cast<WatchedApplication*>(qApp)->longest().cpuMilliseconds));
    QObject::disconnect(connection);
  }
  fmt::print(
      "{{\"bench\":\"desktop table {}\",\"runs\":{},\"milliseconds\":{:.3g},\"p90\":{:.3g},"
      "\"processor_milliseconds\":{:.3g},\"longest_slot_milliseconds\":{:.3g},\"repetitions\":{},\"goal\":50,\"slot_"
      "goal\":16}}\n",
      name, tableRuns, median(whole), quantile(whole, 0.9), median(processor), quantile(slots, 1), repetitions);
}

/// A filter as it stands in the line, without the pause that typing has.
void filterBy(RunsPage& page, const std::string& text, const std::vector<SortKey>& sort) {
  const auto query = RunQuery::parse(text);
  if (!query) throw Error(toText(query.error()));
  page.source().ask({*query, sort, findRunColumn("group"), {}});
}

void measureTables(const std::filesystem::path& folder) {
  recordTable(*openStore(folder));
  Workspace workspace;
  if (const auto opened = workspace.store().open(folder); !opened) throw Error(toText(opened.error()));
  waitFor([&] { return workspace.store().snapshot()->runs.size() == tableRuns; });
  RunsPage page(workspace, nullptr);
  page.resize(pageWidth, pageHeight);
  static_cast<WatchedApplication*>(qApp)->forget();
  const Stopwatch watch;
  page.show();
  waitFor([&] { return page.model().rowCount() > 0; });
  page.grab();
  const double first = 1e3 * watch.seconds();
  waitFor([&] { return page.source().table()->unread == 0; });
  fmt::print(
      "{{\"bench\":\"desktop table open\",\"runs\":{},\"rows_milliseconds\":{:.4g},\"values_seconds\":{:.3g},"
      "\"longest_slot_milliseconds\":{:.3g}}}\n",
      tableRuns, first, watch.seconds(), static_cast<WatchedApplication*>(qApp)->longest().cpuMilliseconds);
  const std::size_t accuracy = *findRunColumn("accuracy"), rate = *findRunColumn("lr"),
                    name = *findRunColumn("variant");
  measureTable("sort", page, [&](int i) {
    page.setSort({{i % 3 == 0 ? accuracy : i % 3 == 1 ? rate : name, i % 2 == 0}, {accuracy, true}});
  });
  page.setGroup(std::nullopt);
  measureTable("sort ungrouped", page, [&](int i) { page.setSort({{i % 2 == 0 ? accuracy : rate, true}}); });
  measureTable("filter", page, [&](int i) {
    filterBy(page, i % 2 == 0 ? fmt::format("accuracy>{}%", i) : "network:lenet5 lr>0.05 adasum", {{accuracy, true}});
  });
}

QString nameOf(const Stall& stall) {
  return QStringLiteral("%1 event %2").arg(stall.receiver).arg(stall.eventType);
}

/// The window's thread alone: what is drawn at once, from what was drawn before, and the longest event until the chart
/// is drawn anew from samples.
struct Hand {
  std::vector<double> atOnce, anew, event;
  QString slowest;  ///< who got the longest event
};

/// As it is on the screen once its curves are drawn.
void drawWhole(MetricChart& chart) {
  waitFor([&] {
    chart.grab();
    return chart.isDrawn();
  });
}

Hand moveAbout(ChartsPage& page, const std::function<void(MetricChart&, int)>& move, void (MetricChart::*answered)()) {
  MetricChart& chart = *page.charts().front();
  auto* application = static_cast<WatchedApplication*>(qApp);
  Hand hand;
  for (int i = 0; i < repetitions; ++i) {
    bool done = false;
    const auto connection = QObject::connect(&chart, answered, [&] { done = true; });
    application->forget();
    const Stopwatch watch;
    move(chart, i);
    chart.grab();
    hand.atOnce.push_back(1e3 * watch.seconds());
    waitFor([&] { return done; });
    drawWhole(chart);
    hand.anew.push_back(1e3 * watch.seconds());
    const auto& longest = application->longest();
    if (hand.event.empty() || longest.cpuMilliseconds > std::ranges::max(hand.event)) hand.slowest = nameOf(longest);
    hand.event.push_back(longest.cpuMilliseconds);
    QObject::disconnect(connection);
  }
  return hand;
}

void print(const char* name, const Hand& hand, double goal) {
  fmt::print(
      "{{\"bench\":\"desktop {}\",\"at_once_milliseconds\":{:.3g},\"p90\":{:.3g},\"anew_milliseconds\":{:.3g},"
      "\"anew_p90\":{:.3g},\"longest_event_milliseconds\":{:.3g},\"of\":\"{}\",\"repetitions\":{},\"goal\":{}}}\n",
      name, median(hand.atOnce), quantile(hand.atOnce, 0.9), median(hand.anew), quantile(hand.anew, 0.9),
      quantile(hand.event, 1), hand.slowest.toStdString(), repetitions, goal);
}

/// Until the reader has answered all that was asked, and all that was asked for because of it.
void settle(Workspace& workspace, ChartsPage& page) {
  for (int round = 0; round < 6; ++round) {
    bool answered = false;
    workspace.store().reader().read(
        &page, [](RunStore&) { return 0; }, [&](int) { answered = true; });
    waitFor([&] { return answered; });
  }
}

/// Very many long series over each other: until the first of them are seen, and until all are.
void measureMany(const std::filesystem::path& folder, int count) {
  std::vector<std::string> runs;
  {
    const auto store = openStore(folder);
    for (int i = 0; i < count; ++i) runs.push_back(record(*store, longSteps, 1 + static_cast<std::uint64_t>(i)));
  }
  Workspace workspace;
  if (const auto opened = workspace.store().open(folder); !opened) throw Error(toText(opened.error()));
  waitFor([&] { return workspace.store().snapshot()->runs.size() == runs.size(); });
  auto page = std::make_unique<ChartsPage>(workspace, nullptr);
  page->resize(pageWidth, pageHeight);
  page->show();
  QCoreApplication::processEvents();
  auto* application = static_cast<WatchedApplication*>(qApp);
  application->forget();
  const Stopwatch watch;
  workspace.selection().setShown(runs, runs.front());
  waitFor([&] { return !page->charts().empty() && !page->charts().front()->model().curves.empty(); });
  drawWhole(*page->charts().front());
  const double first = 1e3 * watch.seconds();
  waitFor([&] { return page->charts().front()->model().curves.size() == runs.size(); });
  drawWhole(*page->charts().front());
  const double all = 1e3 * watch.seconds();
  fmt::print(
      "{{\"bench\":\"desktop open {} long series\",\"samples\":{},\"first_milliseconds\":{:.4g},"
      "\"milliseconds\":{:.4g},\"longest_event_milliseconds\":{:.3g},\"of\":\"{}\",\"goal\":1000}}\n",
      count, count * longSteps, first, all, application->longest().cpuMilliseconds,
      nameOf(application->longest()).toStdString());
  settle(workspace, *page);
  const auto range = [](double from, double to) {
    return [from, to](MetricChart& chart) { Q_EMIT chart.rangeWanted(from * longSteps, to * longSteps); };
  };
  print(
      "pan many",
      moveAbout(
          *page, [&](MetricChart& chart, int i) { range(0.001 * i, 0.5 + 0.001 * i)(chart); }, &MetricChart::answered),
      16);
  print("zoom many",
        moveAbout(
            *page,
            [&](MetricChart& chart, int i) {
              range(0.5 - 0.5 * std::pow(0.8, i), 0.5 + 0.5 * std::pow(0.8, i + 1))(chart);
            },
            &MetricChart::answered),
        16);
  Q_EMIT page->charts().front()->rangeWanted(-1, 2.0 * longSteps);
  settle(workspace, *page);
  print("cursor many",
        moveAbout(
            *page, [&](MetricChart& chart, int i) { Q_EMIT chart.cursorMoved((0.2 + 0.01 * i) * longSteps); },
            &MetricChart::readingsChanged),
        8);
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
  bench::measureTables(folder);
  std::filesystem::remove_all(folder);
  const int longSeries = count > 2 ? std::atoi(values[2]) : 200;
  if (longSeries > 0) bench::measureMany(folder, longSeries);
  std::filesystem::remove_all(folder);
}
