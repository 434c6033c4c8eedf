// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>
#include <array>
#include <map>
#include <vector>

class QGridLayout;
class QToolButton;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;

/// What the plan says before the first step: memory a rank by kind, traffic, steps, and what stays in the store.
class ForecastPanel : public QWidget {
  Q_OBJECT

 public:
  ForecastPanel(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  /// One line and the bar, where there is little room; a button shows the rest.
  void setFolded(bool folded);

 private:
  class MemoryBar;
  class ColourKey;
  struct LegendEntry {
    ColourKey* key = nullptr;
    QLabel* name = nullptr;
    QLabel* size = nullptr;
    std::array<QWidget*, 3> parts() const;
    void setVisible(bool visible) const;
  };
  struct Line {
    QWidget* whole;
    QLabel* value;
    QLabel* note;
  };
  QWidget* buildHeader();
  QWidget* buildLegend();
  void arrangeLegend(const std::vector<const LegendEntry*>& shown);
  void showDetails(bool shown);
  Line addLine(const QString& title);
  void refreshMemory();
  void refreshLines();

  ExperimentEditing& editing_;
  ElidedLabel* when_;
  QLabel* memory_;
  QLabel* together_;
  MemoryBar* bar_;
  QGridLayout* legend_ = nullptr;
  std::map<std::string, LegendEntry> entries_;  ///< by category
  LegendEntry free_;
  std::vector<const LegendEntry*> shown_;  ///< in the legend
  QWidget* details_;                       ///< everything below the bar
  QToolButton* fold_;
  Line machine_{}, traffic_{}, steps_{}, frozen_{}, store_{};
};

}  // namespace slipstream::ui
