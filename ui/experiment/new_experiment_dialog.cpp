// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/new_experiment_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/grad_accumulation/spec.h"
#include "engine/plan/check_file.h"
#include "engine/plan/network_summary.h"
#include "engine/probe/dataset_kind.h"
#include "engine/spec/network_builtin.h"
#include "ui/documents/key_titles.h"
#include "ui/store/pool_job.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int dialogWidth = 560;
constexpr int planDelayMilliseconds = 150;
constexpr int mostRanks = 4096;
constexpr double leastEpochs = 0.01, mostEpochs = 1e6;
constexpr double usualSteps = 200, mostSteps = 1e12;

/// What is read where no folder is named; a data set without files is generated.
QString folderHint(bool files) {
  if (!files) return NewExperimentDialog::tr("none: generated, without a download");
  const auto common = environment("DATA_PATH");
  return common ? NewExperimentDialog::tr("DATA_PATH: %1").arg(QString::fromStdString(*common))
                : NewExperimentDialog::tr("where the files of the data are");
}

}  // namespace

struct NewExperimentDialog::Answer {
  QString failure;
  std::int64_t samples = 0, parameters = 0, steps = 0;
  std::int64_t epochSteps = 0;
};

NewExperimentDialog::NewExperimentDialog(std::set<std::string> taken, OpenRankTable table, QWidget* parent)
    : QDialog(parent),
      taken_(std::move(taken)),
      table_(std::move(table)),
      name_(new QLineEdit),
      network_(new QComboBox),
      dataset_(new QComboBox),
      folder_(new QLineEdit),
      browse_(button(tr("Browse…"))),
      ranks_(new QSpinBox),
      onTable_(new QCheckBox),
      length_(new QDoubleSpinBox),
      unit_(new QComboBox),
      state_(label({}, TextSize::secondary)),
      create_(primaryButton(Symbol::add, tr("Create"))) {
  setWindowTitle(tr("New experiment"));
  resize(widthForFont(dialogWidth), sizeHint().height());
  QVBoxLayout* layout = column(this, gapWide);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  layout->addLayout(buildForm());
  state_->setWordWrap(true);
  state_->setMinimumHeight(2 * state_->fontMetrics().height());
  state_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  layout->addWidget(state_);
  layout->addStretch();
  layout->addWidget(buildButtons());
  timer_.setSingleShot(true);
  timer_.setInterval(planDelayMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &NewExperimentDialog::check);
  name_->selectAll();
  changed();
}

QFormLayout* NewExperimentDialog::buildForm() {
  name_->setText(proposedName());
  for (const std::string& name : builtInNetworks()) network_->addItem(slipstream::ui::text(name));
  network_->setCurrentText(QStringLiteral("lenet5"));
  for (const DatasetKind* kind : datasetKinds()) {
    if (kind->ofProgram) continue;  // its network is a program too
    dataset_->addItem(slipstream::ui::text(kind->name));
    dataset_->setItemData(dataset_->count() - 1, slipstream::ui::text(kind->summary), Qt::ToolTipRole);
  }
  dataset_->setCurrentText(slipstream::ui::text(digitsKind().name));
  ranks_->setRange(1, mostRanks);
  ranks_->setValue(2);
  onTable_->setText(tr("All %n rank(s) of %1", nullptr, table_.ranks)
                        .arg(QString::fromStdString(std::filesystem::path(table_.path).filename().string())));
  onTable_->setHidden(table_.path.empty());
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft);
  form->addRow(labelFor(tr("Name"), name_), name_);
  form->addRow(labelFor(tr("Network"), network_), network_);
  form->addRow(labelFor(tr("Data set"), dataset_), dataset_);
  form->addRow(labelFor(tr("Folder"), folder_), buildFolder());
  form->addRow(labelFor(tr("Ranks"), ranks_), ranks_);
  if (!table_.path.empty()) form->addRow(QString(), onTable_);
  form->addRow(labelFor(tr("Length"), length_), buildLength());
  form->addRow(label(tr("Algorithms")), buildAlgorithms());
  for (QComboBox* box : {network_, dataset_}) connect(box, &QComboBox::activated, this, &NewExperimentDialog::changed);
  for (QLineEdit* line : {name_, folder_}) connect(line, &QLineEdit::textChanged, this, &NewExperimentDialog::changed);
  connect(ranks_, &QSpinBox::valueChanged, this, &NewExperimentDialog::changed);
  connect(onTable_, &QCheckBox::toggled, this, &NewExperimentDialog::takeTable);
  onTable_->setChecked(!table_.path.empty() && table_.use);
  return form;
}

