// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_form.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/key_row.h"
#include "ui/experiment/plan_jump.h"
#include "ui/experiment/plan_section.h"
#include "ui/experiment/stages_card.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// In the order of the form; the empty one holds the keys outside any section.
constexpr std::array formSections{"", "network", "dataset", "loss", "optimizer", "precision", "parallel", "train"};

constexpr int roomForJump = 540;

}  // namespace

PlanForm::PlanForm(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent), editing_(editing), area_(new QScrollArea(this)) {
  auto* content = new QWidget(area_->viewport());
  area_->setWidget(content);
  QVBoxLayout* layout = column(content, 0);
  for (const char* section : formSections) addSection(section, *content);
  for (PlanSection* section : sections_) layout->addWidget(section);
  stages_ = new StagesCard(editing, content);
  layout->addWidget(stages_);
  layout->addStretch();
  area_->setProperty("card", true);
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
  buildJump();
  QHBoxLayout* row = rowLayout(this, gapWide);
  row->addWidget(jump_);
  row->addWidget(area_, 1);
}

void PlanForm::addSection(const std::string& section, QWidget& content) {
  auto* made = new PlanSection(editing_, section, &content);
  sections_.push_back(made);
  for (KeyRow* row : made->rows()) connect(row, &KeyRow::helpWanted, this, &PlanForm::helpWanted);
  if (section == "parallel") {
    QPushButton* table = button(Symbol::table, tr("Edit the rank table"));
    connect(table, &QPushButton::clicked, this, &PlanForm::rankTableWanted);
    made->append(table);
  }
}

void PlanForm::buildJump() {
  QStringList titles;
  for (const PlanSection* section : sections_) titles << section->title();
  titles << tr("Stages");
  jump_ = new PlanJump(titles, this);
  connect(jump_, &PlanJump::filterChanged, this, &PlanForm::setFilter);
  connect(jump_, &PlanJump::chosen, this, [this](int index) {
    area_->verticalScrollBar()->setValue(cardAt(index)->geometry().top());
    jump_->setCurrent(index);  // also where the form cannot scroll so far
  });
  connect(qApp, &QApplication::focusChanged, this, &PlanForm::followScrolling);
  connect(area_->verticalScrollBar(), &QScrollBar::valueChanged, this, &PlanForm::followScrolling);
}

QWidget* PlanForm::cardAt(int index) const {
  const auto at = static_cast<std::size_t>(index);
  return at < sections_.size() ? static_cast<QWidget*>(sections_[at]) : stages_;
}

/// Returns the section of the setting that has the focus while that is in sight, else -1.
int PlanForm::sectionAtHand() const {
  const QWidget* focus = QApplication::focusWidget();
  if (focus == nullptr || focus->visibleRegion().isEmpty()) return -1;
  for (int index = 0; index <= static_cast<int>(sections_.size()); ++index) {
    if (cardAt(index)->isAncestorOf(focus)) return index;
  }
  return -1;
}

/// The section of the setting at hand is the current one, else the one at the top.
void PlanForm::followScrolling() {
  if (!isVisible()) return;
  if (const int section = sectionAtHand(); section >= 0) return jump_->setCurrent(section);
  const int top = area_->verticalScrollBar()->value();
  int current = 0;
  for (int index = 0; index <= static_cast<int>(sections_.size()); ++index) {
    const QWidget* card = cardAt(index);
    if (!card->isHidden() && card->geometry().top() <= top + gapSection) current = index;
  }
  jump_->setCurrent(current);
}

void PlanForm::setFilter(const SettingFilter& filter) {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i]->setFilter(filter);
    jump_->setFound(static_cast<int>(i), !sections_[i]->isHidden());
  }
  stages_->setVisible(filter.isEmpty());
  jump_->setFound(static_cast<int>(sections_.size()), filter.isEmpty());
}

void PlanForm::refreshJump() {
  int changed = 0;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    PlanJump::Mark mark = PlanJump::Mark::none;
    for (const KeyRow* row : sections_[i]->rows()) {
      const Problem* problem = editing_.problemAt(row->path());
      if (problem == nullptr || mark == PlanJump::Mark::error) continue;
      mark = problem->severity == Verdict::reject ? PlanJump::Mark::error : PlanJump::Mark::warning;
    }
    jump_->setMark(static_cast<int>(i), mark);
    changed += sections_[i]->changedCount();
  }
  jump_->setChanged(changed);
}

void PlanForm::refresh() {
  // Another experiment: nothing is looked for in it yet.
  ExperimentDocument& document = editing_.document();
  const bool untouched = document.undoStack().count() == 0;
  if (untouched && std::exchange(opened_, document.text()) != document.text()) jump_->clear();
  setEnabled(editing_.isReadable());
  if (!editing_.isReadable()) return;
  for (PlanSection* section : sections_) section->refresh();
  refreshJump();
}

void PlanForm::refreshPlan() {
  refresh();
  stages_->refresh();
}

bool PlanForm::reveal(const std::string& path) {
  for (PlanSection* section : sections_) {
    for (KeyRow* row : section->rows()) {
      const bool same = row->path() == path;
      // A place inside a list is shown at its list, a section at its first key.
      const bool inside = path.starts_with(row->path() + "[") || row->path().starts_with(path + ".");
      if (!same && !inside) continue;
      section->reveal(*row);
      area_->ensureWidgetVisible(row->control());
      row->control()->setFocus(Qt::OtherFocusReason);
      return true;
    }
  }
  return path.starts_with("stages") && stages_->reveal(path, *area_);
}

/// A narrow form is scrolled without it.
void PlanForm::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  QTimer::singleShot(0, this, &PlanForm::followScrolling);  // once the cards have their places
  jump_->setHidden(width() < widthForFont(roomForJump));
}

}  // namespace slipstream::ui
