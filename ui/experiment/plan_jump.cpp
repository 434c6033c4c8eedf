// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/plan_jump.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/experiment/plan_section.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int jumpWidth = 132, jumpMark = 14;

/// Marks are at the right, so that all titles begin alike.
class JumpDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->decorationPosition = QStyleOptionViewItem::Right;
    option->decorationAlignment = Qt::AlignRight | Qt::AlignVCenter;
    if (option->state.testFlag(QStyle::State_Selected)) option->font.setWeight(strongWeight());
  }
};

}  // namespace

PlanJump::PlanJump(const QStringList& sections, QWidget* parent)
    : QWidget(parent), search_(new QLineEdit), list_(new QListWidget), changed_(new QCheckBox) {
  QVBoxLayout* layout = column(this);
  setFixedWidth(widthForFont(jumpWidth));
  search_->setPlaceholderText(tr("Find a setting"));
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  search_->addAction(icon(Symbol::search, IconInk::second), QLineEdit::LeadingPosition);
  list_->setProperty("jump", true);
  list_->setAccessibleName(tr("Sections of the experiment"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setItemDelegate(new JumpDelegate(list_));
  list_->setIconSize({jumpMark, jumpMark});
  list_->addItems(sections);
  for (int row = 0; row < list_->count(); ++row) setMark(row, Mark::none);
  layout->addWidget(search_);
  list_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  list_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  layout->addWidget(list_);
  layout->addWidget(hairline());
  layout->addWidget(changed_);
  layout->addStretch(1);
  setChanged(0);
  connect(search_, &QLineEdit::textChanged, this, &PlanJump::announce);
  connect(changed_, &QCheckBox::toggled, this, &PlanJump::announce);
  connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { Q_EMIT chosen(list_->row(item)); });
  connect(list_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { Q_EMIT chosen(list_->row(item)); });
}

void PlanJump::announce() {
  Q_EMIT filterChanged({search_->text().trimmed(), changed_->isChecked()});
}

/// The place of the mark is kept, so that no title moves.
void PlanJump::setMark(int section, Mark mark) {
  QListWidgetItem* item = list_->item(section);
  const bool error = mark == Mark::error;
  if (mark == Mark::none) {
    item->setIcon({});
    item->setData(Qt::AccessibleTextRole, item->text());
    return;
  }
  item->setIcon(icon(error ? Symbol::error : Symbol::warning, error ? IconInk::error : IconInk::warning));
  item->setData(Qt::AccessibleTextRole, (error ? tr("%1, with errors") : tr("%1, with warnings")).arg(item->text()));
}

void PlanJump::setFound(int section, bool found) {
  QListWidgetItem* item = list_->item(section);
  item->setFlags(found ? Qt::ItemIsSelectable | Qt::ItemIsEnabled : Qt::NoItemFlags);
}

void PlanJump::setCurrent(int section) {
  list_->setCurrentRow(section);
}

void PlanJump::clear() {
  search_->clear();
  changed_->setChecked(false);
}

void PlanJump::setChanged(int settings) {
  changed_->setText(tr("Only changed (%1)").arg(settings));
  changed_->setToolTip(tr("Shows the settings that differ from their defaults"));
}

}  // namespace slipstream::ui
