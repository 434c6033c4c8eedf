// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charts_header.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>
#include <set>

#include "engine/plan/run_plan.h"
#include "engine/record/metric_info.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/metric_picker.h"
#include "ui/charts/shown_runs.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int progressWidth = 120, narrowProgressWidth = 48;
constexpr int hundredPercent = 100;

constexpr int hundred = 100;
constexpr int mostSmoothing = 99;  ///< hundredths
constexpr int sliderWidth = 96, narrowSliderWidth = 64;

}  // namespace

/// What a run was asked to train, as the header says it.
struct RunHeader::Facts {
  std::string network, dataset;
  int ranks = 0;
  qlonglong batch = 0, steps = 0;
};

struct RunHeader::Details {
  Facts facts;  ///< of the current run, or of all that are shown: then empty, or 0, where they differ
  qlonglong done = 0;
  int shown = 0;
  bool ofOne = true;    ///< the current run, rather than all that are shown
  bool living = false;  ///< the current run goes on

  void keepCommon(const Facts& other) {
    if (facts.network != other.network) facts.network.clear();
    if (facts.dataset != other.dataset) facts.dataset.clear();
    if (facts.ranks != other.ranks || facts.batch != other.batch) facts.ranks = 0;
  }
};

/// Of runs by id, in the reader's thread: a plan never changes, and takes a while to read. Runs without one have none.
class RunHeader::KnownFacts {
 public:
  Facts of(RunStore& store, const std::string& run) {
    if (const auto known = facts_.find(run); known != facts_.end()) return known->second;
    const auto record = store.find(run);
    return record ? facts_.emplace(run, factsOf(*record)).first->second : Facts{};
  }

 private:
  static Facts factsOf(const RunRecord& record) {
    const auto plan = parseRunPlan(record.planText);
    if (!plan) return {};
    const Experiment& experiment = plan->experiment;
    return {experiment.network.name, experiment.dataset.name, plan->ranks(), experiment.dataset.batchSize,
            plan->totalSteps};
  }

  std::map<std::string, Facts> facts_;
};

