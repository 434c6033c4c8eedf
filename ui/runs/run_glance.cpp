// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_glance.h"

#include <QApplication>
#include <QClipboard>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/base/files.h"
#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/document/chart_scale.h"
#include "engine/report/stage_text.h"
#include "ui/runs/run_table.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/document_dialogs.h"

namespace slipstream::ui {
namespace {

constexpr int sketchHeight = 98, sketchLeft = 40, sketchFoot = 18;
constexpr double decadeForLog = 10;
constexpr std::size_t manySamples = 64;  ///< a line of so many is smoothed, over the pale raw one
constexpr double sketchSmoothing = 0.95;
constexpr int markSide = 14;
constexpr int leastFactWidth = 150;

QString dashed(const RunValues& values, const char* key) {
  return shownText(runColumns()[*findRunColumn(key)], values.at(key));
}

/// With the number's unit behind it.
QString withUnit(const RunValues& values, const char* key) {
  const RunColumn& column = runColumns()[*findRunColumn(key)];
  if (values.at(key).isMissing()) return {};
  const std::string_view unit = column.unit();
  return QStringLiteral("%1 %2").arg(shownText(column, values.at(key)),
                                     QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())));
}

/// Whether the run was asked something else than an experiment that says nothing about it.
template <class Value>
bool isUnusual(const Value& asked, const Value& usual) {
  return asked != usual;
}

/// "2 ranks × 16 = 32", or "2 ranks × 16 × 4 = 128" where a step has the gradients of four.
QString batchText(const GlanceReading& reading, std::int64_t batch) {
  const std::int64_t plain = batch * reading.run.ranks;
  const auto whole = static_cast<std::int64_t>(reading.values.at("global_batch").number.value_or(0));
  const QLocale locale;
  QString each = locale.toString(static_cast<qlonglong>(batch));
  if (plain > 0 && whole > plain && whole % plain == 0)
    each += QStringLiteral(" × ") + locale.toString(static_cast<qlonglong>(whole / plain));
  return RunGlance::tr("%n rank(s) × %1 = %2", nullptr, reading.run.ranks)
      .arg(each, dashed(reading.values, "global_batch"));
}

QFormLayout* tightForm() {
  auto* layout = new QFormLayout;
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(gapText);
  layout->setVerticalSpacing(gapSmall + 3);
  layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  return layout;
}

void empty(QFormLayout& layout) {
  while (layout.rowCount() > 0) layout.removeRow(0);
}

void empty(QVBoxLayout& layout) {
  while (QLayoutItem* item = layout.takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

/// A box with round corners in the palette's colour of windows.
class Card : public QWidget {
 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintTint(painter, *this, palette().color(QPalette::Window));
  }
};

/// What an algorithm did, and under it why, over as many lines as that takes.
QWidget* featureRow(const QString& title, bool acts, QLabel* why) {
  auto* row = new QWidget;
  QVBoxLayout* layout = column(row, 0);
  auto* head = new QHBoxLayout;
  head->setSpacing(gapSmall);
  auto* mark = new QLabel(acts ? QString() : QStringLiteral("–"));
  mark->setFixedWidth(markSide);
  if (acts) mark->setPixmap(icon(Symbol::good, IconInk::good).pixmap(markSide, markSide));
  head->addWidget(mark);
  mark->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  QLabel* name = label(title, TextSize::body, !acts);
  name->setWordWrap(true);
  head->addWidget(name, 1);
  layout->addLayout(head);
  why->setWordWrap(true);
  why->setContentsMargins(markSide + gapSmall, 0, 0, 0);
  layout->addWidget(why);
  return row;
}

}  // namespace

LossSketch::LossSketch(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Training loss"));
}

QSize LossSketch::sizeHint() const {
  return {240, sketchHeight};
}

void LossSketch::show(const RunSummary& summary, int colourSlot, RunState state) {
  summary_ = summary;
  slot_ = colourSlot;
  state_ = state;
  setVisible(!summary.sparkline.empty());
  updateGeometry();
  update();
  if (!summary_.lastLoss) return;
  setAccessibleDescription(tr("%1 at step %2").arg(*summary_.lastLoss, 0, 'g', 3).arg(summary_.stepsDone));
}

