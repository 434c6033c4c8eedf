// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <functional>

class QHBoxLayout;
class QLabel;

namespace slipstream::ui {

/// A few words above a list or a page that wait to be read or answered, without stopping anything else. Hidden until it
/// has something to say.
class Notice : public QFrame {
  Q_OBJECT

 public:
  explicit Notice(QWidget* parent = nullptr);

  /// With a button that puts it away.
  void tell(const QString& words);
  /// With a button that does it, and one that does not.
  void ask(const QString& words, const QString& yes, const QString& no, std::function<void()> answer);
  QString words() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setWords(const QString& words, bool asks);

  QLabel* words_;
  QHBoxLayout* buttons_;
  class QPushButton* yes_;
  class QPushButton* no_;
  std::function<void()> answer_;
};

}  // namespace slipstream::ui
