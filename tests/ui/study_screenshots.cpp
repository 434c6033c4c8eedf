// SPDX-License-Identifier: GPL-3.0-or-later
// Takes screenshots of the page of studies in both themes, both languages and two sizes, over studies whose runs are
// written rather than trained: one that is finished, by every tab; one that goes on; one whose runs fail; one whose
// base has changed; none; and a new one in its form. slipstream_study_screenshots FOLDER [NAME...]
#include <QApplication>
#include <QDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/study/new_study.h"
#include "tests/support/sample_study.h"
#include "tests/ui/drawn_whole.h"
#include "tests/ui/wait_until.h"
#include "ui/study/matrix_view.h"
#include "ui/study/study_form.h"
#include "ui/study/study_page.h"
#include "ui/study/study_panels.h"
#include "ui/study/study_results.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/settings.h"

namespace {

using namespace slipstream::ui;
using slipstream::RunState;
using slipstream::StudyCell;
using slipstream::StudyState;
using slipstream::test::CellOutcome;

constexpr int answerMilliseconds = 500;

nlohmann::json question(const char* name) {
  return {{"name", name},
          {"reference", "averaged"},
          {"variants",
           {{{"name", "averaged"}}, {{"name", "rate × √N"}}, {{"name", "rate × N, warm-up"}}, {{"name", "adasum"}}}},
          {"factors", {{"parallel.ranks", {4, 8, 16, 32}}}},
          {"seeds", {{"least", 5}, {"most", 10}}},
          {"question", {{"measure", "seconds_to_target"}, {"target", 0.9}, {"margin", 0.1}}},
          {"tuning",
           {{"rule", "external"},
            {"trials", 3},
            {"variants", {"averaged", "adasum"}},
            {"space", {{"optimizer.learning_rate", {{"low", 0.005}, {"high", 0.16}, {"scale", "log"}}}}}}},
          {"budget", {{"hours", 2}}}};
}

double noise(const StudyCell& cell, double scale) {
  return scale * std::sin(12.9 * static_cast<double>(cell.seed) + 7.7 * static_cast<double>(cell.cell % 17));
}

/// The accuracy at the end of a curve that reaches 90 % with the given evaluation of ten, as recordRun draws it.
double accuracyFor(int evaluation) {
  constexpr double ends[] = {0.990, 0.960, 0.930, 0.916, 0.909};
  return ends[std::clamp(evaluation, 4, 8) - 4];
}

/// Larger batches take longer to the target, Adasum less so; the largest rate breaks down on 32 ranks.
CellOutcome asMeasured(const StudyCell& cell) {
  const int ranks = slipstream::test::ranksOf(cell);
  const int larger = static_cast<int>(std::log2(ranks / 4.0));
  const bool adasum = cell.variant == "adasum";
  CellOutcome outcome{.run = {.ranks = ranks, .adasum = adasum}};
  outcome.run.accuracy = accuracyFor(5 + (adasum ? 0 : larger > 1 ? larger - 1 : 0));
  if (cell.variant == "rate × √N" && ranks == 16) outcome.run.accuracy = accuracyFor(cell.seed % 2 == 0 ? 5 : 6);
  outcome.run.stepSeconds = 0.05 * std::pow(1.12, larger) * (adasum ? 1.04 : 1) * (1 + noise(cell, 0.02));
  outcome.seconds = 30 + noise(cell, 3);
  if (cell.variant == "rate × N, warm-up" && ranks == 32) {
    outcome.run.accuracy = cell.seed < 3 ? accuracyFor(8) : 0.88;
    if (cell.seed > 3) outcome.state = RunState::failed;
  }
  return outcome;
}

CellOutcome underWay(const StudyCell& cell) {
  CellOutcome outcome = asMeasured(cell);
  if (cell.trial == 0 && cell.seed > 3)
    outcome.state = cell.seed == 4 && cell.variant == "adasum" ? RunState::running : RunState::draft;
  return outcome;
}

CellOutcome failing(const StudyCell& cell) {
  CellOutcome outcome = asMeasured(cell);
  if (cell.variant == "adasum") outcome.state = RunState::failed;
  return outcome;
}

struct Look {
  ThemeChoice theme;
  QString language;
  QSize size;
  QString name;
};

std::vector<Look> looks() {
  std::vector<Look> all;
  constexpr QSize whole(1280, 1400);  // the tabs from top to bottom
  all.push_back({ThemeChoice::light, QStringLiteral("en"), whole, QStringLiteral("light-en-whole")});
  for (const auto& [theme, name] : {std::pair(ThemeChoice::light, "light"), std::pair(ThemeChoice::dark, "dark")}) {
    for (const char* language : {"en", "zh_CN"}) {
      for (const QSize& size : {QSize(1280, 800), QSize(1024, 640)}) {
        all.push_back({theme, QString::fromLatin1(language), size,
                       QStringLiteral("%1-%2-%3").arg(QLatin1String(name), QLatin1String(language)).arg(size.width())});
      }
    }
  }
  return all;
}

/// A store with one study, and a window on it.
class Scene {
 public:
  Scene(const char* name, CellOutcome (*outcomeOf)(const StudyCell&), StudyState state)
      : store_(slipstream::test::openStore(folder_.path())), sample_(*store_, question(name)) {
    sample_.finish(outcomeOf);
    store_->studies().setState(sample_.number(), state);
    if (state == StudyState::running) store_->studies().setSupervisor(sample_.number(), slipstream::thisProcess());
    open();
  }
  Scene()
      : store_(slipstream::test::openStore(folder_.path())),
        sample_(*slipstream::test::openStore(other_.path()), question("other")) {
    open();
  }

