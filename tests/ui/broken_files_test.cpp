// SPDX-License-Identifier: GPL-3.0-or-later
// Every broken file of the tests, opened in the window: the words of `slipstream check`, at the right place, with a fix
// where there is one.
#include <QCheckBox>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextEdit>
#include <algorithm>
#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_fix.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/user_input.h"
#include "ui/documents/document_files.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/boost_section.h"
#include "ui/experiment/key_row.h"
#include "ui/launch/launcher.h"
#include "ui/panel/problems_model.h"
#include "ui/rank_table/rank_table_model.h"
#include "ui/rank_table/rank_table_view.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"

namespace slipstream::ui {
namespace {

const std::filesystem::path cases = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/cases";

std::vector<std::filesystem::path> filesOf(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(cases / folder)) {
    if (entry.path().filename() != "expected.json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What `slipstream check FILE --json` says, a line a finding, sorted.
std::vector<std::string> wordsOfCheck(const std::filesystem::path& file) {
  QProcess program;
  program.start(QString::fromStdString(commandLineProgram().string()),
                {QStringLiteral("check"), QString::fromStdString(file.string()), QStringLiteral("--json")});
  EXPECT_TRUE(program.waitForFinished());
  const Json reported = Json::parse(program.readAllStandardOutput().toStdString(), nullptr, false);
  std::vector<std::string> words;
  if (!reported.is_array() || reported.empty()) {
    ADD_FAILURE() << file << ": check says nothing";
    return words;
  }
  for (const Json& finding : reported[0]["findings"]) {
    words.push_back(toText(Failure{finding["path"], finding["value"], finding["problem"], finding["remedy"]}));
  }
  std::sort(words.begin(), words.end());
  return words;
}

std::string nameOf(const testing::TestParamInfo<std::filesystem::path>& file) {
  return file.param.stem().string();
}

class BrokenFile : public testing::TestWithParam<std::filesystem::path> {
 protected:
  /// One window for all files, as a person would open them.
  struct Opened {
    Workspace workspace;
    MainWindow window{workspace};
    ProblemsModel problems{workspace, nullptr};
  };
  static void SetUpTestSuite() {
    opened_ = std::make_unique<Opened>();
    opened_->window.show();
  }
  static void TearDownTestSuite() { opened_.reset(); }

  void SetUp() override {
    QSignalSpy planned(&workspace().experiment(), &ExperimentDocument::planChanged);
    ASSERT_TRUE(window().openFile(GetParam()));
    ASSERT_TRUE(isTable() || test::eventually([&] { return !planned.isEmpty(); }));
  }

  static Workspace& workspace() { return opened_->workspace; }
  static MainWindow& window() { return opened_->window; }
  static ProblemsModel& problems() { return opened_->problems; }

  bool isTable() const { return window().frontPage() == PageId::rankTable; }
  Page* page() const { return window().page(window().frontPage()); }
  const Problem& problem(int row) const { return problems().entry(row).problem; }

  std::vector<std::string> wordsOfTheWindow() const {
    std::vector<std::string> words;
    for (int row = 0; row < problems().rowCount(); ++row) {
      words.push_back(problems().index(row).data().toString().toStdString());
    }
    std::sort(words.begin(), words.end());
    return words;
  }

  /// Goes where the panel leads from this line.
  void show(int row) {
    problems().show(row);
    QCoreApplication::processEvents();
  }

  void expectRowOfTable(const Problem& shown) const {
    const RankTablePath path = rankTablePath(shown.where.toStdString());
    if (path.place.server < 0) return;
    const auto* tree = test::called<RankTableView>(page(), QStringLiteral("Servers and devices"));
    const auto* model = static_cast<const RankTableModel*>(tree->model());
    EXPECT_EQ(model->placeOf(tree->currentIndex()), path.place) << shown.where.toStdString();
    const QModelIndex cell = model->indexOf(path.place, path.cell);
    EXPECT_TRUE(cell.data(markRole).isValid()) << shown.where.toStdString();
  }

  /// What has the focus: the control of the key, its algorithm's switch, or the file's text with the place selected.
  std::string placeShown() const {
    QWidget* focus = window().focusWidget();
    for (QWidget* widget = focus; widget != nullptr; widget = widget->parentWidget()) {
      if (const auto* row = qobject_cast<KeyRow*>(widget)) return row->path();
      if (const auto* section = qobject_cast<BoostSection*>(widget)) return section->key();
      if (qobject_cast<SegmentedControl*>(widget) != nullptr) return widget->accessibleName().toStdString();
    }
    if (const auto* text = qobject_cast<QTextEdit*>(focus)) return "line " + std::to_string(lineOf(*text));
    return focus == nullptr ? "nothing" : focus->accessibleName().toStdString();
  }
  static int lineOf(const QTextEdit& text) {
    return text.document()->findBlock(text.textCursor().selectionStart()).blockNumber() + 1;
  }

  void expectPlaceInExperiment(const Problem& shown) const {
    const std::string where = shown.where.toStdString();
    const std::string& text = workspace().experiment().text();
    const std::string place = placeShown();
    const auto span = textPlaceOf(text, where);
    ASSERT_TRUE(span) << where;
    if (place.starts_with("line ")) {
      const auto* editor = qobject_cast<QTextEdit*>(window().focusWidget());
      if (editor->accessibleName() != QStringLiteral("Experiment as text")) {
        EXPECT_TRUE(editor->textCursor().hasSelection()) << where;
        return;
      }
      const auto begin = text.begin();
      EXPECT_EQ(place, "line " + std::to_string(1 + std::count(begin, begin + static_cast<long>(span->begin), '\n')))
          << where;
      return;
    }
    // A key of the file, or the section or list around it.
    const std::string key = split(where, ' ').front();
    const bool level = place == "Level" && (key == "boost" || key == "boost.level");
    const bool mode = place == "Mode" && key == "boost.dictionary.boost.mode";
    EXPECT_TRUE(level || mode || key.find(place) != std::string::npos || place.starts_with(key + "."))
        << where << " leads to " << place;
  }

  /// Each fix is one step that changes the text, and goes back.
  void expectFixesOfExperiment() {
    ExperimentDocument& document = workspace().experiment();
    const std::string text = document.text();
    const Problems listed = document.problems();
    for (const Problem& one : listed) {
      EXPECT_EQ(static_cast<bool>(one.fix), !one.fixLabel.isEmpty());
      if (!one.fix) continue;
      one.fix();
      EXPECT_NE(document.text(), text) << one.where.toStdString();
      document.undoStack().undo();
      EXPECT_EQ(document.text(), text);
    }
  }

  static inline std::unique_ptr<Opened> opened_;
};

TEST_P(BrokenFile, IsToldInTheWordsOfCheckAtItsPlace) {
  EXPECT_EQ(isTable(), GetParam().parent_path().filename() == "rank_tables");
  EXPECT_THAT(wordsOfTheWindow(), testing::ElementsAreArray(wordsOfCheck(GetParam())));
  for (int row = 0; row < problems().rowCount(); ++row) {
    window().showPage(PageId::welcome);
    show(row);
    if (isTable()) {
      expectRowOfTable(problem(row));
    } else {
      expectPlaceInExperiment(problem(row));
    }
  }
}

TEST_P(BrokenFile, OffersEveryFixThatThereIs) {
  if (!isTable()) return expectFixesOfExperiment();
  const RankTableReading& reading = workspace().rankTable().reading();
  const auto fixes = rankTableFixes(workspace().rankTable().text(), reading.findings);
  const Problems& listed = workspace().rankTable().problems();
  ASSERT_EQ(listed.size(), fixes.size());
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    EXPECT_EQ(static_cast<bool>(listed[i].fix), fixes[i].has_value()) << listed[i].where.toStdString();
    EXPECT_EQ(listed[i].fixLabel.isEmpty(), !fixes[i].has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(RankTable, BrokenFile, testing::ValuesIn(filesOf("rank_tables")), nameOf);
INSTANTIATE_TEST_SUITE_P(Experiment, BrokenFile, testing::ValuesIn(filesOf("experiments")), nameOf);

}  // namespace
}  // namespace slipstream::ui
