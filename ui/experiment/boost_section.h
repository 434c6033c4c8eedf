// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "engine/spec/decision.h"

class QCheckBox;
class QLabel;
class QToolButton;

namespace slipstream::ui {

class ExperimentEditing;
class KeyRow;

/// What one section of the boost form is about.
struct BoostSectionSpec {
  /// How it is switched: an algorithm of the dictionary, a section that is there or not, a flag, or not at all.
  enum class Switch { algorithm, presence, flag, none };
  std::string key;
  std::string title;      ///< in English
  std::string algorithm;  ///< whose README tells about it
  Switch kind = Switch::none;
  std::string path = {};               ///< presence, flag: the key
  std::string whenOn = {};             ///< presence: the value as JSON
  std::vector<std::string> keys = {};  ///< of its rows
};

/// All sections of the form, in its order: the algorithms, what is common to them, and settings elsewhere in the file
/// that belong to boosting.
std::vector<BoostSectionSpec> boostSectionSpecs();
QString titleOf(const BoostSectionSpec& section);
/// As Markdown; empty where there is none.
QString readmeOf(const BoostSectionSpec& section);

/// An algorithm in the form: its switch, what became of it and why, and a row for each of its keys.
class BoostSection : public QWidget {
  Q_OBJECT

 public:
  BoostSection(ExperimentEditing& editing, BoostSectionSpec spec, QWidget* parent = nullptr);

  const std::string& key() const { return spec_.key; }
  void refresh();
  /// The control of a key, unfolded; null where the section has none.
  QWidget* reveal(const std::string& path);

 Q_SIGNALS:
  void helpWanted(const BoostSectionSpec& section);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildHeader();
  void switched(bool on);
  void setUnfolded(bool unfolded);
  void refreshAlgorithm();
  void refreshOther();
  static QString offText(Reason reason);
  bool anyWritten() const;

  ExperimentEditing& editing_;
  BoostSectionSpec spec_;
  QCheckBox* switch_ = nullptr;
  QLabel* title_ = nullptr;
  QLabel* state_;
  QLabel* note_;
  QToolButton* fold_;
  QWidget* body_;
  std::vector<KeyRow*> rows_;
  bool wasOn_ = false;
  bool known_ = false;  ///< refreshed before
};

}  // namespace slipstream::ui
