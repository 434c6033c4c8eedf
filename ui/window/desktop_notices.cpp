// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/desktop_notices.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QVariantMap>
#include <QWidget>

#include "ui/workspace/settings.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

void sendToDesktop(const QString& title, const QString& text) {
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  QDBusMessage message = QDBusMessage::createMethodCall(
      QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
      QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
  constexpr uint replacesNone = 0;
  constexpr int usualTime = -1;
  // The service may read markup in the text: a run may be called anything.
  message << QStringLiteral("Slipstream") << replacesNone << QStringLiteral("slipstream") << title
          << text.toHtmlEscaped() << QStringList() << QVariantMap() << usualTime;
  bus.send(message);
}

DesktopNotices::DesktopNotices(Workspace& workspace, QWidget* window, Send send)
    : QObject(window), window_(window), send_(send ? std::move(send) : Send(sendToDesktop)) {
  connect(&workspace.alerts(), &RunAlerts::raised, this,
          [this](const QString& message) { tell(tr("A run needs attention"), message); });
  connect(&workspace.alerts(), &RunAlerts::finished, this,
          [this](const QString& message) { tell(tr("A run is done"), message); });
}

/// Whoever works in the window sees it there.
void DesktopNotices::tell(const QString& title, const QString& text) {
  if (!Settings::desktopNotices() || QApplication::activeWindow() != nullptr) return;
  QApplication::alert(window_);
  send_(title, text);
}

}  // namespace slipstream::ui
