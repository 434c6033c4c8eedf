// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QThread>
#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int markSize = 12, dividerHeight = 14;

/// How often time left and lag are looked at where the store is silent.
constexpr int refreshMilliseconds = 1000;

/// The current run where it lives, else the newest that does.
const RunRow* livingRun(const StoreSnapshot& snapshot, const std::string& current) {
  const RunRow* living = nullptr;
  for (const RunRow& row : snapshot.runs) {
    if (!isLiving(row.run.state)) continue;
    living = &row;
    if (row.run.id == current) break;
  }
  return living;
}

/// An upright hairline between two texts.
class Divider : public QWidget {
 public:
  Divider() { setFixedSize(1, dividerHeight); }

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), tokens().hairline); }
};

QString number(std::int64_t value) {
  return QLocale().toString(static_cast<qlonglong>(value));
}

}  // namespace

/// The shape of what the engine does.
class StatusLine::EngineMark : public QWidget {
 public:
  EngineMark() { setFixedSize(markSize, markSize); }
  /// Nothing: it is idle.
  void setState(std::optional<RunState> state) {
    state_ = state;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    state_ ? paintState(painter, rect(), *state_) : paintIdle(painter, rect());
  }

 private:
  std::optional<RunState> state_;
};

/// One cell a rank: filled where it keeps up with the others. Many ranks share cells.
class StatusLine::RankCells : public QWidget {
 public:
  RankCells() { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }
  void setReporting(const std::vector<bool>& reporting) {
    reporting_ = reporting;
    updateGeometry();
    update();
  }
  QSize sizeHint() const override {
    const int cells = std::min(mostCells, static_cast<int>(reporting_.size()));
    return {std::max(0, cells * (cellWidth + cellGap) - cellGap), cellHeight};
  }

 protected:
  /// A cell of several ranks is filled only where all of them report.
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const std::size_t ranks = reporting_.size();
    const std::size_t cells = std::min<std::size_t>(mostCells, ranks);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const auto first = reporting_.begin() + static_cast<std::ptrdiff_t>(cell * ranks / cells);
      const auto last = reporting_.begin() + static_cast<std::ptrdiff_t>((cell + 1) * ranks / cells);
      const bool all = std::all_of(first, last, [](bool reports) { return reports; });
      const QRect place(static_cast<int>(cell) * (cellWidth + cellGap), 0, cellWidth, cellHeight);
      if (all) {
        painter.fillRect(place, tokens().good);
      } else {
        painter.setPen(tokens().control);
        painter.drawRect(place.adjusted(0, 0, -1, -1));
      }
    }
  }

 private:
  static constexpr int cellWidth = 5, cellGap = 2, cellHeight = 8, mostCells = 16;

  std::vector<bool> reporting_;
};

StatusLine::StatusLine(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      mark_(new EngineMark),
      engine_(label({}, TextSize::secondary)),
      run_(new ElidedLabel),
      cells_(new RankCells),
      remotes_(label({}, TextSize::secondary, true)),
      store_(label({}, TextSize::secondary, true)) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  build();
  timer_.setInterval(refreshMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &StatusLine::refresh);
  connect(&workspace.store(), &StoreWatcher::changed, this, &StatusLine::refresh);
  connect(&workspace.selection(), &RunSelection::changed, this, &StatusLine::refresh);
  connect(&workspace.store(), &StoreWatcher::troubled, this, &StatusLine::refresh);
  connect(&workspace.remotes(), &RemoteWatch::changed, this, &StatusLine::showRemotes);
  connect(&workspace.launcher(), &Launcher::queueChanged, this, &StatusLine::refresh);
  connect(&workspace.launcher(), &Launcher::startingChanged, this, &StatusLine::refresh);
  refresh();
  showRemotes();
}

void StatusLine::build() {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(gapWide, 0, gapSection, 0);
  layout->setSpacing(gapText);
  layout->addWidget(mark_);
  layout->addWidget(engine_);
  layout->addSpacing(gapSmall);
  layout->addWidget(new Divider);
  run_->setFont(textFont(TextSize::secondary));
  run_->setProperty("second", true);
  layout->addWidget(run_, 0);
  step_ = part(*layout);
  left_ = part(*layout);
  auto* before = new Divider;
  layout->addWidget(before);
  layout->addWidget(cells_);
  ranks_ = label({}, TextSize::secondary, true);
  layout->addWidget(ranks_);
  livingParts_.insert(livingParts_.end(), {before, cells_, ranks_});
  lag_ = part(*layout);
  layout->addStretch(1);
  layout->addWidget(remotes_);
  layout->addWidget(store_);
}

/// A text with a divider before it, of a living run.
QLabel* StatusLine::part(QHBoxLayout& layout) {
  auto* before = new Divider;
  QLabel* text = label({}, TextSize::secondary, true);
  layout.addWidget(before);
  layout.addWidget(text);
  livingParts_.insert(livingParts_.end(), {before, text});
  return text;
}

void StatusLine::refresh() {
  showStore();
  if (!workspace_.store().trouble().isEmpty()) return showTrouble();
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const RunRow* living = livingRun(*snapshot, workspace_.selection().current());
  const bool other = living_ != (living == nullptr ? std::string() : living->run.id);
  living_ = living == nullptr ? std::string() : living->run.id;
  if (living == nullptr) return workspace_.launcher().isStarting() ? showStarting() : showIdle();
  mark_->setState(living->run.state);
  engine_->setText(stateText(living->run.state));
  if (other) {
    run_->setWhole(runName(*workspace_.store().snapshot(), *living));
    for (QWidget* part : livingParts_) part->hide();
  }
  timer_.start();
  ask(*living);
}

