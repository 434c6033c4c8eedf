// SPDX-License-Identifier: GPL-3.0-or-later
// How the dock of runs is put together.
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/runs/run_actions.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_filter.h"
#include "ui/runs/run_model.h"
#include "ui/runs/run_tree_view.h"
#include "ui/runs/runs_dock.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/actions.h"

namespace slipstream::ui {
namespace {

constexpr int dockHeadHeight = 36, dockFootHeight = 32;

}  // namespace

void RunsDock::buildTitle(const Actions& actions) {
  auto* bar = new QWidget;
  bar->setProperty("panel", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* rows = column(bar, 0);
  auto* line = new QHBoxLayout;
  line->addStrut(dockHeadHeight);
  line->setContentsMargins(gapWide, 0, gapText, 0);
  line->setSpacing(gapText);
  line->addWidget(label(tr("Runs and experiments"), TextSize::section));
  line->addStretch();
  auto* add = new QToolButton;
  add->setDefaultAction(actions.newExperiment);
  add->setToolButtonStyle(Qt::ToolButtonIconOnly);
  add->setAccessibleName(actions.newExperiment->text());
  line->addWidget(add);
  QToolButton* more = iconButton(Symbol::more, tr("More about runs"));
  auto* menu = new QMenu(more);
  menu->addAction(tr("Open all groups"), this, [this] {
    closed_.clear();
    view_->expandAll();
  });
  menu->addAction(tr("Close all groups"), this, [this] { view_->collapseAll(); });
  menu->addSeparator();
  menu->addAction(tr("Run details"), this, &RunsDock::detailsWanted);
  menu->addAction(actions.openStore);
  more->setMenu(menu);
  more->setPopupMode(QToolButton::InstantPopup);
  line->addWidget(more);
  rows->addLayout(line, 1);
  rows->addWidget(hairline());
  setTitleBarWidget(bar);
}

void RunsDock::buildView() {
  view_->setModel(model_);
  delegate_ = new RunDelegate(view_);
  view_->setItemDelegate(delegate_);
  view_->setAccessibleName(tr("Runs"));
  view_->setHeaderHidden(true);
  view_->setRootIsDecorated(false);
  view_->setIndentation(0);
  view_->setUniformRowHeights(false);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view_->setExpandsOnDoubleClick(false);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->addActions(runActions_->all());
}

void RunsDock::buildBody() {
  auto* body = new QWidget;
  body->setProperty("page", true);
  QVBoxLayout* layout = body_ = column(body, 0);
  auto* above = new QVBoxLayout;
  above->setContentsMargins(gapText, gapText, gapText, gapSmall);
  above->setSpacing(gapText);
  above->addWidget(filter_);
  above->addWidget(notice_);
  layout->addLayout(above);
  stack_->addWidget(view_);
  stack_->addWidget(buildEmpty());
  layout->addWidget(stack_, 1);
  layout->addWidget(hairline());
  layout->addWidget(buildFooter());
  setWidget(body);
}

void RunsDock::addGroup(QWidget* group) {
  body_->insertWidget(body_->indexOf(stack_), group);
}

QWidget* RunsDock::buildEmpty() {
  auto* nothing = new QWidget;
  QVBoxLayout* texts = column(nothing, gapSmall);
  texts->setContentsMargins(pageMargin + gapSmall, gapSection, pageMargin, 0);
  emptyWhy_->setWordWrap(true);
  texts->addWidget(empty_);
  texts->addWidget(emptyWhy_);
  texts->addStretch();
  return nothing;
}

QWidget* RunsDock::buildFooter() {
  auto* foot = new QWidget;
  foot->setFixedHeight(dockFootHeight);
  auto* line = new QHBoxLayout(foot);
  line->setContentsMargins(gapWide, 0, gapSmall, 0);
  line->addWidget(count_, 1);
  count_->setFont(textFont(TextSize::secondary));
  count_->setProperty("second", true);
  group_->setFont(textFont(TextSize::secondary));
  group_->setAccessibleName(tr("How runs are grouped"));
  group_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(group_);
  menu->addAction(tr("By experiment"), this, [this] { setGrouping(RunGrouping::experiment); });
  menu->addAction(tr("By experiment, seeds together"), this, [this] { setGrouping(RunGrouping::seeds); });
  group_->setMenu(menu);
  line->addWidget(group_);
  return foot;
}

}  // namespace slipstream::ui
