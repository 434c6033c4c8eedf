// SPDX-License-Identifier: GPL-3.0-or-later
// Takes screenshots of every page in both themes, both languages, two sizes, and at a scale of 200 %:
// slipstream_screenshots STORE FOLDER [PAGE...] [WIDTHxHEIGHT...] Sizes replace the two and the scale. Beside the
// pages: "many" are the charts of 200 runs, of no store of anybody's; "live" is the page of charts while a run goes on,
// "problems" the rank table with its problems open.
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "engine/analysis/run_colours.h"
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/process_identity.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "engine/record/metric_info.h"
#include "tests/support/finished_runs.h"
#include "tests/ui/drawn_whole.h"
#include "tests/ui/wait_until.h"
#include "ui/charts/charts_page.h"
#include "ui/panel/bottom_panel.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/run_table_source.h"
#include "ui/runs/runs_page.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/settings.h"

namespace {

using namespace slipstream::ui;
using slipstream::MetricBlock;
using slipstream::RunRecord;
using slipstream::RunStore;
using slipstream::StoreAccess;

constexpr int answerMilliseconds = 700;

/// The pages by their names on the command line; the welcome page needs an empty store and is taken apart.
const std::map<QString, PageId>& pageIds() {
  static const std::map<QString, PageId> ids{{QStringLiteral("rank-table"), PageId::rankTable},
                                             {QStringLiteral("boost"), PageId::boost},
                                             {QStringLiteral("plan"), PageId::plan},
                                             {QStringLiteral("runs"), PageId::runs},
                                             {QStringLiteral("charts"), PageId::charts},
                                             {QStringLiteral("compare"), PageId::compare},
                                             {QStringLiteral("study"), PageId::study},
                                             {QStringLiteral("ranks"), PageId::ranks},
                                             {QStringLiteral("layers"), PageId::layers},
                                             {QStringLiteral("checkpoints"), PageId::checkpoints},
                                             {QStringLiteral("report"), PageId::report}};
  return ids;
}

struct Appearance {
  ThemeChoice theme;
  QString language;
  QSize size;
  QString name;
};

std::vector<Appearance> appearances(const std::vector<QSize>& sizes) {
  const std::pair<ThemeChoice, QString> themes[] = {{ThemeChoice::light, QStringLiteral("light")},
                                                    {ThemeChoice::dark, QStringLiteral("dark")}};
  std::vector<Appearance> all;
  for (const auto& [theme, name] : themes) {
    for (const char* language : {"en", "zh_CN"}) {
      for (const QSize& size : sizes) {
        const QString tongue = QString::fromLatin1(language);
        const QString scale = qApp->devicePixelRatio() > 1 ? QStringLiteral("-2x") : QString();
        all.push_back(
            {theme, tongue, size, QStringLiteral("%1-%2-%3%4").arg(name, tongue).arg(size.width()).arg(scale)});
      }
    }
  }
  return all;
}

/// Two servers of eight; a rank and an address stand twice, as happens after copying lines.
void openBrokenTable(RankTableDocument& document) {
  const auto made = slipstream::rankTableOfHosts({"10.136.181.171:8", "10.136.181.173:8"}, {});
  if (!made) return;
  using slipstream::RankTableCell;
  slipstream::Json root = slipstream::Json::parse(slipstream::toJsonText(made->table));
  slipstream::setCell(root, {1, 4}, RankTableCell::rank, "11");
  slipstream::setCell(root, {1, 6}, RankTableCell::address, "198.18.1.3");
  document.start(slipstream::rankTableText(root), "cluster_16p.json");
}

bool hasOrthogonality(RunStore& store, const std::string& run) {
  const std::vector<std::string> names = store.metricNames(run);
  return std::any_of(names.begin(), names.end(), [](const auto& name) { return name.starts_with("orthogonality/"); });
}

/// Of the launch with most runs the first one that has something to show on every page; null where none has.
template <class Runs, class RecordOf>
const RunRecord* modelAmong(RunStore& store, const Runs& runs, RecordOf recordOf) {
  std::map<std::string, int> runsOfGroup;
  for (const auto& run : runs) ++runsOfGroup[recordOf(run).group];
  const RunRecord* model = nullptr;
  for (const auto& run : runs) {
    const RunRecord& record = recordOf(run);
    const bool larger = model == nullptr || runsOfGroup[record.group] > runsOfGroup[model->group];
    if (larger && hasOrthogonality(store, record.id)) model = &record;
  }
  return model;
}

/// What one rank measured in these steps, as if it had just been measured.
MetricBlock partOf(RunStore& store, const RunRecord& run, int rank, std::size_t first, std::size_t count) {
  MetricBlock block;
  std::vector<slipstream::Series> columns;
  const slipstream::Series loss = store.rankSeries(run.id, "loss", rank);
  for (const std::string& name : store.metricNames(run.id)) {
    slipstream::Series series = store.rankSeries(run.id, name, rank);
    if (series.steps != loss.steps) continue;
    block.names.push_back(name);
    columns.push_back(std::move(series));
  }
  const std::size_t end = std::min(first + count, loss.steps.size());
  const std::int64_t later = end == 0 ? 0 : slipstream::wallNanoseconds() - loss.wallNanoseconds[end - 1];
  for (std::size_t row = first; row < end; ++row) {
    block.steps.push_back(loss.steps[row]);
    block.wallNanoseconds.push_back(loss.wallNanoseconds[row] + later);
    for (const slipstream::Series& column : columns) block.values.push_back(column.values[row]);
  }
  return block;
}

/// A run that this process seems to carry on: one that has ended is done again, step by step.
class LivingRun {
 public:
  LivingRun(RunStore& store, const RunRecord& model) : model_(model) {
    slipstream::NewRun asked = model;
    asked.seed += 1;
    id_ = store.createRun(asked);
    store.setSupervisor(id_, slipstream::thisProcess());
    attempt_ = store.startAttempt(id_, 0);
    const auto steps = static_cast<double>(store.series(model.id, "loss").steps.size());
    goOn(store, static_cast<std::size_t>(0.67 * steps));
    store.setState(id_, slipstream::RunState::running, "");
  }
  const std::string& id() const { return id_; }
  /// The run whose steps it does again.
  const std::string& model() const { return model_.id; }
  void goOn(RunStore& store, std::size_t steps) {
    ++sequence_;
    for (int rank = 0; rank < model_.ranks; ++rank) {
      const MetricBlock block = partOf(store, model_, rank, done_, steps);
      if (!block.steps.empty()) store.appendMetrics(id_, attempt_, rank, sequence_, block);
    }
    if (const MetricBlock block = evaluationsOf(store, steps); !block.steps.empty()) {
      store.appendMetrics(id_, attempt_, 0, ++sequence_, block);
    }
    for (slipstream::CheckpointRow row : store.checkpoints(model_.id)) {
      const auto step = static_cast<std::size_t>(row.step);
      if (step <= done_ || step > done_ + steps) continue;
      row.attempt = attempt_;
      row.wallNanoseconds = slipstream::wallNanoseconds();
      store.addCheckpoint(id_, row);
    }
    done_ += steps;
  }

