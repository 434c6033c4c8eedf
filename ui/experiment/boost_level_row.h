// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class Segments;

/// Level and mode, and in a sentence what they switch on.
class BoostLevelRow : public QWidget {
  Q_OBJECT

 public:
  BoostLevelRow(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  /// The control of boost.level or of the mode; null for other keys.
  QWidget* control(const std::string& path) const;

 private:
  ExperimentEditing& editing_;
  Segments* level_;
  QComboBox* mode_;
  ElidedLabel* sentence_;
};

}  // namespace slipstream::ui
