// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/run_title.h"

namespace slipstream::ui {

RunTitle::RunTitle(QWidget* parent)
    : QWidget(parent),
      row_(new QHBoxLayout(this)),
      name_(new ElidedLabel),
      state_(new StateChip),
      facts_(new ElidedLabel) {
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(gapText);
  name_->setFont(textFont(TextSize::pageTitle));
  name_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  facts_->setProperty("second", true);
  facts_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  row_->addWidget(name_);
  row_->addWidget(state_);
  row_->addWidget(facts_, 1);
}

void RunTitle::setRun(const RunRow& row, const QString& name) {
  name_->setWhole(name);
  state_->setState(row.run.state);
}

}  // namespace slipstream::ui