RunHeader::RunHeader(Workspace& workspace, std::shared_ptr<CurveSource> source, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      source_(std::move(source)),
      known_(std::make_shared<KnownFacts>()),
      name_(new ElidedLabel),
      state_(new StateChip),
      details_(new ElidedLabel),
      unit_(label(tr("step"), TextSize::body, true)),
      steps_(label({}, TextSize::section)),
      progress_(new QProgressBar),
      share_(label({})) {
  name_->setFont(textFont(TextSize::pageTitle));
  name_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  details_->setProperty("second", true);
  details_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the run"));
  QHBoxLayout* row = rowLayout(this);
  row->addWidget(name_);
  row->addWidget(state_);
  row->addWidget(details_, 1);
  for (QWidget* part : std::initializer_list<QWidget*>{unit_, steps_, progress_, share_}) row->addWidget(part);
  setNarrow(false);
  refresh();
}

void RunHeader::setNarrow(bool narrow) {
  progress_->setFixedWidth(narrow ? narrowProgressWidth : progressWidth);
}

/// The current run beside few others of its experiment; else what all have in common: one would be taken for all.
bool RunHeader::showTitle(const RunRow& current, const std::vector<ShownRun>& shown) {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  std::set<std::string> experiments{current.run.experimentName};
  std::set<RunState> states{current.run.state};
  for (const ShownRun& run : shown) {
    const RunRow* row = snapshot->find(run.run.id);
    if (row == nullptr) continue;
    experiments.insert(row->run.experimentName);
    states.insert(row->run.state);
  }
  constexpr std::size_t few = 8;
  const int count = static_cast<int>(experiments.size());
  const bool ofOne = count == 1 && shown.size() <= few;
  name_->setWhole(ofOne       ? runName(*snapshot, current)
                  : count > 1 ? tr("%n experiment(s)", nullptr, count)
                              : QString::fromStdString(current.run.experimentName));
  state_->setVisible(ofOne || states.size() == 1 || isLiving(current.run.state));
  state_->setState(current.run.state);
  return ofOne;
}

void RunHeader::refresh() {
  const RunRow* row = workspace_.currentRun();
  if (row == nullptr) return;
  const std::vector<ShownRun> shown = shownRuns(workspace_);
  const bool ofOne = showTitle(*row, shown);
  const auto own =
      std::find_if(shown.begin(), shown.end(), [&](const ShownRun& run) { return run.run.id == row->run.id; });
  const CurveRun run = own == shown.end() ? CurveRun{row->run.id, {}} : own->run;
  std::vector<std::string> others;
  for (const ShownRun& one : shown) {
    if (!ofOne && one.run.id != run.id) others.push_back(one.run.id);
  }
  const int ticket = asked_.take();
  workspace_.store().reader().read(
      this,
      [source = source_, known = known_, run, others, count = static_cast<int>(shown.size()), ofOne,
       living = isLiving(row->run.state)](RunStore& store) {
        Details details;
        details.living = living;
        details.shown = count;
        details.ofOne = ofOne;
        details.facts = known->of(store, run.id);
        for (const std::string& other : others) details.keepCommon(known->of(store, other));
        const auto loss = source->seriesOf(store, run, metric::loss);
        if (!loss->steps.empty()) details.done = loss->steps.back() + 1;
        return details;
      },
      [this, ticket](const Details& details) {
        if (asked_.isLatest(ticket)) show(details);
      });
}

void RunHeader::show(const Details& details) {
  QStringList parts;
  int shownRuns = -1;
  const RunRow* current = workspace_.currentRun();
  if (details.living && !details.ofOne && current != nullptr) {
    parts << runName(*workspace_.store().snapshot(), *current);
  }
  if (details.shown > 1) {
    const auto listed = static_cast<int>(workspace_.store().snapshot()->runs.size());
    shownRuns = static_cast<int>(parts.size());
    parts << tr("%1 of %n run(s)", nullptr, listed).arg(details.shown);
  }
  if (!details.facts.network.empty()) parts << QString::fromStdString(details.facts.network);
  if (!details.facts.dataset.empty()) parts << QString::fromStdString(details.facts.dataset);
  if (details.facts.ranks > 0) parts << tr("%n rank(s) × %1", nullptr, details.facts.ranks).arg(details.facts.batch);
  for (const RunRow& row : workspace_.store().snapshot()->runs) {
    if (!row.label.pinned || row.run.id == workspace_.selection().current()) continue;
    parts << tr("pinned baseline: %1").arg(runName(*workspace_.store().snapshot(), row));
    break;
  }
  const QString separator = QStringLiteral(" · ");
  QStringList shorter = parts;
  if (shownRuns >= 0) shorter[shownRuns] = tr("%n run(s)", nullptr, details.shown);
  details_->setWhole(parts.join(separator), {shorter.join(separator)});
  const bool known = details.facts.steps > 0 && (details.ofOne || details.living);
  for (QWidget* part : std::initializer_list<QWidget*>{unit_, steps_, progress_, share_}) part->setVisible(known);
  if (!known) return;
  const QLocale locale;
  const int percent =
      static_cast<int>(std::min(details.done, details.facts.steps) * hundredPercent / details.facts.steps);
  steps_->setText(QStringLiteral("%1 / %2").arg(locale.toString(details.done), locale.toString(details.facts.steps)));
  progress_->setValue(percent);
  share_->setText(QStringLiteral("%1 %").arg(percent));
}

ChartControls::ChartControls(QWidget* parent)
    : QWidget(parent),
      x_(new QComboBox),
      smoothing_(new QSlider(Qt::Horizontal)),
      smoothingValue_(label({})),
      raw_(new QCheckBox(tr("Raw line"))),
      logarithmic_(new QCheckBox(tr("Log y"))),
      bands_(new QCheckBox(tr("Seed bands"))),
      add_(button(Symbol::add, tr("Add chart"))),
      metrics_(new MetricPicker(this)),
      layout_(button(Symbol::layout, tr("Layout"))),
      layouts_(new QMenu(this)),
      legend_(button(tr("Legend"))),
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
  layout_->setMenu(layouts_);
  legend_->setCheckable(true);
  legend_->setToolTip(tr("The list of curves beside the chart"));
  legend_->hide();
  build();
  connect(add_, &QPushButton::clicked, this,
          [this] { metrics_->popup(add_->mapToGlobal(QPoint(add_->width(), add_->height()))); });
  connect(metrics_, &MetricPicker::chosen, this, &ChartControls::chartWanted);
  connect(legend_, &QPushButton::clicked, this, &ChartControls::legendWanted);
  setOptions(options_);
  measure();
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
  QHBoxLayout* row = rowLayout(this);
  axis_ = label(tr("x axis"), TextSize::body, true);
  row->addWidget(axis_);
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
  addAll(*row, {legend_, layout_, add_, reset_});
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

void ChartControls::setSeeds(bool many) {
  if (bandsChosen_ || options_.bands == many || options_.x == ChartX::wallTime) return;
  ChartOptions options = options_;
  options.bands = many;
  apply(options);
}

void ChartControls::setOptions(const ChartOptions& options) {
  bandsChosen_ = bandsChosen_ || options.bands != options_.bands;
  apply(options);
}

void ChartControls::apply(const ChartOptions& options) {
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

void ChartControls::setRawLines(bool there) {
  if (hasRawLines_ == there) return;
  hasRawLines_ = there;
  raw_->setVisible(there);  // without any, the legend's button needs the room
  enableSmoothing();
  measure();
}

void ChartControls::setLegend(bool foldable, bool unfolded) {
  const bool changes = legend_->isHidden() == foldable;
  legend_->setVisible(foldable);
  legend_->setChecked(unfolded);
  if (changes) measure();
}

void ChartControls::setLayoutName(const QString& name) {
  layout_->setToolTip(
      tr("Charts and their places, kept for %1. A title is dragged to move a chart, an edge to resize it; a double "
         "click enlarges it.")
          .arg(name));
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
  metrics_->setMetrics(metrics);
  add_->setEnabled(!metrics.empty());
  add_->setToolTip(metrics.empty() ? tr("These runs have measured nothing else") : QString());
}

QSize ChartControls::minimumSizeHint() const {
  const auto fewest = widths_.find(Words::fewest);
  return {fewest == widths_.end() ? 0 : fewest->second, QWidget::minimumSizeHint().height()};
}

void ChartControls::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

/// Only now they have the sizes of the style sheet.
void ChartControls::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  measure();
}

void ChartControls::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool resized = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
  if (resized && !widths_.empty()) measure();
}

