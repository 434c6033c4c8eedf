// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class JsonEditor;

/// boost_config_dict as text. What is typed goes into the document as it is typed, sound or not; while it is not, the
/// rest of the document is held around it.
class DictionaryPanel : public QWidget {
  Q_OBJECT

 public:
  DictionaryPanel(ExperimentEditing& editing, QWidget* parent = nullptr);

  /// The key of the dictionary is marked, where it is written.
  void showKey(const std::string& path);

 private:
  void refresh();
  void refreshState();
  void typed();
  /// Finds the dictionary in the document; false where the scope has none of its own.
  bool locate();

  ExperimentEditing& editing_;
  ElidedLabel* state_;
  QLabel* stateIcon_;
  JsonEditor* editor_;
  bool own_ = false;  ///< the scope has a dictionary, between before_ and after_
  std::string before_, after_;
  std::size_t indent_ = 0;  ///< blanks before the line that it begins on
};

}  // namespace slipstream::ui
