// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/cost_panel.h"

#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QTime>
#include <QVBoxLayout>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/number_format.h"
#include "engine/probe/this_host.h"
#include "engine/statistics/paired.h"
#include "ui/study/study_texts.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/key_value_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int costBarHeight = 14;
/// Fewer seeds show large differences only.
constexpr int enoughSeeds = 5;

enum class BoxTone { warning, error, information };

/// A tinted box with a sign, a text and room for a button below it.
class TintedBox : public QFrame {
 public:
  TintedBox(BoxTone tone, QLabel* words, QPushButton* fix) : tone_(tone) {
    QVBoxLayout* layout = column(this);
    layout->setContentsMargins(gapWide + 22, gapText, gapWide, gapText);
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(words);
    if (fix != nullptr) layout->addWidget(fix, 0, Qt::AlignLeft);
    hide();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintTint(painter, *this,
              tone_ == BoxTone::warning ? tokens().warningTint
              : tone_ == BoxTone::error ? tokens().errorTint
                                        : tokens().informationTint);
    const auto [symbol, ink] = tone_ == BoxTone::warning ? std::pair(Symbol::warning, IconInk::warning)
                               : tone_ == BoxTone::error ? std::pair(Symbol::error, IconInk::error)
                                                         : std::pair(Symbol::information, IconInk::accent);
    icon(symbol, ink).paint(&painter, QRect(gapWide - 2, gapText + 1, 16, 16));
  }

 private:
  BoxTone tone_;
};

QString spreadText(const StudyMeasure& measure, double spread) {
  if (measure.ratio) return CostPanel::tr("%1 %").arg(text(fmt::format("{:.2g}", 100 * spread)));
  if (measure.quantity == Quantity::percent) return CostPanel::tr("%1 points").arg(text(fmt::format("{:.2g}", spread)));
  return text(fmt::format("{:.2g}", spread));
}

}  // namespace

/// Comparison and tuning side by side, of the budget where there is one.
class CostPanel::CostBar : public QWidget {
 public:
  CostBar() { setFixedHeight(costBarHeight); }
  void setShares(double measured, double tuning, double whole) {
    measured_ = measured;
    tuning_ = tuning;
    whole_ = std::max(whole, measured + tuning);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().base);
    const double scale = whole_ > 0 ? width() / whole_ : 0;
    painter.fillRect(QRectF(0, 0, measured_ * scale, height()), partColour(Part::compute));
    painter.fillRect(QRectF(measured_ * scale + 1, 0, tuning_ * scale, height()), partColour(Part::optimizer));
    painter.setPen(tokens().hairline);
    painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
  }

 private:
  double measured_ = 0, tuning_ = 0, whole_ = 0;
};

CostPanel::CostPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      source_(new ElidedLabel),
      total_(label({}, TextSize::pageTitle)),
      bar_(new CostBar),
      parts_(new KeyValueTable),
      problems_(label({}, TextSize::secondary)),
      warning_(label({}, TextSize::secondary)),
      moreSeeds_(button(Symbol::bulb, {})),
      notes_(label({}, TextSize::secondary)),
      choicesTitle_(label(tr("What so many seeds can show"), TextSize::section)),
      choices_(new CellTable) {
  problemsBox_ = new TintedBox(BoxTone::error, problems_, nullptr);
  warningBox_ = new TintedBox(BoxTone::warning, warning_, moreSeeds_);
  notesBox_ = new TintedBox(BoxTone::information, notes_, nullptr);
  build();
  connect(moreSeeds_, &QPushButton::clicked, this, [this] { Q_EMIT seedsWanted(wantedSeeds_); });
  connect(choices_, &CellTable::doubleClicked, this, [this](const QModelIndex& index) {
    if (cost_) Q_EMIT seedsWanted(cost_->choices[static_cast<std::size_t>(index.row())].seeds);
  });
  connect(&workspace.studyDraft(), &StudyDocument::checkedChanged, this, &CostPanel::refresh);
  connect(&workspace.store(), &StoreWatcher::opened, this, [this] {
    earlier_ = std::make_shared<EarlierRuns>();
    refresh();
  });
  refresh();
}

void CostPanel::build() {
  QVBoxLayout* layout = column(this);
  auto* head = new QWidget;
  QHBoxLayout* line = rowLayout(head);
  source_->setFont(textFont(TextSize::secondary));
  source_->setProperty("second", true);
  source_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  line->addWidget(label(tr("Cost forecast"), TextSize::section));
  line->addWidget(source_, 1);
  total_->setWordWrap(true);
  bar_->setAccessibleName(tr("Time by kind, of the budget"));
  choices_->setAccessibleName(choicesTitle_->text());
  for (QLabel* engines : {problems_, notes_}) engines->setProperty("english", true);
  addAll(*layout, {problemsBox_, head, total_, bar_, parts_, warningBox_, notesBox_, choicesTitle_, choices_});
  layout->addStretch(1);
}