 private:
  /// Those among the next steps.
  MetricBlock evaluationsOf(RunStore& store, std::size_t steps) const {
    MetricBlock block;
    block.names = {slipstream::metric::accuracy};
    const slipstream::Series series = store.series(model_.id, block.names.front());
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      const auto step = static_cast<std::size_t>(series.steps[i]);
      if (step <= done_ || step > done_ + steps) continue;
      block.steps.push_back(series.steps[i]);
      block.wallNanoseconds.push_back(slipstream::wallNanoseconds());
      block.values.push_back(series.values[i]);
    }
    return block;
  }

  RunRecord model_;
  std::string id_;
  int attempt_ = 0;
  std::int64_t sequence_ = 0;
  std::size_t done_ = 0;
};

/// What the pages are about.
struct Scene {
  Workspace workspace;
  std::vector<std::string> ended;
  std::string ofLayers;  ///< the run with most to show there

  void open(const std::filesystem::path& folder) {
    if (const auto opened = workspace.store().open(folder); !opened) throw slipstream::Error(toText(opened.error()));
    QTest::qWait(answerMilliseconds);
    QFile example(QStringLiteral(":/experiments/quickstart.json"));
    const bool isUsed = !workspace.store().snapshot()->runs.empty();  // a new user has opened nothing
    if (isUsed && example.open(QIODevice::ReadOnly)) workspace.experiment().start(example.readAll().toStdString());
    const auto store = RunStore::open(folder, StoreAccess::read);
    const auto& rows = workspace.store().snapshot()->runs;
    const RunRecord* model = nullptr;
    if (store) model = modelAmong(**store, rows, [](const RunRow& row) -> const RunRecord& { return row.run; });
    if (model == nullptr && !rows.empty()) model = &rows.front().run;
    if (model != nullptr) chooseBeside(*model, rows);
  }
  /// The runs of one variant and of another one of the same launch: what a person has in view, of however many.
  template <class Rows>
  void chooseBeside(const RunRecord& model, const Rows& rows) {
    ofLayers = model.id;
    std::optional<std::string> other;
    for (const RunRow& row : rows) {
      if (row.run.group != model.group) continue;
      if (row.run.variant != model.variant && !other) other = row.run.variant;
      if (row.run.variant == model.variant || row.run.variant == other) ended.push_back(row.run.id);
    }
  }
  void close() {
    workspace.experiment().discard();
    workspace.rankTable().discard();
  }
};

