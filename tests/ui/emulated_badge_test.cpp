// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of an emulated device say that they are, wherever the window names them, in both languages: nobody is to take
// their times for times of the device.
#include <QTreeView>

#include <gtest/gtest.h>

#include "tests/ui/drawn_texts.h"
#include "tests/ui/small_workspace.h"
#include "ui/runs/run_inspector.h"
#include "ui/runs/run_model.h"
#include "ui/runs/run_tree_view.h"
#include "ui/runs/runs_dock.h"
#include "ui/widgets/widgets.h"
#include "ui/window/windows.h"
#include "ui/workspace/actions.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;

struct Wording {
  const char* language;
  const char* badge;      ///< beside the name of the run
  const char* spoken;     ///< how what a screen reader says ends
  const char* inspector;  ///< the device among the run's facts
};

class EmulatedBadge : public testing::TestWithParam<Wording> {
 protected:
  void SetUp() override {
    useLanguage(QString::fromLatin1(GetParam().language));
    onCpu_ = test::recordRun(*small_.store, FinishedRun{.variant = "here"});
    emulated_ = test::recordRun(*small_.store, FinishedRun{.variant = "there", .device = "npu-twin"});
    small_.open();
  }
  ~EmulatedBadge() override { useLanguage({}); }

  test::SmallWorkspace small_;
  QObject parent_;
  Actions actions_{&parent_};
  std::string onCpu_, emulated_;
};

INSTANTIATE_TEST_SUITE_P(Languages, EmulatedBadge,
                         testing::Values(Wording{"en", "emulated", ", emulated", "npu-twin (emulated)"},
                                         Wording{"zh_CN", "仿真", "，仿真", "npu-twin（仿真）"}),
                         [](const auto& wording) { return std::string(wording.param.language); });

TEST_P(EmulatedBadge, StandsInTheRowOfTheRunAndInNoOther) {
  RunsDock dock(small_.workspace, actions_, nullptr);
  dock.resize(500, 400);
  dock.show();
  ASSERT_TRUE(test::eventually([&] { return dock.model().runCount() == 2; }));
  dock.view().expandAll();
  const auto rowOf = [&](const std::string& run) { return dock.view().visualRect(dock.model().indexOfRun(run)); };
  int badges = 0;
  for (const test::DrawnText& drawn : test::drawnTexts(dock)) {
    if (drawn.widget != dock.view().viewport() || drawn.text != QString::fromUtf8(GetParam().badge)) continue;
    ++badges;
    EXPECT_TRUE(QRectF(rowOf(emulated_)).contains(drawn.ink));
  }
  EXPECT_EQ(badges, 1);
  const auto spoken = [&](const std::string& run) {
    return dock.model().indexOfRun(run).data(Qt::AccessibleTextRole).toString();
  };
  EXPECT_TRUE(spoken(emulated_).endsWith(QString::fromUtf8(GetParam().spoken))) << spoken(emulated_).toStdString();
  EXPECT_FALSE(spoken(onCpu_).contains(QString::fromUtf8(GetParam().badge))) << spoken(onCpu_).toStdString();
}

TEST_P(EmulatedBadge, StandsBesideTheDeviceInTheInspector) {
  RunInspector inspector(small_.workspace, nullptr);
  inspector.show();
  // The first fact that begins so.
  const auto fact = [&](const char* begin) {
    for (const auto* label : inspector.findChildren<ElidedLabel*>()) {
      if (label->whole().startsWith(QLatin1String(begin))) return label->whole();
    }
    return QString();
  };
  small_.workspace.selection().setCurrent(onCpu_);
  EXPECT_TRUE(test::eventually([&] { return fact("cpu") == QStringLiteral("cpu"); }));
  small_.workspace.selection().setCurrent(emulated_);
  EXPECT_TRUE(test::eventually([&] { return !fact("npu-twin").isEmpty(); }));
  EXPECT_EQ(fact("npu-twin"), QString::fromUtf8(GetParam().inspector));
}

}  // namespace
}  // namespace slipstream::ui
