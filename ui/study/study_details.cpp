// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_details.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/study_results/study_document.h"
#include "ui/documents/key_titles.h"
#include "ui/study/study_texts.h"
#include "ui/study/trial_rows.h"
#include "ui/widgets/key_value_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int hashCharacters = 8, mostRemarks = 6;
constexpr std::int64_t mostTrials = 16;  ///< of more the circles would cover each other
constexpr int headHeight = 34, lockSize = 13;

KeyValueRow line(const QString& name, const QString& value) {
  return {.name = name, .values = {value}};
}

QString frozenTimeText(std::int64_t nanoseconds) {
  return QDateTime::fromMSecsSinceEpoch(nanoseconds / 1'000'000).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString studySeedsText(const StudySeeds& seeds) {
  if (seeds.most <= seeds.least) return QString::number(seeds.least);
  return StudyDetails::tr("%1, up to %2").arg(seeds.least).arg(seeds.most);
}

int failedSeeds(const StudyMatrix& matrix) {
  int failed = 0;
  for (const StudyMatrixRow& row : matrix.rows) {
    for (const StudyMatrixCell& cell : row.cells) {
      failed += static_cast<int>(std::ranges::count(cell.seeds, SeedState::failed, &StudySeed::state));
    }
  }
  return failed;
}

int seedsOf(const StudyMatrix& matrix) {
  std::size_t seeds = 0;
  for (const StudyMatrixRow& row : matrix.rows) {
    for (const StudyMatrixCell& cell : row.cells) seeds += cell.seeds.size();
  }
  return static_cast<int>(seeds);
}

}  // namespace

StudyDetails::StudyDetails(QWidget* parent)
    : QWidget(parent),
      question_(new KeyValueTable),
      frozen_(new ElidedLabel),
      allowed_(new ElidedLabel),
      budgetBar_(new QProgressBar),
      used_(label({}, TextSize::body)),
      budget_(words()),
      tried_(new ElidedLabel),
      tuning_(new TrialRows),
      tunedWhere_(words()),
      judgement_(new KeyValueTable) {
  setFocusPolicy(Qt::ClickFocus);
  setProperty("side", true);
  setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* halves = column(this, 0);
  halves->setContentsMargins(1, 0, 0, 0);
  halves->addWidget(makeHead());
  halves->addWidget(hairline());
  auto* body = new QWidget;
  body->setProperty("page", true);
  body->setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(body, gapText);
  layout->setContentsMargins(pageMargin, gapSmall, pageMargin, gapText);
  auto* area = new QScrollArea;
  area->setProperty("page", true);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(body);
  halves->addWidget(area, 1);
  lock_ = new QLabel;
  showLock();
  layout->addWidget(sectionHead(tr("Question"), frozen_, lock_));
  layout->addWidget(question_);
  layout->addWidget(sectionHead(tr("Budget"), allowed_));
  budgetBar_->setTextVisible(false);
  budgetBar_->setAccessibleName(tr("Part of the budget that is used"));
  auto* used = new QWidget;
  QHBoxLayout* bar = rowLayout(used);
  bar->addWidget(budgetBar_, 1);
  bar->addWidget(used_);
  layout->addWidget(used);
  layout->addWidget(budget_);
  layout->addWidget(sectionHead(tr("Tuning trials"), tried_));
  tuning_->setAccessibleName(tr("Tuning trials"));
  layout->addWidget(tuning_);
  layout->addWidget(tunedWhere_);
  layout->addWidget(section(tr("Comparisons")));
  layout->addWidget(judgement_);
  remarks_ = words();
  remarks_->setProperty("english", true);  // reasons of failures are as they were recorded
  layout->addWidget(remarks_);
  layout->addWidget(section(tr("Method")));
  method_ = words();
  layout->addWidget(method_);
  layout->addStretch(1);
}