void LossSketch::paintEvent(QPaintEvent*) {
  double low = INFINITY, high = -INFINITY;
  for (const Line& line : summary_.sparkline) {
    for (const double value : line.y) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(high >= low)) return;
  const bool logarithmic = low > 0 && high / low > decadeForLog;
  const auto share = [&](double value) {
    if (high <= low) return 0.5;
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  };
  const QRectF plot = QRectF(rect()).adjusted(sketchLeft, 6, -8, -sketchFoot);
  const double steps = static_cast<double>(std::max<std::int64_t>({1, summary_.totalSteps, summary_.stepsDone}));
  QPainter painter(this);
  painter.setFont(textFont(TextSize::caption));
  constexpr int mostTicks = 3, mostStepTicks = 4;
  constexpr double leastTickGap = 24;
  const QRectF side(0, -8, sketchLeft - 6, 16);
  double free = INFINITY;  // above the labels so far
  for (const double value : ticksWithin({low, high, logarithmic}, mostTicks)) {
    if (value < low || value > high) continue;
    const double y = plot.bottom() - plot.height() * share(value);
    if (free - y < leastTickGap) continue;
    free = y;
    painter.setPen(tokens().chartGrid);
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(tokens().secondText);
    painter.drawText(side.translated(0, y), Qt::AlignRight | Qt::AlignVCenter, QLocale().toString(value, 'g', 3));
  }
  painter.setPen(tokens().chartAxis);
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.setPen(tokens().secondText);
  const QRectF foot(plot.left(), plot.bottom() + 2, plot.width(), sketchFoot - 2);
  painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
  painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, QLocale().toString(static_cast<qlonglong>(steps)));
  for (const double step : ticksWithin({0, steps, false}, mostStepTicks, true)) {
    const double x = plot.width() * step / steps;
    const QString words = QLocale().toString(static_cast<qlonglong>(step));
    const double half = painter.fontMetrics().horizontalAdvance(words) / 2.0 + gapText;
    const double last = painter.fontMetrics().horizontalAdvance(QLocale().toString(static_cast<qlonglong>(steps)));
    if (x < 2 * half || plot.width() - x < half + last) continue;
    painter.drawText(QRectF(plot.left() + x - half, foot.top(), 2 * half, foot.height()), Qt::AlignCenter, words);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  QPointF last;
  const auto draw = [&](const std::vector<double>& x, const std::vector<double>& y) {
    QPolygonF points;
    for (std::size_t i = 0; i < x.size(); ++i) {
      points << QPointF(plot.left() + plot.width() * x[i] / steps, plot.bottom() - plot.height() * share(y[i]));
    }
    if (!points.isEmpty()) last = points.back();
    // A pale line in pieces would be dark where they meet.
    if (painter.pen().widthF() <= 1) return painter.drawPolyline(points);
    // One piece after the other: a wide polyline is far slower.
    for (qsizetype i = 0; i + 1 < points.size(); ++i) painter.drawLine(points[i], points[i + 1]);
  };
  QColor pale = runPen(slot_).colour;
  pale.setAlphaF(static_cast<float>(tokens().rawLineOpacity / 2));  // its samples are close to each other
  for (const Line& line : summary_.sparkline) {
    const bool smooths = line.x.size() >= manySamples;
    if (smooths) {
      painter.setPen(QPen(pale, 1));
      draw(line.x, line.y);
    }
    painter.setPen(QPen(runPen(slot_).colour, smooths ? 1.6 : 1.4));
    draw(line.x, smooths ? smoothed(line.y, sketchSmoothing) : line.y);
  }
  if (state_ == RunState::done || last.isNull()) return;
  paintState(painter, QRectF(last.x() - 5, last.y() - 5, 10, 10), state_);
}

