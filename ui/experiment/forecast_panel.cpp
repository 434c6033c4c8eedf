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
#include "engine/plan/forecast.h"
#include "engine/probe/this_host.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/widgets/size_unit.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double leastUsedOfBar = 0.2, narrowPart = 3;

QString sizeOf(std::int64_t bytes) {
  return QString::fromStdString(sizeText(bytes));
}

}  // namespace

/// A square of a colour; the outline of one for what is free.
class ForecastPanel::ColourKey : public QWidget {
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

/// Parts of a whole side by side, with the rest of it empty.
class ForecastPanel::MemoryBar : public QWidget {
 public:
  struct Piece {
    QColor colour;
    double size;
  };

  MemoryBar() { setFixedHeight(sizeHint().height()); }
  /// `whole` less than the pieces together: they are all there is.
  void setPieces(std::vector<Piece> pieces, double whole) {
    pieces_ = std::move(pieces);
    double together = 0;
    for (const Piece& piece : pieces_) together += piece.size;
    whole_ = std::max(whole, together);
    update();
  }
  QSize sizeHint() const override { return {200, 18}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().base);
    double left = 0;
    for (const Piece& piece : pieces_) {
      const double width = whole_ > 0 ? piece.size / whole_ * this->width() : 0;
      // Narrow parts with gaps between them would be stripes.
      const double gap = width > narrowPart ? 1 : 0;
      if (width >= 0.5) painter.fillRect(QRectF(left, 0, width - gap, height()), piece.colour);
      left += width;
    }
    painter.setPen(tokens().hairline);
    painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
  }

 private:
  std::vector<Piece> pieces_;
  double whole_ = 0;
};

ForecastPanel::ForecastPanel(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      when_(new ElidedLabel),
      memory_(label(tr("Memory per rank"))),
      together_(label(QString())),
      bar_(new MemoryBar),
      details_(new QWidget),
      fold_(new QToolButton) {
  QVBoxLayout* layout = column(this, gapSmall);
  layout->addWidget(buildHeader());
  bar_->setAccessibleName(tr("Memory per rank by kind"));
  layout->addWidget(bar_);
  layout->addWidget(details_);
  column(details_, 3)->addWidget(buildLegend());
  setFolded(false);
  machine_ = addLine(tr("Share of the machine's memory"));
  traffic_ = addLine(tr("Communication per rank per step"));
  steps_ = addLine(tr("Steps"));
  frozen_ = addLine(tr("Frozen steps"));
  store_ = addLine(tr("Size of kept checkpoints"));
  details_->layout()->addWidget(hairline());
  refresh();
}

/// Two lines: what this is, and how much memory it comes to.
QWidget* ForecastPanel::buildHeader() {
  auto* header = new QWidget;
  auto* lines = new QGridLayout(header);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setVerticalSpacing(6);
  lines->setHorizontalSpacing(0);
  fold_->setIconSize({12, 12});
  connect(fold_, &QToolButton::clicked, this, [this] { showDetails(details_->isHidden()); });
  when_->setFont(textFont(TextSize::secondary));
  when_->setProperty("second", true);
  when_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  lines->addWidget(label(tr("Forecast"), TextSize::section), 0, 0);
  lines->addWidget(when_, 0, 1);
  lines->addWidget(fold_, 0, 2);
  lines->addWidget(memory_, 1, 0);
  together_->setTextFormat(Qt::RichText);  // of numbers alone
  lines->addWidget(together_, 1, 1, 1, 2, Qt::AlignRight);
  lines->setColumnStretch(1, 1);
  return header;
}

QWidget* ForecastPanel::buildLegend() {
  auto* legend = new QWidget;
  auto* grid = new QGridLayout(legend);
  grid->setContentsMargins(0, 0, 0, 2);
  grid->setHorizontalSpacing(gapText);
  grid->setVerticalSpacing(2);
  const auto add = [&](std::optional<Part> part, const QString& text) {
    auto* size = label(QString(), TextSize::body, true);
    size->setAlignment(Qt::AlignRight);
    const LegendEntry entry{new ColourKey(part), label(text), size};
    for (QWidget* widget : entry.parts()) widget->setParent(legend);  // those that are never shown go with it
    return entry;
  };
  for (const MemoryKind& kind : memoryKinds()) entries_[kind.key] = add(kind.part, kind.name);
  free_ = add({}, tr("Free"));
  legend_ = grid;
  grid->setColumnStretch(2, 1);
  grid->setColumnStretch(6, 1);
  grid->setColumnMinimumWidth(3, gapSection);
  return legend;
}

/// Two beside each other, of what takes any memory at all.
void ForecastPanel::arrangeLegend(const std::vector<const LegendEntry*>& shown) {
  if (shown == shown_) return;
  shown_ = shown;
  for (const auto& [key, entry] : entries_) entry.setVisible(false);
  free_.setVisible(false);
  int index = 0;
  for (const LegendEntry* entry : shown) {
    const int row = index / 2, column = index % 2 * 4;
    legend_->addWidget(entry->key, row, column);
    legend_->addWidget(entry->name, row, column + 1);
    legend_->addWidget(entry->size, row, column + 2);
    entry->setVisible(true);
    ++index;
  }
}

std::array<QWidget*, 3> ForecastPanel::LegendEntry::parts() const {
  return {key, name, size};
}

void ForecastPanel::LegendEntry::setVisible(bool visible) const {
  for (QWidget* part : parts()) part->setVisible(visible);
}

ForecastPanel::Line ForecastPanel::addLine(const QString& title) {
  auto* whole = new QWidget;
  QVBoxLayout* box = column(whole, details_->layout()->spacing());
  box->addWidget(hairline());
  auto* row = new QHBoxLayout;
  QLabel* name = label(title, TextSize::body, true);
  name->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Communication per rank per step")) + gapWide);
  const Line line{whole, label(QString()), new ElidedLabel};
  line.note->setProperty("second", true);
  line.note->setAlignment(Qt::AlignRight);
  row->addWidget(name);
  row->addWidget(line.value);
  row->addWidget(line.note, 1);
  box->addLayout(row);
  details_->layout()->addWidget(whole);
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
    const QString brief = tr("Estimate");
    when_->setWhole(tr("Estimate; replaced by measured values during the run"),
                    {tr("Estimate; measured values follow"), brief});
  } else {
    when_->setWhole(tr("of the last text without mistakes"), {tr("of an older text")});
  }
  if (editing_.plan() == nullptr) return;
  refreshMemory();
  refreshLines();
}

