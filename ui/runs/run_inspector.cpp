// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_inspector.h"

#include <QApplication>
#include <QClipboard>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/analysis/plan_differences.h"
#include "engine/analysis/run_colours.h"
#include "engine/runs/run_logs.h"
#include "engine/spec/device_kind.h"
#include "ui/runs/label_fields.h"
#include "ui/runs/run_glance.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t shownLines = 20;

std::string errorLines(const std::filesystem::path& folder, const RunRecord& run) {
  for (const RankLog& log : attemptLogs(folder, run.id)) {
    if (log.attempt != run.attempt || log.stream != "stderr") continue;
    const std::string last = lastLines(log, shownLines);
    if (!last.empty()) return last;  // the lowest rank that said something
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> machineOf(const std::string& environmentText) {
  std::vector<std::pair<std::string, std::string>> metadata;
  const auto environment = nlohmann::ordered_json::parse(environmentText, nullptr, false);
  if (!environment.is_object()) return metadata;
  for (const auto& [key, value] : environment.items()) {
    if (value.is_string()) metadata.emplace_back(key, value.get<std::string>());
    if (value.is_number()) metadata.emplace_back(key, value.dump());
  }
  return metadata;
}

std::vector<std::pair<std::string, std::string>> unlike(RunStore& store, const RunRecord& run,
                                                        const std::string& baseline) {
  std::vector<std::pair<std::string, std::string>> values;
  if (baseline.empty() || baseline == run.id) return values;
  const AskedRun asked = askedOf(run.planText);
  const auto reference = store.find(baseline);
  if (!reference) return values;
  const ComparedPlans compared = comparePlans({askedOf(reference->planText), asked});
  for (const PlanDifference& difference : compared.differences) {
    values.emplace_back(difference.key, difference.values[1] + "  (" + difference.values[0] + ")");
  }
  return values;
}

constexpr int leastWidth = 292, glanceMilliseconds = 1000, titleHeight = 34;
constexpr int mostLeastWidth = 380, linesHeight = 140, commandHeight = 72;

/// Scrolls up and down, and is as wide as what is in it, unless that has a very long word.
class UprightArea : public QScrollArea {
 public:
  QSize minimumSizeHint() const override {
    const int bar = verticalScrollBar()->sizeHint().width();
    const int width = std::clamp(widget()->minimumSizeHint().width() + bar, leastWidth, mostLeastWidth);
    return {width, QScrollArea::minimumSizeHint().height()};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
  }
};

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

RunMetadata readRunMetadata(RunStore& store, const std::string& id, const std::string& baseline) {
  const auto run = store.find(id);
  if (!run) return {};
  RunMetadata metadata;
  metadata.run = run->id;
  if (run->state == RunState::failed || run->state == RunState::lost)
    metadata.lastLines = errorLines(store.folder(), *run);
  metadata.command = run->commandText;
  metadata.revision = run->sourceRevision;
  metadata.device = run->device;
  metadata.seed = run->seed;
  metadata.ranks = run->ranks;
  metadata.attempts = run->attempt;
  metadata.environment = machineOf(run->environmentText);
  metadata.differences = unlike(store, *run, baseline);
  return metadata;
}

RunInspector::RunInspector(Workspace& workspace, QWidget* parent)
    : QDockWidget(parent),
      workspace_(workspace),
      swatch_(new QLabel),
      title_(new ElidedLabel),
      state_(new StateChip),
      glance_(new RunGlance(workspace)),
      lines_(readOnlyText(linesHeight)),
      labels_(new LabelFields(workspace)),
      differencesTitle_(label({}, TextSize::section)),
      noDifference_(label({}, TextSize::body, true)),
      differences_(form()),
      metadata_(form()),
      command_(readOnlyText(commandHeight)) {
  setObjectName(QStringLiteral("inspector"));
  setWindowTitle(tr("Run at a glance"));
  build();
  pause_.setSingleShot(true);
  pause_.setInterval(glanceMilliseconds);
  connect(&pause_, &QTimer::timeout, this, &RunInspector::refresh);
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
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // no name widens the dock
  auto* head = new QHBoxLayout;
  head->addWidget(swatch_);
  head->addWidget(title_, 1);
  head->addWidget(state_);
  layout->addLayout(head);
  details_ = new QWidget;
  layout->addWidget(details_);
  layout->addStretch();
  layout = column(details_);
  layout->addWidget(glance_);
  lines_->setAccessibleName(tr("Last lines of the log"));
  lines_->setLineWrapMode(QPlainTextEdit::NoWrap);
  addAll(*layout, {lines_, labels_, differencesTitle_});
  noDifference_->setWordWrap(true);
  layout->addWidget(noDifference_);
  layout->addLayout(differences_);
  layout->addWidget(label(tr("Environment"), TextSize::section));
  layout->addLayout(metadata_);
  layout->addWidget(label(tr("Reproduce"), TextSize::section));
  command_->setAccessibleName(tr("Launch command"));
  layout->addWidget(command_);
  QPushButton* copy = button(Symbol::copy, tr("Copy"));
  connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
  layout->addWidget(copy, 0, Qt::AlignLeft);
  auto* scroll = new UprightArea;
  scroll->setProperty("page", true);
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  scroll->setAccessibleName(tr("Run at a glance"));
  setWidget(scroll);
  buildTitle();
}

void RunInspector::buildTitle() {
  auto* bar = new QWidget;
  bar->setProperty("panel", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* rows = column(bar, 0);
  auto* line = new QHBoxLayout;
  line->addStrut(titleHeight);
  line->setContentsMargins(gapWide, 0, gapText, 0);
  line->addWidget(label(tr("Run at a glance"), TextSize::section), 1);
  copies_ = iconButton(Symbol::copy, tr("Copy command"));
  copies_->setEnabled(false);
  connect(copies_, &QToolButton::clicked, glance_, &RunGlance::copyCommand);
  line->addWidget(copies_);
  QToolButton* closes = iconButton(Symbol::close, tr("Close"));
  connect(closes, &QToolButton::clicked, this, &QDockWidget::close);
  line->addWidget(closes);
  rows->addLayout(line, 1);
  rows->addWidget(hairline());
  setTitleBarWidget(bar);
}

void RunInspector::editTags() {
  show();
  raise();
  labels_->edit();
}

void RunInspector::refresh() {
  if (!isVisible()) return;
  refreshHeader();
  readGlanceNow();
  read();
}

/// A run that goes on is looked at again once a second.
void RunInspector::readGlanceNow() {
  const RunRow* row = workspace_.currentRun();
  if (row == nullptr) return glanceStamp_.clear();
  const bool living = isLiving(row->run.state);
  const std::int64_t version = living ? workspace_.store().snapshot()->version : 0;
  const QString stamp = QStringLiteral("%1 %2 %3 %4")
                            .arg(QString::fromStdString(run_))
                            .arg(static_cast<int>(row->run.state))
                            .arg(row->run.attempt)
                            .arg(version);
  const bool sameRun = glanceStamp_.startsWith(QString::fromStdString(run_));
  if (stamp == glanceStamp_ || (sameRun && living && pause_.isActive())) return;
  glanceStamp_ = stamp;
  if (living) pause_.start();
  workspace_.store().reader().read(
      this, [run = run_](RunStore& store) { return readGlance(store, run); },
      [this, ticket = latestGlance_.take()](const std::optional<GlanceReading>& reading) {
        if (latestGlance_.isLatest(ticket) && reading) glance_->show(*reading);
      },
      [this](const QString&) { glanceStamp_.clear(); });
}

void RunInspector::closeEvent(QCloseEvent* event) {
  QDockWidget::closeEvent(event);
  Q_EMIT closedByPerson();
}

void RunInspector::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QDockWidget::keyPressEvent(event);
  close();
}

void RunInspector::refreshHeader() {
  const RunRow* row = workspace_.currentRun();
  details_->setVisible(row != nullptr);
  if (const std::string& run = workspace_.selection().current(); run != run_) forget(run);
  labels_->setRun(run_);
  swatch_->setVisible(row != nullptr);
  if (row != nullptr) swatch_->setPixmap(swatchPixmap(ownSlot(row->run), devicePixelRatioF()));
  title_->setWhole(row == nullptr ? tr("No run is chosen") : runName(*workspace_.store().snapshot(), *row),
                   row == nullptr ? QStringList()
                                  : QStringList{row->label.title.empty() ? nameWithSeed(row->title(), row->run.seed)
                                                                         : row->title()});
  state_->setVisible(row != nullptr);
  if (row == nullptr) return glance_->clear();
  state_->setState(row->run.state);
  labels_->showLabel(row->label);
}

/// What was read of the run before is none of this one's.
void RunInspector::forget(const std::string& run) {
  run_ = run;
  glance_->clear();
  glanceStamp_.clear();
  readStamp_.clear();
  latest_.take();
  latestGlance_.take();
  lines_->hide();
  command_->clear();
  copies_->setEnabled(false);
  clear(*differences_);
  clear(*metadata_);
  noDifference_->hide();
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
  differencesTitle_->setText(reference.empty() || isReference ? tr("Differences from baseline")
                                                              : tr("Differences from %1").arg(referenceTitle));
  noDifference_->setText(reference.empty() ? tr("No run is pinned as baseline.")
                         : isReference     ? tr("This run is the baseline.")
                                           : tr("Nothing: they differ in their seed at most."));
  workspace_.store().reader().read(
      this, [run = run_, reference](RunStore& store) { return readRunMetadata(store, run, reference); },
      [this, ticket = latest_.take()](const RunMetadata& metadata) {
        if (latest_.isLatest(ticket)) showMetadata(metadata);
      },
      [this](const QString&) { readStamp_.clear(); });
}

void RunInspector::showMetadata(const RunMetadata& metadata) {
  lines_->setPlainText(QString::fromStdString(metadata.lastLines));
  lines_->setVisible(!metadata.lastLines.empty());
  command_->setPlainText(QString::fromStdString(metadata.command));
  copies_->setEnabled(!metadata.command.empty());
  clear(*differences_);
  noDifference_->setVisible(metadata.differences.empty());
  for (const auto& [key, value] : metadata.differences) {
    auto* text = new ElidedLabel(QString::fromStdString(value));
    auto* name = new ElidedLabel(QString::fromStdString(key));
    name->setProperty("second", true);
    differences_->addRow(name, text);
  }
  clear(*metadata_);
  addRow(tr("Ranks"), QLocale().toString(metadata.ranks));
  addRow(tr("Device"), isEmulated(metadata.device) ? tr("%1 (emulated)").arg(QString::fromStdString(metadata.device))
                                                   : QString::fromStdString(metadata.device));
  addRow(tr("Seed"), QString::number(metadata.seed));
  addRow(tr("Attempts"), QLocale().toString(metadata.attempts));
  for (const auto& [name, value] : metadata.environment)
    addRow(QString::fromStdString(name), QString::fromStdString(value));
  addRow(tr("Revision"), QString::fromStdString(metadata.revision));
  addRow(tr("Run"), QString::fromStdString(metadata.run));
}

void RunInspector::addRow(const QString& name, const QString& value) {
  if (value.isEmpty()) return;
  auto* caption = label(name, TextSize::body, true);
  auto* text = new ElidedLabel(value);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  metadata_->addRow(caption, text);
}

}  // namespace slipstream::ui
