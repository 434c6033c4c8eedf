// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>
#include <map>
#include <set>

#include "engine/experiment/experiment_choices.h"
#include "ui/store/latest_request.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace slipstream::ui {

/// The rank table that is open, where it is saved and has no errors.
struct OpenRankTable {
  std::string path = {};  ///< empty: there is none
  int ranks = 0;
  bool use = false;  ///< proposed, because it is what the window shows
};

/// Asks what a new experiment begins with, and says at once what comes of it: how many samples, parameters and steps,
/// or what keeps it from being run.
class NewExperimentDialog : public QDialog {
  Q_OBJECT

 public:
  /// `taken`: names of experiments that runs of the store have already. `table`: one that may be trained on.
  NewExperimentDialog(std::set<std::string> taken, OpenRankTable table = {}, QWidget* parent = nullptr);

  NewExperiment chosen() const;
  /// The file's text.
  std::string text() const { return newExperimentText(chosen()); }
  /// The plan of what is chosen is being made.
  bool isChecking() const { return checking_; }

 Q_SIGNALS:
  void checked();

 private:
  QFormLayout* buildForm();
  QWidget* buildFolder();
  QWidget* buildLength();
  QWidget* buildAlgorithms();
  QWidget* buildButtons();
  QString proposedName() const;
  QString whyNot() const;
  void changed();
  void takeTable(bool use);
  void takeUnit();
  bool isInSteps() const;
  QString whyNoData() const;
  void check();
  struct Answer;
  void receive(const Answer& answer);
  void say(const QString& words, bool wrong);

  std::set<std::string> taken_;
  OpenRankTable table_;
  QLineEdit* name_;
  QComboBox* network_;
  QComboBox* dataset_;
  QLineEdit* folder_;
  QPushButton* browse_;
  QSpinBox* ranks_;
  QCheckBox* onTable_;
  QDoubleSpinBox* length_;
  QComboBox* unit_;  ///< of the length
  std::map<std::string, QCheckBox*> algorithms_;
  QLabel* state_;
  QPushButton* create_;
  QTimer timer_;
  LatestRequest latest_;
  bool checking_ = false;
  int ranksAlone_ = 2;           ///< without the table
  std::int64_t epochSteps_ = 0;  ///< in an epoch of what was checked last; 0: not known
};

}  // namespace slipstream::ui