void CostPanel::setRefusal(const QString& words) {
  refusal_ = words;
  showProblems();
}

void CostPanel::refresh() {
  showProblems();
  ask();
}

void CostPanel::showProblems() {
  QStringList lines;
  if (!refusal_.isEmpty()) lines << refusal_;
  for (const Problem& problem : workspace_.studyDraft().problems()) {
    lines << text(toText(Failure{problem.where.toStdString(), problem.value.toStdString(),
                                 problem.problem.toStdString(), problem.remedy.toStdString()}))
                 .trimmed();
  }
  problems_->setText(lines.join(QStringLiteral("\n\n")));
  problemsBox_->setVisible(!lines.isEmpty());
}

/// Without a plan there is nothing to tell.
void CostPanel::ask() {
  const int ticket = latest_.take();
  const auto checked = workspace_.studyDraft().checked();
  const bool isPlanned = checked->study && !checked->check.settings.empty();
  if (!isPlanned || !workspace_.store().isOpen()) {
    cost_.reset();
    showTotal();
    showParts();
    showWarning();
    showNotes();
    showChoices();
    Q_EMIT answered();
    return;
  }
  workspace_.store().longReader().read(
      this,
      [checked, earlier = earlier_](RunStore& store) {
        return costOfStudy(store, *checked->study, checked->check, *earlier);
      },
      [this, ticket](StudyCost cost) {
        if (latest_.isLatest(ticket)) receive(std::move(cost));
      });
}

void CostPanel::receive(StudyCost cost) {
  cost_ = std::move(cost);
  showTotal();
  showParts();
  showWarning();
  showNotes();
  showChoices();
  Q_EMIT answered();
}

void CostPanel::showTotal() {
  if (!cost_) {
    source_->setWhole({});
    bar_->hide();
    return total_->setText(tr("Not known yet"));
  }
  source_->setWhole(cost_->earlierRuns == 0 ? tr("from no earlier run")
                                            : tr("from %n earlier run(s)", nullptr, cost_->earlierRuns));
  const QString runs = tr("%n run(s)", nullptr, cost_->runs);
  total_->setText(cost_->seconds ? QStringLiteral("%1 · %2").arg(runs, durationOf(cost_->seconds->middle)) : runs);
  bar_->setVisible(cost_->seconds.has_value());
  if (!cost_->seconds) return;
  const Study& study = *workspace_.studyDraft().checked()->study;
  bar_->setShares(*cost_->measuredSeconds, *cost_->tuningSeconds, 3600 * study.budget.hours.value_or(0));
}

void CostPanel::showParts() {
  std::vector<KeyValueRow> rows;
  if (!cost_) return parts_->setRows({}, rows);
  const auto time = [](const std::optional<double>& seconds) { return seconds ? durationOf(*seconds) : QString(); };
  rows.push_back({.colour = [] { return partColour(Part::compute); },
                  .name = tr("Comparison"),
                  .values = {tr("%n run(s)", nullptr, cost_->measuredRuns), time(cost_->measuredSeconds)}});
  if (cost_->tuningRuns > 0) {
    rows.push_back({.colour = [] { return partColour(Part::optimizer); },
                    .name = tr("Tuning"),
                    .values = {tr("%n run(s)", nullptr, cost_->tuningRuns), time(cost_->tuningSeconds)}});
  }
  rows.push_back({.name = tr("Memory"), .values = {QString(), tr("≤ %1", "bytes").arg(bytesOf(cost_->memory))}});
  rows.push_back({.name = tr("Checkpoints"), .values = {QString(), tr("≤ %1", "bytes").arg(bytesOf(cost_->stored))}});
  if (cost_->seconds) {
    const QTime now = QTime::currentTime();
    const auto end = [&](double seconds) {
      return now.addSecs(static_cast<int>(seconds)).toString(QStringLiteral("HH:mm"));
    };
    constexpr double day = 86400;
    if (cost_->seconds->high < day) {
      rows.push_back(
          {.name = tr("Would end"),
           .values = {QString(),
                      tr("%1 to %2", "times of day").arg(end(cost_->seconds->low), end(cost_->seconds->high))}});
    } else {
      rows.push_back(
          {.name = tr("Would take"),
           .values = {
               QString(),
               tr("%1 to %2", "times of day").arg(durationOf(cost_->seconds->low), durationOf(cost_->seconds->high))}});
    }
  } else {
    rows.push_back({.name = tr("Time"), .values = {QString(), tr("measured after the first run")}});
  }
  parts_->setRows({}, rows);
}

