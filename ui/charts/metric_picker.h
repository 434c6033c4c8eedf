// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <string>
#include <vector>

namespace slipstream::ui {

/// A group of metrics as people look for them: results, times, then one a family of tensors or groups.
struct MetricGroup {
  QString title;
  std::vector<std::string> metrics;
};
/// Groups in the order of lists; none is empty.
std::vector<MetricGroup> groupsOf(const std::vector<std::string>& metrics);

/// Whether title or key hold the words, or match them as a regular expression.
bool matches(const QString& wanted, const QString& title, const QString& key);

/// A small window in which metrics are searched, by title, key or regular expression, and taken one after the other.
class MetricPicker : public QFrame {
  Q_OBJECT

 public:
  explicit MetricPicker(QWidget* parent);
  void setMetrics(const std::vector<std::string>& metrics);
  void popup(const QPoint& topRight);

 Q_SIGNALS:
  void chosen(const std::string& metric);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void choose(QTreeWidgetItem* item);

  QLineEdit* search_;
  QTreeWidget* tree_;
  QLabel* none_;
};

}  // namespace slipstream::ui
