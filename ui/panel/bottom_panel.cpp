#include "ui/panel/bottom_panel.h"

#include <QHBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

BottomPanel::BottomPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), said_(label({}, TextSize::secondary, true)) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  layout->addStretch();
  layout->addWidget(said_);
  connect(&workspace, &Workspace::said, said_, &QLabel::setText);
}

void BottomPanel::showNextProblem() {}
void BottomPanel::showPreviousProblem() {}

}  // namespace slipstream::ui
