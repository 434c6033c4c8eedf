// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "engine/experiment/experiment_form.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace slipstream::ui {

class ExperimentEditing;

/// One key of the experiment in a form: what it is called, a control of its type, what it takes, whether it has its
/// default, and its help. Problems are shown below, with a button where something mends them.
class KeyRow : public QWidget {
  Q_OBJECT

 public:
  /// `key` gives type, limits and allowed values; its current value is read from `editing`.
  KeyRow(ExperimentEditing& editing, const FormKey& key, QWidget* parent = nullptr);

  const std::string& path() const { return path_; }
  QWidget* control() const { return control_; }
  QString title() const;
  /// All words are in title, key or help.
  bool matches(const QString& words) const;
  /// Shows what holds now.
  void refresh();

 Q_SIGNALS:
  /// Its control has the focus, or its help was asked for.
  void helpWanted(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void layOut();
  void buildProblem();
  void buildFlag();
  void buildControl(const FormKey& key);
  void buildChoice(const std::vector<std::pair<QString, Json>>& choices);
  void buildNumber(const FormKey& key);
  void buildLine(const FormKey& key);
  void addChoosers(QLineEdit& line);
  void addChooser(QLineEdit& line, bool file);
  void refreshDefault(const FormKey& key);
  void refreshProblem();
  void alignProblem();
  /// `typing`: it goes on, and is one undo step with what came before.
  void set(const Json& value, bool typing);

  ExperimentEditing& editing_;
  std::string path_;
  QLabel* title_;
  QWidget* control_ = nullptr;
  QLabel* range_ = nullptr;  ///< none beside a control that takes its place
  QPushButton* default_;
  QToolButton* help_;
  QWidget* mistake_;
  QLabel* shape_ = nullptr;
  QLabel* problem_;
  QPushButton* fix_;
  std::function<void(const FormKey&)> show_;
};

}  // namespace slipstream::ui
