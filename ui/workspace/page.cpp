// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/page.h"

namespace slipstream::ui {

Page::Page(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
}

}  // namespace slipstream::ui
