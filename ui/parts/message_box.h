// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

class QWidget;

namespace slipstream::ui {

/// Says something that cannot wait in a box of its own, which a button puts away.
void showMessage(QWidget* parent, const QIcon& shape, const QString& title, const QString& words);
/// What went wrong.
void showWarning(QWidget* parent, const QString& title, const QString& words);

}  // namespace slipstream::ui