/// A sweep of very many runs, whose charts are taken in the sizes of common screens.
class Sweep {
 public:
  explicit Sweep(QString folder) : folder_(std::move(folder)) {
    const std::filesystem::path store = store_.path().toStdString();
    const auto opened = RunStore::open(store, StoreAccess::write);
    if (!opened) throw slipstream::Error(toText(opened.error()));
    for (int i = 0; i < sweptRuns; ++i) {
      const double quality = 0.5 + 0.5 * std::sin(2.4 * i);
      runs_.push_back(slipstream::test::recordRun(**opened, {.variant = "rate " + std::to_string(i + 1),
                                                             .accuracy = 0.9 + 0.09 * quality,
                                                             .steps = 468,
                                                             .ranks = 1,
                                                             .adasum = i % 2 == 0}));
    }
    scene_.open(store);
  }
  void take() {
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
      for (const char* language : {"en", "zh_CN"}) {
        useLanguage(QString::fromLatin1(language));
        applyTheme(*qApp, theme);
        const QString name =
            QStringLiteral("%1-%2").arg(theme == ThemeChoice::dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                        QString::fromLatin1(language));
        for (const QSize& size : {QSize(1280, 720), QSize(1440, 900)}) take(name, size);
      }
    }
    scene_.close();
  }

 private:
  static constexpr int sweptRuns = 200;

  void take(const QString& name, const QSize& size) {
    MainWindow window(scene_.workspace);
    window.resize(size);
    window.show();
    for (const std::size_t count : {runs_.size(), std::size_t{3}}) {
      const std::vector<std::string> shown(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(count));
      scene_.workspace.selection().setShown(shown, shown.front());
      window.showPage(PageId::charts);
      if (!slipstream::test::answered(scene_.workspace)) throw slipstream::Error("a page is not answered");
      auto* page = window.findChild<ChartsPage*>();
      MetricChart* chart = page->charts().front();
      Q_EMIT chart->cursorMoved(240.0);
      if (!slipstream::test::answered(scene_.workspace)) throw slipstream::Error("a page is not answered");
      slipstream::test::drawnWhole(window).save(
          QStringLiteral("%1/many-%2-%3-%4.png").arg(folder_, name).arg(size.width()).arg(count));
    }
  }

  QTemporaryDir store_;
  QString folder_;
  std::vector<std::string> runs_;
  Scene scene_;
};

/// The pages of a store that is at rest; then those of one that is alive, and of one that is empty.
class Studio {
 public:
  Studio(const std::filesystem::path& store, QString folder, QStringList pages, std::vector<QSize> sizes)
      : folder_(std::move(folder)), pages_(std::move(pages)), sizes_(std::move(sizes)) {
    const auto copy = [&](const char* name) {
      const std::filesystem::path place = stores_.path().toStdString();
      std::filesystem::copy(store, place / name, std::filesystem::copy_options::recursive);
      return place / name;
    };
    rest_ = copy("runs");
    alive_ = copy("live");
    auto opened = RunStore::open(alive_, StoreAccess::write);
    if (!opened) throw slipstream::Error(toText(opened.error()));
    aliveStore_ = std::move(*opened);
    const std::vector<RunRecord> runs = aliveStore_->runs();
    const auto itself = [](const RunRecord& run) -> const RunRecord& { return run; };
    if (const RunRecord* model = modelAmong(*aliveStore_, runs, itself)) living_.emplace(*aliveStore_, *model);
  }

