// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/vary_dialog.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/plan/plan_file.h"
#include "engine/spec/boost_options.h"
#include "engine/statistics/paired.h"
#include "engine/study_results/study_cost.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/documents/key_titles.h"
#include "ui/experiment/varied_key_row.h"
#include "ui/store/pool_job.h"
#include "ui/store/store_watcher.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int mostSeeds = 100;
constexpr std::size_t mostVariants = 500;
constexpr int planMilliseconds = 250;

}  // namespace

VaryDialog::VaryDialog(ExperimentEditing& editing, StoreWatcher* store, QWidget* parent)
    : QDialog(parent),
      editing_(editing),
      combinations_(new SegmentedControl({tr("One at a time"), tr("All combinations (grid)")})),
      seeds_(new QSpinBox),
      ranks_(new QLineEdit),
      names_(new CellModel({tr("Variant")}, {}, this)),
      count_(label(QString(), TextSize::section)),
      time_(label(QString(), TextSize::secondary, true)),
      claim_(label(QString(), TextSize::secondary, true)),
      store_(store),
      write_(button(tr("Apply"))),
      launch_(primaryButton(Symbol::launch, tr("Apply and launch"))) {
  setWindowTitle(tr("Create variants"));
  resize(widthForFont(820), 520);
  timer_.setSingleShot(true);
  timer_.setInterval(planMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &VaryDialog::planVariants);
  QVBoxLayout* layout = column(this, gapWide);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  auto* halves = new QHBoxLayout;
  halves->setSpacing(gapSection);
  halves->addWidget(buildChoices());
  halves->addWidget(buildPreview(), 1);
  layout->addLayout(halves, 1);
  layout->addWidget(buildButtons());
  refresh();
}

QWidget* VaryDialog::buildChoices() {
  auto* choices = new QWidget;
  QVBoxLayout* layout = column(choices);
  layout->addWidget(label(tr("Algorithms to compare"), TextSize::section));
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    auto* tick = new QCheckBox(algorithmTitle(algorithm));
    tick->setToolTip(QString::fromStdString(algorithm.summary));
    connect(tick, &QCheckBox::toggled, this, &VaryDialog::refresh);
    algorithms_[algorithm.key] = tick;
    layout->addWidget(tick);
  }
  combinations_->setCurrent(0);
  connect(combinations_, &SegmentedControl::chosen, this, &VaryDialog::refresh);
  layout->addSpacing(gapText);
  layout->addWidget(label(tr("Settings to vary"), TextSize::section));
  layout->addWidget(buildKeys());
  layout->addSpacing(gapText);
  layout->addWidget(combinations_);
  layout->addSpacing(gapText);
  auto* grid = new QGridLayout;
  seeds_->setRange(1, mostSeeds);
  seeds_->setToolTip(tr("%1 and more allow a claim about a difference").arg(fewestReplicas));
  ranks_->setPlaceholderText(tr("as in the file"));
  ranks_->setToolTip(tr("Numbers of ranks with commas between: 2, 4, 8"));
  grid->addWidget(labelFor(tr("Seeds"), seeds_), 0, 0);
  grid->addWidget(seeds_, 0, 1);
  grid->addWidget(labelFor(tr("Ranks"), ranks_), 1, 0);
  grid->addWidget(ranks_, 1, 1);
  layout->addLayout(grid);
  layout->addStretch();
  connect(seeds_, &QSpinBox::valueChanged, this, &VaryDialog::refresh);
  connect(ranks_, &QLineEdit::textChanged, this, &VaryDialog::refresh);
  return choices;
}

/// What is tuned most comes first; others are added.
QWidget* VaryDialog::buildKeys() {
  auto* holder = new QWidget;
  QVBoxLayout* layout = column(holder, gapSmall);
  keyRows_ = column(nullptr, gapSmall);
  layout->addLayout(keyRows_);
  QPushButton* add = button(Symbol::add, tr("Setting"));
  add->setAccessibleName(tr("Vary another setting"));
  connect(add, &QPushButton::clicked, this, [this] { addKey({}); });
  layout->addWidget(add, 0, Qt::AlignLeft);
  addKey("optimizer.learning_rate.lr_max");
  addKey("dataset.batch_size");
  return holder;
}

void VaryDialog::addKey(const std::string& path) {
  auto* row = new VariedKeyRow(editing_.form(), path);
  keys_.push_back(row);
  keyRows_->addWidget(row);
  connect(row, &VariedKeyRow::changed, this, &VaryDialog::refresh);
}

