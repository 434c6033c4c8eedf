// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/dry_run_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "ui/rank_table/preview_panel.h"
#include "ui/store/pool_job.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int numberWidth = 84, hostWidth = 120;
enum AnswerColumn { rank, host, device, threads, answer };

/// Slow, and not for the window's thread; everything that goes wrong becomes words.
Result<std::vector<RankReport>> asked(const RunPlan& plan) {
  try {
    return askRanks(plan);
  } catch (const std::exception& error) {
    return fail("mpirun", "", error.what(), "see that Open MPI is installed");
  }
}

}  // namespace

DryRunPanel::DryRunPanel(QWidget* parent)
    : QFrame(parent), summary_(label({}, TextSize::secondary, true)), ranks_(new QTreeWidget), command_(new TextView) {
  setProperty("card", true);
  summary_->setWordWrap(true);
  ranks_->setHeaderLabels({tr("Rank"), tr("Host"), tr("Device"), tr("Threads"), tr("Reported")});
  ranks_->setRootIsDecorated(false);
  ranks_->setUniformRowHeights(true);
  ranks_->setAccessibleName(tr("Where each rank would go"));
  for (const AnswerColumn column : {rank, device, threads}) ranks_->setColumnWidth(column, widthForFont(numberWidth));
  ranks_->setColumnWidth(host, widthForFont(hostWidth));
  command_->setReadOnly(true);
  command_->setLineWrapMode(QTextEdit::WidgetWidth);
  constexpr int commandLines = 2, commandEdges = 2 * gapText + 4;  // its margins and its frame
  command_->setFixedHeight(commandLines * lineHeightOf(*command_) + commandEdges);
  command_->setAccessibleName(tr("Command that would start the ranks"));
  QPushButton* close = button(Symbol::close, {});
  close->setToolTip(tr("Close"));
  close->setAccessibleName(tr("Close the dry run"));
  close->setFlat(true);
  here_ = button(tr("Run all ranks on this machine"));
  here_->hide();
  connect(here_, &QPushButton::clicked, this, &DryRunPanel::runHere);
  again_ = button(Symbol::launch, tr("Start it again"));
  again_->hide();
  connect(again_, &QPushButton::clicked, this, &DryRunPanel::againWanted);
  auto* header = new QHBoxLayout;
  header->addWidget(label(tr("Dry run"), TextSize::section));
  header->addWidget(summary_, 1);
  header->addWidget(here_);
  header->addWidget(again_);
  header->addWidget(close);
  QVBoxLayout* layout = column(this);
  layout->setContentsMargins(gapWide, gapText, gapWide, gapText);
  layout->addLayout(header);
  layout->addWidget(ranks_, 1);
  layout->addWidget(command_);
  connect(close, &QPushButton::clicked, this, [this] {
    hide();
    Q_EMIT closed();
  });
  hide();
}

void DryRunPanel::run(const RankTable& table, const std::string& source) {
  clear();
  show();
  table_ = table;
  source_ = source;
  const Result<DryRun> dry = dryRun(table, source, false);
  here_->setVisible(!dry);
  if (!dry) return summary_->setText(QString::fromStdString(trim(toText(dry.error()))));
  showPlan(*dry);
  if (dry->plan.local) return askRanksOf(dry->plan);
  summary_->setText(tr("The ranks are on other machines and are not asked. Nothing was started."));
}

/// All ranks on this machine, whatever servers the table names: only where somebody asks for it.
void DryRunPanel::runHere() {
  clear();
  here_->hide();
  const Result<DryRun> dry = dryRun(table_, source_, true);
  if (!dry) return summary_->setText(QString::fromStdString(trim(toText(dry.error()))));
  showPlan(*dry);
  askRanksOf(dry->plan);
}

void DryRunPanel::clear() {
  latest_.take();
  ranks_->clear();
  command_->clear();
  again_->hide();
}

void DryRunPanel::expire(bool hasErrors) {
  if (isHidden()) return;
  clear();
  here_->hide();
  again_->setHidden(hasErrors);
  summary_->setText(hasErrors ? tr("The rank table has changed since the dry run, and has errors now.")
                              : tr("The rank table has changed since the dry run."));
}

void DryRunPanel::showPlan(const DryRun& dry) {
  for (std::size_t i = 0; i < dry.plan.places.size(); ++i) {
    const RankPlacement& place = dry.plan.places[i];
    auto* line = new QTreeWidgetItem(ranks_);
    line->setText(rank, QString::number(place.rank));
    line->setText(host, QString::fromStdString(dry.hosts[i]));
    line->setText(device, QString::number(place.deviceId));
    line->setText(threads, QString::number(dry.plan.threadsPerRank));
  }
  command_->showText(QString::fromStdString(dry.command));
}

void DryRunPanel::askRanksOf(const RunPlan& plan) {
  summary_->setText(tr("Asking %n rank(s)…", nullptr, plan.ranks()));
  runLatestInPool(
      this, latest_, [plan] { return asked(plan); },
      [this](const Result<std::vector<RankReport>>& reports) { receive(reports); });
}

void DryRunPanel::receive(const Result<std::vector<RankReport>>& reports) {
  if (!reports) return summary_->setText(QString::fromStdString(trim(toText(reports.error()))));
  for (const RankReport& report : *reports) {
    if (QTreeWidgetItem* line = ranks_->topLevelItem(report.rank)) {
      line->setText(answer, tr("process %1 on %2, %n thread(s)", nullptr, report.threads)
                                .arg(report.pid)
                                .arg(QString::fromStdString(report.host)));
    }
  }
  summary_->setText(
      tr("%n rank(s) started, reported and ended. Nothing was trained.", nullptr, static_cast<int>(reports->size())));
}

}  // namespace slipstream::ui
