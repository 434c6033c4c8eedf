// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_section.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/plan/network_summary.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/key_row.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int iconInset = 5;   ///< of the icons of help in their buttons, which end the rows
constexpr int arrowInset = 4;  ///< of the arrow of a fold in its button: it begins where titles do

QString titleOfSection(const std::string& section) {
  if (section == "dataset") return PlanSection::tr("Data set");
  if (section == "network") return PlanSection::tr("Network");
  if (section == "loss") return PlanSection::tr("Loss");
  if (section == "optimizer") return PlanSection::tr("Optimizer");
  if (section == "precision") return PlanSection::tr("Precision");
  if (section == "parallel") return PlanSection::tr("Parallel");
  if (section == "train") return PlanSection::tr("Training");
  return PlanSection::tr("Experiment");
}

/// What editors complete files by is of no interest to a form.
bool belongsTo(const FormKey& key, const std::string& section) {
  if (key.kind == KeyKind::section || key.path.starts_with("boost.") || key.path == "$schema") return false;
  const std::size_t dot = key.path.find('.');
  return section.empty() ? dot == std::string::npos : key.path.substr(0, dot) == section;
}

/// Empty, or a choice of none.
bool isUnset(const FormKey& key) {
  const Json& value = key.value;
  if (value.is_boolean() || value.is_number()) return false;
  return value.empty() || value == "" || value == "none";
}

QString networkSummary(const Experiment& experiment) {
  std::int64_t parameters = 0;
  for (const LayerSummary& layer : summarize(experiment)) parameters += layer.parameters;
  return PlanSection::tr("%1 parameters").arg(QLocale().toString(static_cast<qlonglong>(parameters)));
}

/// Of the data set that is trained on, which may stand in for the one that is asked for.
QString samplesSummary(const RunPlan& plan) {
  return PlanSection::tr("%1 · %2 training samples")
      .arg(text(plan.experiment.dataset.name), QLocale().toString(static_cast<qlonglong>(plan.trainSamples)));
}

QString stepsSummary(const RunPlan& plan) {
  return PlanSection::tr("%n step(s)", nullptr, static_cast<int>(plan.totalSteps));
}

}  // namespace

PlanSection::PlanSection(ExperimentEditing& editing, std::string section, QWidget* parent)
    : QFrame(parent),
      editing_(editing),
      section_(std::move(section)),
      title_(label(titleOfSection(section_), TextSize::section)),
      summary_(new ElidedLabel),
      fold_(new QWidget(this)),
      arrow_(new QToolButton),
      titles_(new ElidedLabel),
      why_(new ElidedLabel),
      others_(new QWidget(this)) {
  setProperty("cardPart", true);
  QVBoxLayout* layout = column(this, 0);
  layout->setContentsMargins(0, gapText, 0, gapText);
  auto* head = new QHBoxLayout;
  head->setSpacing(gapText);
  head->setContentsMargins(gapWide, 0, gapWide + iconInset, gapSmall + 1);
  summary_->setProperty("second", true);
  summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  head->addWidget(title_);
  head->addWidget(summary_, 1);
  layout->addLayout(head);
  auto* rows = new QWidget(this);
  applying_ = column(rows, 0);
  layout->addWidget(rows);
  layout->addWidget(fold_);
  layout->addWidget(others_);
  notApplying_ = column(others_, 0);
  buildFold();
  for (const FormKey& key : editing_.form()) {
    if (!belongsTo(key, section_)) continue;
    rows_.push_back(new KeyRow(editing_, key, rows));
    rows_.back()->setContentsMargins(gapWide, 0, gapWide, 0);  // its tint ends at the card's edges
    applying_->addWidget(rows_.back());
  }
}

void PlanSection::buildFold() {
  QHBoxLayout* line = rowLayout(fold_, gapSmall);
  line->setContentsMargins(gapWide - arrowInset, 2, gapWide + iconInset, 2);
  connect(arrow_, &QToolButton::clicked, this, [this] { setUnfolded(!unfolded_); });
  for (ElidedLabel* text : {titles_, why_}) text->setProperty("second", true);
  why_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  line->addWidget(arrow_);
  line->addWidget(titles_, 1);
  line->addWidget(why_);
  setUnfolded(false);
}

QString PlanSection::title() const {
  return title_->text();
}