  void take() {
    Scene rest, alive, empty;
    rest.open(rest_);
    alive.open(alive_);
    empty.open(std::filesystem::path(stores_.path().toStdString()) / "runs-of-a-new-user");
    for (const Appearance& appearance : appearances(sizes_)) {
      useLanguage(appearance.language);
      applyTheme(*qApp, appearance.theme);
      const auto wanted = [&](const char* page) { return pages_.contains(QLatin1String(page)); };
      takeRest(rest, appearance);
      if (wanted("live") && living_) takeLive(alive, appearance);
      if (wanted("welcome")) takePage(empty, appearance, PageId::welcome, QStringLiteral("welcome"));
    }
    for (Scene* scene : {&rest, &alive, &empty}) scene->close();
  }

 private:
  void grab(MainWindow& window, Scene& scene, const Appearance& appearance, const QString& name) const {
    if (!slipstream::test::answered(scene.workspace)) throw slipstream::Error("a page is not answered");
    QTest::qWait(answerMilliseconds);
    if (QWidget* focus = window.focusWidget()) focus->clearFocus();
    if (name == QStringLiteral("plan")) showFirstProblem(scene);
    slipstream::test::drawnWhole(window).save(QStringLiteral("%1/%2-%3.png").arg(folder_, name, appearance.name));
  }
  /// As F8 does: its setting has the focus, whose help is shown.
  static void showFirstProblem(Scene& scene) {
    const Problems problems = scene.workspace.experiment().problems();
    if (!problems.empty()) problems.front().show();
    QTest::qWait(answerMilliseconds);
  }
  /// In the middle of the run, as a pointer does that rests there.
  static void placeCursor(Scene& scene, MainWindow& window) {
    if (!slipstream::test::answered(scene.workspace)) throw slipstream::Error("a page is not answered");
    MetricChart* chart = window.findChild<ChartsPage*>()->charts().front();
    Q_EMIT chart->cursorMoved((chart->model().first + chart->model().last) / 2);
  }
  /// The same on the page of layers, whose panels share it.
  static void placeCursorOnLayers(Scene& scene, MainWindow& window) {
    if (!slipstream::test::answered(scene.workspace)) throw slipstream::Error("a page is not answered");
    auto* chart = window.page(PageId::layers)->findChild<LineChart*>();
    Q_EMIT chart->cursorMoved((chart->model().first + chart->model().last) / 2);
  }
  void takePage(Scene& scene, const Appearance& appearance, PageId page, const QString& name) const {
    MainWindow window(scene.workspace);
    window.resize(appearance.size);
    window.show();
    window.showPage(page);
    if (page == PageId::charts) placeCursor(scene, window);
    grab(window, scene, appearance, name);
  }
  /// The best first, three of them ticked.
  static void arrangeTable(Scene& scene, RunsPage& page) {
    page.setSort({{*slipstream::findRunColumn("accuracy"), true}});
    const bool read =
        QTest::qWaitFor([&] { return page.source().table() && page.source().table()->unread == 0; }, 60'000);
    if (!read) throw slipstream::Error("the table of runs is not read");
    std::set<std::string> ticked;
    for (const TableRow& row : page.source().table()->rows) {
      if (row.run != nullptr && ticked.size() < 3) ticked.insert(row.run->run.id);
    }
    page.model().setTicked(ticked);
    for (const TableRow& row : page.source().table()->rows) {
      if (row.run == nullptr) continue;
      scene.workspace.selection().setShown(scene.ended, row.run->run.id);
      break;
    }
  }
  void takeRest(Scene& scene, const Appearance& appearance) const {
    MainWindow window(scene.workspace);
    window.resize(appearance.size);
    window.show();
    for (const QString& name : pages_) {
      const auto page = pageIds().find(name);
      const bool layers = page != pageIds().end() && page->second == PageId::layers;
      scene.workspace.selection().setShown(scene.ended,
                                           layers || scene.ended.empty() ? scene.ofLayers : scene.ended.front());
      // Of the pages of the table: what is wrong with it is listed below all of them.
      if (name == QStringLiteral("problems") || name == QStringLiteral("rank-table")) {
        openBrokenTable(scene.workspace.rankTable());
        QTest::qWait(50);  // the page looks at what is opened
      } else {
        scene.workspace.rankTable().discard();
      }
      if (name == QStringLiteral("problems")) {
        window.showPage(PageId::rankTable);
        auto* panel = window.findChild<BottomPanel*>();
        panel->open(BottomPanel::Tab::problems);
        panel->showNextProblem();
        grab(window, scene, appearance, name);
        panel->close();
      } else if (page != pageIds().end()) {
        window.showPage(page->second);
        if (page->second == PageId::runs) arrangeTable(scene, *static_cast<RunsPage*>(window.page(PageId::runs)));
        if (page->second == PageId::charts) placeCursor(scene, window);
        if (page->second == PageId::layers) placeCursorOnLayers(scene, window);
        grab(window, scene, appearance, name);
      }
    }
  }
  void takeLive(Scene& scene, const Appearance& appearance) {
    living_->goOn(*aliveStore_, 1);
    scene.workspace.store().poll();
    scene.workspace.selection().setShown(besideLiving(scene), living_->id());
    takePage(scene, appearance, PageId::charts, QStringLiteral("live"));
  }

  /// The run that goes on, and one of each of two variants that have ended, in three colours.
  std::vector<std::string> besideLiving(Scene& scene) const {
    std::vector<std::string> shown{living_->id()};
    std::set<int> colours;
    std::set<std::string> variants;
    const auto colourOf = [](const RunRow& row) { return row.run.colourSlot % slipstream::runColourCount; };
    for (const RunRow& row : scene.workspace.store().snapshot()->runs) {
      if (row.run.id == living_->id()) colours.insert(colourOf(row));
    }
    for (const RunRow& row : scene.workspace.store().snapshot()->runs) {
      const bool isShown = std::ranges::find(scene.ended, row.run.id) != scene.ended.end();
      if (!isShown || row.run.id == living_->model() || colours.contains(colourOf(row)) ||
          !variants.insert(row.run.variant).second)
        continue;
      colours.insert(colourOf(row));
      shown.push_back(row.run.id);
    }
    return shown;
  }

  QTemporaryDir stores_;
  std::filesystem::path rest_, alive_;
  QString folder_;
  QStringList pages_;
  std::vector<QSize> sizes_;
  std::unique_ptr<RunStore> aliveStore_;
  std::optional<LivingRun> living_;
};

/// The same pages by a process of its own, as Qt takes its scale from the environment when it starts.
void takeAtTwiceTheScale(QStringList arguments) {
  QProcess again;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
  again.setProcessEnvironment(environment);
  again.setProcessChannelMode(QProcess::ForwardedChannels);
  again.start(QCoreApplication::applicationFilePath(), arguments.mid(1) << QStringLiteral("1280x720"));
  again.waitForFinished(-1);
  if (again.exitStatus() != QProcess::NormalExit || again.exitCode() != 0) {
    throw slipstream::Error("no screenshots at a scale of 200 %");
  }
}

}  // namespace

