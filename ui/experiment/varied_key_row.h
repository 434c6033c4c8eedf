// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "engine/experiment/experiment_choices.h"
#include "engine/experiment/experiment_form.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace slipstream::ui {

/// A setting of the experiment and the values that variants give it, as text with commas between.
class VariedKeyRow : public QWidget {
  Q_OBJECT

 public:
  /// `path`: the key that is chosen at first; empty: none.
  VariedKeyRow(std::vector<FormKey> form, const std::string& path, QWidget* parent = nullptr);

  /// Nothing where no key is chosen, or no value is written.
  std::optional<VariedKey> key() const;
  bool isWrong() const;

 Q_SIGNALS:
  void changed();

 private:
  const FormKey* chosen() const;
  void fillKeys();
  void read();

  std::vector<FormKey> form_;
  QComboBox* keys_;
  QLineEdit* values_;
  QLabel* problem_;
  std::vector<Json> read_;
};

}  // namespace slipstream::ui
