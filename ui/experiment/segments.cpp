// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/segments.h"

#include <QAbstractButton>
#include <QHBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

Segments::Segments(const QStringList& words, QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  for (int i = 0; i < words.size(); ++i) {
    QPushButton* choice = button(words[i]);
    choice->setCheckable(true);
    group_->addButton(choice, i);
    row->addWidget(choice);
  }
  connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Segments::setCurrent(int index) {
  group_->setExclusive(false);
  for (QAbstractButton* choice : group_->buttons()) choice->setChecked(group_->id(choice) == index);
  group_->setExclusive(true);
}

}  // namespace slipstream::ui
