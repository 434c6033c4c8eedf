#pragma once

#include <QLabel>
#include <QWidget>
#include <map>

namespace slipstream::ui {

class ExperimentEditing;
class MemoryBar;

/// What the plan says before the first step: memory a rank by kind, traffic, steps, and what stays in the store.
class ForecastPanel : public QWidget {
  Q_OBJECT

 public:
  ForecastPanel(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  /// One line and the bar, where there is little room.
  void setFolded(bool folded);

 private:
  struct Line {
    QLabel* value;
    QLabel* note;
  };
  QWidget* buildLegend();
  Line addLine(const QString& title);
  void refreshMemory();
  void refreshLines();

  ExperimentEditing& editing_;
  QLabel* when_;
  QLabel* together_;
  MemoryBar* bar_;
  std::map<std::string, QLabel*> sizes_;  ///< by category
  QLabel* free_ = nullptr;
  QWidget* details_;  ///< everything below the bar
  Line traffic_{}, steps_{}, frozen_{}, store_{};
};

}  // namespace slipstream::ui