int main(int count, char** values) {
  if (count < 3) {
    std::fputs("slipstream_screenshots STORE FOLDER [PAGE...]\n", stderr);
    return 2;
  }
  QCoreApplication::setApplicationName(QStringLiteral("slipstream-pictures"));
  const QApplication application(count, values);
  const QStringList arguments = QCoreApplication::arguments();
  Settings::forgetLayouts();
  QStringList pages;
  std::vector<QSize> sizes;
  for (const QString& word : arguments.mid(3)) {
    static const QRegularExpression size(QStringLiteral("^(\\d+)x(\\d+)$"));
    const auto found = size.match(word);
    if (!found.hasMatch()) pages << word;
    if (found.hasMatch()) sizes.emplace_back(found.captured(1).toInt(), found.captured(2).toInt());
  }
  const bool chosen = !sizes.empty();
  if (!chosen) sizes = {QSize(1280, 720), QSize(1440, 900)};
  if (pages.isEmpty()) {
    pages = {QStringLiteral("welcome"), QStringLiteral("problems"), QStringLiteral("live")};
    for (const auto& [name, page] : pageIds()) pages << name;
  }
  QDir().mkpath(arguments[2]);
  try {
    if (pages.removeAll(QStringLiteral("many")) > 0) Sweep(arguments[2]).take();
    if (!pages.isEmpty()) Studio(arguments[1].toStdString(), arguments[2], pages, sizes).take();
    if (!chosen) takeAtTwiceTheScale(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
