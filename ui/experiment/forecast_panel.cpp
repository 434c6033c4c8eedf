// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/forecast_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <optional>

#include "engine/base/text.h"
#include "engine/plan/run_forecast.h"
#include "engine/plan/this_host.h"
#include "ui/experiment/experiment_document.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/experiment/memory_bar.h"
#include "ui/parts/memory_kinds.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

QString sizeWords(std::int64_t bytes) {
  return QString::fromStdString(sizeText(bytes));
}

/// A square of a colour; without one the outline of what is free.
class ColourKey : public QWidget {
 public:
  explicit ColourKey(std::optional<Part> part) : part_(part) { setFixedSize(10, 10); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    if (part_) return painter.fillRect(rect(), partColour(*part_));
    painter.setPen(tokens().control);
    painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
  }

 private:
  std::optional<Part> part_;
};

}  // namespace

ForecastPanel::ForecastPanel(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      when_(new ElidedLabel),
      together_(label(QString())),
      bar_(new MemoryBar),
      details_(new QWidget),
      fold_(new QToolButton) {
  QVBoxLayout* layout = column(this, 6);
  layout->addWidget(buildHead());
  bar_->setAccessibleName(tr("Memory per rank by kind"));
  layout->addWidget(bar_);
  layout->addWidget(details_);
  column(details_, 6)->addWidget(buildLegend());
  setFolded(false);
  traffic_ = addLine(tr("Traffic per rank and step"));
  steps_ = addLine(tr("Steps"));
  frozen_ = addLine(tr("Frozen steps"));
  store_ = addLine(tr("Checkpoints kept"));
  refresh();
}

/// Two lines: what this is, and how much memory it comes to.
QWidget* ForecastPanel::buildHead() {
  auto* head = new QWidget;
  auto* lines = new QGridLayout(head);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setVerticalSpacing(6);
  fold_->setIconSize({12, 12});
  connect(fold_, &QToolButton::clicked, this, [this] { showDetails(details_->isHidden()); });
  when_->setFont(textFont(TextSize::secondary));
  when_->setProperty("second", true);
  when_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  lines->addWidget(label(tr("Forecast"), TextSize::section), 0, 0);
  lines->addWidget(when_, 0, 1);
  lines->addWidget(fold_, 0, 2);
  lines->addWidget(label(tr("Memory per rank")), 1, 0);
  lines->addWidget(together_, 1, 1, 1, 2, Qt::AlignRight);
  lines->setColumnStretch(1, 1);
  return head;
}

QWidget* ForecastPanel::buildLegend() {
  auto* legend = new QWidget;
  auto* grid = new QGridLayout(legend);
  grid->setContentsMargins(0, 0, 0, 2);
  grid->setHorizontalSpacing(gapText);
  grid->setVerticalSpacing(2);
  const auto add = [&](int index, std::optional<Part> part, const QString& words) {
    const int column = index % 2 * 4;
    auto* size = label(QString(), TextSize::body, true);
    size->setAlignment(Qt::AlignRight);
    grid->addWidget(new ColourKey(part), index / 2, column);
    grid->addWidget(label(words), index / 2, column + 1);
    grid->addWidget(size, index / 2, column + 2);
    return size;
  };
  int index = 0;
  for (const MemoryKind& kind : memoryKinds()) sizes_[kind.key] = add(index++, kind.part, kind.name);
  free_ = add(index, {}, tr("Free"));
  grid->setColumnStretch(2, 1);
  grid->setColumnStretch(6, 1);
  grid->setColumnMinimumWidth(3, gapSection);
  return legend;
}

ForecastPanel::Line ForecastPanel::addLine(const QString& title) {
  auto* box = static_cast<QVBoxLayout*>(details_->layout());
  box->addWidget(hairline());
  auto* row = new QHBoxLayout;
  QLabel* name = label(title, TextSize::body, true);
  name->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Traffic per rank and step")) + gapWide);
  const Line line{label(QString()), new ElidedLabel};
  line.note->setProperty("second", true);
  line.note->setAlignment(Qt::AlignRight);
  row->addWidget(name);
  row->addWidget(line.value);
  row->addWidget(line.note, 1);
  box->addLayout(row);
  return line;
}

void ForecastPanel::setFolded(bool folded) {
  fold_->setVisible(folded);
  showDetails(!folded);
}

void ForecastPanel::showDetails(bool shown) {
  details_->setVisible(shown);
  fold_->setIcon(icon(shown ? Symbol::down : Symbol::up, IconInk::second));
  fold_->setToolTip(shown ? tr("Hide the details of the forecast") : tr("Show the details of the forecast"));
  fold_->setAccessibleName(fold_->toolTip());
}

void ForecastPanel::refresh() {
  setEnabled(editing_.plan() != nullptr && editing_.document().isCurrent());
  if (editing_.document().isCurrent()) {
    const QString brief = tr("before the first step");
    when_->setWhole(tr("before the first step; measured values follow"), {brief});
  } else {
    when_->setWhole(tr("of the last text without mistakes"), {tr("of an older text")});
  }
  if (editing_.plan() == nullptr) return;
  refreshMemory();
  refreshLines();
}

void ForecastPanel::refreshMemory() {
  const RunPlan& plan = *editing_.plan();
  std::int64_t together = 0;
  std::vector<MemoryBar::Piece> pieces;
  for (const MemoryKind& kind : memoryKinds()) {
    const auto found = plan.memoryPerRank.find(kind.key);
    const std::int64_t bytes = found == plan.memoryPerRank.end() ? 0 : found->second;
    together += bytes;
    pieces.push_back({partColour(kind.part), static_cast<double>(bytes)});
    sizes_[kind.key]->setText(sizeWords(bytes));
  }
  const std::int64_t share = plan.local ? memoryOfThisMachine() / std::max(1, plan.ranks()) : 0;
  bar_->setPieces(std::move(pieces), static_cast<double>(share));
  together_->setText(share > 0 ? tr("<b>%1</b> of %2").arg(sizeWords(together), sizeWords(share))
                               : tr("<b>%1</b>").arg(sizeWords(together)));
  together_->setToolTip(share > 0 ? tr("The memory of this machine, shared by %n rank(s)", nullptr, plan.ranks())
                                  : QString());
  free_->setText(share > 0 ? sizeWords(std::max<std::int64_t>(0, share - together)) : tr("not known"));
}

void ForecastPanel::refreshLines() {
  const RunPlan& plan = *editing_.plan();
  const StagePlan stage = *editing_.stage();
  const RunForecast forecast = forecastRun(plan, stage);
  const QLocale locale;
  const bool whole = plan.stages.empty();
  const auto note = [](const Line& line, const QString& words, const QStringList& shorter = {}) {
    static_cast<ElidedLabel*>(line.note)->setWhole(words, shorter);
  };
  traffic_.value->setText(sizeWords(forecast.trafficPerStep));
  note(traffic_, plan.ranks() == 1 ? tr("one rank sends nothing") : tr("%n rank(s)", nullptr, plan.ranks()));
  steps_.value->setText(locale.toString(static_cast<qlonglong>(forecast.steps)));
  const QString epochs = tr("%1 an epoch").arg(locale.toString(static_cast<qlonglong>(stage.stepsPerEpoch)));
  note(steps_, whole ? epochs : tr("stage %1, %2").arg(QString::fromStdString(stage.name), epochs));
  const double share =
      forecast.steps > 0 ? 100.0 * static_cast<double>(forecast.frozenSteps) / static_cast<double>(forecast.steps) : 0;
  frozen_.value->setText(locale.toString(static_cast<qlonglong>(forecast.frozenSteps)));
  note(frozen_, forecast.frozenSteps > 0 ? tr("%1 %, backward stops early").arg(locale.toString(share, 'f', 0))
                                         : tr("every step trains everything"));
  store_.value->setText(sizeWords(forecast.storedBytes()));
  const int kept = static_cast<int>(forecast.checkpointsKept);
  const QString size = sizeWords(forecast.checkpointBytes);
  note(store_, tr("%n of %1, shared tensors once", nullptr, kept).arg(size), {tr("%n of %1", nullptr, kept).arg(size)});
}

}  // namespace slipstream::ui
