// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/boost_section.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/boost/algorithms.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/boost_resolve.h"
#include "engine/experiment/experiment_form.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/spec/boost_options.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/documents/key_titles.h"
#include "ui/experiment/key_row.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

using Switch = BoostSectionSpec::Switch;

constexpr int tickWidth = 22;           ///< with the space that the style leaves around it
constexpr int headerGap = gapText - 2;  ///< so much that the longest title has room for its key at 1280 pixels

// Sections that are no algorithm of their own.
constexpr const char* commonTitle = QT_TRANSLATE_NOOP("KeyTitles", "Common");
constexpr const char* microBatchesTitle = QT_TRANSLATE_NOOP("KeyTitles", "Micro-batches");
constexpr const char* lossScaleTitle = QT_TRANSLATE_NOOP("KeyTitles", "Loss scale");

std::vector<std::string> optionsOf(const std::string& section) {
  std::vector<std::string> paths;
  for (const BoostOption& option : boostOptions()) {
    if (option.section == section) paths.push_back("boost.dictionary." + option.path());
  }
  return paths;
}

/// The keys outside the dictionary whose paths begin so, as the experiment describes them.
std::vector<std::string> keysOf(const std::string& beginning) {
  std::vector<std::string> paths;
  for (const FormKey& key : formOf(Json::object(), {})) {
    if (key.path.starts_with(beginning)) paths.push_back(key.path);
  }
  return paths;
}

}  // namespace

std::vector<BoostSectionSpec> boostSectionSpecs() {
  std::vector<BoostSectionSpec> specs;
  const auto addAlgorithm = [&](const std::string& key) {
    specs.push_back({key, findAlgorithm(key)->title, key, Switch::algorithm, "", "", optionsOf(key)});
  };
  const std::vector<std::string> first{"adasum", "less_bn", "grad_freeze"};
  for (const std::string& key : first) addAlgorithm(key);
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    if (std::ranges::find(first, algorithm.key) == first.end()) addAlgorithm(algorithm.key);
  }
  const std::string parallel = "parallel.optimizer_parallel";
  specs.push_back({"optimizer_parallel", findAlgorithm("optimizer_parallel")->title, "optimizer_parallel",
                   Switch::presence, parallel, R"({"level": "level1"})", keysOf(parallel + ".")});
  const std::string scale = "precision.loss_scale";
  specs.push_back({"loss_scale", lossScaleTitle, "loss_scale_group", Switch::presence, scale, R"({"kind": "dynamic"})",
                   keysOf(scale + ".")});
  specs.push_back({"grad_centralization", findAlgorithm("grad_centralization")->title, "grad_centralization",
                   Switch::flag, "optimizer.grad_centralization"});
  // What has nothing to switch is last.
  specs.push_back({"common", commonTitle, "averaged", Switch::none, "", "", optionsOf("common")});
  specs.push_back(
      {"micro_batches", microBatchesTitle, "grad_accumulation", Switch::none, "", "", keysOf("train.micro_")});
  return specs;
}

QString titleOf(const BoostSectionSpec& section) {
  return translatedTitle(section.title);
}

QString readmeOf(const BoostSectionSpec& section) {
  const AlgorithmSpec* algorithm = findAlgorithm(section.algorithm);
  return algorithm == nullptr ? QString() : algorithmReadme(*algorithm);
}