RunGlance::RunGlance(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      causeHead_(label({}, TextSize::section)),
      cause_(label({})),
      card_(new Card),
      resume_(primaryButton(Symbol::resume, tr("Resume"))),
      new_(button(Symbol::add, tr("New from run"))),
      experiment_(button(Symbol::folder, tr("Experiment"))),
      command_(button(Symbol::copy, tr("Copy command"))),
      lossTitle_(label(tr("Training loss"), TextSize::section)),
      lossValue_(label({}, TextSize::body, true)),
      featuresTitle_(label(tr("Active features"), TextSize::section)),
      loss_(new LossSketch),
      facts_(tightForm()),
      features_(new QVBoxLayout) {
  build();
  clear();
}

void RunGlance::build() {
  QVBoxLayout* layout = column(this, gapText);
  auto* inside = column(card_, gapSmall);
  inside->setContentsMargins(gapText, gapText, gapText, gapText);
  causeHead_->setWordWrap(true);
  cause_->setWordWrap(true);
  cause_->setTextFormat(Qt::PlainText);
  cause_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  cause_->setAccessibleName(tr("How the run stands"));
  inside->addWidget(causeHead_);
  inside->addWidget(cause_);
  layout->addWidget(card_);
  buttons_ = new QGridLayout;
  buttons_->setSpacing(gapText);
  buttons_->addWidget(resume_, 0, 0);
  buttons_->addWidget(new_, 0, 1);
  buttons_->addWidget(experiment_, 1, 0);
  buttons_->addWidget(command_, 1, 1);
  layout->addLayout(buttons_);
  auto* head = new QHBoxLayout;
  head->addWidget(lossTitle_);
  head->addStretch(1);
  head->addWidget(lossValue_);
  layout->addLayout(head);
  layout->addWidget(loss_);
  layout->addLayout(facts_);
  layout->addWidget(featuresTitle_);
  layout->addLayout(features_);
  connect(resume_, &QPushButton::clicked, this, [this] {
    if (reading_) workspace_.launcher().resume(reading_->run.id, workspace_.store().folder());
  });
  connect(new_, &QPushButton::clicked, this, &RunGlance::beginFromRun);
  connect(experiment_, &QPushButton::clicked, this, &RunGlance::openExperiment);
  connect(command_, &QPushButton::clicked, this, &RunGlance::copyCommand);
}

void RunGlance::copyCommand() {
  if (!reading_ || reading_->run.commandText.empty()) return;
  QApplication::clipboard()->setText(QString::fromStdString(reading_->run.commandText));
  workspace_.report(tr("The command is in the clipboard"));
}

void RunGlance::clear() {
  reading_.reset();
  setVisible(false);
}

void RunGlance::show(const GlanceReading& reading) {
  reading_ = std::make_shared<GlanceReading>(reading);
  setVisible(true);
  showCause(reading);
  showButtons(reading);
  loss_->show(reading.summary, reading.run.colourSlot, reading.run.state);
  lossTitle_->setVisible(reading.summary.lastLoss.has_value());
  lossValue_->setVisible(reading.summary.lastLoss.has_value());
  if (reading.summary.lastLoss) {
    // What the list of runs has, too: the last step alone may be far from it.
    const bool isOver = reading.run.state == RunState::done && reading.values.at("loss").number;
    if (isOver)
      lossValue_->setText(tr("final: %1").arg(dashed(reading.values, "loss")));
    else
      lossValue_->setText(tr("last: %1 at step %2")
                              .arg(QString::fromStdString(quantityText(*reading.summary.lastLoss, Quantity::loss)),
                                   QLocale().toString(static_cast<qlonglong>(reading.summary.stepsDone))));
  }
  showFacts(reading);
  showFeatures(reading);
}

void RunGlance::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && reading_) showCause(*reading_);
}

void RunGlance::showCause(const GlanceReading& reading) {
  const RunState state = reading.run.state;
  const bool failed = state == RunState::failed || state == RunState::lost;
  const bool warns =
      state == RunState::stopped || state == RunState::preempted || reading.summary.brokenStep.has_value();
  const Tokens& now = tokens();
  QPalette colours = card_->palette();
  colours.setColor(QPalette::Window, failed ? now.errorTint : warns ? now.warningTint : now.informationTint);
  card_->setPalette(colours);
  const QStringList lines = causeOf(reading).split(QLatin1Char('\n'));
  causeHead_->setText(lines.front());
  cause_->setText(lines.mid(1).join(QLatin1Char('\n')));
  cause_->setVisible(lines.size() > 1);
  card_->setVisible(!lines.front().isEmpty());
}