  void changeBase() {
    auto base = nlohmann::json::parse(slipstream::readFile(sample_.base()).value());
    base["train"]["steps"] = 400;
    if (!slipstream::writeFile(sample_.base(), base.dump())) throw slipstream::Error("the base cannot be written");
  }
  Workspace& workspace() { return workspace_; }

  template <class Arrange>
  void take(const Look& look, const QString& file, const Arrange& arrange) {
    useLanguage(look.language);
    applyTheme(*qApp, look.theme);
    MainWindow window(workspace_);
    window.resize(look.size);
    window.show();
    window.showPage(PageId::study);
    auto& page = *static_cast<StudyPage*>(window.page(PageId::study));
    if (!slipstream::test::answered(workspace_)) throw slipstream::Error("the page is not answered");
    arrange(page);
    QTest::qWait(answerMilliseconds);
    if (!slipstream::test::answered(workspace_)) throw slipstream::Error("the page is not answered");
    slipstream::test::drawnWhole(window).save(file);
  }

 private:
  void open() {
    if (const auto opened = workspace_.store().open(folder_.path()); !opened)
      throw slipstream::Error(toText(opened.error()));
    QTest::qWait(answerMilliseconds);
  }

  slipstream::test::TemporaryFolder folder_, other_;
  std::unique_ptr<slipstream::RunStore> store_;
  slipstream::test::SampleStudy sample_;
  Workspace workspace_;
};

class Studio {
 public:
  Studio(QString folder, QStringList names) : folder_(std::move(folder)), names_(std::move(names)) {}

  void take() {
    Scene done("adasum_lenet5_ranks", asMeasured, StudyState::done);
    Scene running("adasum_lenet5_ranks", underWay, StudyState::running);
    Scene failed("adasum_lenet5_ranks", failing, StudyState::done);
    Scene changed("adasum_lenet5_ranks", asMeasured, StudyState::done);
    Scene empty;
    changed.changeBase();
    const char* tabs[] = {"study-target", "study-scaling", "study-trade-off", "study-profile", "study-next"};
    for (const Look& look : looks()) {
      for (int tab = 0; tab < 5; ++tab) {
        grab(done, look, tabs[tab], [tab](StudyPage& page) { page.panels().results().showTab(tab); });
      }
      grab(running, look, "study-running", [](StudyPage&) {});
      grab(failed, look, "study-failed", [](StudyPage&) {});
      grab(changed, look, "study-changed", [](StudyPage&) {});
      grab(empty, look, "study-empty", [](StudyPage&) {});
      takeForms(done, look);
    }
  }

 private:
  template <class Arrange>
  void grab(Scene& scene, const Look& look, const char* name, const Arrange& arrange) {
    if (!names_.isEmpty() && !names_.contains(QLatin1String(name))) return;
    scene.take(look, QStringLiteral("%1/%2-%3.png").arg(folder_, QLatin1String(name), look.name), arrange);
  }

  void takeForms(Scene& scene, const Look& look) {
    StudyDocument& draft = scene.workspace().studyDraft();
    const auto begin = [&](StudyPage& page) {
      draft.start(slipstream::newStudyText(
          SLIPSTREAM_SOURCE "/experiments/quickstart.json",
          nlohmann::ordered_json::parse(
              slipstream::readFile(SLIPSTREAM_SOURCE "/experiments/quickstart.json").value())));
      scene.workspace().studies().chooseDraft();
      static_cast<void>(page);
    };
    grab(scene, look, "study-new", [&](StudyPage& page) {
      begin(page);
      draft.change(QStringLiteral("three"), [](slipstream::Json& root) {
        root["seeds"]["least"] = 3;
        root["factors"] = {{"parallel.ranks", {2, 4}}};
      });
    });
    grab(scene, look, "study-wrong", [&](StudyPage& page) {
      begin(page);
      draft.change(QStringLiteral("wrong"), [](slipstream::Json& root) {
        root["seeds"] = {{"least", 5}, {"most", 3}};
        root["question"] = {{"measure", "steps_to_target"}, {"target", 98}};
        root["factors"] = {{"parallel.rank", {2, 4}}};
      });
    });
    draft.start({});
    scene.workspace().studies().choose({});
  }

  QString folder_;
  QStringList names_;
};

}  // namespace

int main(int count, char** values) {
  if (count < 2) {
    std::fputs("slipstream_study_screenshots FOLDER [NAME...]\n", stderr);
    return 2;
  }
  QCoreApplication::setApplicationName(QStringLiteral("slipstream-pictures"));
  const QApplication application(count, values);
  Settings::forgetLayouts();
  const QStringList arguments = QCoreApplication::arguments();
  QDir().mkpath(arguments[1]);
  try {
    Studio(arguments[1], arguments.mid(2)).take();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