void StatusLine::ask(const RunRow& living) {
  workspace_.store().reader().read(
      this,
      [run = living.run.id](RunStore& store) {
        const auto whole = store.find(run);
        return whole ? liveStatus(store, *whole) : LiveStatus{};
      },
      [this, run = living.run.id, ticket = latest_.take()](const LiveStatus& status) {
        if (latest_.isLatest(ticket) && run == living_) showLiving(status);
      });
}

void StatusLine::showLiving(const LiveStatus& status) {
  const RunRow* row = workspace_.store().snapshot()->find(living_);
  if (row == nullptr) return;
  for (QWidget* part : livingParts_) part->show();
  const auto experiment = QString::fromStdString(row->run.experimentName);
  run_->setWhole(status.runsOfLaunch < 2
                     ? experiment
                     : tr("%1, run %2 of %3").arg(experiment, number(status.runOfLaunch), number(status.runsOfLaunch)));
  step_->setText(tr("step %1 / %2").arg(number(status.steps), number(status.totalSteps)));
  left_->setText(status.secondsLeft ? tr("%1 left").arg(QString::fromStdString(durationText(*status.secondsLeft)))
                                    : tr("time left unknown"));
  cells_->setReporting(status.reporting);
  const auto reporting = std::count(status.reporting.begin(), status.reporting.end(), true);
  ranks_->setText(tr("%1 of %n rank(s)", nullptr, status.ranks).arg(number(reporting)));
  if (!row->run.remote.empty()) return lag_->setText(heardText(row->run.remote));
  lag_->setText(status.steps == 0 ? tr("nothing written yet")
                                  : tr("writer lag %1 s").arg(QLocale().toString(status.lagSeconds, 'f', 1)));
}

/// The word of another machine is as old as the last contact with it.
QString StatusLine::heardText(const std::string& remote) const {
  const RemoteLink* link = workspace_.remotes().find(remote);
  if (link == nullptr || link->state.heardAt == 0)
    return tr("on %1, not heard of yet").arg(QString::fromStdString(remote));
  const double age = 1e-9 * static_cast<double>(wallNanoseconds() - link->state.heardAt);
  return tr("on %1, heard %2 s ago")
      .arg(QString::fromStdString(remote), number(static_cast<std::int64_t>(std::max(0.0, age))));
}

void StatusLine::showTrouble() {
  living_.clear();
  showAlone(RunState::failed, tr("Store cannot be read"), workspace_.store().trouble());
}

/// Between a launch and the run's first row in the store.
void StatusLine::showStarting() {
  showAlone(RunState::starting, tr("Starting…"), waitingText());
}

void StatusLine::showIdle() {
  const QString waiting = waitingText();
  showAlone({}, tr("Idle"), waiting.isEmpty() ? tr("%n CPU core(s)", nullptr, QThread::idealThreadCount()) : waiting);
}

void StatusLine::showAlone(std::optional<RunState> state, const QString& engine, const QString& detail) {
  timer_.stop();
  mark_->setState(state);
  engine_->setText(engine);
  for (QWidget* part : livingParts_) part->hide();
  run_->setWhole(detail);
}

QString StatusLine::waitingText() const {
  const int waiting = static_cast<int>(workspace_.launcher().queue().size());
  return waiting == 0 ? QString() : tr("%n launch(es) waiting", nullptr, waiting);
}

/// A network that is away is no trouble: what has come is there to be read.
void StatusLine::showRemotes() {
  QStringList parts;
  QStringList details;
  for (const RemoteLink& link : workspace_.remotes().links()) {
    const QString name = QString::fromStdString(link.remote.name);
    parts << tr("%1: %2", "a remote and its state").arg(name, linkText(link.state));
    if (!link.state.problem.empty())
      details << name + QStringLiteral(": ") + QString::fromStdString(link.state.problem);
  }
  remotes_->setVisible(!parts.isEmpty());
  remotes_->setText(parts.join(QStringLiteral(" · ")));
  remotes_->setToolTip(details.join(QLatin1Char('\n')));
}

void StatusLine::showStore() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  if (!workspace_.store().isOpen()) return store_->setText(tr("No store is open"));
  const QString name = QString::fromStdString(workspace_.store().folder().filename().string());
  const QString size = QLocale().formattedDataSize(snapshot->bytes, 1, QLocale::DataSizeSIFormat);
  if (snapshot->bytes == 0) {
    store_->setText(tr("Store: %1").arg(name));  // not measured yet
  } else {
    store_->setText(snapshot->runs.empty() ? tr("Store: %1 (empty)").arg(name) : tr("Store: %1 · %2").arg(name, size));
  }
  const QString& readOnly = workspace_.store().whyReadOnly();
  if (!readOnly.isEmpty()) store_->setText(tr("%1 · read only", "of a store").arg(store_->text()));
  store_->setToolTip(readOnly.isEmpty() ? QString::fromStdString(workspace_.store().folder().string()) : readOnly);
}

QString StatusLine::text() const {
  QStringList parts{engine_->text(), run_->whole()};
  for (const QLabel* label : {step_, left_, ranks_, lag_}) {
    if (!label->isHidden()) parts << label->text();
  }
  if (!remotes_->isHidden()) parts << remotes_->text();
  parts << store_->text();
  return parts.join(QStringLiteral(" | "));
}

}  // namespace slipstream::ui