void PlanSection::append(QWidget* widget) {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(gapWide, gapSmall, gapWide, gapSmall);
  row->addWidget(widget);
  row->addStretch();
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

/// What is searched for is shown wherever it is.
void PlanSection::setUnfolded(bool unfolded) {
  unfolded_ = unfolded;
  const bool shown = unfolded_ || !filter_.isEmpty();
  arrow_->setIcon(icon(shown ? Symbol::down : Symbol::right, IconInk::second));
  arrow_->setAccessibleName(tr("Settings of %1 that do not apply or are not set").arg(title()));
  others_->setVisible(shown && !folded_.empty());
}

bool PlanSection::isShown(const KeyRow& row) const {
  const FormKey* key = editing_.key(row.path());
  if (key == nullptr || filter_.isEmpty()) return true;
  if (filter_.onlyChanged && !key->unlikeDefault()) return false;
  return row.matches(filter_.words);
}

void PlanSection::setFilter(const SettingFilter& filter) {
  filter_ = filter;
  bool any = filter_.isEmpty();
  for (KeyRow* row : rows_) {
    const bool shown = isShown(*row);
    row->setVisible(shown);
    any = any || shown;
  }
  setUnfolded(unfolded_);
  fold_->setVisible(filter_.isEmpty() && !folded_.empty());
  setVisible(any);
}

void PlanSection::refresh() {
  for (KeyRow* row : rows_) row->refresh();
  arrange();
  summary_->setWhole(summary());
}

/// A key that is written is shown though it means nothing: it is a mistake, or about to become one. Keys that nobody
/// has set, and that mean nothing while they are not, are folded too: but not one alone, whose place the fold's own
/// line would take. The row with the keyboard stays where it is, and one with a mistake is always seen.
void PlanSection::arrange() {
  std::vector<KeyRow*> folded, unset;
  for (KeyRow* row : rows_) {
    const FormKey* key = editing_.key(row->path());
    if (key == nullptr) continue;
    // A row that is moved to another widget would lose the keyboard.
    if (row->isAncestorOf(QApplication::focusWidget())) {
      if (std::ranges::count(folded_, row) > 0) folded.push_back(row);
      continue;
    }
    if (key->written || editing_.problemAt(row->path()) != nullptr) continue;
    if (!key->applies) folded.push_back(row);
    if (key->applies && isUnset(*key)) unset.push_back(row);
  }
  if (folded.size() + unset.size() > 1) folded.insert(folded.end(), unset.begin(), unset.end());
  if (folded != folded_) {
    folded_ = std::move(folded);
    for (KeyRow* row : rows_) {
      const bool out = std::ranges::count(folded_, row) > 0;
      (out ? notApplying_ : applying_)->addWidget(row);
    }
  }
  refreshFold();
  setFilter(filter_);
}

void PlanSection::refreshFold() {
  QStringList titles;
  for (const KeyRow* row : folded_) titles << row->title();
  const int count = static_cast<int>(titles.size());
  const auto first = [&](qsizetype shown) {
    const auto more = static_cast<int>(titles.size() - shown);
    const QString names = enumerated(titles.mid(0, shown));
    return tr("%n setting(s): %1", nullptr, count)
        .arg(more == 0 ? names : tr("%1 and %n more", nullptr, more).arg(names));
  };
  QStringList shorter;
  for (const qsizetype shown : {4, 3, 2, 1}) {
    if (shown < titles.size()) shorter << first(shown);
  }
  titles_->setWhole(first(titles.size()), shorter << tr("%n setting(s)", nullptr, count));
  why_->setWhole(reason());
}

/// "not with mnist": the choice that the folded ones depend on; "not set", where some are just that.
QString PlanSection::reason() const {
  QStringList words;
  bool anyUnset = false;
  for (const KeyRow* row : folded_) {
    const FormKey* key = editing_.key(row->path());
    anyUnset = anyUnset || (key != nullptr && key->applies);
    const FormKey* choice = key == nullptr || key->applies ? nullptr : editing_.key(key->condition.path);
    if (choice == nullptr || !choice->value.is_string()) continue;
    const QString word = QString::fromStdString(choice->value.get<std::string>());
    if (!words.contains(word)) words << word;
  }
  QStringList reasons;
  if (!words.isEmpty()) reasons << tr("not with %1").arg(enumerated(words));
  if (anyUnset) reasons << tr("not set");
  return reasons.join(QStringLiteral(" · "));
}

QString PlanSection::summary() const {
  const RunPlan* plan = editing_.plan();
  const auto stage = editing_.stage();
  if (plan == nullptr || !stage) return {};
  if (section_ == "network") return networkSummary(stage->experiment);
  if (section_ == "dataset") return samplesSummary(*plan);
  if (section_ == "parallel") return tr("%n rank(s)", nullptr, plan->ranks());
  if (section_ == "train") return stepsSummary(*plan);
  return {};
}

void PlanSection::reveal(KeyRow& row) {
  if (!isShown(row)) setFilter({});
  if (std::ranges::count(folded_, &row) > 0) setUnfolded(true);
}

int PlanSection::changedCount() const {
  return static_cast<int>(std::ranges::count_if(rows_, [this](const KeyRow* row) {
    const FormKey* key = editing_.key(row->path());
    return key != nullptr && key->unlikeDefault();
  }));
}

}  // namespace slipstream::ui
