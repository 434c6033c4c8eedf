// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_controls.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include "ui/charts/metric_words.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int hundred = 100;
constexpr int mostSmoothing = 99;  ///< hundredths
constexpr int sliderWidth = 96, narrowSliderWidth = 64;

}  // namespace

ChartControls::ChartControls(QWidget* parent)
    : QWidget(parent),
      x_(new QComboBox),
      smoothing_(new QSlider(Qt::Horizontal)),
      smoothingValue_(label({})),
      raw_(new QCheckBox(tr("Raw line"))),
      logarithmic_(new QCheckBox(tr("Log y"))),
      bands_(new QCheckBox(tr("Seed bands"))),
      add_(button(Symbol::add, tr("Add chart"))),
      metrics_(new QMenu(this)),
      reset_(button(tr("Reset zoom"))) {
  x_->addItem(tr("Step"), static_cast<int>(ChartX::step));
  x_->addItem(tr("Epoch"), static_cast<int>(ChartX::epoch));
  x_->addItem(tr("Samples"), static_cast<int>(ChartX::samples));
  x_->addItem(tr("Wall time"), static_cast<int>(ChartX::wallTime));
  x_->addItem(tr("Relative time"), static_cast<int>(ChartX::relativeTime));
  x_->setAccessibleName(tr("x axis"));
  smoothing_->setRange(0, mostSmoothing);
  smoothing_->setFixedWidth(sliderWidth);
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothingValue_->setFixedWidth(smoothingValue_->fontMetrics().horizontalAdvance(QStringLiteral("0.00")) + gapSmall);
  bands_->setToolTip(
      tr("Runs that differ in their seed alone become one curve with a band from the lowest to the highest"));
  add_->setMenu(metrics_);
  build();
  setOptions(options_);
  connect(x_, &QComboBox::currentIndexChanged, this, &ChartControls::take);
  connect(smoothing_, &QSlider::valueChanged, this, &ChartControls::take);
  for (QCheckBox* box : {raw_, logarithmic_, bands_}) connect(box, &QCheckBox::toggled, this, &ChartControls::take);
  connect(reset_, &QPushButton::clicked, this, [this] {
    options_.zoom.reset();
    setOptions(options_);
    Q_EMIT changed();
  });
}

void ChartControls::build() {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  row->addWidget(label(tr("x axis"), TextSize::body, true));
  row->addWidget(x_);
  row->addSpacing(gapSmall);
  row->addWidget(label(tr("Smoothing"), TextSize::body, true));
  row->addWidget(smoothing_);
  row->addWidget(smoothingValue_);
  for (QCheckBox* box : {raw_, logarithmic_, bands_}) {
    row->addSpacing(gapSmall);
    row->addWidget(box);
  }
  row->addStretch();
  row->addWidget(add_);
  row->addWidget(reset_);
}

/// The mean of seeds has no time of day: each of them ran at another.
void ChartControls::enableWallTime() {
  if (options_.bands && options_.x == ChartX::wallTime) {
    options_.x = ChartX::relativeTime;
    options_.zoom.reset();
  }
  const int item = x_->findData(static_cast<int>(ChartX::wallTime));
  static_cast<QStandardItemModel*>(x_->model())->item(item)->setEnabled(!options_.bands);
  x_->setItemData(
      item, options_.bands ? tr("Seeds ran at different hours: bands are drawn over time since the start") : QString(),
      Qt::ToolTipRole);
}

void ChartControls::setOptions(const ChartOptions& options) {
  options_ = options;
  enableWallTime();
  const QSignalBlocker blockers[] = {QSignalBlocker(x_), QSignalBlocker(smoothing_), QSignalBlocker(raw_),
                                     QSignalBlocker(logarithmic_), QSignalBlocker(bands_)};
  x_->setCurrentIndex(x_->findData(static_cast<int>(options_.x)));
  smoothing_->setValue(static_cast<int>(options.smoothing * hundred + 0.5));
  smoothingValue_->setText(QLocale().toString(options.smoothing, 'f', 2));
  raw_->setChecked(options.rawLine);
  enableSmoothing();
  logarithmic_->setChecked(options.logarithmic);
  bands_->setChecked(options.bands);
  reset_->setEnabled(options_.zoom.has_value());
  reset_->setToolTip(options_.zoom ? QString() : tr("All of the run is shown"));
}

/// What has no effect now is off, and says why.
void ChartControls::enableSmoothing() {
  const QString tooFew = tr("Too few samples to smooth: every one of them is drawn");
  const bool smooths = smoothable_ && options_.smoothing > 0;
  smoothing_->setEnabled(smoothable_);
  smoothing_->setToolTip(smoothable_ ? QString() : tooFew);
  smoothingValue_->setEnabled(smoothable_);
  raw_->setEnabled(smooths);
  raw_->setToolTip(smooths ? QString() : smoothable_ ? tr("Nothing is smoothed: the line is the raw one") : tooFew);
}

void ChartControls::setSmoothable(bool smoothable) {
  smoothable_ = smoothable;
  enableSmoothing();
}

void ChartControls::take() {
  ChartOptions options = options_;
  options.x = static_cast<ChartX>(x_->currentData().toInt());
  if (options.x != options_.x) options.zoom.reset();
  options.smoothing = static_cast<double>(smoothing_->value()) / hundred;
  options.rawLine = raw_->isChecked();
  options.logarithmic = logarithmic_->isChecked();
  options.bands = bands_->isChecked();
  setOptions(options);
  Q_EMIT changed();
}

void ChartControls::setMetrics(const std::vector<std::string>& metrics) {
  metrics_->clear();
  for (const std::string& metric : metrics) {
    metrics_->addAction(wordsOf(metric).title, this, [this, metric] { Q_EMIT chartWanted(metric); });
  }
  add_->setEnabled(!metrics.empty());
  add_->setToolTip(metrics.empty() ? tr("These runs have measured nothing else") : QString());
}

void ChartControls::setNarrow(bool narrow) {
  smoothing_->setFixedWidth(narrow ? narrowSliderWidth : sliderWidth);
  add_->setText(narrow ? tr("Chart", "button that adds one") : tr("Add chart"));
  add_->setAccessibleName(tr("Add chart"));
  reset_->setText(narrow ? tr("Reset", "the zoom") : tr("Reset zoom"));
  reset_->setAccessibleName(tr("Reset zoom"));
}

}  // namespace slipstream::ui