void RunGlance::showButtons(const GlanceReading& reading) {
  const bool living = isLiving(reading.run.state);
  const bool resumable = !living && reading.run.state != RunState::done && reading.run.state != RunState::draft;
  resume_->setText(resumable && reading.checkpoint
                       ? tr("Resume at %1").arg(QLocale().toString(static_cast<qlonglong>(*reading.checkpoint)))
                       : tr("Resume"));
  const QString& readOnly = workspace_.store().whyReadOnly();
  resume_->setEnabled(readOnly.isEmpty());
  resume_->setToolTip(readOnly);
  resume_->setVisible(resumable);
  // One row where two are enough: the command is copied in the panel's head, too.
  buttons_->addWidget(new_, 0, resumable ? 1 : 0);
  buttons_->addWidget(experiment_, resumable ? 1 : 0, resumable ? 0 : 1);
  command_->setVisible(resumable);
  command_->setEnabled(!reading.run.commandText.empty());
}

/// A hairline between two facts.
void RunGlance::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  QPainter painter(this);
  painter.setPen(tokens().hairline);
  for (int row = 1; row < facts_->rowCount(); ++row) {
    const QLayoutItem* name = facts_->itemAt(row, QFormLayout::LabelRole);
    if (name == nullptr) continue;
    const int y = name->geometry().top() - facts_->verticalSpacing() / 2;
    painter.drawLine(0, y, width() - 1, y);
  }
}

void RunGlance::addFact(const QString& name, const QString& value, bool strong) {
  if (value.isEmpty()) return;
  auto* caption = label(name, TextSize::body, true);
  auto* text = new ElidedLabel(value);
  text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text->setAccessibleName(QStringLiteral("%1: %2").arg(name, value));
  const QFont font = textFont(strong ? TextSize::section : TextSize::body);
  text->setFont(font);
  const int wanted = QFontMetrics(font).horizontalAdvance(value) + gapSmall;
  text->setMinimumWidth(std::min(wanted, widthForFont(leastFactWidth)));  // its name gives way
  facts_->addRow(caption, text);
}