QWidget* VaryDialog::buildPreview() {
  auto* preview = new QWidget;
  QVBoxLayout* layout = column(preview);
  QTableView* list = readOnlyTable(names_, tr("Variants"));
  list->horizontalHeader()->hide();
  layout->addWidget(count_);
  layout->addWidget(list, 1);
  for (QLabel* words : {time_, claim_}) {
    words->setWordWrap(true);
    layout->addWidget(words);
  }
  return preview;
}

QWidget* VaryDialog::buildButtons() {
  auto* buttons = new QWidget;
  QHBoxLayout* row = rowLayout(buttons);
  const Json& root = editing_.root();
  const bool has = root.is_object() && root.contains("variants") && root["variants"].is_array();
  const int there = has ? static_cast<int>(root["variants"].size()) : 0;
  auto* note =
      label(there == 0 ? QString() : tr("Replaces %n variant(s) of the file; undo brings them back", nullptr, there),
            TextSize::secondary, true);
  QPushButton* cancel = button(tr("Cancel"));
  row->addWidget(note, 1);
  addAll(*row, {cancel, write_, launch_});
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(write_, &QPushButton::clicked, this, &VaryDialog::write);
  connect(launch_, &QPushButton::clicked, this, [this] {
    launches_ = true;
    write();
  });
  return buttons;
}

Variation VaryDialog::variation() const {
  Variation variation;
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    if (algorithms_.at(algorithm.key)->isChecked()) variation.algorithms.push_back(algorithm.key);
  }
  for (const VariedKeyRow* row : keys_) {
    if (auto key = row->key()) variation.keys.push_back(std::move(*key));
  }
  variation.combinations = combinations_->current() == 1;
  variation.seeds = seeds_->value();
  for (const std::string& part : split(ranks_->text().toStdString(), ',')) {
    const auto count = parseInteger(trim(part));
    if (count && *count > 0 && *count <= 4096) variation.ranks.push_back(static_cast<int>(*count));
  }
  return variation;
}

void VaryDialog::refresh() {
  const std::size_t count = runCount(variation());
  const bool wrong = std::ranges::any_of(keys_, [](const VariedKeyRow* row) { return row->isWrong(); });
  const bool several = count > 1 && count <= mostVariants && !wrong;
  std::vector<QStringList> rows;
  if (several) {
    for (const Json& variant : variantsFor(editing_.root(), variation())) {
      rows.push_back({QString::fromStdString(variant["name"].get<std::string>())});
    }
  }
  count_->setText(tr("%n run(s)", nullptr, static_cast<int>(count)));
  for (QPushButton* action : {write_, launch_}) {
    action->setEnabled(several);
    action->setToolTip(several      ? QString()
                       : wrong      ? tr("A value is not allowed")
                       : count <= 1 ? tr("Choose algorithms, values, seeds or ranks first")
                                    : tr("More than %1 runs").arg(mostVariants));
  }
  names_->setTexts(rows);
  const bool tooFew = several && variantCount(variation()) > 1 && seeds_->value() < fewestReplicas;
  claim_->setText(tooFew
                      ? tr("With fewer than %1 seeds differences are shown, and none is claimed.").arg(fewestReplicas)
                      : QString());
  latest_.take();
  time_->clear();
  if (several && store_ != nullptr) timer_.start();
}

/// The variants are planned in a thread of their own, and earlier runs read in the store's.
void VaryDialog::planVariants() {
  const auto text = variedExperiment(editing_.document().text(), variation());
  if (!text) return;
  const ExperimentDocument& document = editing_.document();
  const std::filesystem::path file =
      document.file().empty() ? std::filesystem::path(document.title().toStdString()) : document.file();
  const auto plan = [text = *text, file] {
    PlanProblems problems;
    return planExperimentText(
               text, file, {}, [](const char* name) { return environment(name); }, problems)
        .plans;
  };
  runLatestInPool(this, latest_, plan, [this](std::vector<RunPlan> plans) { askForTime(std::move(plans)); });
}

void VaryDialog::askForTime(std::vector<RunPlan> plans) {
  store_->longReader().read(
      this,
      [plans = std::move(plans)](RunStore& store) {
        EarlierRuns earlier;
        return secondsOfRuns(store, plans, earlier);
      },
      [this, ticket = latest_.take()](std::optional<double> seconds) {
        if (latest_.isLatest(ticket)) sayTime(seconds);
      },
      [](const QString&) {});
}

void VaryDialog::sayTime(const std::optional<double>& seconds) {
  time_->setText(seconds ? tr("About %1 in all, by earlier runs like these.").arg(text(durationText(*seconds)))
                         : tr("How long it takes is not known before a run like these."));
}

void VaryDialog::write() {
  editing_.apply(variedExperiment(editing_.document().text(), variation()), tr("Create variants"));
  accept();
}

}  // namespace slipstream::ui