BoostSection::BoostSection(ExperimentEditing& editing, BoostSectionSpec spec, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      spec_(std::move(spec)),
      state_(label({}, TextSize::body, true)),
      note_(label(QString(), TextSize::secondary, true)),
      fold_(new QToolButton),
      body_(new QWidget(this)) {
  QVBoxLayout* layout = column(this, 2);
  layout->setContentsMargins(gapWide, 3, gapWide, 3);
  layout->addWidget(buildHeader());
  note_->setWordWrap(true);
  note_->setContentsMargins(gapSection, 0, 0, 0);
  note_->hide();
  layout->addWidget(note_);
  QVBoxLayout* rows = column(body_, 0);
  // Below the title and the help of the header.
  rows->setContentsMargins(tickWidth + headerGap, 0, fold_->sizeHint().width() + headerGap, 0);
  for (const std::string& path : spec_.keys) {
    const FormKey* key = editing_.key(path);
    if (key == nullptr) continue;
    auto* row = new KeyRow(editing_, *key, body_);
    row->control()->installEventFilter(this);
    rows->addWidget(row);
    rows_.push_back(row);
  }
  layout->addWidget(body_);
  body_->hide();
  QSizePolicy keepsPlace = fold_->sizePolicy();
  keepsPlace.setRetainSizeWhenHidden(true);
  fold_->setSizePolicy(keepsPlace);
  fold_->setVisible(!rows_.empty());
}

QWidget* BoostSection::buildHeader() {
  auto* header = new QWidget(this);
  QHBoxLayout* row = rowLayout(header, headerGap);
  title_ = label(titleOf(spec_), TextSize::section);
  if (spec_.kind != Switch::none) {
    switch_ = new QCheckBox;
    switch_->setAccessibleName(titleOf(spec_));
    switch_->installEventFilter(this);
    connect(switch_, &QCheckBox::clicked, this, &BoostSection::switched);
    row->addWidget(switch_);
  } else {
    row->addSpacing(tickWidth + headerGap);  // titles below each other
  }
  auto* key = new ElidedLabel;
  key->setWhole(QString::fromStdString(spec_.key), {QString()});  // where there is no room, the tool tip says it
  key->setProperty("second", true);
  key->setFont(fixedFont());
  auto* help = new QToolButton;
  help->setIcon(icon(Symbol::help, IconInk::faint));
  help->setToolTip(tr("About %1 (F1)").arg(title_->text()));
  help->setAccessibleName(help->toolTip());
  connect(help, &QToolButton::clicked, this, [this] { Q_EMIT helpWanted(spec_); });
  state_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  fold_->setIcon(icon(Symbol::right, IconInk::second));
  fold_->setAccessibleName(tr("Settings of %1").arg(title_->text()));
  connect(fold_, &QToolButton::clicked, this, [this] { setUnfolded(body_->isHidden()); });
  row->addWidget(title_);
  row->addWidget(key, 1);
  row->addWidget(state_);
  row->addSpacing(gapText - headerGap);  // above the defaults of the settings
  addAll(*row, {help, fold_});
  return header;
}

bool BoostSection::eventFilter(QObject* watched, QEvent* event) {
  const bool asksForHelp = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F1;
  if (asksForHelp) Q_EMIT helpWanted(spec_);
  return asksForHelp || QWidget::eventFilter(watched, event);
}

void BoostSection::switched(bool on) {
  if (spec_.kind == Switch::algorithm) {
    const QString label = on ? tr("Switch %1 on") : tr("Switch %1 off");
    editing_.apply(switchAlgorithm(editing_.document().text(), editing_.scope(), spec_.key, on),
                   label.arg(title_->text()));
  } else if (spec_.kind == Switch::flag) {
    editing_.set(spec_.path, on);
  } else if (on) {
    editing_.set(spec_.path, Json::parse(spec_.whenOn));
  } else {
    editing_.reset(spec_.path);
  }
  refresh();
}

void BoostSection::setUnfolded(bool unfolded) {
  body_->setHidden(!unfolded);
  fold_->setIcon(icon(unfolded ? Symbol::down : Symbol::right, IconInk::second));
  fold_->setToolTip(unfolded ? tr("Hide the settings") : tr("Show the settings"));
}

bool BoostSection::anyWritten() const {
  return std::ranges::any_of(rows_, [&](const KeyRow* row) {
    const FormKey* key = editing_.key(row->path());
    return key != nullptr && key->unlikeDefault();
  });
}

void BoostSection::refresh() {
  for (KeyRow* row : rows_) row->refresh();
  if (spec_.kind == Switch::algorithm) {
    refreshAlgorithm();
  } else {
    refreshOther();
  }
  const bool on = switch_ != nullptr ? switch_->isChecked() : anyWritten();
  if (!known_ || on != wasOn_) setUnfolded(on && !rows_.empty());
  wasOn_ = on;
  known_ = true;
}

/// Level and dictionary decide at once what is asked for; the plan, which comes later, what became of it.
void BoostSection::refreshAlgorithm() {
  const Json* level = findValue(editing_.keys(), "boost.level");
  const Json* dictionary = findValue(editing_.keys(), "boost.dictionary");
  const std::string levelText = level != nullptr && level->is_string() ? level->get<std::string>() : "O0";
  const auto asked = resolveBoost(levelText, dictionary == nullptr ? Json::object() : *dictionary, "boost.dictionary");
  if (!asked) return;
  const bool on = asked->isOn(spec_.key);
  const bool byLevel = asked->level == BoostLevel::O0 || asked->mode == "auto";
  switch_->setChecked(on);
  switch_->setEnabled(asked->level != BoostLevel::O0);
  switch_->setToolTip(asked->level == BoostLevel::O0 ? tr("Level O0 switches every algorithm off") : title_->text());
  const auto stage = editing_.stage();
  const BoostConfig& resolved = stage && editing_.document().isCurrent() ? stage->experiment.boost : *asked;
  const bool acts = resolved.isOn(spec_.key);
  const auto decision = std::ranges::find(resolved.decisions, spec_.key, &Decision::subject);
  const AlgorithmSpec* algorithm = findAlgorithm(spec_.key);
  const bool asAsked =
      algorithm == nullptr || decision == resolved.decisions.end() || acts == askedSwitch(resolved, *algorithm).on;
  note_->setVisible(!asAsked);
  if (!asAsked) {
    note_->setText(text(decision->why));
    state_->setText(acts ? tr("on") : tr("off: see below"));
  } else if (acts) {
    state_->setText(byLevel ? tr("level %1").arg(QString::fromStdString(levelText)) : tr("on"));
  } else {
    state_->setText(offText(decision == resolved.decisions.end() ? Reason::other : decision->reason));
  }
}

/// Of an algorithm that nobody asked for.
QString BoostSection::offText(Reason reason) {
  if (reason == Reason::mode) return tr("off by mode");
  if (reason == Reason::dictionary) return tr("off");
  return reason == Reason::level ? tr("off by level") : tr("not set");
}

void BoostSection::refreshOther() {
  if (switch_ == nullptr) return state_->setText(anyWritten() ? tr("changed") : tr("defaults"));
  if (spec_.kind == Switch::flag) {
    const FormKey* key = editing_.key(spec_.path);
    const bool on = key != nullptr && key->value == true;
    switch_->setChecked(on);
    const bool isWritten = findValue(editing_.keys(), spec_.path) != nullptr;
    return state_->setText(on ? tr("on") : isWritten ? tr("off") : tr("not set"));
  }
  const Json* held = findValue(editing_.keys(), spec_.path);
  const bool on = held != nullptr && !held->is_null();
  switch_->setChecked(on);
  state_->setText(on ? tr("on") : tr("not set"));
}

QWidget* BoostSection::reveal(const std::string& path) {
  for (KeyRow* row : rows_) {
    if (row->path() != path) continue;
    setUnfolded(true);
    return row->control();
  }
  const bool isSwitch = path == "boost.dictionary.boost." + spec_.key || (!spec_.path.empty() && path == spec_.path) ||
                        path == "boost.dictionary." + spec_.key || path == "boost." + spec_.key;
  return isSwitch ? switch_ : nullptr;
}

}  // namespace slipstream::ui