/// What differs from an experiment that says nothing about it is semibold.
void RunGlance::showFacts(const GlanceReading& reading) {
  empty(*facts_);
  const RunValues& values = reading.values;
  const Experiment usual;
  if (reading.plan) {
    const Experiment& asked = reading.plan->experiment;
    const std::vector<StagePlan> stages = stagesOf(*reading.plan);
    addFact(tr("Network · data"), QStringLiteral("%1 · %2").arg(dashed(values, "network"), dashed(values, "dataset")));
    addFact(tr("Optimizer"), QStringLiteral("%1 %2").arg(dashed(values, "optimizer"), dashed(values, "momentum")),
            isUnusual(asked.optimizer.kind, usual.optimizer.kind) ||
                isUnusual(asked.optimizer.momentum, usual.optimizer.momentum));
    const bool constant = asked.optimizer.schedule.mode == ScheduleMode::constant;
    addFact(tr("Learning rate"),
            constant ? dashed(values, "lr") : tr("%1 peak, %2").arg(dashed(values, "lr"), dashed(values, "schedule")),
            isUnusual(asked.optimizer.schedule.maximum, usual.optimizer.schedule.maximum));
    if (asked.optimizer.weightDecay > 0) addFact(tr("Weight decay"), dashed(values, "weight_decay"), true);
    addFact(tr("Batch"), batchText(reading, asked.dataset.batchSize),
            isUnusual(asked.dataset.batchSize, usual.dataset.batchSize));
    if (asked.ampLevel != usual.ampLevel) addFact(tr("Precision"), dashed(values, "precision"), true);
    if (stages.size() > 1) addFact(tr("Stages"), QLocale().toString(static_cast<qlonglong>(stages.size())), true);
  }
  addFact(tr("Seed"), QString::number(reading.run.seed));
  const QString took = QString::fromStdString(durationText(reading.seconds));
  const bool isTimed = reading.live && reading.live->secondsLeft;
  if (reading.run.attempt > 0) {
    QString duration = took;
    if (isTimed) {
      duration = tr("%1 of about %2")
                     .arg(took, QString::fromStdString(durationText(reading.seconds + *reading.live->secondsLeft)));
    } else if (values.at("training_seconds").number) {
      duration = tr("%1, training %2").arg(took, withUnit(values, "training_seconds"));
    }
    addFact(tr("Duration"), duration);
  }
  const auto at = [](const QString& value, std::int64_t step) {
    return tr("%1 at step %2").arg(value, QLocale().toString(static_cast<qlonglong>(step)));
  };
  if (values.at("accuracy").number) {
    // Of a run that is done it is in the box above.
    if (reading.run.state != RunState::done) {
      addFact(isTerminal(reading.run.state) ? tr("Accuracy at the end") : tr("Accuracy now"),
              at(withUnit(values, "accuracy"), reading.lastEvaluation));
    }
    if (withUnit(values, "best_accuracy") != withUnit(values, "accuracy")) {
      addFact(tr("Best accuracy"), at(withUnit(values, "best_accuracy"), reading.bestStep));
    }
  }
  if (!values.at("seconds_to_target").isMissing()) {
    const bool never = values.at("seconds_to_target").never;
    addFact(tr("Time to %1 %").arg(QLocale().toString(100 * values.at("target").number.value_or(0), 'g', 4)),
            never ? tr("never reached") : withUnit(values, "seconds_to_target"));
  }
  addFact(tr("Median step time"), withUnit(values, "step_milliseconds"));
  addFact(tr("Memory of a rank"), withUnit(values, "memory"));
}

/// What acted, and what was asked for or could have acted and did not, with the reason.
void RunGlance::showFeatures(const GlanceReading& reading) {
  empty(*features_);
  std::vector<Decision> decisions;
  if (reading.plan) decisions = allDecisions(*reading.plan);
  std::ranges::stable_partition(decisions, [](const Decision& decision) { return decision.acts(); });
  std::vector<std::pair<QStringList, const Decision*>> shown;  // those that follow each other for one reason together
  for (const Decision& decision : decisions) {
    const std::string key = decision.subject.substr(decision.subject.rfind('.') + 1);
    const AlgorithmSpec* algorithm = findAlgorithm(key);
    if (algorithm == nullptr) continue;
    const QString title = QCoreApplication::translate("KeyTitles", algorithm->title.c_str());
    const Decision* last = shown.empty() ? nullptr : shown.back().second;
    const bool isAlike = last != nullptr && !decision.acts() && !last->acts() && text(last->why) == text(decision.why);
    if (!isAlike) shown.push_back({{}, &decision});
    shown.back().first << title;
  }
  for (const auto& [titles, decision] : shown) {
    const QString title = listed(titles);
    QLabel* why = label(text(decision->why), TextSize::secondary, true);
    why->setAccessibleName(decision->acts() ? tr("%1 acted: %2").arg(title, text(decision->why))
                                            : tr("%1 did not act: %2").arg(title, text(decision->why)));
    features_->addWidget(featureRow(title, decision->acts(), why));
  }
  featuresTitle_->setVisible(features_->count() > 0);
}

/// As it was launched, with all its variants: a document of its own, whatever became of the file.
void RunGlance::openExperiment() {
  if (!reading_ || !confirmClose(window(), {&workspace_.experiment()})) return;
  workspace_.experiment().start(reading_->run.experimentText);
  workspace_.showPage(PageId::plan);
}

void RunGlance::beginFromRun() {
  if (!reading_) return;
  const auto experiment = experimentOf(reading_->run);
  if (!experiment) return workspace_.report(QString::fromStdString(toText(experiment.error())));
  if (!confirmClose(window(), {&workspace_.experiment()})) return;
  workspace_.experiment().start(*experiment);
  workspace_.showPage(PageId::plan);
}

}  // namespace slipstream::ui
