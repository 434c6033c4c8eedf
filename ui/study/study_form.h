// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "ui/study/cost_panel.h"
#include "ui/study/variant_rows.h"
#include "ui/workspace/workspace.h"

class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace slipstream::ui {

/// A study that is written: its question, variants, factors, seeds, tuning and budget, beside what it will cost. Fields
/// are views of the document's text; nothing runs before it is frozen.
class StudyForm : public QWidget {
  Q_OBJECT

 public:
  explicit StudyForm(Workspace& workspace, QWidget* parent = nullptr);

  CostPanel& cost() { return *cost_; }
  QPushButton& freeze() { return *freeze_; }
  /// The control of a key: "seeds.least"; null where the form has none.
  QWidget* control(const std::string& key) const;

 Q_SIGNALS:
  void freezeWanted();
  void discardWanted();
  void baseWanted();  ///< a file is to be chosen

 private:
  /// Shows what the document holds, in one control.
  using Show = std::function<void(const Json& root)>;

  QWidget* makeHead();
  QWidget* makeFields();
  void addQuestion(QGridLayout& grid);
  void addFactors(QGridLayout& grid);
  void addTuning(QGridLayout& grid);
  void addBudget(QGridLayout& grid);
  void addHeading(QGridLayout& grid, const QString& title, const QString& note);
  void addRow(QGridLayout& grid, const QString& title, const std::vector<QWidget*>& controls);

  /// A line for a key path; `typed` and `field` are the two ways between what is typed and the file.
  QLineEdit* line(const std::string& key, const QString& name, int width, Json (*typed)(const QString&),
                  QString (*field)(const Json&));
  QSpinBox* spin(const std::string& key, const QString& name, int least, int most, int standard);
  QLineEdit* factorLine(const std::string& key, const QString& name);
  QComboBox* measureBox();
  QToolButton* alsoJudged();
  QComboBox* referenceBox();
  QComboBox* ruleBox();
  std::vector<QWidget*> tuningAxis();

  void set(const std::string& key, const Json& value, const QString& name, bool typing);
  void setFactor(const std::string& key, const Json& values);
  void useSeeds(int seeds);
  void refresh();
  void refreshState();
  void showPlace(const QString& path);
  /// How a margin is typed: in percent of ratios and in points of accuracies, else as it is.
  bool hasPercentMargin() const;

  Workspace& workspace_;
  StudyDocument& document_;
  std::vector<std::pair<std::string, QWidget*>> controls_;
  std::vector<Show> shows_;
  VariantRows* variants_ = nullptr;
  CostPanel* cost_;
  QPushButton* freeze_ = nullptr;
  QLabel* place_ = nullptr;
  QLabel* marginUnit_ = nullptr;
  bool changing_ = false;
};

}  // namespace slipstream::ui
