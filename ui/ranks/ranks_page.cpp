// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_page.h"

#include <limits>

namespace slipstream::ui {
namespace {

constexpr int tableWidth = 304, mostMemoryWidth = 480;

QLabel* note() {
  QLabel* made = label({}, TextSize::secondary, true);
  made->setWordWrap(true);
  return made;
}

/// One below the other; what is left of the height stays free below them.
QWidget* stackOf(const std::vector<QWidget*>& parts, int gap) {
  auto* stack = new QWidget;
  QVBoxLayout* layout = column(stack, gap);
  for (QWidget* part : parts) layout->addWidget(part);
  layout->addStretch();
  return stack;
}

}  // namespace

RanksPage::RanksPage(Workspace& workspace, QWidget* parent)
    : RunPage(workspace, parent),
      order_(new QComboBox),
      first_(new QSpinBox),
      last_(new QSpinBox),
      wholeRun_(button(tr("Whole run"))),
      finding_(new QLabel),
      timeBars_(new StackedBars),
      memoryBars_(new StackedBars),
      timeParts_(new KeyValueTable),
      timeSummary_(new KeyValueTable),
      memoryParts_(new KeyValueTable),
      timeNote_(note()),
      memoryNote_(note()) {
  for (StackedBars* bars : {timeBars_, memoryBars_}) {
    connect(bars, &StackedBars::activated, this, [this](int rank) { this->workspace().showLog(run(), rank); });
  }
  begin(buildContent(), tr("Choose a run on the left: the time and the memory of its ranks are drawn here."));
}

QWidget* RanksPage::buildContent() {
  auto* content = new QWidget;
  QVBoxLayout* layout = column(content, gapWide);
  layout->setContentsMargins(pageMargin, gapWide, pageMargin, gapText);
  buildControls();
  layout->addWidget(&runTitle());
  layout->addLayout(controlRow());
  layout->addLayout(buildColumns());
  layout->addStretch();
  return content;
}

/// The table of memory, which is wide, is below its chart; that of times, which is long, beside them.
QLayout* RanksPage::buildColumns() {
  QLabel* title = label(tr("Step time by kind, mean of ranks"), TextSize::section);
  finding_->setFont(textFont(TextSize::lead));
  finding_->setTextFormat(Qt::RichText);
  finding_->setWordWrap(true);
  finding_->setContentsMargins(0, 0, 0, gapText);
  QWidget* time = stackOf({finding_, title, timeParts_, hairline(), timeSummary_, timeNote_}, gapText);
  memoryParts_->setMaximumWidth(widthForFont(mostMemoryWidth));  // figures stay near their names
  QWidget* memory = stackOf({memoryBars_, memoryParts_, memoryNote_}, gapText);
  time->setFixedWidth(widthForFont(tableWidth));
  auto* columns = new QHBoxLayout;
  columns->setSpacing(gapSection);
  columns->addWidget(stackOf({timeBars_, memory}, gapWide), 1);
  columns->addWidget(time);
  return columns;
}

void RanksPage::buildControls() {
  order_->addItem(tr("By rank"));
  order_->addItem(tr("By exposed communication"));
  order_->setAccessibleName(tr("Order of the ranks"));
  connect(order_, &QComboBox::currentIndexChanged, this, &RanksPage::showTime);
  for (QSpinBox* box : {first_, last_}) {
    box->setGroupSeparatorShown(true);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setRange(0, 0);
    box->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("1,000,000")) + gapSection);
    connect(box, &QSpinBox::valueChanged, this, [this] {
      whole_ = false;
      askAgain();
    });
  }
  first_->setAccessibleName(tr("First step"));
  last_->setAccessibleName(tr("Last step"));
  connect(wholeRun_, &QPushButton::clicked, this, [this] {
    whole_ = true;
    askAgain();
  });
}

QLayout* RanksPage::controlRow() {
  auto* row = new QHBoxLayout;
  row->setSpacing(gapText);
  row->addWidget(label(tr("Steps"), TextSize::body, true));
  row->addWidget(first_);
  row->addWidget(label(tr("to"), TextSize::body, true));
  row->addWidget(last_);
  row->addWidget(wholeRun_);
  row->addSpacing(gapWide);
  row->addWidget(label(tr("Order"), TextSize::body, true));
  row->addWidget(order_);
  row->addStretch();
  return row;
}

void RanksPage::forget() {
  reading_ = {};
  whole_ = true;
}

StepsAsked RanksPage::stepsAsked() const {
  if (whole_) return {};
  return {first_->value(), std::max(first_->value(), last_->value()) + 1};
}

void RanksPage::ask() {
  askStore([run = run(), asked = stepsAsked()](RunStore& store) { return readRanks(store, run, asked); },
           [this](RanksReading reading) { receive(std::move(reading)); });
}

void RanksPage::receive(RanksReading reading) {
  reading_ = std::move(reading);
  showContent(reading_.stepsDone > 0 || !reading_.memory.empty());
  runTitle().setSummary(tr("%1 · %2 · %n rank(s)", nullptr, reading_.ranks)
                            .arg(QString::fromStdString(reading_.network), QString::fromStdString(reading_.dataset)));
  showRange();
  showTime();
  showMemory();
  const auto [names, totals] = timeBars_->margins();
  const auto [otherNames, otherTotals] = memoryBars_->margins();
  const std::pair margins(std::max(names, otherNames), std::max(totals, otherTotals));
  for (StackedBars* bars : {timeBars_, memoryBars_}) bars->setLeastMargins(margins);
}

void RanksPage::showRange() {
  const int last =
      static_cast<int>(std::clamp<std::int64_t>(reading_.stepsDone - 1, 0, std::numeric_limits<int>::max()));
  const QSignalBlocker quietFirst(first_);
  const QSignalBlocker quietLast(last_);
  first_->setRange(0, last);
  last_->setRange(0, last);
  if (whole_) {
    first_->setValue(0);
    last_->setValue(last);
  }
  wholeRun_->setEnabled(!whole_);
  wholeRun_->setToolTip(whole_ ? tr("All steps are shown") : QString());
}

void RanksPage::showTime() {
  timeBars_->setModel(timeBars(reading_, order_->currentIndex() == 0 ? RankOrder::rank : RankOrder::communication));
  finding_->setText(timeFinding(reading_));
  finding_->setVisible(!finding_->text().isEmpty());
  timeParts_->setRows({}, timeParts(reading_));
  timeSummary_->setRows({}, timeSummary(reading_));
  timeNote_->setText(
      tr("Overlapped communication ran during compute. Checkpoint and evaluation times are excluded. Straggler index: "
         "the greatest work of a rank / the median. A click on a bar shows the log of its rank."));
}

void RanksPage::showMemory() {
  memoryBars_->setModel(memoryBars(reading_));
  const SizeUnit unit = memoryUnit(reading_);
  memoryParts_->setRows({tr("in %1").arg(unit.name), tr("forecast"), tr("measured"), tr("difference")},
                        memoryParts(reading_, unit));
  memoryNote_->setText(reading_.memory.empty()
                           ? tr("The ranks report what they used when the run ends; until then only the forecast is "
                                "known.")
                           : tr("Measured: the highest allocation of any rank, by kind and in total."));
}

}  // namespace slipstream::ui