QWidget* NewExperimentDialog::buildLength() {
  auto* holder = new QWidget;
  QHBoxLayout* row = rowLayout(holder);
  unit_->addItems({tr("epochs"), tr("steps")});
  unit_->setAccessibleName(tr("Unit of the length"));
  length_->setRange(leastEpochs, mostEpochs);
  length_->setDecimals(2);
  length_->setValue(1);
  row->addWidget(length_, 1);
  row->addWidget(unit_);
  connect(unit_, &QComboBox::currentIndexChanged, this, &NewExperimentDialog::takeUnit);
  connect(length_, &QDoubleSpinBox::valueChanged, this, &NewExperimentDialog::changed);
  return holder;
}

bool NewExperimentDialog::isInSteps() const {
  return unit_->currentIndex() == 1;
}

/// As long as before, where it is known how many steps an epoch has.
void NewExperimentDialog::takeUnit() {
  const auto perEpoch = static_cast<double>(epochSteps_);
  const double before = length_->value();
  if (isInSteps()) {
    length_->setRange(1, mostSteps);
    length_->setDecimals(0);
    length_->setValue(perEpoch > 0 ? before * perEpoch : usualSteps);
  } else {
    length_->setRange(leastEpochs, mostEpochs);
    length_->setDecimals(2);
    length_->setValue(perEpoch > 0 ? before / perEpoch : 1);
  }
  changed();
}

/// The number of ranks is the table's while that is used.
void NewExperimentDialog::takeTable(bool use) {
  if (use) ranksAlone_ = ranks_->value();
  ranks_->setMaximum(std::max(mostRanks, table_.ranks));
  ranks_->setValue(use ? table_.ranks : ranksAlone_);
  changed();
}

QWidget* NewExperimentDialog::buildFolder() {
  auto* holder = new QWidget;
  QHBoxLayout* row = rowLayout(holder);
  row->addWidget(folder_, 1);
  row->addWidget(browse_);
  browse_->setAccessibleName(tr("Choose the folder of the data"));
  connect(browse_, &QPushButton::clicked, this, [this] {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder of the data"), folder_->text());
    if (!chosen.isEmpty()) folder_->setText(chosen);
  });
  return holder;
}

QWidget* NewExperimentDialog::buildAlgorithms() {
  auto* holder = new QWidget;
  auto* grid = new QGridLayout(holder);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(gapSmall);
  constexpr int columns = 2;
  int at = 0;
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    auto* tick = new QCheckBox(algorithmTitle(algorithm));
    tick->setToolTip(QString::fromStdString(algorithm.summary));
    tick->setAccessibleDescription(tick->toolTip());
    connect(tick, &QCheckBox::toggled, this, &NewExperimentDialog::changed);
    grid->addWidget(tick, at / columns, at % columns);
    algorithms_[algorithm.key] = tick;
    ++at;
  }
  auto* note = label(tr("To compare algorithms, create variants of the experiment."), TextSize::secondary, true);
  note->setWordWrap(true);
  grid->addWidget(note, grid->rowCount(), 0, 1, columns);
  return holder;
}

QWidget* NewExperimentDialog::buildButtons() {
  auto* buttons = new QWidget;
  QHBoxLayout* row = rowLayout(buttons);
  QPushButton* cancel = button(tr("Cancel"));
  create_->setDefault(true);
  cancel->setAutoDefault(false);
  browse_->setAutoDefault(false);
  row->addStretch();
  addAll(*row, {cancel, create_});
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(create_, &QPushButton::clicked, this, &QDialog::accept);
  return buttons;
}

QString NewExperimentDialog::proposedName() const {
  int number = 1;
  while (taken_.contains("experiment_" + std::to_string(number))) ++number;
  return QStringLiteral("experiment_%1").arg(number);
}

