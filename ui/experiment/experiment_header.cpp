// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/experiment_header.h"

#include <QComboBox>
#include <QHBoxLayout>

#include "ui/experiment/experiment_document.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

QString wordsOf(const ExperimentScope& scope) {
  const QString name = QString::fromStdString(scope.name);
  switch (scope.kind) {
    case ExperimentScope::Kind::all:
      return ExperimentHeader::tr("Everything shared");
    case ExperimentScope::Kind::variant:
      return ExperimentHeader::tr("Variant: %1").arg(name);
    case ExperimentScope::Kind::stage:
      return ExperimentHeader::tr("Stage: %1").arg(name);
  }
  return name;
}

}  // namespace

ExperimentHeader::ExperimentHeader(ExperimentEditing& editing, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      title_(new ElidedLabel),
      why_(new ElidedLabel),
      chip_(new StateChip),
      scopes_(new QComboBox),
      vary_(button(Symbol::vary, tr("Vary…"))),
      save_(button(Symbol::save, tr("Save"))) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapWide);
  title_->setFont(textFont(TextSize::pageTitle));
  scopes_->setAccessibleName(tr("Whose settings are shown"));
  scopes_->setToolTip(tr("Settings of one variant or stage stand above what is shared"));
  scopes_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(title_);
  row->addWidget(chip_);
  // In the row of the title, which is there anyway: nothing moves under the mouse of whoever is typing.
  why_->setProperty("wrong", true);
  why_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // never at the cost of the title
  row->addWidget(why_, 1);
  row->addWidget(scopes_);
  row->addWidget(vary_);
  row->addWidget(save_);
  connect(scopes_, &QComboBox::activated, this,
          [this](int index) { editing_.setScope(scopesOf(editing_.root())[static_cast<std::size_t>(index)]); });
  connect(vary_, &QPushButton::clicked, this, &ExperimentHeader::varyWanted);
  connect(save_, &QPushButton::clicked, this, &ExperimentHeader::saveWanted);
  connect(&editing, &ExperimentEditing::changed, this, &ExperimentHeader::refresh);
  connect(&editing.document(), &Document::fileChanged, this, &ExperimentHeader::refresh);
  refresh();
}

QString ExperimentHeader::nameOfExperiment() const {
  const Json& root = editing_.root();
  const bool named = root.is_object() && root.contains("name") && root["name"].is_string();
  return named ? QString::fromStdString(root["name"].get<std::string>()) : editing_.document().title();
}

void ExperimentHeader::refresh() {
  const ExperimentDocument& document = editing_.document();
  const bool readable = editing_.isReadable();
  why_->setWhole(readable ? QString() : editing_.whyUnreadable());
  // A text that cannot be read for a moment keeps the name that it had.
  if (readable || titled_ != document.file() || title_->whole().isEmpty()) title_->setWhole(nameOfExperiment());
  titled_ = document.file();
  chip_->setVisible(document.isModified() || document.file().empty());
  chip_->setState(RunState::draft, document.file().empty() ? tr("Draft") : tr("Modified"));
  save_->setEnabled(document.isModified() || document.file().empty());
  save_->setToolTip(save_->isEnabled() ? QString() : tr("Everything is saved"));
  vary_->setEnabled(readable);
  scopes_->setEnabled(readable);
  if (readable) refreshScopes();
}

void ExperimentHeader::refreshScopes() {
  const std::vector<ExperimentScope> scopes = scopesOf(editing_.root());
  scopes_->setVisible(scopes.size() > 1);
  scopes_->clear();
  for (const ExperimentScope& scope : scopes) {
    scopes_->addItem(wordsOf(scope));
    if (scope == editing_.scope()) scopes_->setCurrentIndex(scopes_->count() - 1);
  }
}

}  // namespace slipstream::ui
