// SPDX-License-Identifier: GPL-3.0-or-later
// A page whose question fails says so, instead of staying empty, and asks again.
#include <QLabel>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {
namespace {

/// What is read where the store works again.
int readOrFail(bool works) {
  if (!works) throw Error("the disk is gone");
  return 1;
}

class OneRunPage : public RunPage {
 public:
  explicit OneRunPage(Workspace& workspace) : RunPage(workspace, nullptr) {
    begin(new QLabel(QStringLiteral("content")), QStringLiteral("no run"));
  }
  PageId id() const override { return PageId::ranks; }
  QString title() const override { return QStringLiteral("one"); }

  bool works = false;
  int shown = 0;

 protected:
  void forget() override {}
  void ask() override {
    askStore([works = works](RunStore&) { return readOrFail(works); }, [this](int) { ++shown; });
  }
};

class SeveralRunsPage : public ShownRunsPage {
 public:
  explicit SeveralRunsPage(Workspace& workspace) : ShownRunsPage(workspace, nullptr) {
    begin(new QLabel(QStringLiteral("content")));
  }
  PageId id() const override { return PageId::compare; }
  QString title() const override { return QStringLiteral("several"); }

  bool works = false;
  int shown = 0;

 protected:
  void refresh() override {
    if (!mustAsk(true)) return;
    askStore([works = works](RunStore&) { return readOrFail(works); }, [this](int) { ++shown; });
  }
};

template <class AnyPage>
bool says(const AnyPage& page, const QString& words) {
  const auto labels = page.template findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text().contains(words); });
}

template <class AnyPage>
class UnreadPage : public testing::Test {};
using Pages = testing::Types<OneRunPage, SeveralRunsPage>;
TYPED_TEST_SUITE(UnreadPage, Pages);

TYPED_TEST(UnreadPage, SaysWhyAndAsksAgain) {
  test::SmallWorkspace small;
  const std::string run = test::recordRun(*small.store, test::FinishedRun{"mean"});
  small.open();
  small.workspace.selection().setCurrent(run);
  TypeParam page(small.workspace);
  page.show();
  EXPECT_TRUE(test::eventually([&] { return says(page, QStringLiteral("the disk is gone")); }));
  EXPECT_EQ(page.shown, 0);
  page.works = true;
  EXPECT_TRUE(test::eventually([&] { return page.shown > 0; }));
}

}  // namespace
}  // namespace slipstream::ui
