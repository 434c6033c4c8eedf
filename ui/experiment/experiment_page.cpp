// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/experiment_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

#include "engine/runs/run_selection.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/vary_dialog.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString scopeName(const ExperimentScope& scope) {
  const QString name = QString::fromStdString(scope.name);
  switch (scope.kind) {
    case ExperimentScope::Kind::all:
      return ExperimentHeader::tr("All variants (shared settings)");
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
      about_(new ElidedLabel),
      why_(new ElidedLabel),
      chip_(new StateChip),
      scopes_(new QComboBox),
      vary_(button(Symbol::vary, tr("Create variants…"))),
      save_(button(Symbol::save, tr("Save"))) {
  QHBoxLayout* row = rowLayout(this, gapWide);
  title_->setFont(textFont(TextSize::pageTitle));
  scopes_->setAccessibleName(tr("Whose settings are shown"));
  scopes_->setToolTip(tr("Settings of one variant or stage take precedence over shared ones"));
  scopes_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(title_);
  row->addWidget(chip_);
  about_->setProperty("second", true);
  about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(about_, 1);
  // In the row of the title, which is there anyway: nothing moves under the mouse of whoever is typing.
  why_->setProperty("wrong", true);
  why_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // never at the cost of the title
  row->addWidget(why_, 1);
  addAll(*row, {scopes_, vary_, save_});
  connect(scopes_, &QComboBox::activated, this,
          [this](int index) { editing_.setScope(scopesOf(editing_.root())[static_cast<std::size_t>(index)]); });
  connect(vary_, &QPushButton::clicked, this, &ExperimentHeader::varyWanted);
  connect(save_, &QPushButton::clicked, this, &ExperimentHeader::saveWanted);
  connect(&editing, &ExperimentEditing::changed, this, &ExperimentHeader::refresh);
  connect(&editing.document(), &ExperimentDocument::planChanged, this, &ExperimentHeader::refreshAbout);
  connect(&editing.document(), &Document::fileChanged, this, &ExperimentHeader::refresh);
  refresh();
}

void ExperimentHeader::refresh() {
  const ExperimentDocument& document = editing_.document();
  const bool readable = editing_.isReadable();
  why_->setWhole(readable ? QString() : editing_.whyUnreadable());
  // A text that cannot be read for a moment keeps the name that it had.
  if (readable || titled_ != document.file() || title_->whole().isEmpty()) title_->setWhole(editing_.name());
  titled_ = document.file();
  chip_->setVisible(document.isModified() || document.file().empty());
  chip_->setState(RunState::draft, document.file().empty() ? tr("Draft") : tr("Modified"));
  save_->setEnabled(document.isModified() || document.file().empty());
  save_->setToolTip(save_->isEnabled() ? QString() : tr("Everything is saved"));
  vary_->setEnabled(readable);
  scopes_->setEnabled(readable);
  if (readable) refreshScopes();
  refreshAbout();
}

/// What is planned.
void ExperimentHeader::refreshAbout() {
  QStringList parts;
  if (const auto stage = editing_.stage()) {
    parts << text(stage->experiment.network.name) << text(stage->experiment.dataset.name)
          << tr("%n rank(s)", nullptr, editing_.plan()->ranks());
    if (const std::string acting = algorithmsText(algorithmsOf(*editing_.plan())); !acting.empty())
      parts << text(acting);
    parts << tr("%n step(s)", nullptr, static_cast<int>(editing_.plan()->totalSteps));
  }
  const QString separator = QStringLiteral(" · ");
  about_->setWhole(parts.join(separator), {parts.mid(0, 3).join(separator), QString()});
  about_->setVisible(editing_.isReadable());
  why_->setVisible(!editing_.isReadable());
}

void ExperimentHeader::refreshScopes() {
  const std::vector<ExperimentScope> scopes = scopesOf(editing_.root());
  scopes_->setVisible(scopes.size() > 1);
  scopes_->clear();
  for (const ExperimentScope& scope : scopes) {
    scopes_->addItem(scopeName(scope));
    if (scope == editing_.scope()) scopes_->setCurrentIndex(scopes_->count() - 1);
  }
}

ExperimentPage::ExperimentPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent), editing_(workspace.experiment().editing()), pages_(new QStackedWidget) {
  QPushButton* create = primaryButton(Symbol::add, tr("New experiment"));
  connect(create, &QPushButton::clicked, this, &Page::newExperimentWanted);
  pages_->addWidget(new EmptyState(tr("No experiment is open"),
                                   tr("Begin with the quick start, or open a file of your own."), create));
  column(this)->addWidget(pages_);
  // A page behind others is brought up to date when it is shown.
  connect(&editing_, &ExperimentEditing::changed, this, [this] {
    if (isVisible()) bringUpToDate();
  });
  connect(&workspace.experiment(), &ExperimentDocument::planChanged, this, [this] {
    if (isVisible() && isBuilt_) refreshPlan();
  });
  connect(&workspace.experiment(), &ExperimentDocument::placeWanted, this, [this](const QString& place) {
    bringUpToDate();
    if (isBuilt_) showPlace(place);
  });
}

void ExperimentPage::build() {
  if (std::exchange(isBuilt_, true)) return;
  auto* holder = new QWidget(pages_);
  holder->resize(pages_->size());
  pages_->addWidget(holder);
  QVBoxLayout* rows = column(holder);
  rows->setContentsMargins(pageMargin, gapWide, pageMargin, gapText);
  auto* header = new ExperimentHeader(editing_, holder);
  connect(header, &ExperimentHeader::varyWanted, this, &ExperimentPage::vary);
  connect(header, &ExperimentHeader::saveWanted, this, &Page::saveWanted);
  rows->addWidget(header);
  buildBody(*rows);
  Q_EMIT bodyBuilt();
}

/// As wide as it will be, so that its parts are given their sizes of that.
QSplitter& ExperimentPage::addSplitter(QVBoxLayout& rows) {
  auto* split = new QSplitter(Qt::Horizontal, rows.parentWidget());
  split->setChildrenCollapsible(false);
  split->setProperty("quiet", true);
  split->resize(rows.parentWidget()->size());
  rows.addWidget(split, 1);
  return *split;
}

void ExperimentPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  bringUpToDate();
}

/// The style sheet takes fonts from widgets that were never shown; they are set anew.
void ExperimentPage::bringUpToDate() {
  if (!editing_.isEmpty()) build();
  if (!isBuilt_) return;
  refresh();
}

void ExperimentPage::refresh() {
  pages_->setCurrentIndex(editing_.isEmpty() ? 0 : 1);
  refreshPlan();
}

void ExperimentPage::vary() {
  VaryDialog dialog(editing_, &workspace().store(), this);
  if (dialog.exec() == QDialog::Accepted && dialog.launches()) Q_EMIT launchWanted();
}

}  // namespace slipstream::ui