void ChartControls::fit() {
  Words words = Words::fewest;
  for (const auto& [candidate, needed] : widths_) {
    if (width() < needed) continue;
    words = candidate;
    break;
  }
  if (words != words_) setWords(words);
}

void ChartControls::measure() {
  for (const Words words : {Words::fewest, Words::fewer, Words::all}) {
    setWords(words);
    widths_[words] = layout()->totalMinimumSize().width();
  }
  updateGeometry();
  fit();
}

void ChartControls::setWords(Words words) {
  words_ = words;
  const bool isBrief = words != Words::all, isBriefest = words == Words::fewest;
  smoothing_->setFixedWidth(isBrief ? narrowSliderWidth : sliderWidth);
  axis_->setVisible(!isBriefest);
  layout_->setText(isBriefest ? QString() : tr("Layout"));
  layout_->setAccessibleName(tr("Layout"));
  raw_->setText(isBriefest ? tr("Raw", "line") : tr("Raw line"));
  raw_->setAccessibleName(tr("Raw line"));
  bands_->setText(isBriefest ? tr("Bands") : tr("Seed bands"));
  bands_->setAccessibleName(tr("Seed bands"));
  add_->setText(isBrief ? tr("Chart", "button that adds one") : tr("Add chart"));
  add_->setAccessibleName(tr("Add chart"));
  reset_->setText(isBrief ? tr("Reset", "the zoom") : tr("Reset zoom"));
  reset_->setAccessibleName(tr("Reset zoom"));
}

}  // namespace slipstream::ui