NewExperiment NewExperimentDialog::chosen() const {
  NewExperiment made{.name = name_->text().trimmed().toStdString(),
                     .network = network_->currentText().toStdString(),
                     .dataset = dataset_->currentText().toStdString(),
                     .ranks = ranks_->value(),
                     .epochs = isInSteps() ? 0 : length_->value(),
                     .steps = isInSteps() ? static_cast<std::int64_t>(length_->value()) : 0};
  if (onTable_->isChecked()) made.rankTable = table_.path;
  if (folder_->isEnabled()) made.path = folder_->text().trimmed().toStdString();
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    if (algorithms_.at(algorithm.key)->isChecked()) made.algorithms.push_back(algorithm.key);
  }
  return made;
}

QString NewExperimentDialog::whyNot() const {
  const QString name = name_->text().trimmed();
  if (name.isEmpty()) return tr("Give it a name.");
  if (name.contains(QLatin1Char('/'))) return tr("A name has no “/”.");
  if (taken_.contains(name.toStdString())) return tr("Runs of this store have that name already: choose another one.");
  return {};
}

/// Files that were not named, in the words of this dialog; the experiment can be made, and named them later.
QString NewExperimentDialog::whyNoData() const {
  const bool named = !folder_->text().trimmed().isEmpty() || environment("DATA_PATH").has_value();
  if (!folder_->isEnabled() || named) return {};
  return tr("Choose the folder of the files of %1.").arg(dataset_->currentText());
}

/// What keeps the file from being made is said at once; what keeps it from being run a moment later.
void NewExperimentDialog::changed() {
  const DatasetKind* kind = findDatasetKind(dataset_->currentText().toStdString());
  const bool files = kind != nullptr && !kind->generated;
  for (QWidget* part : {static_cast<QWidget*>(folder_), static_cast<QWidget*>(browse_)}) part->setEnabled(files);
  folder_->setPlaceholderText(folderHint(files));
  ranks_->setEnabled(!onTable_->isChecked());
  const QString why = whyNot();
  create_->setEnabled(why.isEmpty());
  create_->setToolTip(why);
  latest_.take();
  checking_ = why.isEmpty();
  if (!checking_) {
    timer_.stop();
    return say(why, true);
  }
  if (const QString missing = whyNoData(); !missing.isEmpty()) {
    checking_ = false;
    timer_.stop();
    return say(missing, true);
  }
  say(tr("Checking…"), false);
  timer_.start();
}

void NewExperimentDialog::check() {
  const auto plan = [text = text(), chosen = chosen()] {
    Answer answer;
    PlanProblems problems;
    const PlannedFile planned = planExperimentText(
        text, chosen.name + ".json", {}, [](const char* variable) { return environment(variable); }, problems);
    const Failures failures = problems.wrong.empty() ? problems.absent : problems.wrong;
    if (!failures.empty()) answer.failure = QString::fromStdString(toText(failures.front()));
    if (!planned.plans.empty()) {
      const RunPlan& first = planned.plans.front();
      answer.samples = first.trainSamples;
      answer.steps = first.totalSteps;
      answer.epochSteps =
          stepsPerEpoch(first.experiment.dataset, first.trainSamples, first.ranks(), batchesPerStep(first.experiment));
      for (const LayerSummary& layer : summarize(first.experiment)) answer.parameters += layer.parameters;
    }
    return answer;
  };
  runLatestInPool(this, latest_, plan, [this](const Answer& answer) { receive(answer); });
}

/// What is missing can be put right later: the experiment is made all the same.
void NewExperimentDialog::receive(const Answer& answer) {
  checking_ = false;
  const QLocale locale;
  epochSteps_ = answer.epochSteps;
  const auto count = [&](std::int64_t number) { return locale.toString(static_cast<qlonglong>(number)); };
  if (answer.failure.isEmpty()) {
    say(tr("%1 training samples · %2 parameters · %3 steps")
            .arg(count(answer.samples), count(answer.parameters), count(answer.steps)),
        false);
  } else {
    say(answer.failure, true);
  }
  Q_EMIT checked();
}

void NewExperimentDialog::say(const QString& words, bool wrong) {
  state_->setText(words);
  if (state_->property("wrong").toBool() == wrong) return;
  state_->setProperty("wrong", wrong);
  repolish(state_);
}

}  // namespace slipstream::ui
