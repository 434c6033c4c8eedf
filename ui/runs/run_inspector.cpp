// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_inspector.h"

#include <QApplication>
#include <QClipboard>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/parts/parts.h"
#include "ui/parts/run_names.h"
#include "ui/runs/label_fields.h"

namespace slipstream::ui {
namespace {

constexpr int leastWidth = 300;
constexpr int linesHeight = 140, commandHeight = 72;

QPlainTextEdit* readOnlyText(int height) {
  auto* text = new QPlainTextEdit;
  text->setReadOnly(true);
  text->setFont(fixedFont());
  text->setFixedHeight(height);
  return text;
}

QFormLayout* form() {
  auto* layout = new QFormLayout;
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(gapWide);
  layout->setVerticalSpacing(gapSmall);
  layout->setRowWrapPolicy(QFormLayout::WrapLongRows);
  return layout;
}

void clear(QFormLayout& layout) {
  while (layout.rowCount() > 0) layout.removeRow(0);
}

}  // namespace

RunInspector::RunInspector(Workspace& workspace, QWidget* parent)
    : QDockWidget(parent),
      workspace_(workspace),
      title_(new ElidedLabel),
      state_(new StateChip),
      why_(label({}, TextSize::body)),
      lines_(readOnlyText(linesHeight)),
      labels_(new LabelFields(workspace)),
      differencesHead_(label({}, TextSize::section)),
      noDifference_(label({}, TextSize::body, true)),
      differences_(form()),
      facts_(form()),
      command_(readOnlyText(commandHeight)) {
  setObjectName(QStringLiteral("inspector"));
  setWindowTitle(tr("Details of the run"));
  build();
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunInspector::refresh);
  connect(&workspace.selection(), &RunSelection::changed, this, &RunInspector::refresh);
  connect(this, &QDockWidget::visibilityChanged, this, &RunInspector::refresh);
}

void RunInspector::build() {
  differences_->setRowWrapPolicy(QFormLayout::WrapAllRows);
  auto* body = new QWidget;
  body->setProperty("page", true);
  QVBoxLayout* layout = column(body);
  layout->setContentsMargins(gapWide, gapWide, gapWide, gapWide);
  title_->setFont(textFont(TextSize::section));
  layout->addWidget(title_);
  layout->addWidget(state_);
  why_->setWordWrap(true);
  why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(why_);
  lines_->setAccessibleName(tr("Last lines of the log"));
  lines_->setLineWrapMode(QPlainTextEdit::NoWrap);
  layout->addWidget(lines_);
  layout->addWidget(labels_);
  layout->addWidget(differencesHead_);
  noDifference_->setWordWrap(true);
  layout->addWidget(noDifference_);
  layout->addLayout(differences_);
  layout->addWidget(label(tr("Where it ran"), TextSize::section));
  layout->addLayout(facts_);
  layout->addWidget(label(tr("To repeat it"), TextSize::section));
  command_->setAccessibleName(tr("Command to repeat the run"));
  layout->addWidget(command_);
  QPushButton* copy = button(Symbol::copy, tr("Copy"));
  connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
  layout->addWidget(copy, 0, Qt::AlignLeft);
  layout->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(leastWidth);
  setWidget(scroll);
}

void RunInspector::editTags() {
  show();
  raise();
  labels_->edit();
}

void RunInspector::refresh() {
  if (!isVisible()) return;
  refreshHead();
  read();
}

void RunInspector::refreshHead() {
  const RunRow* row = workspace_.currentRun();
  widget()->setEnabled(row != nullptr);
  run_ = workspace_.selection().current();
  labels_->setRun(run_);
  title_->setWhole(row == nullptr ? tr("No run is chosen") : runName(*workspace_.store().snapshot(), *row));
  state_->setVisible(row != nullptr);
  why_->setVisible(row != nullptr && !row->run.why.empty());
  if (row == nullptr) return;
  state_->setState(row->run.state);
  why_->setText(QString::fromStdString(row->run.why));
  labels_->showLabel(row->label);
}

/// Only what can have changed is read again.
void RunInspector::read() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const RunRow* row = snapshot->find(run_);
  if (row == nullptr) return;
  const auto baseline = std::find_if(snapshot->runs.begin(), snapshot->runs.end(),
                                     [&](const RunRow& other) { return other.label.pinned; });
  const std::string reference = baseline == snapshot->runs.end() ? std::string() : baseline->run.id;
  const QString stamp = QString::fromStdString(run_ + ' ' + reference + ' ' + std::string(nameOf(row->run.state)) +
                                               ' ' + std::to_string(row->run.attempt));
  if (stamp == readStamp_) return;
  readStamp_ = stamp;
  const QString referenceTitle = baseline == snapshot->runs.end() ? QString() : runName(*snapshot, *baseline);
  const bool isReference = reference == run_;
  differencesHead_->setText(reference.empty() || isReference ? tr("Unlike the baseline")
                                                             : tr("Unlike %1").arg(referenceTitle));
  noDifference_->setText(reference.empty() ? tr("No run is pinned as baseline.")
                         : isReference     ? tr("This run is the baseline.")
                                           : tr("Nothing: they differ in their seed at most."));
  workspace_.store().reader().read(
      this, [run = run_, reference](RunStore& store) { return runFacts(store, run, reference); },
      [this, ticket = newest_.take()](const RunFacts& facts) {
        if (newest_.isNewest(ticket)) showFacts(facts);
      },
      [this](const QString&) { readStamp_.clear(); });
}

void RunInspector::showFacts(const RunFacts& facts) {
  lines_->setPlainText(QString::fromStdString(facts.lastLines));
  lines_->setVisible(!facts.lastLines.empty());
  command_->setPlainText(QString::fromStdString(facts.command));
  clear(*differences_);
  noDifference_->setVisible(facts.differences.empty());
  for (const auto& [key, value] : facts.differences) {
    auto* text = new ElidedLabel(QString::fromStdString(value));
    auto* name = new ElidedLabel(QString::fromStdString(key));
    name->setProperty("second", true);
    differences_->addRow(name, text);
  }
  clear(*facts_);
  addFact(tr("Ranks"), QLocale().toString(facts.ranks));
  addFact(tr("Device"), QString::fromStdString(facts.device));
  addFact(tr("Seed"), QString::number(facts.seed));
  addFact(tr("Attempts"), QLocale().toString(facts.attempts));
  for (const auto& [name, value] : facts.environment)
    addFact(QString::fromStdString(name), QString::fromStdString(value));
  addFact(tr("Revision"), QString::fromStdString(facts.revision));
  addFact(tr("Run"), QString::fromStdString(facts.run));
}

void RunInspector::addFact(const QString& name, const QString& value) {
  if (value.isEmpty()) return;
  auto* head = label(name, TextSize::body, true);
  auto* text = new ElidedLabel(value);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  facts_->addRow(head, text);
}

}  // namespace slipstream::ui