QWidget* StudyDetails::makeHead() {
  auto* head = new QWidget;
  head->setProperty("panel", true);
  head->setAttribute(Qt::WA_StyledBackground);
  QHBoxLayout* row = rowLayout(head);
  row->addStrut(headHeight);
  row->setContentsMargins(pageMargin, 0, gapText, 0);
  row->addWidget(label(tr("Study details"), TextSize::section), 1);
  QToolButton* close = iconButton(Symbol::close, tr("Close the details"));
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &StudyDetails::closed);
  return head;
}

void StudyDetails::showLock() {
  lock_->setPixmap(icon(Symbol::lock, IconInk::second).pixmap(QSize(lockSize, lockSize), devicePixelRatioF()));
}

void StudyDetails::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && lock_ != nullptr) showLock();
}

/// A heading, and at the right what it is about in few words.
QWidget* StudyDetails::sectionHead(const QString& title, ElidedLabel* about, QWidget* mark) {
  auto* head = new QWidget;
  QHBoxLayout* row = rowLayout(head, gapSmall);
  row->addWidget(section(title));
  about->setFont(textFont(TextSize::secondary));
  about->setProperty("second", true);
  about->setAlignment(Qt::AlignRight | Qt::AlignBottom);
  about->setContentsMargins(0, gapText, 0, 0);
  if (mark != nullptr) {
    row->addStretch(1);
    row->addWidget(mark, 0, Qt::AlignBottom);
  }
  row->addWidget(about, mark == nullptr ? 1 : 0);
  return head;
}

QLabel* StudyDetails::section(const QString& title) {
  QLabel* made = label(title, TextSize::section);
  made->setContentsMargins(0, gapText, 0, 0);
  return made;
}

QLabel* StudyDetails::words() {
  QLabel* made = label({}, TextSize::secondary, true);
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return made;
}

QWidget* StudyDetails::method() const {
  return method_;
}

void StudyDetails::setReading(const StudyReading& reading) {
  showQuestion(reading);
  showBudget(reading);
  tuned_ = reading.verdict.tuned;
  pens_ = reading.pens;
  showTuning();
  showJudgement(reading);
  method_->setText(text(methodOf(reading.verdict)));
}

void StudyDetails::showQuestion(const StudyReading& reading) {
  const StudyRecord& record = reading.standing.record;
  const Study& study = reading.standing.study;
  const StudyMeasure* measure = findStudyMeasure(study.question.measure);
  frozen_->setWhole(tr("frozen %1").arg(frozenTimeText(record.createdAt)));
  std::vector<KeyValueRow> rows;
  if (measure != nullptr) rows.push_back(line(tr("Primary measure"), measureText(*measure)));
  if (study.question.target)
    rows.push_back(line(tr("Target"), tr("%1 %").arg(text(fmt::format("{:.4g}", 100 * *study.question.target)))));
  rows.push_back(
      line(tr("Reference"), text(study.question.stages.empty() ? study.reference : study.question.stages[0])));
  if (const QString margin = measure != nullptr ? marginText(study, *measure) : QString(); !margin.isEmpty())
    rows.push_back(line(tr("The same within"), QStringLiteral("±%1").arg(margin)));
  rows.push_back(line(
      tr("Level · seeds"),
      QStringLiteral("%1 · %2").arg(text(fmt::format("{:.3g}", study.question.alpha)), studySeedsText(study.seeds))));
  if (!study.follows.empty()) rows.push_back(line(tr("Follows"), text(study.follows)));
  rows.push_back({.name = tr("Hash"), .values = {text(record.frozenHash.substr(0, hashCharacters))}, .code = true});
  question_->setRows({}, rows);
}

void StudyDetails::showBudget(const StudyReading& reading) {
  const Study& study = reading.standing.study;
  const QString used = durationOf(3600 * reading.hours);
  const bool isLimited = study.budget.hours.has_value();
  budgetBar_->setVisible(isLimited);
  used_->setVisible(isLimited);
  QStringList parts;
  if (isLimited) {
    const double share = reading.hours / *study.budget.hours;
    budgetBar_->setRange(0, 1000);
    budgetBar_->setValue(std::clamp(static_cast<int>(1000 * share), 0, 1000));
    used_->setText(tr("%1 · %2 %").arg(used).arg(std::lround(100 * share)));
    allowed_->setWhole(tr("at most %1").arg(durationOf(3600 * *study.budget.hours)));
  } else {
    allowed_->setWhole(tr("without a limit"));
    parts << used;
  }
  const int trials = static_cast<int>(reading.standing.trials.size());
  parts << tr("%n run(s)", nullptr, seedsOf(reading.standing.matrix));
  if (trials > 0) parts << tr("%n tuning trial(s)", nullptr, trials);
  budget_->setText(parts.join(QStringLiteral(" · ")));
}

