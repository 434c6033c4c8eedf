// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>

namespace slipstream::ui {

class Workspace;

/// Shows what happened to runs as notices of the desktop, where the window is not the one that people work in: runs
/// that failed, were lost or are done, and losses that are no numbers. People may switch that off (Settings).
class DesktopNotices : public QObject {
  Q_OBJECT

 public:
  using Send = std::function<void(const QString& title, const QString& text)>;

  /// `send`: instead of the desktop's own service.
  DesktopNotices(Workspace& workspace, QWidget* window, Send send = {});

 private:
  void tell(const QString& title, const QString& text);

  QWidget* window_;
  Send send_;
};

/// Asks the desktop to show a notice (org.freedesktop.Notifications); nothing happens where it has no such service.
void sendToDesktop(const QString& title, const QString& text);

}  // namespace slipstream::ui
