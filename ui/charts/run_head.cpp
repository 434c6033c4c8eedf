// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_head.h"

#include <QHBoxLayout>
#include <algorithm>

#include "engine/plan/run_plan.h"
#include "ui/charts/shown_runs.h"
#include "ui/parts/run_names.h"

namespace slipstream::ui {
namespace {

constexpr int progressWidth = 120, narrowProgressWidth = 72;
constexpr int hundredPercent = 100;

}  // namespace

struct RunHead::Facts {
  std::string network, dataset;
  int ranks = 0;
  qlonglong batch = 0, done = 0, total = 0;
};

RunHead::RunHead(Workspace& workspace, std::shared_ptr<CurveSource> source, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      source_(std::move(source)),
      name_(new ElidedLabel),
      state_(new StateChip),
      facts_(new ElidedLabel),
      unit_(label(tr("step"), TextSize::body, true)),
      steps_(label({}, TextSize::section)),
      progress_(new QProgressBar),
      share_(label({})) {
  name_->setFont(textFont(TextSize::pageTitle));
  name_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  facts_->setProperty("second", true);
  facts_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the run"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  row->addWidget(name_);
  row->addWidget(state_);
  row->addWidget(facts_, 1);
  for (QWidget* part : std::initializer_list<QWidget*>{unit_, steps_, progress_, share_}) row->addWidget(part);
  setNarrow(false);
  refresh();
}

void RunHead::setNarrow(bool narrow) {
  progress_->setFixedWidth(narrow ? narrowProgressWidth : progressWidth);
}

void RunHead::refresh() {
  const RunRow* row = workspace_.currentRun();
  if (row == nullptr) return;
  name_->setWhole(runName(*workspace_.store().snapshot(), *row));
  state_->setState(row->run.state);
  const std::vector<ShownRun> shown = shownRuns(workspace_);
  const auto own =
      std::find_if(shown.begin(), shown.end(), [&](const ShownRun& run) { return run.run.id == row->run.id; });
  const CurveRun run = own == shown.end() ? CurveRun{row->run.id, {}} : own->run;
  const int ticket = asked_.take();
  workspace_.store().reader().read(
      this,
      [source = source_, run](RunStore& store) {
        Facts facts;
        const auto record = store.find(run.id);
        if (!record) return facts;
        if (const auto plan = parseRunPlan(record->planText)) {
          facts.network = plan->experiment.network.name;
          facts.dataset = plan->experiment.dataset.name;
          facts.ranks = plan->ranks();
          facts.batch = plan->experiment.dataset.batchSize;
          facts.total = plan->totalSteps;
        }
        const auto loss = source->seriesOf(store, run, "loss");
        if (!loss->steps.empty()) facts.done = loss->steps.back() + 1;
        return facts;
      },
      [this, ticket](const Facts& facts) {
        if (asked_.isNewest(ticket)) show(facts);
      });
}

void RunHead::show(const Facts& facts) {
  QStringList words;
  if (!facts.network.empty()) words << QString::fromStdString(facts.network);
  if (!facts.dataset.empty()) words << QString::fromStdString(facts.dataset);
  if (facts.ranks > 0) words << tr("%n rank(s) × %1", nullptr, facts.ranks).arg(facts.batch);
  for (const RunRow& row : workspace_.store().snapshot()->runs) {
    if (!row.label.pinned || row.run.id == workspace_.selection().current()) continue;
    words << tr("pinned baseline: %1").arg(runName(*workspace_.store().snapshot(), row));
    break;
  }
  facts_->setWhole(words.join(QStringLiteral(" · ")));
  const bool known = facts.total > 0;
  for (QWidget* part : std::initializer_list<QWidget*>{unit_, steps_, progress_, share_}) part->setVisible(known);
  if (!known) return;
  const QLocale locale;
  const int percent = static_cast<int>(std::min(facts.done, facts.total) * hundredPercent / facts.total);
  steps_->setText(QStringLiteral("%1 / %2").arg(locale.toString(facts.done), locale.toString(facts.total)));
  progress_->setValue(percent);
  share_->setText(QStringLiteral("%1 %").arg(percent));
}

}  // namespace slipstream::ui