void ForecastPanel::refreshMemory() {
  const RunPlan& plan = *editing_.plan();
  const auto bytesOf = [&plan](const MemoryKind& kind) {
    const auto found = plan.memoryPerRank.find(kind.key);
    return found == plan.memoryPerRank.end() ? std::int64_t{0} : found->second;
  };
  std::int64_t together = 0, ofData = 0;
  for (const MemoryKind& kind : memoryKinds()) {
    together += bytesOf(kind);
    if (kind.part == Part::data) ofData += bytesOf(kind);
  }
  const std::int64_t share = plan.local ? memoryOfThisMachine() / std::max(1, plan.ranks()) : 0;
  // Of a machine's memory small networks take too little to be seen: then the bar is what they take.
  const double used = share > 0 ? static_cast<double>(together) / static_cast<double>(share) : 1;
  const bool showsFree = used > leastUsedOfBar;
  const bool leavesDataOut = !showsFree && hidesOtherMemory(ofData, together);
  const SizeUnit unit = unitFor(static_cast<double>(together));
  const auto inUnit = [&unit](std::int64_t bytes) { return QStringLiteral("%1 %2").arg(unit.of(bytes), unit.name); };
  std::vector<MemoryBar::Piece> pieces;
  std::vector<const LegendEntry*> shown;
  for (const MemoryKind& kind : memoryKinds()) {
    const bool isOutside = leavesDataOut && kind.part == Part::data;
    if (!isOutside) pieces.push_back({partColour(kind.part), static_cast<double>(bytesOf(kind))});
    const LegendEntry& entry = entries_[kind.key];
    entry.size->setText(inUnit(bytesOf(kind)));
    if (bytesOf(kind) > 0 && !isOutside) shown.push_back(&entry);
  }
  free_.size->setText(share > 0 ? inUnit(std::max<std::int64_t>(0, share - together)) : tr("not known"));
  if (showsFree || share == 0) shown.push_back(&free_);
  arrangeLegend(shown);
  bar_->setPieces(std::move(pieces), showsFree ? static_cast<double>(share) : 0);
  memory_->setText(leavesDataOut ? tr("Memory per rank without data") : tr("Memory per rank"));
  const QString drawn = tr("<b>%1</b>").arg(leavesDataOut ? inUnit(together - ofData) : sizeOf(together));
  together_->setText(leavesDataOut ? tr("%1 + %2 of data").arg(drawn, inUnit(ofData)) : drawn);
  machine_.value->setText(share > 0 ? tr("%1 %").arg(QLocale().toString(100 * used, 'f', 1)) : tr("not known"));
  static_cast<ElidedLabel*>(machine_.note)->setWhole(share > 0 ? tr("of %1 a rank").arg(sizeOf(share)) : QString());
  machine_.note->setToolTip(share > 0 ? tr("The memory of this machine, shared by %n rank(s)", nullptr, plan.ranks())
                                      : QString());
}

void ForecastPanel::refreshLines() {
  const RunPlan& plan = *editing_.plan();
  const StagePlan stage = *editing_.stage();
  const RunForecast forecast = forecastRun(plan, stage);
  const QLocale locale;
  const bool whole = plan.stages.empty();
  const auto note = [](const Line& line, const QString& text, const QStringList& shorter = {}) {
    static_cast<ElidedLabel*>(line.note)->setWhole(text, shorter);
  };
  traffic_.value->setText(sizeOf(forecast.trafficPerStep));
  note(traffic_, plan.ranks() == 1 ? tr("one rank sends nothing") : tr("%n rank(s)", nullptr, plan.ranks()));
  steps_.value->setText(locale.toString(static_cast<qlonglong>(forecast.steps)));
  const QString epochs = tr("%1 steps/epoch").arg(locale.toString(static_cast<qlonglong>(stage.stepsPerEpoch)));
  note(steps_, whole ? epochs : tr("stage %1, %2").arg(QString::fromStdString(stage.name), epochs));
  const double share =
      forecast.steps > 0 ? 100.0 * static_cast<double>(forecast.frozenSteps) / static_cast<double>(forecast.steps) : 0;
  frozen_.whole->setVisible(forecast.frozenSteps > 0);  // a low window's text needs the room
  frozen_.value->setText(locale.toString(static_cast<qlonglong>(forecast.frozenSteps)));
  note(frozen_,
       forecast.frozenSteps > 0 ? tr("%1 %, backward stops early").arg(locale.toString(share, 'f', 0)) : QString());
  store_.value->setText(sizeOf(forecast.storedBytes()));
  const int kept = static_cast<int>(forecast.checkpointsKept);
  const QString size = sizeOf(forecast.checkpointBytes);
  note(store_, tr("%n × %1 (deduplicated)", nullptr, kept).arg(size), {tr("%n × %1", nullptr, kept).arg(size)});
}

}  // namespace slipstream::ui