/// Three seeds show little: how little, and what more of them would cost.
void CostPanel::showWarning() {
  warningBox_->hide();
  if (!cost_ || cost_->seeds >= enoughSeeds || cost_->choices.empty()) return;
  const auto choiceOf = [&](int seeds) -> const SeedsChoice& {
    return *std::ranges::find(cost_->choices, seeds, &SeedsChoice::seeds);
  };
  const SeedsChoice& now = choiceOf(cost_->seeds);
  const SeedsChoice& more = choiceOf(enoughSeeds);
  const StudyMeasure& measure = *findStudyMeasure(workspace_.studyDraft().checked()->study->question.measure);
  QStringList words;
  if (now.seeds < fewestReplicas) {
    words << tr("With %n seed(s) nothing is claimed, whatever comes out.", nullptr, now.seeds);
  } else if (now.detectable) {
    words << tr("%n seed(s) cannot show differences under %1 in this study:", nullptr, now.seeds)
                 .arg(spreadText(measure, *now.detectable))
          << tr("%n comparison(s) share the level.", nullptr, cost_->comparisons)
          << tr("Earlier runs differ between seeds by %1.").arg(spreadText(measure, *cost_->spread));
  } else {
    words << tr("%n seed(s) show differences only that are more than %1 times what seeds differ by;", nullptr,
                now.seeds)
                 .arg(text(fmt::format("{:.1f}", now.timesSpread)))
          << tr("%n seed(s), %1 times.", nullptr, more.seeds).arg(text(fmt::format("{:.1f}", more.timesSpread)))
          << tr("%n comparison(s) share the level.", nullptr, cost_->comparisons);
  }
  warning_->setText(words.join(QLatin1Char(' ')));
  wantedSeeds_ = more.seeds;
  const QString runs = tr("%n run(s)", nullptr, more.runs - now.runs);
  const QString costs = more.seconds && now.seconds
                            ? QStringLiteral("+%1, +%2").arg(runs, durationOf(*more.seconds - *now.seconds))
                            : QStringLiteral("+%1").arg(runs);
  moreSeeds_->setText(tr("Use %1 seeds: %2").arg(more.seeds).arg(costs));
  warningBox_->show();
}

void CostPanel::showNotes() {
  QStringList notes;
  const auto checked = workspace_.studyDraft().checked();
  if (cost_ && checked->study) {
    const Study& study = *checked->study;
    if (cost_->targetOf > 0)
      notes << tr("%1 of %n earlier run(s) reached the target.", nullptr, cost_->targetOf).arg(cost_->targetReached);
    if (study.budget.hours && cost_->seconds && cost_->seconds->middle > 3600 * *study.budget.hours)
      notes << tr("The budget of %1 is spent before all runs are done.").arg(durationOf(3600 * *study.budget.hours));
    if (cost_->memory > memoryOfThisMachine() / 10 * 9)
      notes << tr("The largest run needs more memory than a study may have of this machine.");
    for (const std::string& note : checked->check.notes) notes << text(note);
  }
  notes_->setText(notes.join(QLatin1Char('\n')));
  notesBox_->setVisible(!notes.isEmpty());
}

void CostPanel::showChoices() {
  const bool shows = cost_ && !cost_->choices.empty();
  choicesTitle_->setVisible(shows);
  choices_->setVisible(shows);
  if (!shows) return;
  const StudyMeasure& measure = *findStudyMeasure(workspace_.studyDraft().checked()->study->question.measure);
  CellGrid grid{{{tr("Seeds"), true}, {tr("Change, at least"), true}, {tr("Runs"), true}, {tr("Time"), true}}, {}};
  for (const SeedsChoice& choice : cost_->choices) {
    const QString change = choice.detectable ? spreadText(measure, *choice.detectable)
                           : std::isfinite(choice.timesSpread)
                               ? tr("%1 × spread").arg(text(fmt::format("{:.1f}", choice.timesSpread)))
                               : tr("nothing");
    const CellTone tone = choice.seeds == cost_->seeds ? CellTone::strong : CellTone::plain;
    grid.rows.push_back({{.text = QString::number(choice.seeds), .tone = tone},
                         {.text = change, .tone = tone},
                         {.text = QString::number(choice.runs), .tone = tone},
                         {.text = choice.seconds ? durationOf(*choice.seconds) : QStringLiteral("–"), .tone = tone}});
  }
  choices_->setGrid(std::move(grid));
}

}  // namespace slipstream::ui