QString StudyDetails::valuesText(const TunedVariant& tuned) {
  if (!tuned.chosen) return tr("not chosen yet");
  QStringList all;
  for (const auto& [key, value] : tuned.values)
    all << text(value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : value.dump());
  return all.join(QStringLiteral(", "));
}

/// What the trials tried: the keys' titles, and how their values are laid out.
QString StudyDetails::triedText(const std::vector<TunedVariant>& tuned) const {
  QStringList keys;
  for (const TunedVariant& one : tuned) {
    for (const StudySettings& tried : one.tried) {
      for (const auto& [key, value] : tried) {
        if (const QString title = titleOfPath(key); !keys.contains(title)) keys << title;
      }
    }
  }
  if (tuning_->isLogarithmic()) keys << tr("log scale");
  return listed(keys);
}

void StudyDetails::setPlace(const StudySettings& factors) {
  if (factors == place_) return;
  place_ = factors;
  showTuning();
}

/// Of the column that was chosen, where variants were tuned for each.
void StudyDetails::showTuning() {
  const bool isForEach = std::ranges::any_of(tuned_, [this](const auto& tuned) { return tuned.factors == place_; });
  std::vector<TrialRow> rows;
  for (const TunedVariant& tuned : tuned_) {
    if (isForEach && !tuned.factors.empty() && tuned.factors != place_) continue;
    const QString name = isForEach || tuned.factors.empty()
                             ? text(tuned.variant)
                             : QStringLiteral("%1 · %2").arg(text(tuned.variant), whereText(tuned.factors));
    rows.push_back({.pen = pens_.at(tuned.variant),
                    .name = name,
                    .tried = tuned.trials > mostTrials ? std::vector<StudySettings>{} : tuned.tried,
                    .chosen = tuned.chosen ? tuned.values : StudySettings{},
                    .value = valuesText(tuned)});
  }
  tuning_->setRows(std::move(rows));
  tuning_->setVisible(!tuned_.empty());
  tried_->setWhole(tuned_.empty() ? tr("none: no variant was tuned") : triedText(tuned_));
  tunedWhere_->setVisible(!tuned_.empty());
  tunedWhere_->setText(isForEach && !place_.empty() ? tr("%1. Filled: chosen.").arg(whereText(place_))
                                                    : tr("Filled: chosen."));
}

void StudyDetails::showJudgement(const StudyReading& reading) {
  const StudyVerdict& verdict = reading.verdict;
  judgement_->setRows({}, {line(tr("Judged together (Holm)"), QString::number(verdict.judged)),
                           line(tr("Looks at the data"), tr("%1 of %2").arg(verdict.look).arg(verdict.looks)),
                           line(tr("Failed runs"), QString::number(failedSeeds(reading.standing.matrix)))});
  QStringList remarks;
  std::vector<Text> all = verdict.losses;
  all.insert(all.end(), verdict.remarks.begin(), verdict.remarks.end());
  for (const Text& remark : all) {
    if (remarks.size() == mostRemarks) break;
    remarks << text(remark);
  }
  const int more = static_cast<int>(all.size()) - static_cast<int>(remarks.size());
  if (more > 0) remarks << tr("%n more in the report", nullptr, more);
  remarks_->setVisible(!remarks.isEmpty());
  remarks_->setText(remarks.join(QLatin1Char('\n')));
}

void StudyDetails::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return Q_EMIT closed();
  QWidget::keyPressEvent(event);
}

}  // namespace slipstream::ui
