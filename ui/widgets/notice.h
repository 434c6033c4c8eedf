// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QIcon>
#include <QString>
#include <functional>

class QHBoxLayout;
class QLabel;
class QWidget;

namespace slipstream::ui {

/// A message or a question above a list or a page, which stops nothing else. Hidden until there is one.
class Notice : public QFrame {
  Q_OBJECT

 public:
  explicit Notice(QWidget* parent = nullptr);

  /// With a button that puts it away.
  void report(const QString& message);
  /// With a button that does it, and one that does not.
  void ask(const QString& message, const QString& yes, const QString& no, std::function<void()> answer);
  QString message() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setText(const QString& message, bool asks);

  QLabel* message_;
  QHBoxLayout* buttons_;
  class QPushButton* yes_;
  class QPushButton* no_;
  std::function<void()> answer_;
};

/// Shows a message in a modal box with a button that closes it.
void showMessage(QWidget* parent, const QIcon& shape, const QString& title, const QString& message);
/// The same for what went wrong.
void showWarning(QWidget* parent, const QString& title, const QString& message);

}  // namespace slipstream::ui
