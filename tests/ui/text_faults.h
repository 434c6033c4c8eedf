// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace slipstream::test {

/// What is wrong with the texts that a window draws, one line each: those that are cut, that lie over each other or,
/// where the window is Chinese, that are English. `where` begins each line.
QStringList faultsOf(QWidget& window, const QString& where, bool chinese);

}  // namespace slipstream::test
